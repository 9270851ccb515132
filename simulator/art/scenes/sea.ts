import { cover, glow, shade } from '@/simulator/art/canvas'
import { createRamp, mixColors, type Rgb } from '@/simulator/art/color'
import { clamp01, createNoise, smoothstep, type Noise } from '@/simulator/art/noise'
import { createSky } from '@/simulator/art/sky'
import { soft, type Scene } from './scene'

/** Open water under a big sky, with the light of the sun on it. */
export const paintSea: Scene = ({ canvas, random, palette, traits }) => {
  const horizon = canvas.down * random.between(0.46, 0.6)
  const sky = createSky({
    canvas,
    random,
    palette,
    horizon,
    clouds: traits.calm ? 0.25 : random.between(0.35, 0.85),
    sunHeight: random.between(0.08, 0.4),
  })
  const noise = createNoise(random)
  const deep = mixColors(palette.near, palette.sky[0], 0.45)
  const mirror = createRamp([...palette.sky].reverse())
  const swell = traits.calm ? 0.6 : random.between(0.8, 1.25)
  const sparkle: Rgb = palette.isNight ? palette.sun : mixColors(palette.sun, palette.sky[3], 0.25)

  shade(canvas, (x, y, pixel) => {
    if (y <= horizon) {
      sky.shade(x, y, pixel)
      return
    }
    const down = y - horizon
    const far = 1 / (down + 0.012)
    const slope = waveSlope(noise, { u: (x - canvas.across / 2) * far, v: far, swell })
    // Facing slopes show deep water, turned ones the sky: Fresnel, nearly.
    const facing = clamp01(0.5 + slope * (0.55 + 0.3 * smoothstep(0, 0.3, down)))
    const grazing = Math.exp(-down * 5.5)
    const reflects = clamp01(0.24 + 0.62 * grazing + (facing - 0.5) * 0.9)
    const reflected = mirror(clamp01(0.06 + down * 1.1 + facing * 0.24))
    pixel.r = deep[0]
    pixel.g = deep[1]
    pixel.b = deep[2]
    cover(pixel, reflected, reflects)
    const path = 0.035 + down * 0.34
    const beside = (x - sky.sunX) / path
    const shine = Math.exp(-beside * beside) * smoothstep(0.5, 0.92, facing + 0.2 * grazing)
    glow(pixel, sparkle, shine * (palette.isNight ? 0.55 : 1.15))
    glow(pixel, sparkle, 0.16 * Math.exp(-beside * beside * 0.4) * grazing)
    // Air lies over the farthest water, so that it meets the sky softly.
    cover(pixel, palette.sky[3], 0.55 * smoothstep(0.035, 0, down))
  })
  return { ...soft, bloom: 0.6 }
}

type Wave = { readonly u: number; readonly v: number; readonly swell: number }

/** Waves in perspective: `v` grows towards the horizon. */
function waveSlope(noise: Noise, { u, v, swell }: Wave): number {
  const long = noise(u * 0.55 + 3, v * 1.5)
  const bend = long * 0.35
  const middle = noise(u * 1.5 + bend * 2, v * 3.6 + bend)
  const short = noise(u * 3.8 - bend, v * 8.2 + bend * 3)
  const tiny = noise(u * 9.5, v * 17)
  // Far away the short waves are smaller than a pixel; they are left out before they flicker.
  const shortFade = 1 / (1 + (v / 14) ** 2)
  const tinyFade = 1 / (1 + (v / 7) ** 2)
  return swell * (long * 0.6 + middle * 0.75 + short * 0.6 * shortFade + tiny * 0.4 * tinyFade)
}
