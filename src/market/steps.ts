/** A computation in steps. Other work may run between two of them without changing the result. */
export type Steps<Result> = Generator<undefined, Result, undefined>

export function inOneGo<Result>(steps: Steps<Result>): Result {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
