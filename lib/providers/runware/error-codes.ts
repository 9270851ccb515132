// Runware publishes no list of its error codes. These groups are those by which its own library
// sorts them (https://github.com/Runware/runware-typescript, src/errors.ts).

const CONTENT = new Set([
  'contentPolicyViolation',
  'providerContentPolicyViolation',
  'sensitiveContentDetected',
  'unsafeContentDetected',
  'nsfwContentDetected',
  'promptBlocked',
  'imageBlocked',
  'moderationFailed',
])

const ACCOUNT = new Set([
  'unauthorized',
  'forbidden',
  'permissionDenied',
  'insufficientPermissions',
  'authenticationFailed',
  'authFailed',
  'paymentRequired',
  'accountSuspended',
  'accountDisabled',
  'organizationSuspended',
  'organizationDisabled',
  'workspaceSuspended',
  'workspaceDisabled',
])

export const isContentRefused = (code: string): boolean => CONTENT.has(code)

/** Our key or our balance. What is empty at a provider behind Runware is not ours. */
export const isAccountRefused = (code: string): boolean =>
  ACCOUNT.has(code) ||
  code.includes('ApiKey') ||
  (/Credits|Quota|Balance/i.test(code) && !/^(provider|thirdParty)/.test(code))

export const isUnknownTask = (code: string): boolean =>
  /NotFound$|Expired$/.test(code) || code === 'taskFailedOrNotFound'

/** It speaks of what happened to a task, not of what was asked. */
export const isAboutRun = (code: string): boolean =>
  /timeout|^(provider|thirdParty|inference|processing|task|server|internal)/i.test(code)

/** The task was accepted before, under the same UUID. */
export const CONFLICT = 'conflictTaskUUID'
