import { z } from 'zod'
import { createDeps } from '@/lib/deps'
import { environment } from '@/lib/env'
import { registerUser } from '@/lib/use-cases/register-user'

// Made once by the launcher and kept in DATA_DIR: no password is ever in the repository.
const Passwords = z.object({
  DEMO_USER_PASSWORD: z.string().min(10),
  DEMO_ADMIN_PASSWORD: z.string().min(10),
})

/** The demo people of an installation. Run again, it finds them and changes nothing. */
async function seed(): Promise<void> {
  const passwords = Passwords.parse(process.env)
  const deps = createDeps(environment(), 'seed')
  const people = [
    { email: 'demo@darkroom.local', password: passwords.DEMO_USER_PASSWORD, role: 'user' },
    { email: 'admin@darkroom.local', password: passwords.DEMO_ADMIN_PASSWORD, role: 'admin' },
  ] as const
  for (const { email, password, role } of people) {
    const result = await registerUser(deps, { email, password }, { role })
    if (!result.ok && result.refusal.code !== 'email-taken') {
      throw new Error(`seeding ${email}: ${result.refusal.message}`)
    }
  }
  await deps.db.close()
}

await seed()
