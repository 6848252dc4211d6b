import { CELLS_OF_EXPIRY, PRESSURE_CELLS, type PressureSample, pressureExpiries } from '../market/hedge-pressure.ts'
import type { IsoDate } from '../market/units.ts'
import { SAMPLE_STEP } from '../market/zero-dte-sample.ts'
import { sharedMemory } from '../memory/shared-memory.ts'
import { RunningSum } from './running-sum.ts'
import type { PressureFlow, PressureSamples, TapeHeader } from './tape-views.ts'

/** Sums by class of expirations. Classes without a print in a half minute share the sums of the one before. */
type ByExpiry = readonly Float64Array[]

/**
 * Hedging pressure of one symbol in one session: every half minute. After a restart the sums continue from those that are
 * recorded, since a tape begins to fold hedge flow anew when its greeks are known. What becomes known after the end of its
 * half minute counts in the next one, so that half minutes always add up to the running sum.
 */
export class PressureDay {
  readonly session: IsoDate
  readonly #running: readonly RunningSum[]
  readonly #times: number[] = []
  readonly #sums: ByExpiry[] = []
  #next: IsoDate | undefined
  #since: number | undefined
  #version = 0
  #shown: PressureSamples | undefined

  constructor(session: IsoDate, recorded: readonly PressureSample[] = []) {
    this.session = session
    for (const sample of recorded) this.#keep(sample)
    const last = recorded.at(-1)
    this.#running = Array.from({ length: PRESSURE_CELLS }, (_, cell) => new RunningSum(last?.cells[cell]))
  }

  /** The newest half minute. */
  get last(): Pick<PressureSample, 't'> | undefined {
    const t = this.#times.at(-1)
    return t === undefined ? undefined : { t }
  }

  /** Takes the flow until the end of a half minute. Undefined if no greeks are known yet or the half minute is held already. */
  add({ since, next, end, sum, inside }: PressureFlow): PressureSample | undefined {
    const t = end - SAMPLE_STEP
    if (since === undefined || (this.last !== undefined && this.last.t >= t)) return undefined
    const isAnother = since !== this.#since
    this.#since = since
    const cells = new Float64Array(PRESSURE_CELLS)
    for (const [cell, running] of this.#running.entries()) {
      running.next(sum[cell], inside[cell], isAnother)
      cells[cell] = running.total
    }
    const sample = { t, next: this.#next ?? next, cells }
    this.#keep(sample)
    return sample
  }

  /** All half minutes. Returns the same object until one is added. */
  samples({ symbol, kind, source, unit }: TapeHeader): PressureSamples {
    if (this.#shown?.source === source) return this.#shown
    const length = this.#times.length
    const memory = sharedMemory(Float64Array.BYTES_PER_ELEMENT * length * (1 + PRESSURE_CELLS))
    const t = new Float64Array(memory, 0, length)
    const cells = new Float64Array(memory, Float64Array.BYTES_PER_ELEMENT * length, length * PRESSURE_CELLS)
    t.set(this.#times)
    for (const [row, sums] of this.#sums.entries())
      for (const [expiry, of] of sums.entries()) cells.set(of, row * PRESSURE_CELLS + expiry * CELLS_OF_EXPIRY)
    const known = this.last && this.last.t + SAMPLE_STEP
    const header = { symbol, kind, session: this.session, source, unit, known, version: this.#version, silent: false }
    this.#shown = { ...header, next: this.#next, t, cells }
    return this.#shown
  }

  #keep({ t, next, cells }: PressureSample): void {
    const before = this.#sums.at(-1)
    const sums = pressureExpiries.map((_, expiry) => {
      const of = cells.subarray(expiry * CELLS_OF_EXPIRY, (expiry + 1) * CELLS_OF_EXPIRY)
      const held = before?.[expiry]
      return held?.every((cents, cell) => cents === of[cell]) ? held : of.slice()
    })
    this.#times.push(t)
    this.#sums.push(sums)
    this.#next = next
    this.#version++
    this.#shown = undefined
  }
}
