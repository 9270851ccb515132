import { readdirSync, readFileSync } from 'node:fs'

export type AppRoute = {
  readonly file: string
  /** As in `/api/attempts/[id]`. */
  readonly address: string
  readonly methods: readonly string[]
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const filesNamed = (name: RegExp): readonly string[] =>
  readdirSync('app', { recursive: true, encoding: 'utf8' })
    .map((path) => `app/${path.replaceAll('\\', '/')}`)
    .filter((path) => name.test(path))
    .sort()

/** `app/(app)/images/[id]/page.tsx` is found at `/images/[id]`: groups are not in the address. */
function addressOf(file: string): string {
  const folders = file.split('/').slice(1, -1)
  return `/${folders.filter((folder) => !folder.startsWith('(')).join('/')}`
}

/** Every page there is. */
export const pages = (): readonly AppRoute[] =>
  filesNamed(/\/page\.tsx$/).map((file) => ({ file, address: addressOf(file), methods: ['GET'] }))

/** Every address of data there is, with the methods that its file gives handlers for. */
export const dataRoutes = (): readonly AppRoute[] =>
  filesNamed(/\/route\.ts$/).map((file) => {
    const source = readFileSync(file, 'utf8')
    const methods = METHODS.filter((method) =>
      new RegExp(`\\bexport\\b[^=]*?\\b${method}\\b`, 's').test(source),
    )
    return { file, address: addressOf(file), methods }
  })

/** The address with something in the place of each parameter. */
export const withParams = (address: string, value = 'nothing'): string =>
  address.replaceAll(/\[[^\]]*\]/g, value)
