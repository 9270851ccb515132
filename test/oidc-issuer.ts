import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export type IssuerPerson = {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
}

const CLIENT = { id: 'darkroom', secret: 'the secret of a stand-in' } as const

/** An issuer of OpenID Connect on a real socket, who lets in whomever it is told to. */
export async function startOidcIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, { readonly person: IssuerPerson; readonly nonce: string | null }>()
  let person: IssuerPerson = { sub: 'nobody' }
  let issuer = ''

  const idToken = (who: IssuerPerson, nonce: string | null) =>
    new SignJWT({ ...who, ...(nonce !== null && { nonce }) })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(issuer)
      .setAudience(CLIENT.id)
      .setIssuedAt()
      .setExpirationTime('5 minutes')
      .sign(privateKey)

  async function answer(method: string, url: URL, body: string): Promise<Response> {
    switch (`${method} ${url.pathname}`) {
      case 'GET /.well-known/openid-configuration':
        return Response.json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        })
      case 'GET /keys':
        return Response.json({ keys: [key] })
      case 'GET /authorize': {
        const code = randomUUID()
        codes.set(code, { person, nonce: url.searchParams.get('nonce') })
        const back = new URL(url.searchParams.get('redirect_uri') ?? '')
        back.searchParams.set('code', code)
        back.searchParams.set('state', url.searchParams.get('state') ?? '')
        return Response.redirect(back, 302)
      }
      case 'POST /token': {
        const code = new URLSearchParams(body).get('code') ?? ''
        const known = codes.get(code)
        codes.delete(code)
        if (!known) return Response.json({ error: 'invalid_grant' }, { status: 400 })
        return Response.json({
          access_token: randomUUID(),
          token_type: 'Bearer',
          expires_in: 300,
          id_token: await idToken(known.person, known.nonce),
        })
      }
      default:
        return new Response(null, { status: 404 })
    }
  }

  const server = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      const url = new URL(request.url ?? '/', issuer)
      const answered = await answer(request.method ?? 'GET', url, body)
      response.writeHead(answered.status, Object.fromEntries(answered.headers))
      response.end(await answered.text())
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    client: CLIENT,
    /** Whom the next ones are who come to be let in. */
    letIn: (next: IssuerPerson) => {
      person = next
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
