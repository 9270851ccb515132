import { z } from 'zod'

// An id is a plain string at run time. The brand only stops the wrong id from being passed, so
// nothing but parsing may create one.
export const AccountId = z.uuid().brand<'AccountId'>()
export type AccountId = z.infer<typeof AccountId>

export const AttemptId = z.uuid().brand<'AttemptId'>()
export type AttemptId = z.infer<typeof AttemptId>

/** Made by the client before anything is sent; unique within the account, not a secret. */
export const RequestId = z.uuid({ error: 'expected a UUID' }).brand<'RequestId'>()
export type RequestId = z.infer<typeof RequestId>

export const SessionId = z.uuid().brand<'SessionId'>()
export type SessionId = z.infer<typeof SessionId>

/** The provider's own id for the work that it accepted. One that cannot be kept names nothing. */
export const TaskId = z
  .string()
  .min(1)
  .max(200)
  .refine((id) => id.isWellFormed() && !id.includes('\u0000'))
  .brand<'TaskId'>()
export type TaskId = z.infer<typeof TaskId>
