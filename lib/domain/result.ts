/** An expected "no" is a value: the caller must narrow `ok` before it can use the answer. */
export type Result<Value, Refusal> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly refusal: Refusal }

export const ok = <Value>(value: Value) => ({ ok: true, value }) as const
export const refuse = <Refusal>(refusal: Refusal) => ({ ok: false, refusal }) as const
