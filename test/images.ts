import sharp, { type Sharp } from 'sharp'

// Small real pictures. Noise would be larger than it needs to be, so they are of one colour.

const picture = (colour = '#a33', side = 64): Sharp =>
  sharp({ create: { width: side, height: side, channels: 3, background: colour } })

export const pngBytes = (colour?: string, side?: number): Promise<Buffer> =>
  picture(colour, side).png().toBuffer()

/** The same picture in another coding, whole and allowed. */
export const jpegBytes = (): Promise<Buffer> => picture().jpeg().toBuffer()
export const webpBytes = (): Promise<Buffer> => picture().webp().toBuffer()

/** Real pictures of kinds that are not allowed. */
export const gifBytes = (): Promise<Buffer> => picture().gif().toBuffer()
export const svgBytes = (): Promise<Buffer> =>
  Promise.resolve(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'))

/** The header is right, the rest is missing. */
export const truncatedPngBytes = async (): Promise<Buffer> => {
  const whole = await picture('#3a3', 512).png().toBuffer()
  return whole.subarray(0, Math.floor(whole.length / 2))
}
