type Options = { readonly description?: string; readonly duration?: number }
export type Message = Options & { readonly kind: 'success' | 'error'; readonly title: string }

type Board = {
  /** Called when there is something to show. */
  readonly wake: () => void
  readonly show: ((message: Message) => void) | undefined
}

let board: Board | undefined
const waiting: Message[] = []

/** Short messages. What draws them is loaded with the first one, which waits for it. */
export const toast = {
  success: (title: string, options?: Options): void => say({ kind: 'success', title, ...options }),
  error: (title: string, options?: Options): void => say({ kind: 'error', title, ...options }),
}

function say(message: Message): void {
  waiting.push(message)
  flush()
}

/** Where messages are shown from now on. Ends with the function that is returned. */
export function attachBoard(next: Board): () => void {
  board = next
  flush()
  return () => {
    if (board === next) board = undefined
  }
}

function flush(): void {
  if (waiting.length === 0) return
  board?.wake()
  if (!board?.show) return
  for (const message of waiting.splice(0)) board.show(message)
}
