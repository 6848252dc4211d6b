import { byDeadline, deadlineIn } from '../../api/deadline.ts'
import type { After } from '../../facts/bounded-wait.ts'
import type { Instant } from '../../market/units.ts'
import type { AnswerSource } from '../../stream/delivery/answer-source.ts'

export interface TimelyAnswersOptions {
  /** Longest time that the stream waits for an answer, milliseconds, as a request does. */
  readonly requestDeadline: number
  readonly after: After
  readonly wallNow: () => Instant
}

/** Answers for the stream that come before a deadline, or fail: a feed then tries again at its next turn. */
export function timelyAnswers(
  answers: AnswerSource,
  { requestDeadline, after, wallNow }: TimelyAnswersOptions
): AnswerSource {
  return {
    ready: (...asked) => answers.ready(...asked),
    load(endpoint, params, request, caller) {
      const deadline = deadlineIn(requestDeadline, wallNow)
      return byDeadline(answers.load(endpoint, params, { ...request, deadline }, caller), deadline, after)
    }
  }
}
