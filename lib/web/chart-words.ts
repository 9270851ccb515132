import { creditWords } from './credit-words'
import type { DayUseView } from './views'

/** A round figure that all days fit under, so that the axis can be read. */
export function chartTop(days: readonly DayUseView[]): number {
  const most = Math.max(0, ...days.map(({ charged, held }) => charged + held))
  if (most <= 5) return 5
  const step = 10 ** Math.floor(Math.log10(most))
  return [1, 2, 5, 10].map((factor) => factor * step).find((top) => top >= most) ?? most
}

/** "30 Nov", of a UTC day. */
export function dayWords(day: string): string {
  const parts = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat('en-GB', parts).format(new Date(`${day}T00:00:00Z`))
}

/** What one day used, in words. */
export function dayUseWords({ day, charged, held, images }: DayUseView): string {
  if (charged + held === 0) return `${dayWords(day)}: nothing`
  const parts = [
    ...(charged > 0
      ? [`${creditWords(charged)} charged for ${images} ${images === 1 ? 'image' : 'images'}`]
      : []),
    ...(held > 0 ? [`${creditWords(held)} on hold`] : []),
  ]
  return `${dayWords(day)}: ${parts.join(', ')}`
}

/** All of it in one sentence, for those who do not see the chart and those who do. */
export function summaryWords(days: readonly DayUseView[]): string {
  const charged = days.reduce((sum, day) => sum + day.charged, 0)
  const held = days.reduce((sum, day) => sum + day.held, 0)
  const images = days.reduce((sum, day) => sum + day.images, 0)
  if (charged + held === 0) return 'No credits were used in these days.'
  const hold = held > 0 ? `, and ${creditWords(held)} still on hold` : ''
  return `${creditWords(charged)} charged for ${images} ${images === 1 ? 'image' : 'images'}${hold}.`
}
