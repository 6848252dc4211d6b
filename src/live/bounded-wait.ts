/** Runs something after so many milliseconds. The returned function cancels it. */
export type After = (milliseconds: number, run: () => void) => () => void

/** Uses the timers of the process without keeping it alive. */
export const afterTimeout: After = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds)
  timer.unref()
  return () => clearTimeout(timer)
}

/** Waits for a promise to settle for at most so many milliseconds. Resolves with whether it has. */
export function endsWithin(work: Promise<unknown>, milliseconds: number, after: After): Promise<boolean> {
  if (milliseconds <= 0) return Promise.resolve(false)
  return new Promise((resolve) => {
    const cancel = after(milliseconds, () => resolve(false))
    const ended = () => {
      cancel()
      resolve(true)
    }
    work.then(ended, ended)
  })
}
