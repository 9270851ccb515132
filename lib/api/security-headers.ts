// What every answer tells the browser about how far to trust it. Constant parts are sent by
// next.config.ts and the gate of the web server; those that differ from page to page by proxy.ts.

export type Header = { readonly key: string; readonly value: string }

/** For every answer, whatever it is. */
export const COMMON_HEADERS: readonly Header[] = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  // For browsers that do not know frame-ancestors.
  { key: 'X-Frame-Options', value: 'DENY' },
  // Addresses of links sent by mail and of shared pictures are told to nobody else.
  { key: 'Referrer-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Resource-Policy', value: 'same-origin' },
  {
    key: 'Permissions-Policy',
    value: ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']
      .map((feature) => `${feature}=()`)
      .join(', '),
  },
]

/** For data, pictures and files: a browser that shows one as a document runs and loads nothing. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** For the script of the service worker, which asks for the pages that the browser goes to. */
export const WORKER_POLICY = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"

/** Two years, as browsers ask of those who mean it. */
export const STRICT_TRANSPORT: Header = {
  key: 'Strict-Transport-Security',
  value: 'max-age=63072000; includeSubDomains',
}

// sonner puts its styles into the page from its script, first as an empty element. What it puts
// there is allowed by its digest; a new version brings another, and a test in the browser fails.
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
const SONNER_STYLE = "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='"

/**
 * For pages. Scripts run only with the nonce of this very answer, or loaded by one that did.
 * Style elements are ours or named; style attributes are allowed, because pictures are given their
 * proportions by them before any script runs, and an attribute can neither select nor load.
 */
export function pagePolicy(
  nonce: string,
  {
    isDevelopment,
    isEncrypted,
  }: { readonly isDevelopment: boolean; readonly isEncrypted: boolean },
): string {
  const policy = [
    "default-src 'self'",
    // React rebuilds the server's stack traces with eval while developing.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    // While developing, styles come and go with the files that are edited.
    isDevelopment
      ? "style-src-elem 'self' 'unsafe-inline'"
      : `style-src-elem 'self' 'nonce-${nonce}' ${EMPTY_STYLE} ${SONNER_STYLE}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "frame-src 'none'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(isEncrypted ? ['upgrade-insecure-requests'] : []),
  ]
  return policy.join('; ')
}
