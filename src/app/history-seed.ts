import type { Config } from '../config/config.ts'
import type { Connector } from '../connectors/port/connector.ts'
import type { BackfillJob } from '../jobs/job.ts'
import { MILLISECONDS_PER_MINUTE, type Ticker } from '../market/units.ts'
import type { JobRunner, Work } from '../server/operations/job-runner.ts'
import type { Log } from '../server/operations/log.ts'

/** Symbols that get a past at the first start: those that people open first. */
const seededSymbols = ['SPY', 'QQQ', 'IWM'] as readonly string[] as readonly Ticker[]
/** Most symbols with a past; those beyond the first three are made once somebody looks at their chart. */
const MOST_SYMBOLS = 12
/** Sessions of which the close is made, a month. */
const CLOSES = 20
const EVERY = 15 * MILLISECONDS_PER_MINUTE
/** The rest of the service waits no longer than this for the first chart, milliseconds: another job may have come first. */
const LONGEST_WAIT = 30_000
/** Sessions that a chart shows at first, and the larger step at which they are made before anything else. */
const COARSE = { sessions: 5, every: 2 * EVERY } as const

export interface HistorySeedOptions {
  readonly config: Pick<Config, 'seedHistory'>
  readonly connector: Pick<Connector, 'synthetic' | 'tickers'>
  readonly jobs: Pick<JobRunner, 'inBackground' | 'beginAgain'>
  readonly prepare: (job: BackfillJob) => Work
  readonly log: Pick<Log, 'info' | 'error'>
  /** Called once: when the chart of the first symbol is complete, nothing more is made, or that took too long. */
  readonly onFirst: () => void
}

/** Whether a start makes a past. A real market has none that could be made. */
export function seeds(
  { seedHistory }: Pick<Config, 'seedHistory'>,
  connector: Pick<Connector, 'synthetic' | 'tickers'>
) {
  return seedHistory > 0 && connector.synthetic && firstOf(connector).length > 0
}

const firstOf = ({ tickers }: Pick<Connector, 'tickers'>) => seededSymbols.filter((symbol) => tickers.includes(symbol))

/**
 * Makes the past of a synthetic market in the background, so that charts and replays of a new folder are not empty: symbol
 * by symbol what a chart shows at first and the closes of a month, then every quarter of an hour of the newest days. What the
 * archive already has is left out.
 */
export class HistorySeed {
  readonly #options: HistorySeedOptions
  /** Symbols in the order in which they are made. */
  #symbols: readonly Ticker[]
  /** Symbols whose charts are complete. */
  readonly #complete = new Set<Ticker>()
  /** Symbols that somebody looks at, and that come next. */
  #wanted: readonly Ticker[] = []
  #isRunning = false
  #hasFailed = false
  #isFirstTold = false

  constructor(options: HistorySeedOptions) {
    this.#options = options
    this.#symbols = firstOf(options.connector)
  }

  start(): void {
    setTimeout(() => this.#tellFirst(), LONGEST_WAIT).unref()
    this.#run()
  }

  /** Somebody looks at the chart of a symbol: its past comes after the one that is being made. */
  want(symbol: Ticker): void {
    const { connector } = this.#options
    if (this.#hasFailed || this.#complete.has(symbol) || this.#symbols[0] === symbol || this.#wanted.includes(symbol))
      return
    const all = new Set([...this.#symbols, ...this.#wanted])
    if (!connector.tickers.includes(symbol) || (!all.has(symbol) && all.size >= MOST_SYMBOLS)) return
    this.#wanted = [...this.#wanted, symbol]
    if (!this.#isRunning || this.#complete.has(this.#symbols[0])) this.#turn()
  }

  #run(): void {
    const { jobs, log } = this.#options
    this.#isRunning = true
    const onEnd = ({ error }: { readonly error?: unknown }) => {
      this.#isRunning = false
      this.#tellFirst()
      if (error !== undefined) {
        this.#hasFailed = true
        log.error({ err: error }, 'the past of the synthetic market could not be made')
        return
      }
      for (const symbol of this.#symbols) this.#complete.add(symbol)
      log.info({ symbols: this.#symbols }, 'the past of the synthetic market is there')
      if (this.#wanted.length > 0) this.#turn()
    }
    jobs.inBackground((listener) => this.#make(listener), onEnd)
  }

  #tellFirst(): void {
    if (this.#isFirstTold) return
    this.#isFirstTold = true
    this.#options.onFirst()
  }

  #make(listener: Parameters<Work>[0]): ReturnType<Work> {
    const { config, prepare } = this.#options
    const { seedHistory: days } = config
    const closes = Math.max(CLOSES, days)
    const symbols = this.#symbols
    const work = prepare({ work: 'backfill', days, symbols, every: EVERY, closes, coarse: COARSE, tapes: [] })
    const onNote = (note: object) => {
      if (isOfBackfill(note)) this.#note(note.early)
      return listener.onNote(note)
    }
    return work({ ...listener, onNote })
  }

  /** Learns which symbols have all that a chart shows at first. */
  #note(early: readonly Ticker[]): void {
    for (const symbol of early) this.#complete.add(symbol)
    if (!this.#complete.has(this.#symbols[0])) return
    this.#tellFirst()
    if (this.#wanted.length > 0) this.#turn()
  }

  /** Makes what somebody looks at next. */
  #turn(): void {
    const wanted = this.#wanted
    this.#wanted = []
    this.#symbols = [...wanted, ...this.#symbols.filter((symbol) => !wanted.includes(symbol))]
    if (this.#isRunning) void this.#options.jobs.beginAgain()
    else this.#run()
  }
}

const isOfBackfill = (note: object): note is { readonly early: readonly Ticker[] } => 'early' in note
