import type { AccountId } from './ids'

/** Whether a second admin has to agree before so many credits move. Undefined: nobody has to. */
export function needsApproval(credits: number, above: number | undefined): boolean {
  return above !== undefined && Math.abs(credits) > above
}

/** Of two thresholds the one that lets less through. */
export function stricter(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return Math.min(one, other)
}

/** Why this admin may not decide about the request; undefined when they may. */
export function whyNotDecide(
  request: { readonly requestedBy: AccountId; readonly decision: string | null },
  adminId: AccountId,
): string | undefined {
  if (request.decision !== null) return `It was ${request.decision} already.`
  return request.requestedBy === adminId
    ? 'You asked for it yourself: another admin has to agree.'
    : undefined
}
