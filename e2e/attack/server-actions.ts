import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { inRoot } from '@/scripts/launch/root'

const Manifest = z.object({
  node: z.record(
    z.string(),
    z.object({ workers: z.record(z.string(), z.unknown()), exportedName: z.string() }),
  ),
})

export type ServerAction = {
  readonly id: string
  readonly name: string
  /** A page that takes it. */
  readonly page: string
}

/** Every server action of the build, as whoever reads our scripts can find it. */
export function serverActions(): readonly ServerAction[] {
  const file = inRoot('.next', 'server', 'server-reference-manifest.json')
  const { node } = Manifest.parse(JSON.parse(readFileSync(file, 'utf8')))
  return Object.entries(node).map(([id, { workers, exportedName }]) => {
    const isPlain = (worker: string) => worker.endsWith('/page') && !worker.includes('[')
    const worker = Object.keys(workers).find(isPlain) ?? 'app/page'
    const folders = worker.split('/').slice(1, -1)
    const page = `/${folders.filter((folder) => !folder.startsWith('(')).join('/')}`
    return { id, name: exportedName, page }
  })
}
