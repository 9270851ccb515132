import type { NextConfig } from 'next'

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm test` checks types once for everything; a start should not wait for it again.
  typescript: { ignoreBuildErrors: true },
  // Native packages: loaded by Node, never bundled.
  serverExternalPackages: ['@node-rs/argon2', 'pg', 'pino', 'sharp', '@prisma/client', 'undici'],
}

export default config
