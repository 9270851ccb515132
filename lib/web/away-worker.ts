type AwayWords = Readonly<Record<'title' | 'text' | 'again', string>>

// As `globals.css` has them: nothing else can be loaded when this is shown.
const STYLE = `
:root { color-scheme: light dark; --ground: #f6f3ed; --ink: #1e1814; --soft: #605750; --film: #080605; --paper: #241c17 }
@media (prefers-color-scheme: dark) { :root { --ground: #120d0a; --ink: #f0e9dd; --soft: #aea498 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100dvh; display: grid; place-content: center; padding: 1.5rem; background: var(--ground);
  color: var(--ink); font: 1rem/1.6 ui-sans-serif, system-ui, 'Hiragino Sans', 'Yu Gothic UI', 'Noto Sans CJK JP', sans-serif }
main { max-width: 36rem }
.film { width: 16rem; max-width: 100%; padding: .5rem; margin-bottom: 2rem; border-radius: .125rem; background: var(--film) }
.film span { display: block; aspect-ratio: 3 / 2; background: var(--paper) }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; font-weight: 500; letter-spacing: -.015em }
p { margin: 0 0 2rem; color: var(--soft) }
a { display: inline-block; padding: .5rem 1rem; border-radius: .375rem; background: var(--ink); color: var(--ground);
  font-size: .875rem; font-weight: 500; text-decoration: none }
a:focus-visible { outline: 2px solid currentColor; outline-offset: 2px }
`
const TRY_AGAIN_S = 15

/** The page in place of one that could not be reached. It asks again by itself, under its own address. */
export const awayPage = (locale: string, { title, text, again }: AwayWords): string =>
  `<!doctype html>
<html lang="${locale}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${TRY_AGAIN_S}">
<title>${title} · Darkroom</title>
<style>${STYLE}</style>
<main><div class="film" aria-hidden="true"><span></span></div><h1>${title}</h1><p>${text}</p><a href="">${again}</a></main>
</html>
`

/**
 * The script of a service worker that shows `page` when one cannot be reached, and does nothing else:
 * it keeps no answer, so it can neither show an old one nor somebody else's.
 */
export const awayWorker = (page: string): string =>
  `const page = ${JSON.stringify(page)}
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([clients.claim(), registration.navigationPreload?.enable()]))
})
addEventListener('fetch', (event) => {
  const { request } = event
  if (request.mode !== 'navigate' || request.method !== 'GET') return
  const reach = async () => (await event.preloadResponse) ?? fetch(request)
  event.respondWith(reach().catch(() => new Response(page, { status: 503, headers })))
})
`
