import { noTrace, type Trace } from './trace'

export type TraceOptions = {
  /** Where an OTLP collector takes HTTP, before `/v1/traces`; undefined: nothing is followed. */
  readonly endpoint: string | undefined
  /** What these spans are shown as the work of. */
  readonly service: string
  readonly onError: (error: unknown) => void
}

// Next.js bundles pages apart from the server around it: what that server has to close is kept where
// both see it.
const shared: { darkroomTrace?: Trace } & typeof globalThis = globalThis

/** Without an endpoint nothing of OpenTelemetry is loaded. */
export function openTrace({ endpoint, service, onError }: TraceOptions): Trace {
  if (endpoint === undefined) return noTrace
  let opened = noTrace
  const opening = import('./otlp-trace')
    .then(({ createOtlpTrace }) => {
      opened = createOtlpTrace({ endpoint, service, onError })
    })
    .catch(onError)
  // Within a span it is open; before the first one there is nothing to be within.
  const trace: Trace = {
    begin: async (...work) => opening.then(() => opened.begin(...work)),
    join: async (...work) => opening.then(() => opened.join(...work)),
    within: (...work) => opened.within(...work),
    past: (...done) => opened.past(...done),
    note: (attributes) => opened.note(attributes),
    current: () => opened.current(),
    close: async () => opening.then(() => opened.close()),
  }
  shared.darkroomTrace = trace
  return trace
}

/** Gives out what the trace of this process still holds, if it follows anything. */
export async function closeOpenTrace(): Promise<void> {
  await shared.darkroomTrace?.close()
}
