import { customersUntil } from '../archive/past-customers.ts'
import type { CustomerSide } from '../flow/open-interest/customer-side.ts'
import { customerSides, type GroupSide } from '../flow/open-interest/customer-sides.ts'
import {
  addSettlements,
  noSettlements,
  type SettlementAccuracy,
  settlementAccuracy
} from '../flow/open-interest/settlement.ts'
import { readBandAccuracies } from '../jobs/read-band-accuracies.ts'
import type { JobContext, RunJob } from '../jobs/run-job.ts'
import type { SessionAccuracy } from '../jobs/settlement-accuracy.ts'
import { addDays, latestSession, nextTradingDay, previousTradingDay, session as sessionOf } from '../market/calendar.ts'
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

/** Calendar days whose sessions are compared once, one at each check: those by which the side of customers is told. */
const EARLIER_DAYS = 100
const CHECK_EVERY = 10 * MILLISECONDS_PER_MINUTE
/** Milliseconds after the open by which a snapshot with the newly published open interest has been recorded. */
const PUBLISHED_BY = 5 * MILLISECONDS_PER_MINUTE
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
  /** The earliest session that was looked at for what was not compared yet. */
  #earliest: IsoDate | undefined
  #customers: ReadonlyMap<Ticker, readonly GroupSide[]> = new Map()

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

  /** On which side the customers of each symbol with a tape stand, as known at the last check. */
  get customers(): ReadonlyMap<Ticker, readonly GroupSide[]> {
    return this.#customers
  }

  async #run(): Promise<void> {
    const { context, now } = this.#options
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
    for (const result of await this.#compare(due.map(({ symbol }) => symbol))) this.#results.set(result.symbol, result)
    await this.#compareEarlier(session)
    await this.#readCustomers()
  }

  /** Compares one session, by default the last one, and records what it says of the side of customers. */
  async #compare(symbols: readonly Ticker[], asOf?: Instant): Promise<readonly SessionAccuracy[]> {
    if (symbols.length === 0) return []
    const { runJob, context, now } = this.#options
    const job = { work: 'accuracy', sessions: 1, symbols, asOf } as const
    const listener = { onNote: () => {}, signal: this.#stopping.signal }
    const { accuracy = [] } = await runJob(job, { ...context, now: now() }, listener)
    await context.store.writeCustomers(accuracy.filter((result) => 'groups' in result))
    return accuracy
  }

  /** Compares the symbols of an earlier session that were not compared in the next: tapes may have been made or imported since. */
  async #compareEarlier(newest: IsoDate): Promise<void> {
    const { store } = this.#options.context
    const session = previousTradingDay(this.#earliest ?? newest)
    if (session < addDays(newest, -EARLIER_DAYS)) return
    this.#earliest = session
    const symbols = await store.tapedSymbols('option', session)
    const held = await Promise.all(symbols.map((symbol) => store.customers(symbol, session, session)))
    const missing = symbols.filter((_, k) => held[k].length === 0)
    await this.#compare(missing, sessionOf(nextTradingDay(session))!.open + PUBLISHED_BY)
  }

  async #readCustomers(): Promise<void> {
    const { context, now } = this.#options
    const read = [...this.#results.keys()].map(async (symbol) => {
      return [symbol, customerSides(await customersUntil(context.store, symbol, now()))] as const
    })
    this.#customers = new Map(await Promise.all(read))
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

/** How many symbols have a group of customers whose side is shown, and how many of all groups fit the convention. */
export function customerCounts({ customers }: Pick<SettlementCheck, 'customers'>) {
  const sides = [...customers.values()]
  const of = (verdict: CustomerSide['verdict']) => sides.flat().filter((side) => side.verdict === verdict).length
  return {
    symbols: sides.filter((groups) => groups.some(({ side }) => side !== undefined)).length,
    fits: of('fits'),
    contradicts: of('contradicts'),
    not_shown: of('not_shown')
  }
}

/** Health of the side of customers. A convention that is contradicted does not make the service unhealthy. */
export function customerHealth(check: Pick<SettlementCheck, 'customers'>): HealthReport {
  return check.customers.size === 0 ? { status: 'Healthy' } : { status: 'Healthy', details: customerCounts(check) }
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
