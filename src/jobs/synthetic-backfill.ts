import type { Absence, CoveredDay, HistoryStore } from '../archive/history-store.ts'
import type { Connector } from '../connectors/port/connector.ts'
import { confidenceFor } from '../flow/open-interest/simulator.ts'
import type { ImportWriter } from '../imports/import-writer.ts'
import type { DailyBar } from '../market/bar.ts'
import { completedSession, latestSession, previousTradingDay, type Session, session } from '../market/calendar.ts'
import { macroSeries } from '../market/macro-series.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { Assumptions } from '../pricing/assumptions.ts'
import { type PricedChain, priceChain } from '../pricing/price-chain.ts'
import { dailyRecord } from '../signals/daily-record-measures.ts'
import { fittedSmile } from '../volatility/smile/smile-volatility.ts'
import { type BackfillJob, JobError } from './job.ts'
import { writePastTapes } from './past-tapes.ts'

export interface BackfillOptions {
  readonly store: Pick<
    HistoryStore,
    'closingSnapshot' | 'coverage' | 'moments' | 'writeRecords' | 'writeZeroDte' | 'writePressure'
  >
  /** Data source that can give the market of any past time. */
  readonly connector: Connector
  readonly assumptions: Assumptions
  /**
   * Share of net volume (contracts bought minus contracts sold) that is assumed to change open interest; if absent, the
   * source's default.
   */
  readonly confidence?: number | undefined
  readonly now: Instant
}

/** Data that the generated chains lack: like recorded chains, they carry no prints. */
const missing: readonly Absence[] = ['trade_tape']

/** Moments of one session at which snapshots of symbols are made, ascending. */
interface Part {
  readonly symbols: readonly Ticker[]
  readonly day: Session
  readonly steps: readonly Instant[]
  /** Whether its snapshots are all that the session gets, so that its prints are made with them. */
  readonly isWhole: boolean
  /** Whether it is written at once, with all that was made before it, rather than when enough has come together. */
  readonly isWrittenAtOnce: boolean
  /** Whether it is the last of what is made of its symbol before the days of all symbols. */
  readonly endsEarly: boolean
  /** Number of its steps that no earlier part has. */
  readonly added: number
}

/**
 * Writes what the service would have recorded in the newest sessions, the newest first: tapes, raw bars of contracts
 * expiring that day, a snapshot at every step from the opening to the close, daily bars and daily records. Complete days
 * are skipped, so the job can be stopped and resumed.
 */
