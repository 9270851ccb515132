import type { Observation } from '@/lib/domain/observation'
import { cancelledThere, noImage, providerFailed } from '@/lib/providers/judge'
import { ExecutionError, type HistoryEntry, type SavedImage } from './schemas'

/** What the history tells of a job that has ended. */
export function observationOf({ status, outputs }: HistoryEntry, baseUrl: string): Observation {
  const messages = status?.messages ?? []
  // Old servers keep no status, and only those jobs that they carried out.
  switch (status?.status_str ?? 'success') {
    case 'success': {
      const image = imageOf(outputs)
      return image
        ? { kind: 'succeeded', result: { url: viewUrl(image, baseUrl) } }
        : { kind: 'failed', failure: noImage }
    }
    case 'error':
      return {
        kind: 'failed',
        failure: messages.some(([name]) => name === 'execution_interrupted')
          ? cancelledThere
          : providerFailed(wordsOf(messages)),
      }
    default:
      return { kind: 'unavailable', reason: 'The job ended in a way that ComfyUI does not know.' }
  }
}

/** A saved image before one that is only shown: previews are put out too. */
function imageOf(outputs: HistoryEntry['outputs']): SavedImage | undefined {
  const images = Object.values(outputs).flatMap((output) => output?.images ?? [])
  return images.find(({ type }) => type === 'output') ?? images[0]
}

function viewUrl({ filename, subfolder, type }: SavedImage, baseUrl: string): string {
  return `${baseUrl}/view?${new URLSearchParams({ filename, subfolder, type }).toString()}`
}

function wordsOf(messages: readonly (readonly [string, ...unknown[]])[]): string {
  const told = messages.find(([name]) => name === 'execution_error')?.[1]
  const error = ExecutionError.safeParse(told).data
  if (error === undefined) return ''
  const where = error.node_type === undefined ? '' : `${error.node_type}: `
  return `${where}${error.exception_message}`
}
