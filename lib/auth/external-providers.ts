import { decodeJwt } from 'jose'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import { z } from 'zod'
import type { ExternalPerson } from '@/lib/db/external-identity-store'
import type { Environment } from '@/lib/env'

export const ExternalId = z.enum(['github', 'google', 'oidc'])
export type ExternalId = z.infer<typeof ExternalId>

export type ExternalWay = {
  readonly id: ExternalId
  readonly name: string
  readonly issuer: string
}

const GITHUB = 'https://github.com'
const GOOGLE = 'https://accounts.google.com'

type Claims = Readonly<Record<string, unknown>>
type Config = OAuthConfig<Claims>

/** The ways to sign in besides a password that this installation is set up for. */
export function externalWays(env: Environment): readonly ExternalWay[] {
  return [
    ...(env.GITHUB_CLIENT_ID === undefined
      ? []
      : [{ id: 'github', name: 'GitHub', issuer: GITHUB } as const]),
    ...(env.GOOGLE_CLIENT_ID === undefined
      ? []
      : [{ id: 'google', name: 'Google', issuer: GOOGLE } as const]),
    ...(env.OIDC_ISSUER === undefined
      ? []
      : [{ id: 'oidc', name: env.OIDC_NAME, issuer: env.OIDC_ISSUER } as const]),
  ]
}

export function externalProviders(env: Environment): Config[] {
  return externalWays(env).map((way) => {
    switch (way.id) {
      case 'github':
        return github(env.GITHUB_CLIENT_ID ?? '', env.GITHUB_CLIENT_SECRET ?? '')
      case 'google':
        return openId(way, env.GOOGLE_CLIENT_ID ?? '', env.GOOGLE_CLIENT_SECRET ?? '')
      case 'oidc':
        return openId(way, env.OIDC_CLIENT_ID ?? '', env.OIDC_CLIENT_SECRET ?? '')
    }
  })
}

/** OpenID Connect Core 1.0: the token is verified against the issuer's keys, the nonce and our client. */
function openId({ id, name, issuer }: ExternalWay, clientId: string, clientSecret: string): Config {
  return {
    id,
    name,
    type: 'oauth',
    issuer,
    wellKnown: `${issuer.replace(/(?<!\/)\/+$/, '')}/.well-known/openid-configuration`,
    authorization: { params: { scope: 'openid email profile' } },
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    clientId,
    clientSecret,
    // Some issuers say the address only here. What the signed token says goes before.
    userinfo: {
      request: async ({ client, tokens }) => {
        // next-auth has verified it.
        const claims = decodeJwt(tokens.id_token ?? '')
        const hasMore = client.issuer.metadata['userinfo_endpoint'] !== undefined
        const said = hasMore ? await client.userinfo(tokens.access_token ?? '') : undefined
        // OpenID Connect Core 1.0, 5.3.2: what is said of another is not used.
        return { ...(said?.sub === claims.sub && said), ...claims }
      },
    },
    profile: profileOf,
  }
}

/** https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
function github(clientId: string, clientSecret: string): Config {
  return {
    id: 'github',
    name: 'GitHub',
    type: 'oauth',
    authorization: {
      url: 'https://github.com/login/oauth/authorize',
      params: { scope: 'read:user user:email' },
    },
    token: 'https://github.com/login/oauth/access_token',
    checks: ['pkce', 'state'],
    clientId,
    clientSecret,
    userinfo: {
      url: 'https://api.github.com/user',
      request: async ({ client, tokens }) => {
        const token = tokens.access_token ?? ''
        const user = await client.userinfo(token)
        const answer = await client.requestResource('https://api.github.com/user/emails', token)
        const email = primaryEmail(String(answer.body))
        const sub = String(user['id'])
        const { name } = user
        return {
          sub,
          ...(name !== undefined && { name }),
          ...(email !== undefined && { email, email_verified: true }),
        }
      },
    },
    profile: profileOf,
  }
}

const GithubEmails = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
)

/** The one that is both theirs by choice and verified. The public one of a profile may be neither. */
function primaryEmail(body: string): string | undefined {
  try {
    const emails = GithubEmails.parse(JSON.parse(body))
    return emails.find(({ primary, verified }) => primary && verified)?.email
  } catch {
    // Not readable, or not allowed: then no address is known.
    return undefined
  }
}

const Profile = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().max(254).optional(),
  // Some issuers write it as text.
  email_verified: z.union([z.boolean(), z.literal('true'), z.literal('false')]).optional(),
  name: z.string().nullish(),
})

const profileOf = (claims: Claims) => {
  const { sub, name } = Profile.pick({ sub: true, name: true }).parse(claims)
  return { id: sub, name: name ?? null }
}

/** Whom the issuer named, or undefined when it named nobody. An address counts only when verified. */
export function personFrom(way: ExternalWay, claims: unknown): ExternalPerson | undefined {
  const said = Profile.safeParse(claims).data
  if (!said) return undefined
  const isVerified = said.email_verified === true || said.email_verified === 'true'
  const email = z.email().safeParse(said.email?.trim().toLowerCase()).data
  const shown = said.name?.trim() ?? ''
  const name = shown === '' ? ((email ?? 'somebody').split('@', 1)[0] ?? '') : shown
  return {
    issuer: way.issuer,
    subject: said.sub,
    verifiedEmail: isVerified ? email : undefined,
    name: name.slice(0, 100),
  }
}
