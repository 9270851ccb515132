import { toHex, type Rgb } from '@/simulator/art/color'

type Attributes = Readonly<Record<string, string | number>>

const written = (value: string | number) =>
  typeof value === 'number' ? String(Math.round(value * 100) / 100) : value

/** One SVG element. Only ever given numbers and colours: no text of a prompt comes near it. */
export function element(name: string, attributes: Attributes, inside = ''): string {
  const list = Object.entries(attributes).map(([key, value]) => `${key}="${written(value)}"`)
  return `<${name} ${list.join(' ')}>${inside}</${name}>`
}

export const fillOf = (color: Rgb): string => toHex(color)

/** A path from numbers and letters, rounded so that the markup stays short. */
export const path = (...parts: readonly (string | number)[]): string => parts.map(written).join(' ')

export const gradient = (
  id: string,
  stops: readonly (readonly [offset: number, color: Rgb])[],
  attributes: Attributes = { x1: 0, y1: 0, x2: 0, y2: 1 },
): string =>
  element(
    'linearGradient',
    { id, ...attributes },
    stops
      .map(([offset, color]) => element('stop', { offset, 'stop-color': toHex(color) }))
      .join(''),
  )
