import {
  attemptStates,
  failureCodes,
  reservedKinds,
  settlementKinds,
  statusWords,
} from '@/lib/domain/attempt-states'
import type { Settings } from '@/lib/domain/generation'
import { isRecord } from './browser-storage'
import {
  isBoolean,
  isNumber,
  isText,
  isTime,
  isWhole,
  listOf,
  oneOf,
  orNull,
  shaped,
  type Check,
} from './shape'
import type { AllowanceView, ArtworkView, AttemptsView, AttemptView, BalanceView } from './views'

const isArtworkView = shaped<ArtworkView>({
  url: isText,
  content_type: isText,
  width: isWhole,
  height: isWhole,
  size_bytes: isWhole,
  blur: isText,
})

const ifThere =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)

const isSettings = shaped<Settings>({
  width: isWhole,
  height: isWhole,
  seed: ifThere(isWhole),
  negativePrompt: ifThere(isText),
  quality: ifThere(isText),
  referenceImages: ifThere(listOf(isText)),
})

export const isAttemptView = shaped<AttemptView>({
  id: isText,
  request_id: isText,
  model: isText,
  prompt: isText,
  settings: isSettings,
  state: oneOf(attemptStates),
  status: oneOf(statusWords),
  price: isWhole,
  reserved: oneOf(reservedKinds),
  settlement: orNull(oneOf(settlementKinds)),
  failure: orNull(
    (value) =>
      isRecord(value) &&
      failureCodes.some((code) => code === value['code']) &&
      isText(value['message']),
  ),
  artwork: orNull(isArtworkView),
  deleted_at: orNull(isTime),
  progress: orNull(isNumber),
  looked_at: orNull(isTime),
  next_look_at: orNull(isTime),
  cancel_requested: isBoolean,
  created_at: isTime,
  updated_at: isTime,
  poll_after_ms: orNull(isWhole),
})

const isAllowanceView = shaped<AllowanceView>({
  day: isText,
  limit: isWhole,
  delivered: isWhole,
  held: isWhole,
  remaining: isWhole,
  resets_at: isTime,
})

export const isBalanceView = shaped<BalanceView>({
  granted: isWhole,
  available: isWhole,
  held: isWhole,
  spent: isWhole,
  allowance: isAllowanceView,
})

export const isAttemptsView = shaped<AttemptsView>({
  attempts: listOf(isAttemptView),
  balance: isBalanceView,
  poll_after_ms: orNull(isWhole),
})
