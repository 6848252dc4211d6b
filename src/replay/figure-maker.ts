import type { ChainSnapshot, HistoryStore } from '../archive/history-store.ts'
import type { PressureSamples } from '../flow/tape-views.ts'
import type { Chain } from '../market/chain.ts'
import { easternDate } from '../market/eastern.ts'
import type { FigureRow, WaitingDay } from '../market/figure-row.ts'
import { PRESSURE_CELLS } from '../market/hedge-pressure.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import { hedgeFlowOf, SAMPLE_STEP, type ZeroDteSample } from '../market/zero-dte-sample.ts'
import type { Engine } from '../workers/engine.ts'
import type { FigureSource, TapeAtMoment } from '../workers/tasks/row-tasks.ts'
import type { PricingContext } from '../workers/tasks/task.ts'
import { ArchiveReader } from './archive-reader.ts'

export interface FigureMakerOptions {
  readonly store: HistoryStore
  readonly engine: Pick<Engine, 'run' | 'forget'>
  /** Index whose options imply interest rates; undefined if the operator or the source gives the rates. */
  readonly ratesIndex?: Ticker | undefined
  readonly confidence?: number | undefined
}

export interface MadeFigures {
  readonly made: number
  /** Error of the first snapshot that had to be skipped; undefined if none was. */
  readonly failure: Error | undefined
}

/** Rows in one write. If the service stops, at most so many rows are lost and must be computed again. */
const ROWS_PER_WRITE = 60

interface DayInputs {
  readonly known: PricingContext
  /** Recorded 0DTE bars; undefined if the session has no tape. */
  readonly samples: readonly ZeroDteSample[] | undefined
  readonly pressure: PressureSamples | undefined
}

/**
 * Computes the figures of stored snapshots from what was known at their moments, including the option tape of the
 * session. They equal the figures in responses about these moments.
 */
export class FigureMaker {
  readonly #options: FigureMakerOptions
  /** Reads the archive. It is not shared with other readers, because its rates and tapes are read anew for each day. */
  readonly #archive: ArchiveReader

  constructor(options: FigureMakerOptions) {
    const { store, engine, ratesIndex, confidence } = options
    this.#options = options
    this.#archive = new ArchiveReader(store, engine, { ratesIndex, confidence })
  }

  /**
   * Computes and writes the rows for some snapshots of a session. `moments` must be ascending. Snapshots that cannot be
   * read or priced are skipped. `rest` is awaited before each snapshot. Rejects if rows cannot be written, because
   * later writes would fail too.
   */
  make(
    { symbol, date, moments }: WaitingDay,
    { signal, rest }: { readonly signal: AbortSignal; readonly rest?: () => Promise<void> }
  ): Promise<MadeFigures> {
    const { store } = this.#options
    const sources = moments.map((at) => ({
      asOf: at,
      read: async (): Promise<FigureSource | undefined> => {
        await rest?.()
        const snapshot = signal.aborted ? undefined : await store.snapshot(symbol, at)
        return snapshot?.asOf === at ? { snapshot } : undefined // undefined if the snapshot was deleted meanwhile
      }
    }))
    return this.#makeDay(symbol, date, sources, signal)
  }

  /** Computes the rows of chains whose snapshots have just been written, without reading the snapshots again. */
  async makeOf(snapshots: readonly ChainSnapshot[], signal: AbortSignal): Promise<MadeFigures> {
    const days = new Map<string, Chain[]>()
    for (const { chain } of snapshots) {
      const name = `${chain.symbol} ${easternDate(chain.asOf)}`
      days.set(name, [...(days.get(name) ?? []), chain])
    }
    let made = 0
    let failure: Error | undefined
    for (const chains of days.values()) {
      const sources = chains.map((chain) => ({ asOf: chain.asOf, read: () => ({ chain }) }))
      const [{ symbol, asOf }] = chains
      const outcome = await this.#makeDay(symbol, easternDate(asOf), sources, signal)
      made += outcome.made
      failure ??= outcome.failure
    }
    return { made, failure }
  }

  async #makeDay(
    symbol: Ticker,
    date: IsoDate,
    sources: readonly {
      readonly asOf: Instant
      readonly read: () => FigureSource | undefined | Promise<FigureSource | undefined>
    }[],
    signal: AbortSignal
  ): Promise<MadeFigures> {
    const { store, engine } = this.#options
    if (sources.length === 0) return { made: 0, failure: undefined }
    const knownAt = await store.clock() // must be read before the inputs of the rows
    let made = 0
    let failure: Error | undefined
    const failed = (asOf: Instant, cause: unknown) =>
      new Error(`the figures of ${symbol} at ${new Date(asOf).toISOString()} cannot be made`, { cause })
    let inputs: DayInputs
    try {
      inputs = await this.#dayInputs(symbol, date, Math.max(...sources.map(({ asOf }) => asOf)))
    } catch (error) {
      return { made, failure: signal.aborted ? undefined : failed(sources[0].asOf, error) }
    }
    let rows: FigureRow[] = []
    for (const [k, { asOf, read }] of sources.entries()) {
      if (signal.aborted) break
      try {
        const source = await read()
        const tape = source && (await this.#tape(symbol, asOf, inputs))
        if (source !== undefined) rows.push(await engine.run('priceFigureRow', { ...source, ...inputs.known, tape }))
      } catch (error) {
        if (signal.aborted) break // the workers are being stopped
        failure ??= failed(asOf, error)
      }
      if (rows.length < ROWS_PER_WRITE && k < sources.length - 1) continue
      await store.writeFigures(rows, knownAt)
      made += rows.length
      rows = []
    }
    return { made, failure }
  }

  /**
   * Reads the inputs known at `last`, the newest moment. Rows of earlier moments use only the part that was known by
   * then.
   */
  async #dayInputs(symbol: Ticker, date: IsoDate, last: Instant): Promise<DayInputs> {
    this.#archive.renewRates()
    await this.#archive.tapes.renew({ symbol, kind: 'option', session: date })
    const [{ known }, taped] = await Promise.all([
      this.#archive.pricingInputs(symbol, last),
      this.#options.store.tapedSymbols('option', date)
    ])
    if (!taped.includes(symbol)) return { known, samples: undefined, pressure: undefined }
    const { samples } = this.#archive
    const [ofDay, pressure] = await Promise.all([samples.samples(symbol, last), samples.pressure(symbol, last)])
    return { known, samples: ofDay?.samples ?? [], pressure }
  }

  async #tape(symbol: Ticker, at: Instant, { samples, pressure }: DayInputs): Promise<TapeAtMoment | undefined> {
    if (samples === undefined) return undefined
    const { tapes } = this.#archive
    const [positions, minutes] = await Promise.all([
      tapes.view({ symbol, kind: 'option', view: 'positions' }, at),
      tapes.view({ symbol, kind: 'option', view: 'minutes' }, at)
    ])
    if (positions === undefined || minutes === undefined) return undefined
    const newest = samples.findLast(({ t }) => t + SAMPLE_STEP <= at)
    return {
      positions,
      minutes,
      hedgeFlow: newest && hedgeFlowOf(newest),
      pressure: pressure && pressureAt(pressure, at)
    }
  }
}

/** The sums at the end of the last half minute that was over by `at`. */
function pressureAt({ t, cells }: PressureSamples, at: Instant): Float64Array | undefined {
  const row = t.findLastIndex((begin) => begin + SAMPLE_STEP <= at)
  return row < 0 ? undefined : cells.slice(row * PRESSURE_CELLS, (row + 1) * PRESSURE_CELLS)
}
