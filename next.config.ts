import type { NextConfig } from 'next'
import createNextIntlPlugin from 'next-intl/plugin'
import { COMMON_HEADERS, DATA_POLICY, WORKER_POLICY } from './lib/api/security-headers'
import { LOCALES } from './lib/web/locales'

// What proxy.ts does not see.
const DATA = ['/api/:path*', '/metrics', '/_next/static/:path*', '/icon.svg', '/s/:token/image']

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm test` checks types once for everything; a start should not wait for it again.
  typescript: { ignoreBuildErrors: true },
  // Native packages: loaded by Node, never bundled.
  serverExternalPackages: [
    '@aws-sdk/client-s3',
    '@node-rs/argon2',
    '@opentelemetry/api',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace-base',
    '@prisma/client',
    'pg',
    'pino',
    'sharp',
    'undici',
  ],
  // Pictures are shown as they were stored. Nobody has this server fetch, decode or resize another.
  images: { unoptimized: true },
  headers: () =>
    Promise.resolve([
      { source: '/:path*', headers: [...COMMON_HEADERS] },
      ...DATA.map((source) => ({
        source,
        headers: [{ key: 'Content-Security-Policy', value: DATA_POLICY }],
      })),
      {
        source: '/away.js',
        headers: [{ key: 'Content-Security-Policy', value: WORKER_POLICY }],
      },
    ]),
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
