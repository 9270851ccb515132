import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { providerKinds } from '@/lib/providers/registry'
import { isIgnored, readRecipe } from '@/scripts/image/recipe'
import { SOURCES } from '@/scripts/launch/build'
import { inRoot } from '@/scripts/launch/root'

// Dockerfile, Compose file and manifests, as far as they can be judged without an engine. That what the
// Dockerfile says also runs is what `npm run check:image` shows.

const USER = 10_001
const PORT = 3000

const read = (...path: readonly string[]) => readFileSync(inRoot(...path), 'utf8')
const stages = readRecipe(read('Dockerfile'))
const image = stages.at(-1)
const programs = [...read('scripts', 'container.ts').matchAll(/^ {2}case '(\w+)':/gm)].map(
  (match) => match[1],
)

/** What lib/env.ts, a provider, the launcher or next-auth reads. */
const known = new Set([
  ...[...read('lib', 'env.ts').matchAll(/^ {4}([A-Z][A-Z0-9_]+):/gm)].map((match) => match[1]),
  ...providerKinds.flatMap(({ variables }) => variables),
  'DATABASE_OWNER_URL',
  'NEXT_SERVER_ACTIONS_ENCRYPTION_KEY',
  'NEXT_TELEMETRY_DISABLED',
])

test('the image is run by a number that is not root, and holds what it starts', () => {
  expect(image?.user).toBe(`${USER}:${USER}`)
  expect(image?.ports).toEqual([PORT])
  expect(image?.volumes).toEqual([image?.env['DATA_DIR']])
  expect(image?.env['PORT']).toBe(String(PORT))
  const copied = image?.copies.map(({ to }) => to.replace('./', '')) ?? []
  const started = [...(image?.entrypoint ?? []), ...(image?.health ?? [])].filter((word) =>
    word.includes('/'),
  )
  expect(started.length).toBe(2)
  for (const file of started) {
    expect(existsSync(inRoot(file)), file).toBe(true)
    expect(copied).toContain(file.split('/')[0])
  }
  expect(programs).toContain(image?.command[0])
})

