/** Runs something after so many milliseconds; what it returns takes that back. */
export type After = (milliseconds: number, run: () => void) => () => void

/** By the timers of the process, which is not kept alive for it. */
export const afterTimeout: After = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds)
  timer.unref()
  return () => clearTimeout(timer)
}

/** Waits for something to end, well or not, no longer than so many milliseconds. Tells whether it has. */
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
