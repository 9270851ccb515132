/** A no that the person at the terminal can do something about. The message is all they are shown. */
export class CliError extends Error {
  override readonly name = 'CliError'
}

/** What was typed is no command: answered with what can be typed. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
