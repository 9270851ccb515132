/** What was typed after the name of the script, whether it was started by the bootstrap or directly. */
export function givenArguments(argv: readonly string[]): readonly string[] {
  const [, script = '', ...rest] = argv
  return script.endsWith('bootstrap.mjs') ? rest.slice(1) : rest
}
