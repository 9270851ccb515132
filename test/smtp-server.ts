import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

export type ReceivedMail = {
  readonly to: string
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}

/** As much of SMTP (RFC 5321) as a client needs that hands over a mail, on a real socket. */
export async function startSmtpServer() {
  const received: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  /** What the next mails are answered with; the usual when there is none. */
  const answers: string[] = []

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    const say = (line: string) => socket.write(`${line}\r\n`)
    let to = ''
    let isData = false
    let pending = ''
    const onLine = (line: string) => {
      if (/^(EHLO|HELO)/i.test(line)) say('250 stand-in')
      else if (/^RCPT/i.test(line)) {
        to = /<(.+)>/.exec(line)?.[1] ?? ''
        say('250 ok')
      } else if (/^DATA/i.test(line)) {
        isData = true
        say('354 go on')
      } else if (/^QUIT/i.test(line)) {
        say('221 bye')
        socket.end()
      } else say('250 ok')
    }
    socket.on('data', (chunk) => {
      pending += chunk.toString('utf8')
      for (;;) {
        const end = isData ? pending.indexOf('\r\n.\r\n') : pending.indexOf('\r\n')
        if (end < 0) return
        const part = pending.slice(0, end)
        pending = pending.slice(end + (isData ? 5 : 2))
        if (!isData) {
          onLine(part)
          continue
        }
        isData = false
        const answer = answers.shift() ?? '250 taken'
        if (answer.startsWith('2')) received.push(parseMail(to, part))
        say(answer)
      }
    })
    say('220 stand-in')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    answer: (...next: readonly string[]) => void answers.push(...next),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function parseMail(to: string, source: string): ReceivedMail {
  const [head = '', ...rest] = source.split('\r\n\r\n')
  const headers = new Map(
    head
      .replaceAll(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ]),
  )
  return {
    to,
    headers,
    text: decoded(rest.join('\r\n\r\n'), headers.get('content-transfer-encoding')),
  }
}

function decoded(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
