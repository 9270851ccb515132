import { RequestId } from '@/lib/domain/ids'
import type { OutboxItem } from '@/lib/web/outbox'

export const ACCOUNT = '0195d9b2-0000-7000-8000-00000000000a'
export const OTHER_ACCOUNT = '0195d9b2-0000-7000-8000-00000000000b'

export const idOf = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

export function outboxItem(number = 1, change: Partial<OutboxItem> = {}): OutboxItem {
  return {
    requestId: RequestId.parse(idOf(number)),
    model: 'simulator/safelight',
    prompt: 'A lighthouse',
    settings: { width: 1024, height: 1024, seed: 7 },
    seedChoice: 'random',
    createdAt: new Date(Date.UTC(2026, 10, 30, 7, 0, number)).toISOString(),
    ...change,
  }
}
