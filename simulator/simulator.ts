import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Clock } from './clock'
import { createControl } from './control'
import { createFaults } from './faults'
import { answer, errorReply, send } from './http'
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

/** The whole simulator but its process: a test runs it beside itself, on its own clock. */
export function createSimulator(options: SimulatorOptions) {
  const { clock, log, draw } = options
  const store = openTaskStore(options.folder, () => clock.now())
  const images = openImageFiles(join(options.folder, 'images'))
  const faults = createFaults({ slowMs: options.slowMs })
  let baseUrl = ''

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
  }
  const protocols = createProtocols(deps)
  const routes = [
    ...protocols.flatMap(({ routes: its }) => its),
    ...createResults(deps),
    ...createControl({ store, faults }),
  ]

  const server = createServer((request, response) => {
    answer(routes, request)
      .catch((error: unknown) => {
        log.error({ err: error, method: request.method }, 'request broken off')
        return errorReply(500, 'internal_error', 'The simulator failed.')
      })
      .then((reply) => send(reply, response))
      .catch((error: unknown) => log.error({ err: error }, 'answer broken off'))
  })

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
      await runner.stop()
      await closed
      store.close()
    },
  }
}

export type Simulator = ReturnType<typeof createSimulator>
