import type { Locale } from './locales'
import { message, type Message, type Words } from './message'

const MINUTE_S = 60
const HOUR_S = 3_600
const DAY_S = 86_400

const secondsBetween = (fromMs: number, toMs: number) =>
  Math.max(0, Math.floor((toMs - fromMs) / 1_000))

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** A clock's reading, "0:07" or "1:02:30". A browser whose clock runs behind reads zero, not less. */
export function clockWords(fromMs: number, toMs: number): string {
  const seconds = secondsBetween(fromMs, toMs)
  const minutes = Math.floor(seconds / MINUTE_S)
  if (minutes < 60) return `${minutes}:${twoDigits(seconds % 60)}`
  return `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`
}

/** The length of a time in its largest unit: "12 s", "4 min", "3 h", "2 d". */
export function durationWords(fromMs: number, toMs: number): Message {
  const seconds = secondsBetween(fromMs, toMs)
  if (seconds < MINUTE_S) return message('common.duration.seconds', { count: seconds })
  if (seconds < HOUR_S) {
    return message('common.duration.minutes', { count: Math.floor(seconds / MINUTE_S) })
  }
  if (seconds < 2 * DAY_S) {
    return message('common.duration.hours', { count: Math.floor(seconds / HOUR_S) })
  }
  return message('common.duration.days', { count: Math.floor(seconds / DAY_S) })
}

/** "2026-11-30 07:12:05 UTC": the same for everybody who reads the same page. */
export function utcWords(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}

const LOCAL_PARTS = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const
// English as it is written here: the day before the month, and twenty-four hours.
const DATES: Record<Locale, string> = { en: 'en-GB', de: 'de', ja: 'ja' }
// Made once: a statement has one of these on every line, and making it takes longer than using it.
const ownZone = new Map<Locale, Intl.DateTimeFormat>()

function inOwnZone(locale: Locale): Intl.DateTimeFormat {
  const made = ownZone.get(locale) ?? new Intl.DateTimeFormat(DATES[locale], LOCAL_PARTS)
  ownZone.set(locale, made)
  return made
}

type LocalTimeOptions = {
  readonly locale: Locale
  /** Names the zone too. */
  readonly zone?: boolean
  readonly timeZone?: string
}

/**
 * "25 Oct 2026, 02:00:00", in the browser's own zone unless another is named. With the zone where the
 * moment itself matters: on the day that the clocks go back an hour comes twice.
 */
export function localTimeWords(
  iso: string,
  { locale, zone = false, timeZone }: LocalTimeOptions,
): string {
  if (!zone && timeZone === undefined) return inOwnZone(locale).format(new Date(iso))
  const parts = { ...LOCAL_PARTS, ...(zone && { timeZoneName: 'short' as const }), timeZone }
  return new Intl.DateTimeFormat(DATES[locale], parts).format(new Date(iso))
}

/** "30 Nov", of a UTC day. */
export function dayWords(day: string, locale: Locale): string {
  const parts = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(DATES[locale], parts).format(new Date(`${day}T00:00:00Z`))
}

/** When we last looked and when we look next, or undefined when nothing is known of either. */
export function lookWords(
  { lookedAt, nextLookAt }: { lookedAt: string | null; nextLookAt: string | null },
  nowMs: number,
  say: Words,
): Message | undefined {
  const ago = lookedAt === null ? '' : say(durationWords(Date.parse(lookedAt), nowMs))
  if (nextLookAt === null) {
    return lookedAt === null ? undefined : message('attempt.look.last', { ago })
  }
  const dueMs = Date.parse(nextLookAt)
  if (dueMs - nowMs < 1_000) {
    return lookedAt === null
      ? message('attempt.look.now')
      : message('attempt.look.lastAndNow', { ago })
  }
  const until = say(durationWords(nowMs, dueMs))
  return lookedAt === null
    ? message('attempt.look.next', { until })
    : message('attempt.look.lastAndNext', { ago, until })
}

// As the server has it: sooner than this there is nothing to bring forward, and more often nothing to ask.
const LOOK_AHEAD_MS_MIN = 5_000
const LOOK_PAUSE_MS_MIN = 10_000

/** Whether asking to look now would bring a look forward. What was never looked at has nothing to look at. */
export function canLookAgain(
  attempt: {
    readonly status: string
    readonly looked_at: string | null
    readonly next_look_at: string | null
  },
  nowMs: number,
): boolean {
  const { status, looked_at: lookedAt, next_look_at: nextLookAt } = attempt
  if (!['generating', 'unresolved', 'delivering'].includes(status)) return false
  if (nextLookAt === null || Date.parse(nextLookAt) - nowMs < LOOK_AHEAD_MS_MIN) return false
  if (lookedAt === null) return status === 'delivering'
  return nowMs - Date.parse(lookedAt) >= LOOK_PAUSE_MS_MIN
}