test('what is copied exists, and .dockerignore lets in what a build is made of', () => {
  const ignored = read('.dockerignore')
  for (const { from, sources } of stages.flatMap(({ copies }) => copies)) {
    for (const source of sources) {
      const path = source.replace(/^\/app\//, '')
      const isMade = ['.next', 'node_modules'].includes(path)
      if (source !== '.' && !isMade) expect(existsSync(inRoot(path)), source).toBe(true)
      if (from !== undefined) expect(stages.map(({ name }) => name)).toContain(from)
    }
  }
  for (const source of SOURCES) expect(isIgnored(source, ignored), source).toBe(false)
  for (const secret of ['.env', '.env.production', '.data/secrets.json', 'ops/docker/worker.env']) {
    expect(isIgnored(secret, ignored), secret).toBe(true)
  }
  expect(isIgnored('lib/env.test.ts', ignored)).toBe(true)
  expect(isIgnored('lib/env.ts', ignored)).toBe(false)
})

test('each stage installs by the lock, and what runs has no packages of development', () => {
  const installs = stages.flatMap(({ name, runs }) =>
    runs.filter((run) => run.includes('npm ')).map((run) => [name, run] as const),
  )
  expect(installs.find(([name]) => name === 'modules')?.[1]).toMatch(/^npm ci --omit=dev /)
  for (const [, run] of installs) expect(run).not.toMatch(/npm (install|i) /)
  const scripts = z
    .record(z.string(), z.string())
    .parse(z.object({ scripts: z.unknown() }).parse(JSON.parse(read('package.json'))).scripts)
  for (const [, run] of installs) {
    for (const [, script = ''] of run.matchAll(/npm run (?:-s )?([\w:]+)/g)) {
      expect(Object.keys(scripts)).toContain(script)
    }
  }
})

test.each([
  ['the Dockerfile', () => Object.keys(image?.env ?? {})],
  ['darkroom.env', () => namesIn('darkroom.env.example')],
  ['worker.env', () => namesIn('worker.env.example')],
  [
    'database.env',
    () =>
      namesIn('database.env.example').filter(
        // Of PostgreSQL's image and of the script that it runs.
        (name) => !/^POSTGRES_|^DARKROOM_APP_PASSWORD$/.test(name),
      ),
  ],
  ['the manifests', () => Object.keys(configMap())],
])('every variable of %s is one that is read', (_what, namesOf) => {
  expect(namesOf().length).toBeGreaterThan(0)
  for (const name of namesOf()) expect(known).toContain(name)
})

const namesIn = (file: string) =>
  [...read('ops', 'docker', file).matchAll(/^([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1] ?? '')

test('the page about deploying has a line for every variable, and for no other', () => {
  const [, table = ''] = read('docs', 'DEPLOY.md').split('\n## Variables\n')
  const told = [...table.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`([A-Z0-9_]+)`/g)].map((match) => match[1] ?? ''),
  )
  const explained = [...read('.env.example').matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(
    (match) => match[1] ?? '',
  )
  expect(told.toSorted()).toEqual([...explained, 'NEXT_SERVER_ACTIONS_ENCRYPTION_KEY'].toSorted())
})

test('only workers read the keys of providers', () => {
  const keys = new Set(providerKinds.flatMap((kind) => [...kind.keys]))
  const everywhere = [...namesIn('darkroom.env.example'), ...Object.keys(configMap())]
  expect(everywhere.filter((name) => keys.has(name))).toEqual([])
  expect(namesIn('worker.env.example').every((name) => keys.has(name))).toBe(true)
  const withKeys = Object.entries(compose.services).filter(([, { env_file: files }]) =>
    files?.includes('ops/docker/worker.env'),
  )
  expect(withKeys.map(([name]) => name)).toEqual(['worker'])
  const pods = workloads().filter(({ template }) =>
    template.containers.some(({ envFrom }) =>
      envFrom.some(({ secretRef }) => secretRef?.name === 'darkroom-keys'),
    ),
  )
  expect(pods.map(({ name }) => name)).toEqual(['darkroom-worker'])
})

const Service = z.object({
  image: z.string(),
  command: z.array(z.string()).optional(),
  env_file: z.array(z.string()).optional(),
  user: z.string().optional(),
  read_only: z.boolean(),
  tmpfs: z.array(z.string()),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  profiles: z.array(z.string()).optional(),
})
const Compose = z.object({
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.null()),
})
const compose = Compose.parse(parse(read('compose.yaml'), { merge: true }))

test('no service of the Compose file writes its own files, keeps rights or is reached from outside', () => {
  expect(Object.keys(compose.services)).toEqual(['postgres', 'migrate', 'web', 'worker', 's3'])
  for (const [name, service] of Object.entries(compose.services)) {
    expect(service.read_only, name).toBe(true)
    expect(service.tmpfs, name).toContain('/tmp')
    expect(service.cap_drop, name).toEqual(['ALL'])
    expect(service.security_opt, name).toContain('no-new-privileges:true')
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/)
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':')
      if (source.startsWith('.')) expect(existsSync(inRoot(source)), source).toBe(true)
      else expect(Object.keys(compose.volumes)).toContain(source)
    }
    for (const file of service.env_file ?? [])
      expect(existsSync(inRoot(`${file}.example`))).toBe(true)
    if (service.image !== 'darkroom') continue
    expect(service.user, name).toBe(`${USER}:${USER}`)
    expect(programs).toContain(service.command?.[0])
  }
})

test('programs start when the schema is there, and the schema when the database answers', () => {
  const { migrate, web, worker } = compose.services
  expect(migrate?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } })
  for (const service of [web, worker]) {
    expect(service?.depends_on).toEqual({
      migrate: { condition: 'service_completed_successfully' },
    })
  }
})

const Probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }).optional() })
const Container = z.object({
  image: z.string(),
  args: z.array(z.string()),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).optional(),
  envFrom: z.array(
    z.object({
      secretRef: z.object({ name: z.string() }).optional(),
      configMapRef: z.unknown().optional(),
    }),
  ),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  startupProbe: Probe.optional(),
  livenessProbe: Probe.optional(),
  readinessProbe: Probe.optional(),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
})
const Pod = z.object({
  automountServiceAccountToken: z.literal(false),
  securityContext: z.object({
    runAsNonRoot: z.literal(true),
    runAsUser: z.literal(USER),
    runAsGroup: z.literal(USER),
    fsGroup: z.literal(USER),
  }),
  terminationGracePeriodSeconds: z.number().optional(),
  containers: z.array(Container).length(1),
  volumes: z.array(z.object({ name: z.string() })),
})
const Workload = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }).optional(),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: Pod,
    }),
  }),
})

const Kustomization = z.object({ resources: z.array(z.string()) })
const Manifest = z.looseObject({ kind: z.string() })

const manifestsIn = (folder: string) => {
  const { resources } = Kustomization.parse(parse(read(folder, 'kustomization.yaml')))
  return resources.flatMap((file) =>
    parseAllDocuments(read(folder, file)).map((document) => Manifest.parse(document.toJS())),
  )
}
const base = () => manifestsIn(join('ops', 'k8s', 'base'))
const workloads = () =>
  base()
    .filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
    .map((manifest) => Workload.parse(manifest))
    .map(({ metadata, spec }) => ({
      name: metadata.name,
      ...spec,
      template: spec.template.spec,
      labels: spec.template.metadata.labels,
    }))

function configMap(): Readonly<Record<string, string>> {
  const found = base().find(({ kind }) => kind === 'ConfigMap')
  return z.object({ data: z.record(z.string(), z.string()) }).parse(found).data
}

test('a cluster is given everything that it is to have', () => {
  expect(
    base()
      .map(({ kind }) => kind)
      .toSorted(),
  ).toEqual([
    'ConfigMap',
    'Deployment',
    'Deployment',
    'HorizontalPodAutoscaler',
    'Job',
    'NetworkPolicy',
    'NetworkPolicy',
    'PersistentVolumeClaim',
    'PodDisruptionBudget',
    'PodDisruptionBudget',
    'Service',
  ])
  expect(manifestsIn(join('ops', 'k8s', 'monitoring')).map(({ kind }) => kind)).toEqual([
    'ServiceMonitor',
  ])
  for (const folder of ['base', 'monitoring']) {
    const path = join('ops', 'k8s', folder)
    const { resources } = Kustomization.parse(parse(read(path, 'kustomization.yaml')))
    const files = readdirSync(inRoot(path)).filter((file) => file !== 'kustomization.yaml')
    expect(files.toSorted()).toEqual(resources.toSorted())
  }
})

test('no pod is root, writes its own files, or is asked where it does not listen', () => {
  // Their shape says the rest: without it they are not parsed.
  expect(workloads().map(({ name }) => name)).toEqual([
    'darkroom-migrate',
    'darkroom-web',
    'darkroom-worker',
  ])
  for (const { name, template, selector, labels } of workloads()) {
    const [container] = template.containers
    expect(programs, name).toContain(container?.args[0])
    expect(labels).toMatchObject(selector?.matchLabels ?? {})
    const volumes = template.volumes.map((volume) => volume.name)
    for (const mount of container?.volumeMounts ?? []) expect(volumes).toContain(mount.name)
    expect(container?.volumeMounts.map(({ mountPath }) => mountPath)).toContain('/tmp')
    for (const probe of [
      container?.startupProbe,
      container?.livenessProbe,
      container?.readinessProbe,
    ]) {
      if (!probe?.httpGet) continue
      expect(container?.ports).toContainEqual({ name: probe.httpGet.port, containerPort: PORT })
      const route = probe.httpGet.path.split('?')[0] ?? ''
      expect(existsSync(inRoot(`app${route}/route.ts`)), route).toBe(true)
    }
    const drainS = Number(configMap()['DRAIN_MS']) / 1_000
    if (selector) expect(template.terminationGracePeriodSeconds).toBeGreaterThan(drainS)
  }
})
