import { expect, test } from 'vitest'
import { parsePostmasterFile, takeOverAction } from './postmaster-file'

const FILE = { pid: 4711, dataDir: '/home/a b/.data/postgres' }
const COMMAND = '/opt/native/bin/postgres -D /home/a b/.data/postgres -p 5000 -c timezone=UTC'

test('reads the process and the folder', () => {
  const text = '4711\n/home/a b/.data/postgres\n1796024025\n36765\n\n127.0.0.1\n'
  expect(parsePostmasterFile(text)).toEqual(FILE)
})

test.each(['', '\n', 'word\n/data\n', '-1\n/data\n', '12\n', '12\n\n'])(
  'takes %j, as a full disk may leave it, for no file',
  (text) => {
    expect(parsePostmasterFile(text)).toBeUndefined()
  },
)

test.each([
  ['leaves a file whose process is gone to PostgreSQL', undefined, 'none'],
  ['stops a server that outlived its launcher', COMMAND, 'stop-it'],
  ['disowns a number that another program has now', '/usr/bin/vim notes', 'disown-file'],
  ['disowns a number that another server has now', '/usr/bin/postgres -D /srv/pg', 'disown-file'],
  [
    'does not stop the server of a folder whose name only begins the same',
    COMMAND.replace('/postgres -p', '/postgres2 -p'),
    'disown-file',
  ],
  [
    'does not stop a program that only mentions the folder',
    '/usr/bin/du -D /home/a b/.data/postgres',
    'disown-file',
  ],
] as const)('%s', (_, command, action) => {
  expect(takeOverAction(FILE, command)).toBe(action)
})
