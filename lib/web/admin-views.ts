import type { AlertKind } from '@/lib/domain/alert'
import type { AttemptStateName, SettlementKind, StatusWord } from '@/lib/domain/attempt'
import type { Capabilities } from '@/lib/domain/provider'
import type { Role } from '@/lib/domain/role'
import type { ReviewAct } from '@/lib/domain/operator-act'
import type { AdminPurchaseView } from './purchase-views'
import type { AttemptReviewView, LedgerEntryView, Page } from './views'

export type ReviewActView = { readonly act: ReviewAct; readonly why_not: string | null }

/** One attempt as an admin reviews it, and what can be done about what is seen. */
export type AdminReviewView = AttemptReviewView & {
  readonly version: number
  readonly acts: readonly ReviewActView[]
  /** Without a recorded reason the prompt is left out. */
  readonly shows_prompt: boolean
  /** The role of whoever looks. */
  readonly viewer: Role
  /** What its provider can prove of this model; null when no worker has said so. */
  readonly capabilities: CapabilitiesView | null
}

export type CapabilitiesView = Partial<
  Pick<Capabilities, 'answers' | 'idempotentForMs' | 'callback' | 'cancel' | 'resultForMs'>
> & {
  readonly lookup?: { readonly by: 'reference' | 'list'; readonly forMs: number | null } | undefined
}

/** What an admin asked for, and what came of it: null when its end was never written. */
export type AdminLogLineView = {
  readonly id: string
  readonly seq: string
  readonly actor: string
  readonly act: string
  readonly subject: string
  readonly detail: Readonly<Record<string, unknown>>
  readonly reason: string
  readonly asked_at: string
  readonly outcome: string | null
  readonly ended_at: string | null
}

/** How old an open attempt is, by the database's clock. */
export const ageBands = ['under-10m', '10m-to-1h', '1h-to-1d', 'over-1d'] as const
export type AgeBand = (typeof ageBands)[number]

/** Attempts that something is the matter with, or that the last day's figures count, whatever their state. */
export const attemptMarks = [
  'anomaly',
  'second-task',
  'spooled',
  'compensated',
  'delivered',
  'taken',
  'refused',
  'unknown',
  'look-failed',
] as const
export type AttemptMark = (typeof attemptMarks)[number]

export type OverviewView = {
  readonly viewer: Role
  /** The last 24 hours. */
  readonly models: readonly {
    readonly model: string
    readonly delivered: number
    readonly median_ms: number
    readonly p95_ms: number
  }[]
  readonly health: readonly {
    readonly provider: string
    readonly taken: number
    readonly refused: number
    readonly unknown: number
    readonly failed_looks: number
    readonly last_taken_at: string | null
    readonly hours: readonly {
      readonly hours_ago: number
      readonly taken: number
      readonly refused: number
      readonly unknown: number
    }[]
  }[]
  /** For how long the work that has waited longest has been due; null when none waits. */
  readonly lag_ms: number | null
  readonly audit: AuditView | null
  readonly requests: readonly CreditRequestView[]
  readonly open: readonly {
    readonly state: AttemptStateName
    readonly age: AgeBand
    readonly attempts: number
    readonly held: number
  }[]
  readonly unresolved: readonly {
    readonly provider: string
    readonly age: AgeBand
    readonly attempts: number
    readonly held: number
  }[]
  readonly blocks: readonly {
    readonly provider: string
    readonly reason: string
    readonly until: string
  }[]
  /** Counted up to a bound. */
  readonly anomalies: number
  readonly second_tasks: number
  readonly second_tasks_untold: number
  /** Counted up to a bound. */
  readonly payment_troubles: number
  readonly spool: { readonly images: number; readonly bytes: number }
  readonly workers: readonly {
    readonly id: string
    readonly beat_at: string
    readonly is_silent: boolean
  }[]
  /** What work cost us that no charge stands against. Of what was compensated, the last 90 days. */
  readonly costs: readonly {
    readonly of: 'unresolved' | 'compensated'
    readonly provider: string
    /** Null where the provider did not say what it cost. */
    readonly unit: string | null
    readonly amount: number
    readonly posts: number
  }[]
}

/** What an act would do to one of several attempts, on what is known of it now. */
export type ActPreviewView = {
  readonly id: string
  readonly version: number
  readonly account_email: string | null
  readonly price: number
  readonly reserved: 'credits' | 'allowance'
  readonly settlement: SettlementKind | null
  readonly why_not: string | null
}

/** A row of the admins' list. `due_at` is null once the outcome is final. */
export type ListedAttemptView = {
  readonly id: string
  readonly state: AttemptStateName
  readonly status: StatusWord
  readonly provider: string
  readonly model: string
  readonly account_email: string | null
  readonly held: number
  readonly settlement: string | null
  readonly task_id: string | null
  readonly created_at: string
  readonly due_at: string | null
  readonly last_kind: string
}

export type AccountRowView = {
  readonly id: string
  readonly email: string | null
  readonly role: string
  readonly status: string
  readonly available: number
  readonly held: number
  readonly spent: number
  readonly created_at: string
}

export type CreditRequestView = {
  readonly id: string
  readonly account_id: string
  readonly account_email: string | null
  readonly act: 'grant-credits' | 'correct-credits'
  readonly credits: number
  readonly requester: string | null
  readonly reason: string
  readonly asked_at: string
  readonly decision: 'approved' | 'rejected' | null
  readonly decider: string | null
  readonly decided_why: string | null
  /** Why whoever looks may not decide about it. */
  readonly why_not: string | null
}

export type AccountReviewView = AccountRowView & {
  readonly granted: number
  readonly open_sessions: number
  readonly is_own: boolean
  readonly shows_prompts: boolean
  readonly viewer: Role
  /** Credits that were asked for above the threshold, newest first. */
  readonly requests: readonly CreditRequestView[]
  /** The newest. */
  readonly purchases: readonly AdminPurchaseView[]
  readonly statement: Page<LedgerEntryView>
  /** The newest; prompts only where a reason to read them was recorded. */
  readonly attempts: readonly (ListedAttemptView & { readonly prompt: string | null })[]
}

export type AlertView = {
  readonly id: string
  readonly kind: AlertKind
  readonly subject: string
  readonly words: string
  readonly raised_at: string
  /** Null while it stands. */
  readonly cleared_at: string | null
  /** Notices of it that nobody took yet. */
  readonly untold: number
}

export type AlertsView = {
  /** Whether any worker is at work: without one nobody raises alerts. */
  readonly is_watched: boolean
  readonly alerts: readonly AlertView[]
}

export type AuditView = {
  readonly id: string
  readonly ran_at: string
  readonly actor: string
  readonly violations: number
  readonly truncated: boolean
  readonly duration_ms: number
}

/** A rule that does not hold, and of what. */
export type DifferenceView = {
  readonly invariant: string
  readonly account_id: string | null
  readonly attempt_id: string | null
  readonly expected: string
  readonly found: string
}

export type PoliciesView = {
  readonly prices: readonly {
    readonly id: string
    readonly name: string
    readonly credits: number
  }[]
  readonly daily_allowance: number
  readonly signup_credits: number
  readonly approval_above: number | null
  readonly policies: readonly {
    readonly version: number
    /** Null: nothing is compensated by itself. */
    readonly after_ms: number | null
    readonly actor: string
    readonly created_at: string
    /** In the last 90 days. */
    readonly compensated: number
  }[]
  readonly settings: readonly {
    readonly name: string
    readonly version: number
    readonly value: unknown
    readonly actor: string
    readonly declared_at: string
  }[]
}
