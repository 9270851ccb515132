import { statusWordOf } from '@/lib/domain/attempt'
import { AttemptView, type BalanceView } from '@/lib/web/views'
import { idOf } from './outbox-item'

/** An attempt as the server shows it. The number makes its ids and its time. */
export function attemptOf(number: number, change: Partial<AttemptView> = {}): AttemptView {
  const at = new Date(Date.UTC(2026, 10, 30, 7, 0, number)).toISOString()
  const state = change.state ?? 'pending'
  const isOpen = state !== 'completed' && state !== 'failed'
  return AttemptView.parse({
    id: `10000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    request_id: idOf(number),
    model: 'simulator/safelight',
    prompt: 'A lighthouse',
    settings: { width: 1024, height: 1024, seed: 7 },
    state,
    status: statusWordOf(state),
    price: 4,
    reserved: 'credits',
    settlement: null,
    failure: null,
    artwork: null,
    deleted_at: null,
    progress: null,
    looked_at: null,
    next_look_at: null,
    cancel_requested: false,
    created_at: at,
    updated_at: at,
    poll_after_ms: isOpen ? 1_000 : null,
    ...change,
  })
}

export const BALANCE: BalanceView = {
  granted: 100,
  available: 96,
  held: 4,
  spent: 0,
  allowance: {
    day: '2026-11-30',
    limit: 0,
    delivered: 0,
    held: 0,
    remaining: 0,
    resets_at: '2026-12-01T00:00:00.000Z',
  },
}
