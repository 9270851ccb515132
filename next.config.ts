import type { NextConfig } from 'next'

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // Native packages: loaded by Node, never bundled.
  serverExternalPackages: ['@node-rs/argon2', 'pg', 'pino', 'sharp', '@prisma/client', 'undici'],
}

export default config
