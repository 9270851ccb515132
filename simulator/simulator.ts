import { setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Clock } from './clock'
import { createControl } from './control'
import { createFaults } from './faults'
import { answer, errorReply, send, type Reply, type Route } from './http'
import { openImageFiles } from './image-files'
import { createProtocols } from './protocol/protocols'
import { createResults } from './protocol/results'
import { createTaskRunner, type Draw } from './task-runner'
import { openTaskStore } from './task-store'

export type SimulatorOptions = {
  readonly folder: string
  readonly clock: Clock
  readonly draw: Draw
  readonly log: Logger
  readonly webhookSecret: string | undefined
  /** Where protocols call back that have one address for all of a client's tasks. */
  readonly projectWebhookUrl: string | undefined
  readonly latencyMs: number
  readonly slowMs: number
  readonly drawAtOnce: number
}

export type ListenOptions = {
  readonly host: string
  readonly port: number
  /** What callers know it by, when that is not the address it listens on. */
  readonly publicUrl?: string
}

/** Answers requests, and knows which of them it is still busy with: one may outlive its connection. */
function createAnswering(routes: readonly Route[], log: Logger, stopping: AbortSignal) {
  const open = new Set<Promise<void>>()
  return {
    listener: (request: IncomingMessage, response: ServerResponse): void => {
      const answered = answer(routes, request)
        .catch((error: unknown): Reply => {
          if (stopping.aborted) return { kind: 'cut' }
          log.error({ err: error, method: request.method }, 'request broken off')
          return errorReply(500, 'internal_error', 'The simulator failed.')
        })
        .then((reply) => send(reply, response))
        .catch((error: unknown) => log.error({ err: error }, 'answer broken off'))
        .finally(() => open.delete(answered))
      open.add(answered)
    },
    settled: async (): Promise<void> => {
      await Promise.all(open)
    },
  }
}

/** The whole simulator but its process: a test runs it beside itself, on its own clock. */
export function createSimulator(options: SimulatorOptions) {
  const { clock, log, draw } = options
  const store = openTaskStore(options.folder, () => clock.now())
  const images = openImageFiles(join(options.folder, 'images'))
  const faults = createFaults({ slowMs: options.slowMs })
  let baseUrl = ''
  const stopping = new AbortController()
  // One listener for each answer that waits, and there may be any number.
  setMaxListeners(0, stopping.signal)

  const runner = createTaskRunner({
    store,
    images,
    clock,
    draw,
    log,
    callbackOf: (task, nowMs) =>
      protocols.find(({ name }) => name === task.protocol)?.callbackOf?.(task, nowMs),
    drawAtOnce: options.drawAtOnce,
  })

  const deps = {
    store,
    images,
    runner,
    faults,
    clock,
    latencyMs: options.latencyMs,
    baseUrl: () => baseUrl,
    webhookSecret: options.webhookSecret,
    projectWebhookUrl: options.projectWebhookUrl,
    stopping: stopping.signal,
  }
  const protocols = createProtocols(deps)
  const routes = [
    ...protocols.flatMap(({ routes: its }) => its),
    ...createResults(deps),
    ...createControl({ store, faults }),
  ]

  const answering = createAnswering(routes, log, stopping.signal)
  const server = createServer(answering.listener)

  return {
    /** Resolves with the address it listens at once requests are taken. Rejects when the port is in use. */
    listen({ host, port, publicUrl }: ListenOptions): Promise<string> {
      return new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          const address = server.address()
          const actual = typeof address === 'object' && address ? address.port : port
          const listensAt = `http://${host}:${actual}`
          baseUrl = publicUrl ?? listensAt
          const resumed = runner.resume()
          if (resumed > 0) log.info({ resumed }, 'open tasks resumed')
          resolve(listensAt)
        })
      })
    },

    /** What is open stays open in the store and is resumed by the next process. */
    async close(): Promise<void> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      stopping.abort(new Error('the simulator is stopping'))
      await runner.stop()
      await closed
      await answering.settled()
      store.close()
    },
  }
}

export type Simulator = ReturnType<typeof createSimulator>
