/** What a running PostgreSQL writes to `postmaster.pid` in its data folder. */
export type PostmasterFile = { readonly pid: number; readonly dataDir: string }

export function parsePostmasterFile(text: string): PostmasterFile | undefined {
  const [pidLine, dataDir] = text.split('\n')
  const pid = Number(pidLine)
  if (!Number.isInteger(pid) || pid <= 0 || !dataDir) return undefined
  return { pid, dataDir }
}

/**
 * What to do with a file that was left behind. `command` is the command line of the process with
 * its number; undefined when there is none.
 */
export function takeOverAction(
  file: PostmasterFile,
  command: string | undefined,
): 'none' | 'stop-it' | 'disown-file' {
  // PostgreSQL recovers by itself, and checks that no process of the old server is left.
  if (command === undefined) return 'none'
  const isOurs = /(^|[\\/])postgres(\.exe)? /.test(command)
  if (isOurs && `${command} `.includes(` -D ${file.dataDir} `)) return 'stop-it'
  // After a power cut the number may belong to any program, and PostgreSQL would refuse to start.
  return 'disown-file'
}
