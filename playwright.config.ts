import { defineConfig } from '@playwright/test'

// Debian's browser where there is one; Playwright's own otherwise.
const executablePath = process.env['CHROMIUM_PATH']

export default defineConfig({
  testDir: 'e2e',
  projects: [
    { name: 'tests', testMatch: '**/*.e2e.ts' },
    // Not tests, but made the same way: `npm run screens` and `npm run bench:web`.
    { name: 'screens', testMatch: 'tools/screens.ts' },
    { name: 'web-vitals', testMatch: 'tools/web-vitals.ts' },
  ],
  // One installation serves all tests, each with an account of its own.
  workers: 1,
  fullyParallel: false,
  forbidOnly: process.env['CI'] !== undefined,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    // Ours would stand between a test and the answers that it makes; its own test lets it.
    serviceWorkers: 'block',
    viewport: { width: 1280, height: 900 },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        // Containers and root have no user namespaces for the browser's own sandbox.
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
})
