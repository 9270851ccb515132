import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** False on the server and while hydrating: until then a page cannot answer, and local time is unknown. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