export async function backfill(
  job: BackfillJob,
  { store, connector, assumptions, confidence, now }: BackfillOptions,
  writer: ImportWriter
): Promise<void> {
  const { symbols, asOf, tapes = symbols } = job
  const unknown = symbols.filter((symbol) => !connector.tickers.includes(symbol))
  if (unknown.length > 0) throw new JobError(`the ${connector.name} market does not know ${unknown.join(', ')}`)
  const parts = partsOf(job, asOf ?? now)
  const last = completedSession(asOf ?? now)
  const past = connector.prints?.past?.bind(connector.prints)
  const taped = new Set(past === undefined ? [] : symbols.filter((symbol) => tapes.includes(symbol)))
  // In progress reports a tape counts as much as all snapshots of its day.
  const total = parts.reduce((sum, part) => sum + part.symbols.length * part.added + tapeSteps(part), 0)
  const held = new Map<Ticker, ReadonlyMap<IsoDate, CoveredDay>>()
  const bars = new Map<Ticker, readonly DailyBar[]>()
  /** Snapshots that this job has made, and the priced closing chain of each symbol that is used next. */
  const made = new Set<string>()
  const evenings = new Map<Ticker, { readonly date: IsoDate; readonly chain: PricedChain | undefined }>()
  const early: Ticker[] = []
  let done = 0
  let isPrepared = false
  for (const part of parts) {
    const { day, steps, added } = part
    // With coarse sessions somebody looks at the first symbol, so everything else waits for them.
    if (job.coarse === undefined || part.symbols.length > 1 || part.symbols[0] !== symbols[0]) await prepareAll()
    for (const symbol of part.symbols) {
      await prepare(symbol)
      const complete = await isComplete(symbol, part)
      if (part.isWhole && taped.has(symbol)) {
        // If snapshots are missing, the tape may come from a service that ran only for part of the day.
        const isThere = complete && held.get(symbol)?.get(day.date)?.hasTape === true
        if (!isThere) await backfillTapes(symbol, day, steps.length)
        if (writer.signal.aborted) return
        done += steps.length
      }
      if (complete) writer.leaveOut(added)
      else await backfillPart(symbol, part)
      if (writer.signal.aborted) return
      done += added
      await progress(symbol, `${symbol} ${day.date}`, done)
    }
    if (part.endsEarly) {
      await writer.drain()
      const [symbol] = part.symbols
      early.push(symbol)
      await progress(symbol, `${symbol} ${day.date}`, done)
    } else if (part.isWrittenAtOnce) await writer.flush()
  }
  await prepareAll()

  /** Tells how far the job is, and of which symbols everything stands in the archive that comes before whole days. */
  function progress(symbol: Ticker, what: string, made: number): Promise<void> {
    return writer.progress(what, made, total, { symbol, early: [...early] })
  }

  /** Reads what the archive has of a symbol, and writes its daily bars. */
  async function prepare(symbol: Ticker): Promise<void> {
    if (held.has(symbol)) return
    const { days = [] } = (await store.coverage(symbol)) ?? {}
    held.set(symbol, new Map(days.map((day) => [day.date, day])))
    bars.set(symbol, await connector.dailyBars(symbol, last.close, writer.signal))
    await writer.bars(symbol, bars.get(symbol)!, 'recorded')
  }

  /** Writes the bars of all symbols and what responses for every symbol need: macro series and the earnings calendar. */
  async function prepareAll(): Promise<void> {
    if (isPrepared) return
    isPrepared = true
    for (const symbol of symbols) await prepare(symbol)
    for (const { symbol } of connector.provides.includes('macro') ? Object.values(macroSeries) : []) {
      await writer.bars(symbol, await connector.dailyBars(symbol, last.close, writer.signal), 'recorded')
    }
    await writeCalendar(symbols)
    await writer.drain() // the days take hours; if the job is stopped, the bars must be in the archive
  }

  function tapeSteps({ isWhole, steps }: Part): number {
    return isWhole ? taped.size * steps.length : 0
  }

  /** Writes what was known about these companies' earnings reports at the end of the last session. */
  async function writeCalendar(companies: readonly Ticker[]): Promise<void> {
    const from = parts.map(({ day }) => day.date).reduce((first, date) => (date < first ? date : first), last.date)
    for (const symbol of companies) {
      const statements = (await connector.earnings?.({ symbol, from }, last.close, writer.signal)) ?? []
      if (statements.length > 0) await writer.earnings(statements)
    }
  }

  /**
   * Whether a part is complete: its day has at least as many snapshots as the part has steps, and the last step. The
   * number alone is not enough, because half a day at smaller steps has as many.
   */
  async function isComplete(symbol: Ticker, { day: { date, close }, steps }: Part): Promise<boolean> {
    if ((held.get(symbol)?.get(date)?.snapshots ?? 0) < steps.length) return false
    if (steps.at(-1)! >= close) return ((await store.closingSnapshot(symbol, date))?.asOf ?? 0) >= close
    const moments = await store.moments(symbol, steps[0], close)
    return steps.every((step, i) => moments.some(({ asOf }) => asOf >= step && asOf < (steps[i + 1] ?? close)))
  }

  async function backfillTapes(symbol: Ticker, day: Session, steps: number): Promise<void> {
    const source = connector.synthetic ? 'synthetic' : 'recorded'
    const { date, open, close } = day
    const onRead = (until: Instant) => {
      const share = Math.min(1, Math.max(0, (until - open) / (close - open)))
      return progress(symbol, `${symbol} ${date} prints`, done + Math.floor(steps * share))
    }
    const judged = { source, confidence: confidenceFor(source, confidence) } as const
    await writePastTapes(
      { symbol, day, connector, assumptions, past: past!, store, progress: onRead, ...judged },
      writer
    )
  }

  async function pricedClose(symbol: Ticker, date: IsoDate): Promise<PricedChain | undefined> {
    const evening = evenings.get(symbol)
    if (evening?.date === date) return evening.chain
    const chain = await connector.closingChain(symbol, date, writer.signal)
    return chain && priceChain(chain, assumptions, fittedSmile)
  }

  /** Writes the daily record of a session. It needs the close of the session before, which is the next one to be made. */
  async function writeRecord(symbol: Ticker, date: IsoDate): Promise<void> {
    const closing = await pricedClose(symbol, date)
    if (closing === undefined) return
    const dayBefore = previousTradingDay(date)
    const evening = await pricedClose(symbol, dayBefore)
    evenings.set(symbol, { date: dayBefore, chain: evening })
    await store.writeRecords(symbol, [dailyRecord(closing, bars.get(symbol)!, evening)])
  }

  async function backfillPart(symbol: Ticker, { day: { date, open, close }, steps }: Part): Promise<void> {
    const isHeld = (held.get(symbol)?.get(date)?.snapshots ?? 0) > 0
    const before = new Set(isHeld ? (await store.moments(symbol, open, close + 1)).map(({ asOf }) => asOf) : [])
    const isMade = (step: Instant) => made.has(`${symbol} ${step}`) || before.has(step)
    // The record is written first, because a day counts as complete by its snapshots.
    if (steps.at(-1) === close && !isMade(close)) await writeRecord(symbol, date)
    for (const [i, step] of steps.entries()) {
      if (writer.signal.aborted) return
      if (isMade(step)) continue
      const chain = await connector.chain(symbol, step, writer.signal)
      if (chain !== undefined) await writer.snapshot({ chain, fidelity: 'recorded', missing })
      made.add(`${symbol} ${step}`)
      if (i % 20 === 19) await progress(symbol, `${symbol} ${date}`, done + i + 1)
    }
  }
}

