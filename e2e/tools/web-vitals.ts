import type { CDPSession, Page } from '@playwright/test'
import { expect, generate, onlyAttempt, signUp, test } from '../fixtures'

// A phone on a middling connection: bytes and script cost what they cost people.
const NETWORK = {
  offline: false,
  latency: 40,
  downloadThroughput: 1_600_000,
  uploadThroughput: 750_000,
}
const UNLIMITED = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 }
const CPU_SLOWDOWN = 4
const SETTLE_MS = 1_500
const STUDIO_SCRIPT_KB_MAX = 180

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
  const slowly = async (rate: number) => {
    const network = rate === 1 ? UNLIMITED : NETWORK
    await cdp.send('Network.emulateNetworkConditions', network)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate })
  }
  const rows: Record<string, Row> = {}
  await slowly(CPU_SLOWDOWN)
  for (const path of ['/', '/sign-in']) rows[path] = rowOf(await measure(page, cdp, path))

  await slowly(1)
  await signUp(page)
  await generate(page, 'A lighthouse in fog, seen from the sea at dusk')
  await expect(onlyAttempt(page)).toHaveAttribute('data-status', 'delivered', { timeout: 60_000 })
  const id = await onlyAttempt(page).getAttribute('data-attempt-id')
  await slowly(CPU_SLOWDOWN)
  for (const path of ['/studio', '/images', '/credits', '/account']) {
    rows[path] = rowOf(await measure(page, cdp, path))
  }
  rows['/images/{id}'] = rowOf(await measure(page, cdp, `/images/${id ?? ''}`))
  const inpMs = await measureInteraction(page)

  console.log(`Processor ${CPU_SLOWDOWN} times slower, 40 ms and 12.8 Mbit/s, nothing cached.`)
  console.table(rows)
  console.log(`INP of composing and generating: ${inpMs} ms`)
  const share = (rows['/studio']?.['script kB'] ?? 0) / STUDIO_SCRIPT_KB_MAX
  console.log(`/studio: ${share.toFixed(2)} of its ${STUDIO_SCRIPT_KB_MAX} kB of script`)
  expect(share).toBeGreaterThan(0)
})

const rowOf = (figures: Figures) => ({
  'LCP ms': Math.round(figures.lcpMs),
  CLS: Number(figures.cls.toFixed(4)),
  'script kB': Number((figures.scriptBytes / 1_000).toFixed(1)),
  'all kB': Number((figures.allBytes / 1_000).toFixed(1)),
  requests: figures.requests,
})
type Row = ReturnType<typeof rowOf>
