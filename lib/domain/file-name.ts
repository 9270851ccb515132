const WORDS_CODE_POINTS_MAX = 60

const EXTENSION_OF: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
}

/**
 * A picture's file name, from its prompt: letters, marks and digits of any script, and dashes, which
 * no file system minds. The end of the id tells pictures of one prompt apart; its start is the time.
 */
export function pictureFileName(picture: {
  readonly prompt: string
  readonly id: string
  readonly contentType: string
}): string {
  const { prompt, id, contentType } = picture
  const words = prompt.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  const short = Array.from(words).slice(0, WORDS_CODE_POINTS_MAX).join('')
  // A mark at the start would join the path before it.
  const name = short.replace(/^[-\p{M}]+|(?<!-)-+$/gu, '')
  return `${name || 'darkroom'}-${id.slice(-8)}.${EXTENSION_OF[contentType] ?? 'png'}`
}
