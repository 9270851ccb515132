import type { CDPSession, Page } from '@playwright/test'
import { expect, generate, onlyAttempt, signUp, test } from '../fixtures'

// A phone on a middling connection: bytes and script cost what they cost people.
const NETWORK = {
  offline: false,
  latency: 40,
  downloadThroughput: 1_600_000,
  uploadThroughput: 750_000,
}
const CPU_SLOWDOWN = 4
const SETTLE_MS = 1_500
const STUDIO_SCRIPT_BYTES_MAX = 180 * 1_000

type Figures = {
  readonly lcpMs: number
  readonly cls: number
  readonly scriptBytes: number
  readonly allBytes: number
  readonly requests: number
}

test.setTimeout(600_000)

/** What the browser itself measured of this document, by the entries of web vitals. */
const readVitals = (page: Page) =>
  page.evaluate(async (settleMs) => {
    const vitals = { lcpMs: 0, cls: 0 }
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) vitals.lcpMs = startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
        if (!shift.hadRecentInput) vitals.cls += shift.value
      }
    }).observe({ type: 'layout-shift', buffered: true })
    await new Promise((resolve) => setTimeout(resolve, settleMs))
    return vitals
  }, SETTLE_MS)

/** Loads the page with an empty cache, and counts what travelled, compressed as it travels. */
async function measure(page: Page, cdp: CDPSession, path: string): Promise<Figures> {
  const kinds = new Map<string, string>()
  let scriptBytes = 0
  let allBytes = 0
  const onResponse = (event: { requestId: string; type: string }) =>
    void kinds.set(event.requestId, event.type)
  const onFinished = (event: { requestId: string; encodedDataLength: number }) => {
    allBytes += event.encodedDataLength
    if (kinds.get(event.requestId) === 'Script') scriptBytes += event.encodedDataLength
  }
  await cdp.send('Network.clearBrowserCache')
  cdp.on('Network.responseReceived', onResponse)
  cdp.on('Network.loadingFinished', onFinished)
  await page.goto(path)
  await page.waitForLoadState('load')
  const vitals = await readVitals(page)
  cdp.off('Network.responseReceived', onResponse)
  cdp.off('Network.loadingFinished', onFinished)
  return { ...vitals, scriptBytes, allBytes, requests: kinds.size }
}

/** The longest that an interaction took, in milliseconds: typing, choosing and pressing Generate. */
async function measureInteraction(page: Page): Promise<number> {
  await page.goto('/studio')
  await page.evaluate(() => {
    const seen = { inpMs: 0 }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.inpMs = Math.max(seen.inpMs, entry.duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
  await page.getByRole('textbox', { name: 'Prompt' }).pressSequentially('A lighthouse in fog')
  await page.getByRole('radio', { name: '2 images' }).check()
  await page.getByRole('radio', { name: '1 image', exact: true }).check()
  await generate(page, 'A lighthouse in fog')
  await expect(onlyAttempt(page).first()).toBeVisible()
  return page.evaluate(() => (window as unknown as { seen: { inpMs: number } }).seen.inpMs)
}

test('what each page costs its visitor', async ({ page }) => {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.enable')
  await signUp(page)
  await generate(page, 'A lighthouse in fog, seen from the sea at dusk')
  await expect(onlyAttempt(page)).toHaveAttribute('data-status', 'delivered', { timeout: 60_000 })
  const id = await onlyAttempt(page).getAttribute('data-attempt-id')

  await cdp.send('Network.emulateNetworkConditions', NETWORK)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  const paths = ['/', '/studio', '/images', `/images/${id ?? ''}`, '/credits']
  const rows: Record<string, object> = {}
  let studioScript = 0
  for (const path of paths) {
    const figures = await measure(page, cdp, path)
    if (path === '/studio') studioScript = figures.scriptBytes
    rows[path.replace(id ?? '-', '{id}')] = {
      'LCP ms': Math.round(figures.lcpMs),
      CLS: Number(figures.cls.toFixed(4)),
      'script kB': Number((figures.scriptBytes / 1_000).toFixed(1)),
      'all kB': Number((figures.allBytes / 1_000).toFixed(1)),
      requests: figures.requests,
    }
  }
  const inpMs = await measureInteraction(page)
  console.log(
    `Processor ${CPU_SLOWDOWN} times slower, ${NETWORK.latency} ms and 12.8 Mbit/s, nothing cached.`,
  )
  console.table(rows)
  console.log(`INP of composing and generating: ${inpMs} ms`)
  expect(studioScript).toBeLessThanOrEqual(STUDIO_SCRIPT_BYTES_MAX)
})
