/** Runs a function after a number of milliseconds. The returned function cancels it. */
export type After = (milliseconds: number, run: () => void) => () => void

/** Uses timers that do not keep the process alive. */
export const afterTimeout: After = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds)
  timer.unref()
  return () => clearTimeout(timer)
}

/** Waits for a promise to settle, for a limited number of milliseconds. Resolves with whether it settled in time. */
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
