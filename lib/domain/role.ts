import { z } from 'zod'
import { AdminAct, type AdminActName } from './admin-act'

/** What somebody is to this installation. */
export const roles = ['user', 'support', 'admin', 'auditor'] as const
export const Role = z.enum(roles)
export type Role = z.infer<typeof Role>

export const adminActNames: readonly AdminActName[] = AdminAct.options.map(
  ({ shape }) => shape.act.value,
)

// The table `role_act` holds the same, and a test compares them.
const ACTS: Readonly<Record<Role, readonly AdminActName[]>> = {
  user: [],
  support: ['look-again'],
  admin: adminActNames,
  auditor: [],
}

/** Whether this role sees what admins see. Nobody else learns that there is anything to see. */
export function mayReview(role: Role): boolean {
  return role !== 'user'
}

export function mayAct(role: Role, act: AdminActName): boolean {
  return ACTS[role].includes(act)
}

/** Computing every balance anew reads whole tables: for those whose work it is. */
export function mayAudit(role: Role): boolean {
  return role === 'admin' || role === 'auditor'
}
