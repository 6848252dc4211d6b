import type { Instant } from '../../market/units.ts'
import type { TimerQueue } from './timer-queue.ts'

/** Whoever has something to send when a window of a cadence ends. */
export interface Flushing {
  flush(cadence: number): void
}

/** The ends of cadence windows: multiples of the cadence in Unix time, so that equal cadences are sent together. */
export class Windows {
  readonly #timers: TimerQueue
  readonly #wallNow: () => Instant
  readonly #due = new Map<number, Flushing[]>()

  constructor(timers: TimerQueue, wallNow: () => Instant) {
    this.#timers = timers
    this.#wallNow = wallNow
  }

  /** Flushes once at the end of the window that runs now. */
  note(cadence: number, flushing: Flushing): void {
    const due = this.#due.get(cadence)
    if (due !== undefined) {
      due.push(flushing)
      return
    }
    this.#due.set(cadence, [flushing])
    const end = (Math.floor(this.#wallNow() / cadence) + 1) * cadence
    this.#timers.schedule(end, () => {
      const all = this.#due.get(cadence)!
      this.#due.delete(cadence)
      for (const each of all) each.flush(cadence)
    })
  }
}
