/** Something the person at the terminal can put right. The message is all they are shown. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError'
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The `code` of a failed system call ("EACCES", "ENOENT", …), if it is one. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
