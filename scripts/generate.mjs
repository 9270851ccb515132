// Generates the Prisma client. Generation never runs the schema engine, but Prisma's command
// insists on having one and would download it; naming any executable keeps it from the network.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'

const prisma = createRequire(import.meta.url).resolve('prisma/build/index.js')
const { status } = spawnSync(process.execPath, [prisma, 'generate', '--no-hints'], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  },
})
process.exit(status ?? 1)
