// Generates the Prisma client. Generation never runs the schema engine, but Prisma's command
// insists on having one and would download it; naming any executable keeps it from the network.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'

const prisma = createRequire(import.meta.url).resolve('prisma/build/index.js')
const { status, stdout, stderr } = spawnSync(process.execPath, [prisma, 'generate', '--no-hints'], {
  encoding: 'utf8',
  env: {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  },
})
// What it says when all is well is of no use to anyone.
if (status !== 0) process.stderr.write(`${stdout}${stderr}`)
process.exit(status ?? 1)
