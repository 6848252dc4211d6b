import type { After } from '../../src/facts/bounded-wait.ts'

/** Timers that run as the test moves a clock, in the order of their moments. */
export function timersOn(clock: { readonly at: number; pass: (milliseconds: number) => unknown }) {
  const waiting = new Set<{ readonly at: number; readonly run: () => void }>()
  const after: After = (milliseconds, run) => {
    const timer = { at: clock.at + milliseconds, run }
    waiting.add(timer)
    return () => void waiting.delete(timer)
  }
  /** Moves the clock and runs what is due by then. */
  const pass = (milliseconds: number) => {
    clock.pass(milliseconds)
    for (const timer of [...waiting].sort((a, b) => a.at - b.at)) {
      if (timer.at > clock.at || !waiting.delete(timer)) continue
      timer.run()
    }
  }
  return { after, pass, waiting }
}
