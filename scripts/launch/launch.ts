import { join } from 'node:path'
import { providerKinds } from '@/lib/providers/registry'
import { applyMigrations, describeMigrations } from '@/scripts/migrate'
import { buildIfChanged } from './build'
import { openDataDir, type DataDir } from './data-dir'
import { LaunchError } from './launch-error'
import { given, planLaunch, type Mode, type Plan } from './plan'
import { findFreePort, findPortProblem } from './ports'
import { OWNER_ROLE, postgresUrl, startPostgres } from './postgres'
import * as programs from './programs'
import { waitUntilReady } from './readiness'
import { APP_ROLE, ensureAppRole, ensureDatabase } from './roles'
import { removeRunning, writeRunning } from './running'
import { loadSecrets, type Secrets } from './secrets'
import { shownPath } from './shown-path'
import { createSupervisor, type Supervisor } from './supervisor'

const DATABASE = 'darkroom'

export type LaunchOptions = {
  readonly mode: Mode
  /** As from the shell: DATA_DIR, PORT and so on. Nothing else is read. */
  readonly env: NodeJS.ProcessEnv
  readonly say: (line: string) => void
  /** Aborting stops everything, also before it is ready. */
  readonly signal?: AbortSignal
  /** Aborting kills everything at once. */
  readonly killSignal?: AbortSignal
}

type Credentials = { readonly email: string; readonly password: string }

export type ProgramName = 'web' | 'worker' | 'simulator' | 'postgres'

export type Launched = {
  readonly url: string
  readonly simulatorUrl: string | undefined
  readonly databaseUrl: string
  readonly ownerUrl: string
  readonly dataDir: string
  readonly logs: string
  /** Undefined where an operator's own database was left without demo accounts. */
  readonly credentials: { readonly user: Credentials; readonly admin: Credentials } | undefined
  readonly crashed: Promise<string>
  /** Ends it as a crash would, unreported. */
  readonly killChild: (name: ProgramName, signal: NodeJS.Signals) => Promise<void>
  /** Does not wait until it is ready. */
  readonly restartChild: (name: ProgramName) => Promise<void>
  readonly stop: () => Promise<void>
}

type Context = {
  readonly options: LaunchOptions
  readonly plan: Plan
  readonly dataDir: DataDir
  readonly secrets: Secrets
  readonly supervisor: Supervisor
}

type Urls = { readonly databaseUrl: string; readonly ownerUrl: string }

