import type { HistoryStore } from '../archive/store.ts'
import type { FigureRow } from '../market/figure-row.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import { hedgeFlowOf } from '../market/zero-dte.ts'
import type { Engine } from '../workers/engine.ts'
import type { ArgsOf } from '../workers/tasks/tasks.ts'
import type { ArchiveReader } from './reader.ts'

export interface FigureMakerOptions {
  readonly store: Pick<HistoryStore, 'writeFigures' | 'tapedSymbols'>
  /** How snapshots and tapes of that store are read, as the answers about the past read them. */
  readonly archive: ArchiveReader
  readonly engine: Pick<Engine, 'run'>
}

/** What came of snapshots whose figures were to be made. */
export interface MadeFigures {
  readonly made: number
  /** Why the first of those that were left could not be; undefined where all were made. */
  readonly failure: Error | undefined
}

/** Rows that are written together: those lost by a stop in between are made again. */
const ROWS_PER_WRITE = 60

/**
 * Makes the figures of snapshots that the archive holds, with what was known beside each at its moment, the option tape of
 * its session included: each row is what the answers about that moment would say.
 */
export class FigureMaker {
  readonly #options: FigureMakerOptions

  constructor(options: FigureMakerOptions) {
    this.#options = options
  }

  /**
   * Makes and writes the rows of snapshots of one session, ascending. One that cannot be read or made is left out. `rest` is
   * awaited before each. Rejects where rows cannot be written, since none could be then.
   */
  async make(
    {
      symbol,
      date,
      moments
    }: { readonly symbol: Ticker; readonly date: IsoDate; readonly moments: readonly Instant[] },
    { signal, rest }: { readonly signal: AbortSignal; readonly rest?: () => Promise<void> }
  ): Promise<MadeFigures> {
    const { store } = this.#options
    const isTaped = (await store.tapedSymbols('option', date)).includes(symbol)
    let made = 0
    let failure: Error | undefined
    let rows: FigureRow[] = []
    for (const [k, at] of moments.entries()) {
      await rest?.()
      if (signal.aborted) break
      try {
        const row = await this.#row(symbol, at, isTaped)
        if (row !== undefined) rows.push(row)
      } catch (error) {
        if (signal.aborted) break // what it needs is being stopped
        failure ??= new Error(`the figures of ${symbol} at ${new Date(at).toISOString()} cannot be made`, {
          cause: error
        })
      }
      if (rows.length < ROWS_PER_WRITE && k < moments.length - 1) continue
      await store.writeFigures(rows)
      made += rows.length
      rows = []
    }
    return { made, failure }
  }

  /** Undefined: the snapshot has gone. */
  async #row(symbol: Ticker, at: Instant, isTaped: boolean): Promise<FigureRow | undefined> {
    const { archive, engine } = this.#options
    const snapshot = await archive.snapshot(symbol, at)
    const chain = snapshot?.asOf === at ? await archive.chain(snapshot, symbol) : undefined
    if (chain === undefined) return undefined
    return engine.run('makeFigureRow', { chain, tape: isTaped ? await this.#tape(symbol, at) : undefined })
  }

  async #tape(symbol: Ticker, at: Instant): Promise<ArgsOf<'makeFigureRow'>['tape']> {
    const { tapes, zeroDte } = this.#options.archive
    const [positions, minutes, samples] = await Promise.all([
      tapes.view({ symbol, kind: 'option', view: 'positions' }, at),
      tapes.view({ symbol, kind: 'option', view: 'minutes' }, at),
      zeroDte.samples(symbol, at)
    ])
    if (positions === undefined || minutes === undefined) return undefined
    const last = samples?.samples.at(-1)
    return { positions, minutes, hedgeFlow: last && hedgeFlowOf(last) }
  }
}
