import type { AttemptState, Failure } from './attempt'
import { decideDelivery } from './decide-delivery'
import {
  decideLookup,
  decideRepeat,
  decideSubmission,
  decideTask,
  unknownSubmission,
} from './decide-submission'
import { decideCancelling, decideObservation } from './decide-task'
import { failed, NOTHING_NEW, type Circumstances, type Decision, type News } from './decision'
import { assertNever } from './invariant'

const CANCELLED: Failure = { code: 'cancelled', message: 'You cancelled it before it was sent.' }

/**
 * The one place that decides what news means. Only proof ends an attempt: a failed look, a lost
 * answer and the passing of time never do.
 */
export function decide(state: AttemptState, news: News, circumstances: Circumstances): Decision {
  switch (news.kind) {
    case 'submission':
      return decideSubmission(state, news, circumstances)
    case 'submission-lost':
      return state.state === 'submitting'
        ? unknownSubmission(
            { reason: 'The worker stopped before it learned the answer.' },
            circumstances,
          )
        : NOTHING_NEW
    case 'unsendable':
      return state.state === 'initializing'
        ? failed('unsendable', { code: 'invalid_input', message: news.reason }, {})
        : NOTHING_NEW
    case 'repeat':
      return decideRepeat(state, news.outcome, circumstances)
    case 'lookup':
      return decideLookup(state, news.lookup, circumstances)
    case 'observation':
      return decideObservation(state, news.observation, circumstances)
    case 'delivery':
      return decideDelivery(state, news.outcome, circumstances)
    case 'task-reported':
      return decideTask(state, news.taskId, 'task_reported')
    case 'cancel-requested':
      // Only while nothing was sent is cancelling a fact and not a wish.
      return state.state === 'initializing' ? failed('cancelled', CANCELLED, {}) : NOTHING_NEW
    case 'cancelling':
      return decideCancelling(state, news.outcome, circumstances)
    default:
      return assertNever(news)
  }
}
