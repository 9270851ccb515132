import { findPolicies, findSettings } from '@/lib/db/settings-store'
import { mayReview } from '@/lib/domain/role'
import type { PoliciesView } from '@/lib/web/admin-views'
import type { Deps } from './deps'
import type { Admin } from './perform-admin-act'

const SHOWN_MAX = 100

/** What holds in matters of money, and what held before. Undefined for who may not read it. */
export async function readPolicies(deps: Deps, admin: Admin): Promise<PoliciesView | undefined> {
  if (!mayReview(admin.role)) return undefined
  const [policies, settings] = await Promise.all([
    findPolicies(deps.db, SHOWN_MAX),
    findSettings(deps.db, SHOWN_MAX),
  ])
  return {
    prices: deps.models.map(({ id, name, priceCredits }) => ({ id, name, credits: priceCredits })),
    daily_allowance: deps.dailyAllowance,
    signup_credits: deps.signupCredits,
    approval_above: deps.approvalAbove ?? null,
    policies: policies.map(({ created_at: createdAt, ...row }) => ({
      ...row,
      created_at: createdAt.toISOString(),
    })),
    settings: settings.map(({ declared_at: declaredAt, ...row }) => ({
      ...row,
      declared_at: declaredAt.toISOString(),
    })),
  }
}
