import { z } from 'zod'

// What of a Dockerfile can be known without an engine that builds it.

type Copy = {
  readonly from: string | undefined
  readonly sources: readonly string[]
  readonly to: string
}

export type Stage = {
  readonly name: string
  readonly base: string
  readonly copies: readonly Copy[]
  readonly runs: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly user: string | undefined
  readonly ports: readonly number[]
  readonly volumes: readonly string[]
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly health: readonly string[]
}

const Words = z.array(z.string())

/** The stages in their order; the last one is the image. Throws on an instruction that it does not know. */
export function readRecipe(dockerfile: string): readonly Stage[] {
  const stages: Stage[] = []
  for (const [instruction, rest] of instructionsOf(dockerfile)) {
    if (instruction === 'ARG') continue
    if (instruction === 'FROM') {
      const [, base = '', name = ''] = /^(\S+) AS (\S+)$/.exec(rest) ?? []
      stages.push({ ...EMPTY, base, name })
      continue
    }
    const stage = stages.pop()
    if (!stage) throw new Error(`${instruction} comes before FROM`)
    stages.push(withInstruction(stage, instruction, rest))
  }
  return stages
}

const EMPTY: Stage = {
  name: '',
  base: '',
  copies: [],
  runs: [],
  env: {},
  user: undefined,
  ports: [],
  volumes: [],
  entrypoint: [],
  command: [],
  health: [],
}

/** Comments left out, continued lines joined. */
const instructionsOf = (dockerfile: string): readonly (readonly [string, string])[] =>
  dockerfile
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#') && line.trim() !== '')
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => {
      const [, instruction = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line.trim()) ?? []
      return [instruction, rest.replaceAll(/ +/g, ' ')]
    })

function withInstruction(stage: Stage, instruction: string, rest: string): Stage {
  switch (instruction) {
    case 'COPY': {
      const [, from, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(rest) ?? []
      const all = paths.split(' ')
      return {
        ...stage,
        copies: [...stage.copies, { from, sources: all.slice(0, -1), to: all.at(-1) ?? '' }],
      }
    }
    case 'ENV': {
      const given = rest.split(' ').map((pair) => {
        const at = pair.indexOf('=')
        return [pair.slice(0, at), pair.slice(at + 1)] as const
      })
      return { ...stage, env: { ...stage.env, ...Object.fromEntries(given) } }
    }
    case 'RUN':
      return { ...stage, runs: [...stage.runs, rest] }
    case 'USER':
      return { ...stage, user: rest }
    case 'EXPOSE':
      return { ...stage, ports: [...stage.ports, Number(rest)] }
    case 'VOLUME':
      return { ...stage, volumes: [...stage.volumes, rest] }
    case 'ENTRYPOINT':
      return { ...stage, entrypoint: Words.parse(JSON.parse(rest)) }
    case 'CMD':
      return { ...stage, command: Words.parse(JSON.parse(rest)) }
    case 'HEALTHCHECK':
      return { ...stage, health: Words.parse(JSON.parse(rest.slice(rest.indexOf('CMD ') + 4))) }
    case 'WORKDIR':
      return stage
    default:
      throw new Error(`unknown instruction: ${instruction} ${rest}`)
  }
}

/** Whether .dockerignore keeps a file out. Of its language only what ours uses: names, `*` and a leading `**`. */
export function isIgnored(path: string, dockerignore: string): boolean {
  return dockerignore
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .some((pattern) => {
      const [, anywhere, name = ''] = /^(\*\*\/)?(.*)$/.exec(pattern) ?? []
      const body = name.split('*').map(escaped).join('[^/]*')
      return new RegExp(`^${anywhere === undefined ? '' : '(?:.*/)?'}${body}(?:/|$)`).test(path)
    })
}

const escaped = (text: string) => text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
