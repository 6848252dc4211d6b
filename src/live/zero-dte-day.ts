import { HedgeTrack } from '../flow/hedge-track.ts'
import type { StrikeMinutes, TapeHeader, ZeroDteSamples } from '../flow/tape-views.ts'
import type { IsoDate } from '../market/units.ts'
import { type NewestSamples, SAMPLE_STEP, type StrikeMinute, type ZeroDteSample } from '../market/zero-dte-sample.ts'

/** The 0DTE bars of one symbol in one session, and the data for responses made from them. */
export class ZeroDteDay {
  readonly session: IsoDate
  readonly track: HedgeTrack
  readonly #samples: ZeroDteSample[]
  readonly #minutes: StrikeMinute[]
  #version = 0
  #shown: { samples?: ZeroDteSamples; strikes?: StrikeMinutes } = {}

  constructor(session: IsoDate, samples: readonly ZeroDteSample[] = [], minutes: readonly StrikeMinute[] = []) {
    this.session = session
    this.#samples = [...samples]
    this.#minutes = [...minutes]
    this.track = new HedgeTrack(samples.at(-1), minutes)
  }

  get last(): ZeroDteSample | undefined {
    return this.#samples.at(-1)
  }

  get newest(): NewestSamples | undefined {
    const newest = this.last
    return newest && { newest, before: this.#samples.at(-2) }
  }

  add(sample: ZeroDteSample, minute: StrikeMinute | undefined): void {
    this.#samples.push(sample)
    if (minute !== undefined) this.#minutes.push(minute)
    this.#version++
    this.#shown = {}
  }

  /** All samples of the session. Returns the same object until a sample is added. */
  samples(tape: TapeHeader): ZeroDteSamples {
    if (this.#shown.samples?.source !== tape.source) {
      this.#shown.samples = { ...this.#header(tape), samples: [...this.#samples] }
    }
    return this.#shown.samples!
  }

  strikes(tape: TapeHeader): StrikeMinutes {
    if (this.#shown.strikes?.source !== tape.source) {
      this.#shown.strikes = { ...this.#header(tape), minutes: [...this.#minutes] }
    }
    return this.#shown.strikes!
  }

  #header({ symbol, kind, source, unit }: TapeHeader): TapeHeader {
    const known = this.last && this.last.t + SAMPLE_STEP
    return { symbol, kind, session: this.session, source, unit, known, version: this.#version, silent: false }
  }
}
