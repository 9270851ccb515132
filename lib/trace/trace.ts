/** All that a span may say of its work: names and ids. There is no place for words of people. */
export type Attributes = Readonly<
  Partial<
    Record<
      | 'attemptId'
      | 'accountId'
      | 'requestId'
      | 'provider'
      | 'model'
      | 'state'
      | 'failureCode'
      | 'settlement'
      | 'outcome',
      string | undefined
    >
  >
>

/**
 * Follows an attempt through processes: a trace is what was done about one click, a span one piece of
 * it. Whatever goes wrong with a trace, the work is done.
 */
export type Trace = {
  /** The work, as the beginning of a trace. */
  begin<Value>(name: string, attributes: Attributes, work: () => Promise<Value>): Promise<Value>
  /** The work, as part of what is under way here; where nothing is, of the trace that was kept. */
  join<Value>(
    findKept: () => Promise<string | undefined>,
    name: string,
    attributes: Attributes,
    work: () => Promise<Value>,
  ): Promise<Value>
  /** The work, as part of what is under way here. */
  within<Value>(name: string, attributes: Attributes, work: () => Promise<Value>): Promise<Value>
  /** What was done from then until now, as part of what is under way here. */
  past(name: string, since: Date, attributes: Attributes): void
  /** Says more of what is under way here. */
  note(attributes: Attributes): void
  /** What another process joins by: a W3C `traceparent`. Undefined where nothing is followed. */
  current(): string | undefined
  /** Gives out what is still waiting. */
  close(): Promise<void>
}

/** Follows nothing and costs nothing. */
export const noTrace: Trace = {
  begin: (_name, _attributes, work) => work(),
  join: (_findKept, _name, _attributes, work) => work(),
  within: (_name, _attributes, work) => work(),
  past: () => undefined,
  note: () => undefined,
  current: () => undefined,
  close: () => Promise.resolve(),
}
