/** Work that is done in steps. After each of them something else may go first; what comes out is the same. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** All steps, one after the other. */
export function inOneGo<Result>(steps: Steps<Result>): Result {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
