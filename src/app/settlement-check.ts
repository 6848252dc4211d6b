import {
  addSettlements,
  noSettlements,
  type SettlementAccuracy,
  settlementAccuracy
} from '../flow/open-interest/settlement.ts'
import { readBandAccuracies } from '../jobs/read-band-accuracies.ts'
import type { JobContext, RunJob } from '../jobs/run-job.ts'
import type { SessionAccuracy } from '../jobs/settlement-accuracy.ts'
import { latestSession, previousTradingDay } from '../market/calendar.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../market/units.ts'
import type { HealthReport } from '../server/operations/health-endpoint.ts'
import type { Log } from '../server/operations/log.ts'
import { type BandAccuracy, heldOverall } from '../signals/band-accuracy.ts'
import type { Shutdown } from './shutdown.ts'

export interface SettlementCheckOptions {
  readonly runJob: RunJob
  readonly context: Omit<JobContext, 'now'>
  readonly now: () => Instant
}

type Compared = Extract<SessionAccuracy, { readonly sums: unknown }>

/** Milliseconds after the open by which a snapshot with the newly published open interest has been recorded. */
const PUBLISHED_BY = 5 * MILLISECONDS_PER_MINUTE
const CHECK_EVERY = 10 * MILLISECONDS_PER_MINUTE
/** Number of symbols that /health shows: those whose open interest changed most. */
const MAX_SHOWN = 20

/**
 * Checks the estimates of open interest once per session: compares those at the previous close with the figures
 * published since. A symbol whose new figures are not published yet is tried again later.
 */
export class SettlementCheck {
  readonly #options: SettlementCheckOptions
  readonly #results = new Map<Ticker, SessionAccuracy>()
  readonly #stopping = new AbortController()
  #session: IsoDate | undefined
  #bands: readonly BandAccuracy[] = []
  #running: Promise<void> | undefined

  constructor(options: SettlementCheckOptions) {
    this.#options = options
  }

  /** Runs the comparisons that are due. A call during another call's run waits for that run. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running?.catch(() => {})
  }

  /** Session whose closing estimates were compared last; undefined before the first comparison. */
  get session(): IsoDate | undefined {
    return this.#session
  }

  /** Symbols that could be compared, with the largest change of open interest first. */
  get compared(): readonly Compared[] {
    const found = [...this.#results.values()].filter((result): result is Compared => 'sums' in result)
    return found.sort((a, b) => b.sums.absoluteChange - a.sums.absoluteChange)
  }

  /** Accuracy of the estimates over all compared symbols; undefined if none could be compared. */
  get accuracy(): SettlementAccuracy | undefined {
    const { compared } = this
    if (compared.length === 0) return undefined
    return settlementAccuracy(compared.map(({ sums }) => sums).reduce(addSettlements, noSettlements))
  }

  /** How the bands of all recorded symbols held, as known at the first check of the session. */
  get bands(): readonly BandAccuracy[] {
    return this.#bands
  }

  async #run(): Promise<void> {
    const { runJob, context, now } = this.#options
    const { date, open } = latestSession(now())
    if (now() < open + PUBLISHED_BY) return
    const session = previousTradingDay(date)
    if (session !== this.#session) {
      const symbols = await context.store.tapedSymbols('option', session)
      this.#results.clear()
      this.#session = session
      for (const symbol of symbols) this.#results.set(symbol, { symbol, session, reason: 'not_published' })
      this.#bands = await readBandAccuracies(await context.store.symbols(), context.store, now())
    }
    const due = [...this.#results.values()].filter((result) => 'reason' in result && result.reason === 'not_published')
    if (due.length === 0) return
    const job = { work: 'accuracy', sessions: 1, symbols: due.map(({ symbol }) => symbol) } as const
    const listener = { onNote: () => {}, signal: this.#stopping.signal }
    const { accuracy = [] } = await runJob(job, { ...context, now: now() }, listener)
    for (const result of accuracy) this.#results.set(result.symbol, result)
  }
}

/** Repeats the check in the background while the service runs. */
export function startSettlementCheck(options: SettlementCheckOptions, log: Log, shutdown: Shutdown): SettlementCheck {
  const check = new SettlementCheck(options)
  const run = () =>
    check.run().catch((error) => {
      if (!shutdown.begun)
        log.error({ err: error }, 'estimates of open interest could not be compared with the published')
    })
  const timers = [setTimeout(run, MILLISECONDS_PER_MINUTE).unref(), setInterval(run, CHECK_EVERY).unref()]
  shutdown.add(() => {
    for (const timer of timers) clearInterval(timer)
    return check.stop()
  })
  return check
}

/**
 * Health of the open-interest estimates, with their accuracy by symbol. Inaccurate estimates do not make the service
 * unhealthy.
 */
export function settlementHealth({ session, compared }: SettlementCheck): HealthReport {
  if (session === undefined || compared.length === 0) return { status: 'Healthy' }
  const shown = compared.slice(0, MAX_SHOWN).map(({ symbol, sums }) => ({ symbol, ...settlementAccuracy(sums) }))
  const bySymbol = (figure: (row: SettlementAccuracy) => number | undefined) =>
    Object.fromEntries(
      shown.flatMap((row) => {
        const value = figure(row)
        return value === undefined ? [] : [[row.symbol, Math.round(1e4 * value) / 1e4]]
      })
    )
  return {
    status: 'Healthy',
    details: {
      session,
      symbols: compared.length,
      explained: bySymbol(({ explained }) => explained),
      best_confidence: bySymbol(({ bestConfidence }) => bestConfidence)
    }
  }
}

/**
 * Health of the bands of exposures: how many symbols have compared mornings, how many are calibrated, how many of these
 * by their own mornings, and which percentage of all mornings was held. Bands that hold too rarely do not make the service unhealthy.
 */
export function bandHealth({ bands }: Pick<SettlementCheck, 'bands'>): HealthReport {
  if (bands.length === 0) return { status: 'Healthy' }
  const held = Object.entries(heldOverall(bands)).flatMap(([measure, share]) =>
    share === undefined ? [] : [[`net_${measure}`, Math.round(1000 * share) / 10]]
  )
  return {
    status: 'Healthy',
    details: {
      symbols: bands.length,
      calibrated: bands.filter(({ basis }) => basis !== undefined).length,
      by_own_mornings: bands.filter(({ basis }) => basis === 'symbol').length,
      mornings: bands.reduce((sum, { mornings }) => sum + mornings, 0),
      held_pct: Object.fromEntries(held)
    }
  }
}