/** Starts Darkroom and returns when it is ready. Throws `LaunchError` or `EnvironmentError`. */
export async function launch(options: LaunchOptions): Promise<Launched> {
  const plan = planLaunch(options.env, options.mode)
  await requireFreePorts(plan)
  const dataDir = openDataDir(plan.environment.DATA_DIR)
  const supervisor = createSupervisor()
  options.killSignal?.addEventListener('abort', supervisor.killAll, { once: true })
  const stop = async (): Promise<void> => {
    await supervisor.stopAll()
    removeRunning(dataDir.path)
    dataDir.release()
  }
  try {
    const context = { options, plan, dataDir, supervisor, secrets: loadSecrets(dataDir.path) }
    const facts = await orFail(bringUp(context), supervisor, options.signal)
    return {
      ...facts,
      dataDir: dataDir.path,
      logs: dataDir.logs,
      crashed: supervisor.crashed,
      killChild: supervisor.kill,
      restartChild: supervisor.restart,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

// A program that crashes and a person who changes his mind both end the start where it is.
async function orFail<Value>(
  work: Promise<Value>,
  { crashed }: Supervisor,
  signal: AbortSignal | undefined,
): Promise<Value> {
  const aborted = new Promise<never>((_, reject) => {
    const stop = () => reject(new LaunchError('Stopped.'))
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
  })
  const failed = crashed.then((line) => {
    throw new LaunchError(line)
  })
  return await Promise.race([work, aborted, failed])
}

async function bringUp(context: Context) {
  const { plan, dataDir } = context
  const urls = await prepareDatabase(context)
  const simulatorUrl = await findSimulatorUrl(plan)
  const env = programEnvironment(context, urls, simulatorUrl)
  const [credentials] = await Promise.all([
    plan.seedsDemoAccounts ? seed(context, urls, env) : undefined,
    startPrograms(context, env, simulatorUrl),
  ])
  writeRunning(dataDir.path, runningFacts(env, urls))
  return { url: plan.environment.APP_URL, simulatorUrl, credentials, ...urls }
}

async function startPrograms(
  { plan, supervisor, dataDir, options }: Context,
  env: NodeJS.ProcessEnv,
  simulatorUrl: string | undefined,
): Promise<void> {
  const shared = { mode: plan.mode, env, logsDir: dataDir.logs }
  if (plan.mode === 'production') {
    const build = programs.buildProgram(shared)
    await buildIfChanged({
      say: options.say,
      build: () => supervisor.run(build, 'The web app could not be built'),
    })
  }
  options.say('Starting ...')
  if (plan.simulator.kind === 'ours') supervisor.start(programs.simulatorProgram(shared))
  const { WORKER, DRAIN_MS } = plan.environment
  if (WORKER === 'embedded') supervisor.start(programs.workerProgram(shared, DRAIN_MS))
  supervisor.start(programs.webProgram({ ...shared, env: withoutKeys(env, plan) }, DRAIN_MS))
  await waitUntilReady(addressesToAsk(plan, simulatorUrl), shownPath(dataDir.logs))
}

async function requireFreePorts({ environment: { PORT }, simulator }: Plan): Promise<void> {
  const problem = (await findPortProblem(PORT)) ?? (await findPortProblem(PORT, '127.0.0.1'))
  if (problem !== undefined) {
    throw new LaunchError(
      `${problem} To choose another: PORT=${PORT > 1024 ? PORT + 1 : 3000} npm start`,
    )
  }
  if (simulator.kind !== 'ours' || simulator.port === undefined) return
  const simulatorProblem = await findPortProblem(simulator.port, '127.0.0.1')
  if (simulatorProblem !== undefined) {
    throw new LaunchError(
      `${simulatorProblem} It is that of SIMULATOR_URL, which may also be left unset.`,
    )
  }
}

async function prepareDatabase(context: Context): Promise<Urls> {
  const { database } = context.plan
  const urls = database
    ? { databaseUrl: database.url, ownerUrl: database.ownerUrl }
    : await startEmbedded(context)
  for (const line of describeMigrations(await applyMigrations(urls.ownerUrl))) {
    context.options.say(line)
  }
  return urls
}

async function startEmbedded({ dataDir, secrets, supervisor, options }: Context): Promise<Urls> {
  options.say('Starting PostgreSQL ...')
  const port = await findFreePort()
  const child = await startPostgres(
    {
      dataDir: join(dataDir.path, 'postgres'),
      logFile: join(dataDir.logs, 'postgres.log'),
      port,
      ownerPassword: secrets.postgresOwnerPassword,
    },
    supervisor.begin,
  )
  supervisor.watch(child)
  const ownerUrlOf = (database: string) =>
    postgresUrl(OWNER_ROLE, secrets.postgresOwnerPassword, port, database)
  await ensureAppRole(ownerUrlOf('postgres'), secrets.postgresAppPassword)
  await ensureDatabase(ownerUrlOf('postgres'), DATABASE)
  return {
    ownerUrl: ownerUrlOf(DATABASE),
    databaseUrl: postgresUrl(APP_ROLE, secrets.postgresAppPassword, port, DATABASE),
  }
}

async function findSimulatorUrl({ simulator, environment }: Plan): Promise<string | undefined> {
  switch (simulator.kind) {
    case 'off':
      return undefined
    case 'elsewhere':
      return simulator.url
    case 'ours':
      return `http://127.0.0.1:${simulator.port ?? (await findFreePort(environment.PORT + 1))}`
  }
}

/** Only a worker speaks to providers: the web server is told which they are, and not their keys. */
function withoutKeys(env: NodeJS.ProcessEnv, { environment }: Plan): NodeJS.ProcessEnv {
  const offered = environment.providers.filter(({ isOffered }) => isOffered)
  const keys = providerKinds.flatMap((kind) => kind.keys.map((key) => [key, undefined] as const))
  return {
    ...env,
    ...Object.fromEntries(keys),
    OFFERED_PROVIDERS: offered.map(({ name }) => name).join(','),
  }
}

function programEnvironment(
  { options: { env }, plan, secrets }: Context,
  { databaseUrl }: Urls,
  simulatorUrl: string | undefined,
): NodeJS.ProcessEnv {
  const { APP_URL, PORT, DATA_DIR, SIMULATOR } = plan.environment
  const authSecret = given(env['AUTH_SECRET']) ?? secrets.authSecret
  return {
    ...env,
    NODE_ENV: plan.mode,
    DATABASE_URL: databaseUrl,
    APP_URL,
    PORT: String(PORT),
    AUTH_SECRET: authSecret,
    NEXTAUTH_URL: APP_URL,
    NEXTAUTH_SECRET: authSecret,
    DATA_DIR,
    SIMULATOR,
    ...(simulatorUrl === undefined ? {} : { SIMULATOR_URL: simulatorUrl }),
    SIMULATOR_WEBHOOK_SECRET:
      given(env['SIMULATOR_WEBHOOK_SECRET']) ?? secrets.simulatorWebhookSecret,
    NEXT_SERVER_ACTIONS_ENCRYPTION_KEY:
      given(env['NEXT_SERVER_ACTIONS_ENCRYPTION_KEY']) ?? secrets.serverActionsKey,
    NEXT_TELEMETRY_DISABLED: '1',
    // Only what migrates may do what the owner may.
    DATABASE_OWNER_URL: undefined,
  }
}

async function seed(
  { secrets, supervisor, plan, dataDir }: Context,
  { ownerUrl }: Urls,
  env: NodeJS.ProcessEnv,
): Promise<NonNullable<Launched['credentials']>> {
  const spec = programs.seedProgram({
    mode: plan.mode,
    logsDir: dataDir.logs,
    env: {
      ...env,
      DATABASE_OWNER_URL: ownerUrl,
      DEMO_USER_PASSWORD: secrets.demoUserPassword,
      DEMO_ADMIN_PASSWORD: secrets.demoAdminPassword,
    },
  })
  await supervisor.run(spec, 'The demo accounts could not be made')
  return {
    user: { email: 'demo@darkroom.local', password: secrets.demoUserPassword },
    admin: { email: 'admin@darkroom.local', password: secrets.demoAdminPassword },
  }
}

function addressesToAsk(
  { environment: { PORT, WORKER }, simulator }: Plan,
  simulatorUrl: string | undefined,
): Readonly<Record<string, string>> {
  // Readiness asks for a worker; one that is started elsewhere may come later.
  const health = WORKER === 'embedded' ? 'ready' : 'live'
  return {
    web: `http://127.0.0.1:${PORT}/api/health/${health}`,
    ...(simulator.kind === 'ours' ? { simulator: `${simulatorUrl ?? ''}/_/health` } : {}),
  }
}

function runningFacts(env: NodeJS.ProcessEnv, { ownerUrl }: Urls): Record<string, string> {
  const names = ['DATABASE_URL', 'APP_URL', 'PORT', 'AUTH_SECRET', 'SIMULATOR', 'SIMULATOR_URL']
  const secrets = ['SIMULATOR_WEBHOOK_SECRET', 'NEXT_SERVER_ACTIONS_ENCRYPTION_KEY']
  const facts = [...names, ...secrets].flatMap((name) => {
    const value = env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(facts), DATABASE_OWNER_URL: ownerUrl }
}
