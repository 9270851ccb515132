import { createHash } from 'node:crypto'

export type Part =
  | { readonly name: string; readonly text: string }
  | {
      readonly name: string
      readonly fileName: string
      readonly contentType: string
      readonly bytes: Buffer
    }

/**
 * A multipart/form-data body (RFC 7578) whose texts arrive as they are: `FormData` would turn every
 * line's end in a prompt into CR LF. The same parts make the same bytes. Names are ours and need no
 * escaping.
 */
export function multipart(parts: readonly Part[]): {
  readonly contentType: string
  readonly body: Buffer
} {
  const hash = createHash('sha256')
  const pieces = parts.map((part) => {
    const head =
      'text' in part
        ? `Content-Disposition: form-data; name="${part.name}"\r\n\r\n`
        : `Content-Disposition: form-data; name="${part.name}"; filename="${part.fileName}"\r\n` +
          `Content-Type: ${part.contentType}\r\n\r\n`
    const content = 'text' in part ? Buffer.from(part.text, 'utf8') : part.bytes
    hash.update(head).update(content)
    return [Buffer.from(head, 'utf8'), content] as const
  })
  // No content can hold the hash of itself.
  const boundary = `darkroom-${hash.digest('hex').slice(0, 48)}`
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([
      ...pieces.flatMap(([head, content]) => [
        Buffer.from(`--${boundary}\r\n`),
        head,
        content,
        Buffer.from('\r\n'),
      ]),
      Buffer.from(`--${boundary}--\r\n`),
    ]),
  }
}
