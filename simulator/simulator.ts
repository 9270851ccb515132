import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { createCallbackSender } from './callback'
import type { Clock } from './clock'
import { createControl } from './control'
import { createFaults } from './faults'
import { answer, errorReply, send } from './http'
import { openImageFiles } from './image-files'
import { createOwnProtocol, viewOwnTask } from './protocol/own'
import { createTaskRunner, type Draw } from './task-runner'
import { openTaskStore } from './task-store'

export type SimulatorOptions = {
  readonly folder: string
  readonly clock: Clock
  readonly draw: Draw
  readonly log: Logger
  readonly webhookSecret: string | undefined
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
    sendCallback:
      options.webhookSecret === undefined ? undefined : createCallbackSender(options.webhookSecret),
    callbackBody: (task) => JSON.stringify(viewOwnTask(task, { now: clock.now(), baseUrl })),
    drawAtOnce: options.drawAtOnce,
  })

  const routes = [
    ...createOwnProtocol({
      store,
      images,
      runner,
      faults,
      clock,
      newTaskId: () => `gen_${randomUUID().replaceAll('-', '')}`,
      latencyMs: options.latencyMs,
      baseUrl: () => baseUrl,
    }),
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
    /** Resolves with the base address once requests are taken. Rejects when the port is in use. */
    listen({ host, port, publicUrl }: ListenOptions): Promise<string> {
      return new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          const address = server.address()
          const actual = typeof address === 'object' && address ? address.port : port
          baseUrl = publicUrl ?? `http://${host}:${actual}`
          const resumed = runner.resume()
          if (resumed > 0) log.info({ resumed }, 'open tasks resumed')
          resolve(baseUrl)
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
