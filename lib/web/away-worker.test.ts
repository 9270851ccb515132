import { expect, test } from 'vitest'
import { catalog } from '@/messages/catalog'
import { awayPage, awayWorker } from './away-worker'
import { LOCALES } from './locales'

type Listener = (event: unknown) => void

/** Runs the script as a browser would, and gives what it listens to. */
function run(script: string, fetchIt: () => Promise<Response>) {
  const listeners = new Map<string, Listener>()
  const names = ['addEventListener', 'skipWaiting', 'clients', 'registration', 'fetch']
  // What is tested is the text that browsers are given.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const start = new Function(...names, script) as (...values: readonly unknown[]) => void
  const add = (name: string, listener: Listener) => listeners.set(name, listener)
  start(add, () => undefined, { claim: () => undefined }, {}, fetchIt)
  return async (request: { readonly mode: string; readonly method: string }) => {
    let answer: Promise<Response> | undefined
    listeners.get('fetch')?.({
      request,
      preloadResponse: Promise.resolve(undefined),
      respondWith: (given: Promise<Response>) => (answer = given),
    })
    return answer
  }
}

const page = awayPage('en', catalog.en.common.away)
const unreachable = () => Promise.reject(new TypeError('Failed to fetch'))

test.each(LOCALES)('says in %s what is the matter when a page is not reached', async (locale) => {
  const words = catalog[locale].common.away
  const ask = run(awayWorker(awayPage(locale, words)), unreachable)
  const answer = await ask({ mode: 'navigate', method: 'GET' })
  const html = await answer?.text()
  expect(answer?.status).toBe(503)
  expect(html).toContain(`<html lang="${locale}">`)
  for (const text of Object.values(words)) expect(html).toContain(text)
})

test('gives what the server answered, whatever it is', async () => {
  const ask = run(awayWorker(page), async () =>
    Promise.resolve(new Response('no', { status: 500 })),
  )
  const answer = await ask({ mode: 'navigate', method: 'GET' })
  expect([answer?.status, await answer?.text()]).toEqual([500, 'no'])
})

test.each([
  { mode: 'cors', method: 'GET' },
  { mode: 'navigate', method: 'POST' },
])('leaves a request of $mode by $method alone', async (request) => {
  const ask = run(awayWorker(page), unreachable)
  expect(await ask(request)).toBeUndefined()
})
