/** The raw bytes of a request; undefined when there are more than that. */
export async function readBounded(request: Request, bytesMax: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = request.body?.getReader()
  for (;;) {
    const part = await reader?.read()
    if (part === undefined || part.done) return Buffer.concat(chunks)
    length += part.value.length
    if (length > bytesMax) return undefined
    chunks.push(part.value)
  }
}
