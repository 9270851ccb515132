import type { Page } from '@playwright/test'
import type { StatusWord } from '@/lib/domain/attempt'
import { attemptIdOf, expectStatus, generate, type Person } from './fixtures'
import type { Installation } from './installation'

const FOR_EVER_MS = 600_000
const WORKERS_SLOTS = 3

/** For installations in which every state is to be seen at once, and stays. */
export const stageSettings = {
  SIMULATOR_SLOW_MS: String(FOR_EVER_MS),
  WORKER_CONCURRENCY: String(WORKERS_SLOTS),
  // A submission whose answer is awaited stays so for as long as anybody looks.
  SUBMIT_TIMEOUT_MS: String(FOR_EVER_MS),
  LEASE_MS: String(FOR_EVER_MS + 60_000),
} as const

export type Stage = Readonly<Record<StatusWord, string>>

type Act = { readonly prompt: string; readonly status: StatusWord; readonly fault?: string }

// Those that stay on their way hold the worker's slots, so they come last.
const acts: readonly Act[] = [
  { prompt: 'A lighthouse in fog, seen from the sea at dusk', status: 'delivered' },
  { prompt: 'Mountains at first light above a frozen lake, long exposure', status: 'delivered' },
  {
    prompt: 'A fern and a single white flower, ink drawing on rough paper',
    status: 'failed',
    fault: 'fail',
  },
  { prompt: 'A ringed planet over a red desert, poster in three colours', status: 'delivered' },
  {
    prompt: 'Harbour cranes in the rain, reflections on wet concrete',
    status: 'unresolved',
    fault: 'lost-answer',
  },
  {
    prompt: 'An old darkroom, prints hanging on a line',
    status: 'delivering',
    fault: 'result-down',
  },
  { prompt: 'A city of paper, cut and folded', status: 'generating', fault: 'slow' },
  ...Array.from({ length: WORKERS_SLOTS }, (_, nth) => ({
    // Its callback would tell what its answer does not.
    prompt: `Waves on black sand, study ${nth + 1} #drill:slow`,
    status: 'submitting' as const,
    fault: 'late-answer',
  })),
  { prompt: 'A greenhouse at night, lit from within', status: 'queued' },
]

/** Makes an attempt in every state that a person can see, as a person would. */
export async function stageEveryState(page: Page, { simulatorUrl }: Installation): Promise<Stage> {
  const stage: Partial<Record<StatusWord, string>> = {}
  for (const { prompt, status, fault } of acts) {
    if (fault !== undefined) await arm(simulatorUrl, fault)
    await generate(page, prompt)
    const card = page.locator('article[data-attempt-id]', { hasText: prompt })
    await expectStatus(card, status)
    stage[status] ??= await attemptIdOf(card)
  }
  return stage as Stage
}

async function arm(simulatorUrl: string | undefined, fault: string): Promise<void> {
  const answer = await fetch(`${simulatorUrl ?? ''}/_/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fault, ms: FOR_EVER_MS }),
  })
  if (answer.status !== 201) throw new Error(`the simulator does not know ${fault}`)
}

/** From here on this person is of that role. */
export async function makeRole({ sql }: Installation, { email }: Person, role: string) {
  await sql.query('update user_identity set role = $2 where email = $1', [email, role])
}

export type Place = { readonly name: string; readonly path: string }

export const strangersPlaces: readonly Place[] = [
  { name: 'home', path: '/' },
  { name: 'sign-in', path: '/sign-in' },
  { name: 'sign-up', path: '/sign-up' },
  { name: 'not-found', path: '/no-such-page' },
]

export const usersPlaces = (stage: Stage): readonly Place[] => [
  { name: 'studio', path: '/studio' },
  { name: 'images', path: '/images' },
  { name: 'images-none', path: '/images?q=nothing-has-these-words' },
  { name: 'credits', path: '/credits' },
  { name: 'account', path: '/account' },
  { name: 'image-not-found', path: '/images/no-such-image' },
  ...Object.entries(stage).map(([status, id]) => ({
    name: `image-${status}`,
    path: `/images/${id}`,
  })),
]

export const adminsPlaces = ({ unresolved }: Stage): readonly Place[] => [
  { name: 'admin', path: '/admin' },
  { name: 'admin-attempts', path: '/admin/attempts' },
  { name: 'admin-attempt', path: `/admin/attempts/${unresolved}` },
  { name: 'admin-accounts', path: '/admin/accounts' },
  { name: 'admin-alerts', path: '/admin/alerts' },
  { name: 'admin-policies', path: '/admin/policies' },
  { name: 'admin-ledger', path: '/admin/ledger' },
  { name: 'admin-drills', path: '/admin/drills' },
  { name: 'admin-log', path: '/admin/log' },
]
