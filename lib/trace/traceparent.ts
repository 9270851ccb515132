import { TraceFlags, type SpanContext } from '@opentelemetry/api'

// https://www.w3.org/TR/trace-context/#traceparent-header
const FORM = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** As it is kept with an attempt. Undefined where nobody records the trace. */
export function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string | undefined {
  const isRecorded = (traceFlags & TraceFlags.SAMPLED) !== 0
  return isRecorded ? `00-${traceId}-${spanId}-01` : undefined
}

/** Undefined for what has another form. */
export function parseTraceparent(text: string): SpanContext | undefined {
  const [, traceId, spanId, flags] = FORM.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}
