/** Undefined when it is not JSON: schemas refuse that like any other wrong shape. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
