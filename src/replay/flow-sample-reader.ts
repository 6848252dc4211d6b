import type { HistoryStore } from '../archive/history-store.ts'
import { PressureDay } from '../flow/pressure-day.ts'
import type { NewestSample, PressureSamples, StrikeMinutes, TapeHeader, ZeroDteSamples } from '../flow/tape-views.ts'
import { latestSession } from '../market/calendar.ts'
import { type Instant, MILLISECONDS_PER_MINUTE, type Ticker } from '../market/units.ts'
import { SAMPLE_STEP } from '../market/zero-dte-sample.ts'

type Archive = Pick<
  HistoryStore,
  'tapeHead' | 'tapedSymbols' | 'zeroDteSamples' | 'zeroDteMinutes' | 'newestSamples' | 'pressure'
>

let lastVersion = 0

/** Recorded samples of flow that were complete at a moment. Undefined for a session without a tape. */
export class FlowSampleReader {
  readonly #archive: Archive

  constructor(archive: Archive) {
    this.#archive = archive
  }

  async samples(symbol: Ticker, at: Instant): Promise<ZeroDteSamples | undefined> {
    const { date } = latestSession(at)
    const [head, samples] = await Promise.all([this.#head(symbol, at), this.#archive.zeroDteSamples(symbol, date, at)])
    const last = samples.at(-1)
    return head && { ...head, known: last && last.t + SAMPLE_STEP, samples }
  }

  async strikes(symbol: Ticker, at: Instant): Promise<StrikeMinutes | undefined> {
    const { date } = latestSession(at)
    const [head, minutes] = await Promise.all([this.#head(symbol, at), this.#archive.zeroDteMinutes(symbol, date, at)])
    const last = minutes.at(-1)
    return head && { ...head, known: last && last.t + MILLISECONDS_PER_MINUTE, minutes }
  }

  async pressure(symbol: Ticker, at: Instant): Promise<PressureSamples | undefined> {
    const { date } = latestSession(at)
    const [head, recorded] = await Promise.all([this.#head(symbol, at), this.#archive.pressure(symbol, date, at)])
    return head && { ...new PressureDay(date, recorded).samples(head), version: head.version }
  }

  /** Newest bars of all symbols; undefined if the session has no tape. */
  async newest(at: Instant): Promise<readonly NewestSample[] | undefined> {
    const { date } = latestSession(at)
    const [taped, newest] = await Promise.all([
      this.#archive.tapedSymbols('option', date),
      this.#archive.newestSamples(date, at)
    ])
    if (taped.length === 0) return undefined
    const head = await this.#archive.tapeHead({ symbol: taped[0], kind: 'option', session: date })
    return [...newest].map(([symbol, found]) => ({ symbol, source: head!.source, ...found }))
  }

  async #head(symbol: Ticker, at: Instant): Promise<TapeHeader | undefined> {
    const { date: session } = latestSession(at)
    const head = await this.#archive.tapeHead({ symbol, kind: 'option', session })
    if (head === undefined) return undefined
    const { source, unit } = head
    return { symbol, kind: 'option', session, source, unit, known: undefined, version: ++lastVersion, silent: false }
  }
}
