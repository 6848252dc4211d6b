import type { ChainSnapshot, HistoryStore } from '../archive/history-store.ts'
import type { PressureSamples } from '../flow/tape-views.ts'
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
  /** Returns the session that may still be recorded; tapes of earlier ones are complete and read once. */
  readonly today?: (() => IsoDate) | undefined
}

export interface MadeFigures {
  readonly made: number
  /** Error of the first snapshot that had to be skipped; undefined if none was. */
  readonly failure: Error | undefined
}

/** Rows in one write. If the service stops, at most so many rows are lost and must be computed again. */
const ROWS_PER_WRITE = 60
/** Rows in one write of an import, whose days may have a single snapshot each. */
const ROWS_PER_BATCH = 400

interface FigureDay {
  readonly symbol: Ticker
  readonly date: IsoDate
  /** Snapshots of the day, ascending. */
  readonly sources: readonly {
    readonly asOf: Instant
    readonly read: () => FigureSource | undefined | Promise<FigureSource | undefined>
  }[]
}

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
    const { store, engine, ratesIndex, confidence, today } = options
    this.#options = options
    this.#archive = new ArchiveReader(store, engine, { ratesIndex, confidence, ...(today && { today }) })
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
    return this.#makeDays([{ symbol, date, sources }], ROWS_PER_WRITE, signal)
  }

  /** Computes the rows of chains whose snapshots have just been written, without reading the snapshots again. */
  makeOf(snapshots: readonly ChainSnapshot[], signal: AbortSignal): Promise<MadeFigures> {
    const days = new Map<string, FigureDay & { readonly sources: FigureDay['sources'][number][] }>()
    for (const { chain } of snapshots) {
      const { symbol, asOf } = chain
      const date = easternDate(asOf)
      const name = `${symbol} ${date}`
      const day = days.get(name) ?? { symbol, date, sources: [] }
      days.set(name, day)
      day.sources.push({ asOf, read: () => ({ chain }) })
    }
    return this.#makeDays([...days.values()], ROWS_PER_BATCH, signal)
  }

  /** Computes and writes the rows of several days together, `most` in one write. */
  async #makeDays(days: readonly FigureDay[], most: number, signal: AbortSignal): Promise<MadeFigures> {
    const { store, engine } = this.#options
    if (days.every(({ sources }) => sources.length === 0)) return { made: 0, failure: undefined }
    const knownAt = await store.clock() // must be read before the inputs of the rows
    this.#archive.renewRates()
    const isTaped = this.#tapedIn(days)
    let made = 0
    let failure: Error | undefined
    let rows: FigureRow[] = []
    const write = async () => {
      if (rows.length === 0) return
      await store.writeFigures(rows, knownAt)
      made += rows.length
      rows = []
    }
    const fail = (symbol: Ticker, asOf: Instant, cause: unknown) => {
      const at = new Date(asOf).toISOString()
      failure ??= new Error(`the figures of ${symbol} at ${at} cannot be made`, { cause })
    }
    for (const { symbol, date, sources } of days) {
      if (signal.aborted) break
      let inputs: DayInputs
      try {
        const taped = await isTaped(symbol, date)
        inputs = await this.#dayInputs(symbol, date, taped, Math.max(...sources.map(({ asOf }) => asOf)))
      } catch (error) {
        if (!signal.aborted) fail(symbol, sources[0].asOf, error)
        continue
      }
      for (const { asOf, read } of sources) {
        if (signal.aborted) break
        try {
          const source = await read()
          const tape = source && (await this.#tape(symbol, asOf, inputs))
          if (source !== undefined) rows.push(await engine.run('priceFigureRow', { ...source, ...inputs.known, tape }))
        } catch (error) {
          if (signal.aborted) break // the workers are being stopped
          fail(symbol, asOf, error)
        }
        if (rows.length >= most) await write()
      }
    }
    await write()
    return { made, failure }
  }

  /** Returns a function that says whether a day has a tape; it asks by date or by symbol, of whichever are fewer. */
  #tapedIn(days: readonly FigureDay[]): (symbol: Ticker, date: IsoDate) => Promise<boolean> {
    const { store } = this.#options
    const symbolsOn = memoized((date: IsoDate) => store.tapedSymbols('option', date))
    const sessionsOf = memoized((symbol: Ticker) => store.tapedSessions(symbol))
    const [symbols, dates] = [new Set(days.map(({ symbol }) => symbol)), new Set(days.map(({ date }) => date))]
    return symbols.size < dates.size
      ? async (symbol, date) => (await sessionsOf(symbol)).includes(date)
      : async (symbol, date) => (await symbolsOn(date)).includes(symbol)
  }

  /**
   * Reads the inputs known at `last`, the newest moment. Rows of earlier moments use only the part that was known by
   * then.
   */
  async #dayInputs(symbol: Ticker, date: IsoDate, isTaped: boolean, last: Instant): Promise<DayInputs> {
    const tape = { symbol, kind: 'option', session: date } as const
    this.#archive.tapes.keepOnly(tape)
    await this.#archive.tapes.renew(tape)
    const { known } = await this.#archive.pricingInputs(symbol, last)
    if (!isTaped) return { known, samples: undefined, pressure: undefined }
    const { samples } = this.#archive
    const [ofDay, pressure] = await Promise.all([samples.samples(symbol, last), samples.pressure(symbol, last)])
    return { known, samples: ofDay?.samples ?? [], pressure }
  }

  async #tape(symbol: Ticker, at: Instant, { samples, pressure }: DayInputs): Promise<TapeAtMoment | undefined> {
    if (samples === undefined) return undefined
    const { tapes } = this.#archive
    const [positions, money] = await Promise.all([
      tapes.view({ symbol, kind: 'option', view: 'positions' }, at),
      tapes.view({ symbol, kind: 'option', view: 'money' }, at)
    ])
    if (positions === undefined || money === undefined) return undefined
    const newest = samples.findLast(({ t }) => t + SAMPLE_STEP <= at)
    return {
      positions,
      money,
      hedgeFlow: newest && hedgeFlowOf(newest),
      pressure: pressure && pressureAt(pressure, at)
    }
  }
}

function memoized<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const found = new Map<Key, Value>()
  return (key) => {
    if (!found.has(key)) found.set(key, find(key))
    return found.get(key)!
  }
}

/** The sums at the end of the last half minute that was over by `at`. */
function pressureAt({ t, cells }: PressureSamples, at: Instant): Float64Array | undefined {
  const row = t.findLastIndex((begin) => begin + SAMPLE_STEP <= at)
  return row < 0 ? undefined : cells.slice(row * PRESSURE_CELLS, (row + 1) * PRESSURE_CELLS)
}
