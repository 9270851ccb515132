import { createTransport } from 'nodemailer'
import { z } from 'zod'

export type Letter = {
  /** The same letter sent twice has the same id, and so the same Message-ID. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** `refused`: this letter will never be taken. `not-now`: nobody took it, or nobody knows. */
export type Sent = 'sent' | 'refused' | 'not-now'

export type Mailer = {
  readonly send: (letter: Letter) => Promise<Sent>
  readonly close: () => void
}

// A server that says nothing for so long is one that does not take it now.
const TIMEOUT_MS = 15_000
const Answered = z.object({ responseCode: z.int() })

export function createMailer(options: {
  readonly url: string
  readonly from: string
  readonly onError: (error: unknown) => void
}): Mailer {
  const transport = createTransport({
    url: options.url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // https://www.rfc-editor.org/rfc/rfc5322#section-3.6.4: its right side is a domain of ours.
  const domain = /@([^\s>]+)/.exec(options.from)?.[1] ?? 'darkroom.invalid'
  return {
    send: async ({ id, to, subject, text }) => {
      try {
        await transport.sendMail({
          from: options.from,
          to: { name: '', address: to },
          subject,
          text,
          messageId: `<${id}@${domain}>`,
          // Nobody's holiday note answers a machine (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        return 'sent'
      } catch (error) {
        options.onError(error)
        const code = Answered.safeParse(error).data?.responseCode
        // RFC 5321 4.2.1: 5yz is final, everything else may go well later.
        return code !== undefined && code >= 500 && code < 600 ? 'refused' : 'not-now'
      }
    },
    close: () => transport.close(),
  }
}
