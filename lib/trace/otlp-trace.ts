import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT_CONTEXT, SpanStatusCode, trace as api, type Context } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base'
import type { Attributes, Trace } from './trace'
import { parseTraceparent, traceparentOf } from './traceparent'

// A collector that does not answer keeps nobody from stopping.
const CLOSE_MS_MAX = 2_000

const NAMES = {
  attemptId: 'darkroom.attempt.id',
  accountId: 'darkroom.account.id',
  requestId: 'darkroom.request.id',
  provider: 'darkroom.provider',
  model: 'darkroom.model',
  state: 'darkroom.state',
  failureCode: 'darkroom.failure.code',
  settlement: 'darkroom.settlement',
  outcome: 'darkroom.outcome',
} as const satisfies Record<keyof Attributes, string>

export type OtlpOptions = {
  readonly endpoint: string
  readonly service: string
  readonly onError: (error: unknown) => void
}

/**
 * Spans by OTLP over HTTP, in JSON. Headers, limits and sampling follow the variables that the SDK
 * documents. It is not registered as the process's own: Next.js would then add spans of its own, with
 * addresses in them, and some addresses carry tokens.
 */
export function createOtlpTrace({ endpoint, service, onError }: OtlpOptions): Trace {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.namespace': 'darkroom', 'service.name': service }),
    spanProcessors: [new BatchSpanProcessor(telling(exporter, onError))],
  })
  const tracer = provider.getTracer('darkroom')
  const underWay = new AsyncLocalStorage<Context>()

  async function follow<Value>(
    parent: Context,
    name: string,
    attributes: Attributes,
    work: () => Promise<Value>,
  ): Promise<Value> {
    const span = tracer.startSpan(name, { attributes: named(attributes) }, parent)
    try {
      return await underWay.run(api.setSpan(parent, span), work)
    } catch (error) {
      // Its message may repeat what somebody wrote; its name does not.
      const message = error instanceof Error ? error.name : 'not an error'
      span.setStatus({ code: SpanStatusCode.ERROR, message })
      throw error
    } finally {
      span.end()
    }
  }

  const spanHere = () => api.getSpan(underWay.getStore() ?? ROOT_CONTEXT)

  return {
    begin: (name, attributes, work) => follow(ROOT_CONTEXT, name, attributes, work),

    async join(findKept, name, attributes, work) {
      const parent = underWay.getStore() ?? (await keptContext(findKept, onError))
      return parent ? follow(parent, name, attributes, work) : work()
    },

    within(name, attributes, work) {
      const parent = underWay.getStore()
      return parent ? follow(parent, name, attributes, work) : work()
    },

    past(name, since, attributes) {
      const parent = underWay.getStore()
      if (!parent) return
      tracer.startSpan(name, { startTime: since, attributes: named(attributes) }, parent).end()
    },

    note: (attributes) => void spanHere()?.setAttributes(named(attributes)),

    current() {
      const span = spanHere()
      return span && traceparentOf(span.spanContext())
    },

    close: () =>
      Promise.race([
        provider.shutdown().catch(onError),
        pause(CLOSE_MS_MAX, undefined, { ref: false }),
      ]),
  }
}

async function keptContext(
  findKept: () => Promise<string | undefined>,
  onError: (error: unknown) => void,
): Promise<Context | undefined> {
  try {
    const kept = await findKept()
    const parent = kept === undefined ? undefined : parseTraceparent(kept)
    return parent && api.setSpanContext(ROOT_CONTEXT, parent)
  } catch (error) {
    onError(error)
    return undefined
  }
}

const named = (attributes: Attributes): Record<string, string> =>
  Object.fromEntries(
    Object.entries(NAMES).flatMap(([key, name]) => {
      const value = Object.entries(attributes).find(([given]) => given === key)?.[1]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** As the exporter, and says what it could not give out: the SDK is silent about it. */
function telling(exporter: SpanExporter, onError: (error: unknown) => void): SpanExporter {
  return {
    export: (spans, done) => {
      exporter.export(spans, (result) => {
        if (result.error) onError(result.error)
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}
