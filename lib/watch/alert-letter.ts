import type { AlertNews } from '@/lib/domain/alert'
import { ALERT_HREFS, ALERT_TITLES } from '@/lib/web/alert-words'
import { utcWords } from '@/lib/web/time-words'

/** What operators read of an alert. They read English, as in /admin. */
export function alertLetter(
  { event, kind, subject, words, raisedAt, clearedAt }: AlertNews,
  appUrl: string,
): { readonly subject: string; readonly text: string } {
  const isOver = event === 'cleared'
  const since = utcWords(raisedAt.toISOString())
  const until = clearedAt === null ? undefined : utcWords(clearedAt.toISOString())
  const title = `${ALERT_TITLES[kind]}${subject === '' ? '' : ` (${subject})`}`
  const when = isOver ? `It was so from ${since} until ${until ?? 'now'}.` : `Since ${since}.`
  return {
    // Line breaks would end the header.
    subject: `Darkroom: ${isOver ? 'over: ' : ''}${title}`.replaceAll(/\s+/g, ' ').slice(0, 200),
    text: [
      `${isOver ? 'Over: ' : ''}${title}. ${when}`,
      words,
      `${appUrl}${ALERT_HREFS[kind]}`,
      `What to do is in docs/RUNBOOK.md under "${kind}". ${appUrl} sends alerts to this address.`,
    ].join('\n\n'),
  }
}
