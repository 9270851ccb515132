import type { Provider } from '@/lib/domain/provider'
import type { Trace } from './trace'

/**
 * The provider, with a span around each thing that is asked of it. The provider is told nothing of
 * the trace: no `traceparent` goes out, because it is nobody's business how we work, and a header
 * more could make a documented request another one.
 */
export function tracedProvider(provider: Provider, trace: Trace): Provider {
  const { name, lookUp, cancel, fetchOutput, referenceOf } = provider

  async function asked<Answer>(
    what: string,
    model: string | undefined,
    ask: () => Promise<Answer>,
    outcomeOf: (answer: Answer) => string,
  ): Promise<Answer> {
    return trace.within(`provider.${what}`, { provider: name, model }, async () => {
      const answer = await ask()
      trace.note({ outcome: outcomeOf(answer) })
      return answer
    })
  }
  const kindOf = ({ kind }: { readonly kind: string }) => kind

  return {
    ...provider,
    submit: (request, signal) =>
      asked(
        'submit',
        request.model,
        () => provider.submit(request, signal),
        ({ outcome }) => outcome.kind,
      ),
    observe: (taskId, model, signal) =>
      asked('observe', model, () => provider.observe(taskId, model, signal), kindOf),
    ...(lookUp && {
      lookUp: (request, submittedAt, signal) =>
        asked('look-up', request.model, () => lookUp(request, submittedAt, signal), kindOf),
    }),
    ...(cancel && {
      cancel: (taskId, model, signal) =>
        asked('cancel', model, () => cancel(taskId, model, signal), kindOf),
    }),
    ...(fetchOutput && {
      fetchOutput: (taskId, model, signal) =>
        asked(
          'fetch-output',
          model,
          () => fetchOutput(taskId, model, signal),
          ({ ok }) => (ok ? 'fetched' : 'not-fetched'),
        ),
    }),
    ...(referenceOf && {
      referenceOf: (taskId, signal) =>
        asked('reference-of', undefined, () => referenceOf(taskId, signal), kindOf),
    }),
  }
}
