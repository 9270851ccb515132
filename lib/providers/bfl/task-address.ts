import { TaskId } from '@/lib/domain/ids'

/**
 * Tasks live in a region, and the answer to a submission says where to look
 * (https://docs.bfl.ai/api_integration/integration_guidelines). With a callback it does not say so,
 * and the callback names the id alone, which therefore is the task's name then. Without one the
 * host is kept beside the id.
 */
export function taskIdOf(
  accepted: { readonly id: string; readonly polling_url?: string | undefined },
  base: string,
): TaskId | undefined {
  const host = regionOf(accepted.polling_url)
  const isElsewhere = host !== undefined && host !== new URL(base).host
  return TaskId.safeParse(isElsewhere ? `${accepted.id}@${host}` : accepted.id).data
}

// Endpoints that the documentation names now or has named.
const REGIONS: readonly string[] = [
  'https://api.bfl.ai',
  'https://api.eu.bfl.ai',
  'https://api.us.bfl.ai',
  'https://api.eu1.bfl.ai',
  'https://api.us1.bfl.ai',
]

/** Where a task may be that is not where it was submitted; nowhere, when that is not the provider. */
export const regionsBeside = (base: string): readonly string[] =>
  isOfTheProvider(new URL(base).host) ? REGIONS.filter((region) => region !== base) : []

/** Where to look at a task: surely there, or there first and then in the other regions. */
export function placesOf(
  taskId: TaskId,
  base: string,
  regions: readonly string[],
): { readonly first: string; readonly others: readonly string[] } {
  const at = taskId.lastIndexOf('@')
  const host = taskId.slice(at + 1)
  const on = (place: string, id: string) => `${place}/v1/get_result?id=${encodeURIComponent(id)}`
  // Our key goes along, so only a host of the provider's own is asked.
  if (at !== -1 && isOfTheProvider(host)) {
    return { first: on(`https://${host}`, taskId.slice(0, at)), others: [] }
  }
  return { first: on(base, taskId), others: regions.map((region) => on(region, taskId)) }
}

function regionOf(pollingUrl: string | undefined): string | undefined {
  if (pollingUrl === undefined || !URL.canParse(pollingUrl)) return undefined
  const { protocol, host } = new URL(pollingUrl)
  return protocol === 'https:' && isOfTheProvider(host) ? host : undefined
}

const isOfTheProvider = (host: string) => /^([a-z0-9-]+\.)+bfl\.ai$/.test(host)
