import { type After, endsWithin } from '../facts/bounded-wait.ts'
import { type ApiError, apiError } from './error.ts'

/** The latest time at which a caller still wants an answer. Work that would begin later is refused. */
export interface Deadline {
  /** Milliseconds left until the deadline; 0 or less once it has passed. */
  readonly left: () => number
}

/** A deadline after a number of milliseconds of the steady clock. */
export function deadlineIn(milliseconds: number, steadyNow: () => number): Deadline {
  const until = steadyNow() + milliseconds
  return { left: () => until - steadyNow() }
}

/**
 * Waits for work, but no longer than until the deadline. Once the deadline has passed it rejects with `overloaded`,
 * even if the work has ended.
 */
export async function byDeadline<Found>(work: Promise<Found>, deadline: Deadline, after: After): Promise<Found> {
  const ended = await endsWithin(work, deadline.left(), after)
  if (!ended || deadline.left() <= 0) throw tooLate()
  return work
}

/** Throws if the deadline has passed, so that no work begins. */
export function refuseLate(deadline: Deadline | undefined): void {
  if (deadline !== undefined && deadline.left() <= 0) throw tooLate()
}

export function tooLate(): ApiError {
  return apiError('overloaded', 'the answer was not ready before the deadline of the request; try again shortly')
}
