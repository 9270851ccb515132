/**
 * The address that a provider is asked to call back, or undefined where it could not be: hosted
 * providers call https addresses only. A provider that is itself spoken to without encryption is on
 * our own network, and may call back the same way.
 */
export function usableCallbackUrl(
  callbackUrl: string | undefined,
  baseUrl: string,
): string | undefined {
  if (callbackUrl === undefined) return undefined
  const ours = new URL(callbackUrl)
  return ours.protocol === 'https:' || new URL(baseUrl).protocol === 'http:'
    ? callbackUrl
    : undefined
}
