import type { Config } from '../config/config.ts'
import type { Connector } from '../connectors/port/connector.ts'
import type { BackfillJob } from '../jobs/job.ts'
import { MILLISECONDS_PER_MINUTE, type Ticker } from '../market/units.ts'
import type { JobRunner, Work } from '../server/operations/job-runner.ts'
import type { Log } from '../server/operations/log.ts'

/** Symbols that get a past at the first start: those that people open first. */
const seededSymbols = ['SPY', 'QQQ', 'IWM'] as readonly string[] as readonly Ticker[]
/** Sessions of which the close is made, a month. */
const CLOSES = 20
const EVERY = 15 * MILLISECONDS_PER_MINUTE

export interface HistorySeedOptions {
  readonly config: Pick<Config, 'seedHistory'>
  readonly connector: Pick<Connector, 'synthetic' | 'tickers'>
  readonly jobs: Pick<JobRunner, 'inBackground'>
  readonly prepare: (job: BackfillJob) => Work
  readonly log: Pick<Log, 'info' | 'error'>
}

/**
 * Begins to make the past of a synthetic market in the background, so that charts and replays of a new folder are not
 * empty: of each symbol the latest session and the closes of a month, then the newest days. What the archive already has is
 * left out. A real market has no past that could be made.
 */
export function seedHistory({ config, connector, jobs, prepare, log }: HistorySeedOptions): void {
  const { seedHistory: days } = config
  const symbols = seededSymbols.filter((symbol) => connector.tickers.includes(symbol))
  if (days === 0 || !connector.synthetic || symbols.length === 0) return
  const closes = Math.max(CLOSES, days)
  const work = prepare({ work: 'backfill', days, symbols, every: EVERY, closes, coarse: { sessions: 5, every: 2 * EVERY }, tapes: [] })
  const onEnd = ({ error }: { readonly error?: unknown }) => {
    if (error === undefined) log.info({ symbols, days }, 'the past of the synthetic market is there')
    else log.error({ err: error }, 'the past of the synthetic market could not be made')
  }
  jobs.inBackground(work, onEnd)
}
