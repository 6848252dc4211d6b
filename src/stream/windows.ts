import type { Instant } from '../market/units.ts'
import type { Agenda } from './agenda.ts'

/** Whoever has something to send when a window of a cadence ends. */
export interface Flushing {
  flush(cadence: number): void
}

/** The ends of cadence windows: multiples of the cadence in Unix time, so that equal cadences are sent together. */
export class Windows {
  readonly #agenda: Agenda
  readonly #wallNow: () => Instant
  readonly #due = new Map<number, Flushing[]>()

  constructor(agenda: Agenda, wallNow: () => Instant) {
    this.#agenda = agenda
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
    this.#agenda.note(end, () => {
      const all = this.#due.get(cadence)!
      this.#due.delete(cadence)
      for (const each of all) each.flush(cadence)
    })
  }
}
