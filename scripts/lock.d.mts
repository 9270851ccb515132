export function commandOf(pid: number): string | undefined
export function parentOf(pid: number): number | undefined
export function takeLock(
  path: string,
): { readonly release: () => void } | { readonly heldBy: number }