/** Closes that are written together where they are made before the days that they belong to. */
const CLOSES_AT_ONCE = 5

/**
 * Parts of a job in the order in which they are made: symbol by symbol the newest sessions at larger steps and then the
 * closes, so that the chart of the first symbol is complete soonest; at last every step of sessions of all symbols.
 */
function partsOf({ symbols, days, every, closes = 0, coarse }: BackfillJob, now: Instant): readonly Part[] {
  const earlyParts = (symbol: Ticker): readonly Part[] => [
    ...(coarse === undefined ? [] : sessionsBack(latestSession(now), coarse.sessions)).map((day) => {
      const before = (at: Instant) => at <= now && at < day.close // the close belongs to the daily record, which takes longer
      const last = moments(day, every).findLast(before)!
      const steps = moments(day, coarse!.every).filter((at) => before(at) && at < last)
      return earlyPart(symbol, day, [...steps, last], true)
    }),
    ...completedSessions(now, closes).map((day, i) => {
      const isWrittenAtOnce = (i + 1) % CLOSES_AT_ONCE === 0 || i + 1 === closes
      return earlyPart(symbol, day, [day.close], isWrittenAtOnce)
    })
  ]
  const early = symbols.map((symbol) => endingEarly(earlyParts(symbol)))
  const [first = []] = early
  const madeEarly = new Set(first.flatMap(({ steps }) => steps))
  const late = (day: Session): Part => {
    const isWhole = day.close <= now
    const steps = moments(day, every).filter((at) => at <= now)
    const added = steps.filter((step) => !madeEarly.has(step)).length
    return { symbols, day, steps, isWhole, isWrittenAtOnce: !isWhole, endsEarly: false, added }
  }
  const running = coarse === undefined ? [] : [latestSession(now)].filter(({ close }) => close > now)
  return [...early.flat(), ...[...running, ...completedSessions(now, days)].map(late)]
}

function earlyPart(symbol: Ticker, day: Session, steps: readonly Instant[], isWrittenAtOnce: boolean): Part {
  return {
    symbols: [symbol],
    day,
    steps,
    isWhole: false,
    isWrittenAtOnce,
    endsEarly: false,
    added: steps.length
  }
}

const endingEarly = (parts: readonly Part[]) =>
  parts.map((part, i): Part => ({ ...part, endsEarly: i === parts.length - 1 }))

/** A session and those before it, the newest first. */
function sessionsBack(last: Session, count: number): readonly Session[] {
  const sessions: Session[] = []
  for (let day = last; sessions.length < count; day = session(previousTradingDay(day.date))!) sessions.push(day)
  return sessions
}

const completedSessions = (now: Instant, count: number) => sessionsBack(completedSession(now), count)

function moments({ open, close }: Session, every: number): readonly Instant[] {
  const steps: Instant[] = []
  for (let step = open; step < close; step += every) steps.push(step)
  steps.push(close)
  return steps
}
