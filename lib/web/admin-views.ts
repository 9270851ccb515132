import type { ReviewAct } from '@/lib/domain/operator-act'
import type { AttemptReviewView } from './views'

export type ReviewActView = { readonly act: ReviewAct; readonly why_not: string | null }

/** One attempt as an admin reviews it, and what can be done about what is seen. */
export type AdminReviewView = AttemptReviewView & {
  readonly version: number
  readonly acts: readonly ReviewActView[]
  /** Without a recorded reason the prompt is left out. */
  readonly shows_prompt: boolean
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
