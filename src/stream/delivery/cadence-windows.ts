import type { Instant } from '../../market/units.ts'
import type { TimerQueue } from './timer-queue.ts'

export interface WindowListener {
  /** Called when a window of this cadence has ended; `cadence` is in milliseconds. */
  windowEnded(cadence: number): void
}

/**
 * Reports the ends of cadence windows, the periods in which a subscription gets at most one update. Windows end at
 * multiples of the cadence in Unix time, so that subscriptions with equal cadences are sent together.
 */
export class CadenceWindows {
  readonly #timers: TimerQueue
  readonly #wallNow: () => Instant
  readonly #listeners = new Map<number, WindowListener[]>()

  constructor(timers: TimerQueue, wallNow: () => Instant) {
    this.#timers = timers
    this.#wallNow = wallNow
  }

  /** Calls the listener once, at the end of the current window. `cadence` is in milliseconds. */
  awaitEnd(cadence: number, listener: WindowListener): void {
    const listeners = this.#listeners.get(cadence)
    if (listeners !== undefined) {
      listeners.push(listener)
      return
    }
    this.#listeners.set(cadence, [listener])
    this.#timers.after(cadence - (this.#wallNow() % cadence), () => {
      const all = this.#listeners.get(cadence)!
      this.#listeners.delete(cadence)
      for (const each of all) each.windowEnded(cadence)
    })
  }
}
