import { byDeadline, deadlineIn } from '../../api/deadline.ts'
import type { After } from '../../facts/bounded-wait.ts'
import type { AnswerSource } from '../../stream/delivery/answer-source.ts'

export interface TimelyAnswersOptions {
  /** Longest time that the stream waits for a response, milliseconds. It is the same as for a request. */
  readonly requestDeadline: number
  readonly after: After
  readonly steadyNow: () => number
}

/**
 * Limits how long the stream waits for responses. A late response counts as failed, and the stream tries again when the
 * metric's next update is due.
 */
export function timelyAnswers(
  answers: AnswerSource,
  { requestDeadline, after, steadyNow }: TimelyAnswersOptions
): AnswerSource {
  return {
    ready: (...asked) => answers.ready(...asked),
    load(endpoint, params, request, caller) {
      const deadline = deadlineIn(requestDeadline, steadyNow)
      return byDeadline(answers.load(endpoint, params, { ...request, deadline }, caller), deadline, after)
    }
  }
}
