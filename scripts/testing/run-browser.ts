import { spawnSync } from 'node:child_process'
import { chromium } from '@playwright/test'
import { inRoot } from '@/scripts/launch/root'
import { findChromium } from './chromium'

/** Runs one project of playwright.config.ts with what it prints shown, and answers with its exit code. */
export function runBrowser(project: string): number {
  const path = findChromium({
    env: process.env,
    playwrightPath: chromium.executablePath(),
    say: (line) => console.error(line),
  })
  if (path === undefined) {
    console.error('There is no Chromium. Install one, or name one in CHROMIUM_PATH.')
    return 1
  }
  const cli = inRoot('node_modules', '@playwright', 'test', 'cli.js')
  const { status } = spawnSync(process.execPath, [cli, 'test', '--project', project], {
    stdio: 'inherit',
    env: { ...process.env, CHROMIUM_PATH: path, NODE_ENV: 'test' },
  })
  return status ?? 1
}
