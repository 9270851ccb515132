/** A text field of a form, exactly as typed; empty when it is not there. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** Undefined for a string that could be an address; the server has the last word. */
export function emailProblem(email: string): string | undefined {
  if (email.trim() === '') return 'Enter your e-mail address.'
  return /^\S+@\S+$/.test(email.trim()) ? undefined : 'This is not an e-mail address.'
}
