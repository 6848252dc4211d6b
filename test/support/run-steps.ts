/** Runs a generator to its end; returns what it returns. */
export function runSteps<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
