import type { Locale } from './locales'
import { message, type Message } from './message'
import { dayWords } from './time-words'
import type { DayUseView } from './views'

/** A round figure that all days fit under, so that the axis can be read. */
export function chartTop(days: readonly DayUseView[]): number {
  const most = Math.max(0, ...days.map(({ charged, held }) => charged + held))
  if (most <= 5) return 5
  const step = 10 ** Math.floor(Math.log10(most))
  return [1, 2, 5, 10].map((factor) => factor * step).find((top) => top >= most) ?? most
}

/** What one day used, in words. */
export function dayUseWords({ day, charged, held, images }: DayUseView, locale: Locale): Message {
  const values = { day: dayWords(day, locale), credits: charged, images, held }
  if (charged > 0) {
    return message(held > 0 ? 'credits.chart.dayBoth' : 'credits.chart.dayCharged', values)
  }
  return message(held > 0 ? 'credits.chart.dayHeld' : 'credits.chart.dayNothing', values)
}

/** All of it in one sentence, for those who do not see the chart and those who do. */
export function summaryWords(days: readonly DayUseView[]): Message {
  const credits = days.reduce((sum, day) => sum + day.charged, 0)
  const held = days.reduce((sum, day) => sum + day.held, 0)
  const images = days.reduce((sum, day) => sum + day.images, 0)
  const values = { credits, images, held }
  if (credits > 0) {
    return message(held > 0 ? 'credits.chart.sumBoth' : 'credits.chart.sumCharged', values)
  }
  return held > 0 ? message('credits.chart.sumHeld', values) : message('credits.chart.nothing')
}
