import type { NextConfig } from 'next'
import createNextIntlPlugin from 'next-intl/plugin'
import { LOCALES } from './lib/web/locales'

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm test` checks types once for everything; a start should not wait for it again.
  typescript: { ignoreBuildErrors: true },
  // Native packages: loaded by Node, never bundled.
  serverExternalPackages: ['@node-rs/argon2', 'pg', 'pino', 'sharp', '@prisma/client', 'undici'],
}

const withNextIntl = createNextIntlPlugin({
  requestConfig: './app/translations/request.ts',
  // Messages are parsed when they are built, so no browser loads a parser for them.
  experimental: {
    messages: {
      path: './messages',
      format: 'json',
      locales: LOCALES,
      sourceLocale: LOCALES[0],
      precompile: true,
    },
  },
})

export default withNextIntl(config)
