/**
 * Bytes from base64, wrapped, unpadded or in its alphabet for addresses too (RFC 4648, 4 and 5): an
 * image that was paid for is not given up over its spelling. Undefined when it is not base64.
 */
export function bytesFromBase64(text: string): Buffer | undefined {
  const packed = text.replace(/\s+/g, '')
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(packed) ? Buffer.from(packed, 'base64') : undefined
}
