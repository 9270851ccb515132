import type { VerificationOutcome, VerifiedAct } from '@/lib/domain/verification'
import { z } from 'zod'
import {
  AttemptStateName,
  FailureCode,
  ReservedKind,
  SettlementKind,
  StatusWord,
} from '@/lib/domain/attempt'
import { Settings } from '@/lib/domain/generation'
import { AttemptId, RequestId } from '@/lib/domain/ids'
import { EntryKind } from '@/lib/domain/ledger'

// The shapes that leave the server, for the browser and for programs alike. Names are those of
// the HTTP API. Times are ISO 8601 in UTC, amounts are whole credits.

export const ArtworkView = z.object({
  url: z.string(),
  content_type: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  size_bytes: z.number().int(),
  /** A tiny data URL that stands in while the image loads. */
  blur: z.string(),
})
export type ArtworkView = Readonly<z.infer<typeof ArtworkView>>

export const AttemptView = z.object({
  id: AttemptId,
  request_id: RequestId,
  model: z.string(),
  prompt: z.string(),
  settings: Settings,
  state: AttemptStateName,
  status: StatusWord,
  price: z.number().int(),
  /** What it holds or held: its price in credits, or one free image of its day. */
  reserved: ReservedKind,
  settlement: SettlementKind.nullable(),
  failure: z.object({ code: FailureCode, message: z.string() }).nullable(),
  artwork: ArtworkView.nullable(),
  /** When its owner deleted the delivered picture: it is shown no more, and was charged all the same. */
  deleted_at: z.iso.datetime().nullable(),
  /** 0 to 1, as the provider last reported it; null when it reports none. */
  progress: z.number().nullable(),
  looked_at: z.iso.datetime().nullable(),
  next_look_at: z.iso.datetime().nullable(),
  /** Its owner asked to cancel it after it was sent: it may still be delivered and charged. */
  cancel_requested: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  /** When to ask again; null once the state is final. */
  poll_after_ms: z.number().int().nullable(),
})
export type AttemptView = Readonly<z.infer<typeof AttemptView>>

/** Free images of one UTC day. `remaining = max(0, limit - delivered - held)`. */
export const AllowanceView = z.object({
  day: z.iso.date(),
  limit: z.number().int(),
  delivered: z.number().int(),
  held: z.number().int(),
  remaining: z.number().int(),
  resets_at: z.iso.datetime(),
})
export type AllowanceView = Readonly<z.infer<typeof AllowanceView>>

/** `granted = available + held + spent`, always. */
export const BalanceView = z.object({
  granted: z.number().int(),
  available: z.number().int(),
  held: z.number().int(),
  spent: z.number().int(),
  allowance: AllowanceView,
})
export type BalanceView = Readonly<z.infer<typeof BalanceView>>

/** The answer of the batched poll: all attempts on screen, and the money as it is at that moment. */
export const AttemptsView = z.object({
  attempts: z.array(AttemptView),
  balance: BalanceView,
  poll_after_ms: z.number().int().nullable(),
})
export type AttemptsView = Readonly<z.infer<typeof AttemptsView>>

/** One immutable line of an account's money history, with the three balances after it. */
export const LedgerEntryView = z.object({
  seq: z.number().int(),
  kind: EntryKind,
  /** Always positive, but for `corrected`, which may be negative, and `refunded` and `disputed`, which are. */
  amount: z.number().int(),
  attempt_id: AttemptId.nullable(),
  prompt: z.string().nullable(),
  reason: z.string().nullable(),
  available_after: z.number().int(),
  held_after: z.number().int(),
  spent_after: z.number().int(),
  created_at: z.iso.datetime(),
})
export type LedgerEntryView = Readonly<z.infer<typeof LedgerEntryView>>

/** One line of an attempt's history, as the user may read it. */
export type HistoryLineView = {
  readonly seq: number
  readonly at: string
  readonly status: z.infer<typeof StatusWord>
  /** What happened, by its stable name. */
  readonly kind: string
}

/** One line of an attempt's history with all its evidence, for admins. */
export type EvidenceLineView = HistoryLineView & {
  readonly from_state: AttemptStateName | null
  readonly to_state: AttemptStateName
  readonly actor: string
  readonly evidence: unknown
}

export type AttemptDetailView = {
  readonly attempt: AttemptView
  readonly history: readonly HistoryLineView[]
  readonly entries: readonly LedgerEntryView[]
  /** Neighbours in the account's images, for previous and next. */
  readonly newer_id: string | null
  readonly older_id: string | null
}

/** This UTC day's credits, charged or on hold, and the account's own limit for them. */
export type SpendingView = { readonly used: number; readonly limit: number | null }

/** What became of the credits that were set aside on one UTC day. What came back is not in it. */
export type DayUseView = {
  readonly day: string
  readonly charged: number
  readonly held: number
  /** Those that were charged. */
  readonly images: number
}

/** An attempt in the list of pictures. */
export type PictureView = { readonly attempt: AttemptView; readonly favourite: boolean }

/** The link under which its owner shows a picture to others. */
export type ShareView = {
  readonly url: string
  readonly shows_prompt: boolean
  readonly created_at: string
}

export type Page<Item> = { readonly data: readonly Item[]; readonly next_cursor: string | null }

/** A row of the admin's queue: an attempt whose outcome is open. */
export type OpenAttemptView = {
  readonly id: string
  readonly state: AttemptStateName
  readonly status: z.infer<typeof StatusWord>
  readonly provider: string
  readonly model: string
  readonly account_email: string | null
  readonly held: number
  readonly settlement: SettlementKind | null
  readonly task_id: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly due_at: string
  readonly last_kind: string
}

/** One POST to the provider: what was sent when, never with a key, and what came back. */
export type UsageView = {
  readonly number: number
  readonly kind: string
  readonly sent_at: string
  readonly outcome: string | null
  readonly answered_at: string | null
  readonly address: string | null
  readonly request_sha256: string | null
  readonly request_bytes: number | null
  readonly http_status: number | null
  readonly provider_request_id: string | null
  readonly cost: { readonly amount: number; readonly unit: string } | null
}

export type VerificationView = {
  readonly id: string
  readonly act: VerifiedAct
  readonly task_id: string | null
  readonly actor: string
  readonly asked_at: string
  /** Null for as long as it is not known. */
  readonly outcome: VerificationOutcome | null
  readonly found: string | null
  readonly ended_at: string | null
}

export type AttemptReviewView = AttemptDetailView & {
  readonly account_email: string | null
  readonly account_id: string
  readonly provider: string
  readonly task_id: string | null
  readonly evidence: readonly EvidenceLineView[]
  readonly usage: readonly UsageView[]
  readonly work: {
    readonly due_at: string
    readonly lease_until: string | null
    readonly tries: number
    readonly epoch: string
  } | null
  readonly submission: {
    readonly sends: number
    readonly first_sent_at: string
    readonly last_sent_at: string
  } | null
  /** What workers were asked to make sure of, newest first. */
  readonly verifications: readonly VerificationView[]
}
