import { randomBytes, randomInt } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { LaunchError } from './launch-error'

const Secrets = z.object({
  authSecret: z.string().min(32),
  simulatorWebhookSecret: z.string().min(32),
  serverActionsKey: z.base64(),
  postgresOwnerPassword: z.string().min(1),
  postgresAppPassword: z.string().min(1),
  demoUserPassword: z.string().min(1),
  demoAdminPassword: z.string().min(1),
})

export type Secrets = Readonly<z.infer<typeof Secrets>>

/** The secrets of this data folder: made at its first start, the same ever after. */
export function loadSecrets(dataDir: string): Secrets {
  const path = join(dataDir, 'secrets.json')
  if (!existsSync(path)) writeWhole(path, makeSecrets())
  try {
    return Secrets.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (cause) {
    throw new LaunchError(
      `${path} cannot be read. Put its contents or its owner right; it holds the passwords of the ` +
        'database beside it, so do not simply delete it.',
      { cause },
    )
  }
}

// Half a file would lock its owner out of the database.
function writeWhole(path: string, secrets: Secrets): void {
  const unfinished = `${path}.new`
  writeFileSync(unfinished, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(unfinished, path)
}

function makeSecrets(): Secrets {
  return {
    authSecret: randomBytes(32).toString('base64url'),
    simulatorWebhookSecret: randomBytes(32).toString('base64url'),
    // Next.js wants the 32 bytes of an AES key in base64.
    serverActionsKey: randomBytes(32).toString('base64'),
    postgresOwnerPassword: randomBytes(24).toString('base64url'),
    postgresAppPassword: randomBytes(24).toString('base64url'),
    demoUserPassword: makeReadablePassword(),
    demoAdminPassword: makeReadablePassword(),
  }
}

// No letter or digit that looks like another: these are read off a terminal and typed.
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Four groups of four: 79 bits. */
export function makeReadablePassword(): string {
  const group = () => Array.from({ length: 4 }, () => READABLE[randomInt(READABLE.length)]).join('')
  return Array.from({ length: 4 }, group).join('-')
}
