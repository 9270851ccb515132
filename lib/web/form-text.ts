/** A text field of a form, exactly as typed; empty when it is not there. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
