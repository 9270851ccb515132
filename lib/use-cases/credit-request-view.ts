import type { CreditRequest } from '@/lib/db/credit-request-store'
import { whyNotDecide } from '@/lib/domain/approval'
import type { CreditRequestView } from '@/lib/web/admin-views'
import type { Admin } from './perform-admin-act'

export function requestView(
  { requested_by: requestedBy, email, asked_at: askedAt, ...request }: CreditRequest,
  admin: Admin,
): CreditRequestView {
  const { decision } = request
  return {
    ...request,
    account_email: email,
    asked_at: askedAt.toISOString(),
    why_not: whyNotDecide({ requestedBy, decision }, admin.accountId) ?? null,
  }
}
