import type { Absence, CoveredDay, HistoryStore } from '../archive/history-store.ts'
import type { Connector } from '../connectors/port/connector.ts'
import { confidenceFor } from '../flow/open-interest/simulator.ts'
import type { ImportWriter } from '../imports/import-writer.ts'
import type { DailyBar } from '../market/bar.ts'
import { completedSession, previousTradingDay, type Session, session } from '../market/calendar.ts'
import { macroSeries } from '../market/macro-series.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { Assumptions } from '../pricing/assumptions.ts'
import { type PricedChain, priceChain } from '../pricing/price-chain.ts'
import { dailyRecord } from '../signals/daily-record-measures.ts'
import { fittedSmile } from '../volatility/smile/smile-volatility.ts'
import { type BackfillJob, JobError } from './job.ts'
import { writePastTapes } from './past-tapes.ts'

export interface BackfillOptions {
  readonly store: Pick<HistoryStore, 'closingSnapshot' | 'coverage' | 'writeRecords' | 'writeZeroDte'>
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

/**
 * Writes what the service would have recorded in the newest sessions: tapes, raw bars of contracts expiring that day, a
 * snapshot at every step from the opening to the close, daily bars and daily records. Complete days are skipped, so the
 * job can be stopped and resumed.
 */
export async function backfill(
  { days, symbols, every, asOf, tapes = symbols }: BackfillJob,
  { store, connector, assumptions, confidence, now }: BackfillOptions,
  writer: ImportWriter
): Promise<void> {
  const unknown = symbols.filter((symbol) => !connector.tickers.includes(symbol))
  if (unknown.length > 0) throw new JobError(`the ${connector.name} market does not know ${unknown.join(', ')}`)
  const sessions = completedSessions(asOf ?? now, days)
  const past = connector.prints?.past?.bind(connector.prints)
  const taped = new Set(past === undefined ? [] : symbols.filter((symbol) => tapes.includes(symbol)))
  // In progress reports a tape counts as much as all snapshots of its day.
  const total = (symbols.length + taped.size) * sessions.reduce((sum, day) => sum + moments(day, every).length, 0)
  const held = new Map<Ticker, ReadonlyMap<IsoDate, CoveredDay>>()
  const bars = new Map<Ticker, readonly DailyBar[]>()
  for (const symbol of symbols) {
    const { days = [] } = (await store.coverage(symbol)) ?? {}
    held.set(symbol, new Map(days.map((day) => [day.date, day])))
    bars.set(symbol, await connector.dailyBars(symbol, sessions.at(-1)!.close, writer.signal))
    await writer.bars(symbol, bars.get(symbol)!, 'recorded')
  }
  // Responses for every symbol need the macro series.
  for (const { symbol } of connector.provides.includes('macro') ? Object.values(macroSeries) : []) {
    await writer.bars(symbol, await connector.dailyBars(symbol, sessions.at(-1)!.close, writer.signal), 'recorded')
  }
  await writeCalendar(symbols, sessions.at(-1)!.close)
  await writer.drain() // the days take hours; if the job is stopped, the bars must be in the archive
  let done = 0
  for (const day of sessions) {
    const steps = moments(day, every)
    for (const symbol of symbols) {
      const complete = await isComplete(symbol, day, steps)
      if (taped.has(symbol)) {
        // If snapshots are missing, the tape may come from a service that ran only for part of the day.
        const isThere = complete && held.get(symbol)?.get(day.date)?.hasTape === true
        if (!isThere) await backfillTapes(symbol, day, steps.length)
        if (writer.signal.aborted) return
        done += steps.length
      }
      if (complete) writer.leaveOut(steps.length)
      else await backfillDay(symbol, day, steps)
      if (writer.signal.aborted) return
      done += steps.length
      await writer.progress(`${symbol} ${day.date}`, done, total)
    }
  }

  /** Writes what was known about these companies' earnings reports at the end of the last session. */
  async function writeCalendar(companies: readonly Ticker[], until: Instant): Promise<void> {
    for (const symbol of companies) {
      const statements = (await connector.earnings?.({ symbol, from: sessions[0].date }, until, writer.signal)) ?? []
      if (statements.length > 0) await writer.earnings(statements)
    }
  }

  /**
   * Whether a day is complete: it has at least as many snapshots as steps, and a snapshot of the close. The number
   * alone is not enough, because half a day at smaller steps has as many.
   */
  async function isComplete(symbol: Ticker, { date, close }: Session, steps: readonly Instant[]): Promise<boolean> {
    if ((held.get(symbol)?.get(date)?.snapshots ?? 0) < steps.length) return false
    return ((await store.closingSnapshot(symbol, date))?.asOf ?? 0) >= close
  }

  async function backfillTapes(symbol: Ticker, day: Session, steps: number): Promise<void> {
    const source = connector.synthetic ? 'synthetic' : 'recorded'
    const { date, open, close } = day
    const progress = (until: Instant) => {
      const share = Math.min(1, Math.max(0, (until - open) / (close - open)))
      return writer.progress(`${symbol} ${date} prints`, done + Math.floor(steps * share), total)
    }
    const judged = { source, confidence: confidenceFor(source, confidence) } as const
    await writePastTapes({ symbol, day, connector, assumptions, past: past!, store, progress, ...judged }, writer)
  }

  async function pricedClose(symbol: Ticker, date: IsoDate): Promise<PricedChain | undefined> {
    const chain = await connector.closingChain(symbol, date, writer.signal)
    return chain && priceChain(chain, assumptions, fittedSmile)
  }

  async function backfillDay(symbol: Ticker, day: Session, steps: readonly Instant[]): Promise<void> {
    // The record is written first, because a day counts as complete by its snapshots.
    const closing = await pricedClose(symbol, day.date)
    if (closing !== undefined) {
      const evening = await pricedClose(symbol, previousTradingDay(day.date))
      await store.writeRecords(symbol, [dailyRecord(closing, bars.get(symbol)!, evening)])
    }
    for (const [i, step] of steps.entries()) {
      if (writer.signal.aborted) return
      const chain = await connector.chain(symbol, step, writer.signal)
      if (chain !== undefined) await writer.snapshot({ chain, fidelity: 'recorded', missing })
      if (i % 20 === 19) await writer.progress(`${symbol} ${day.date}`, done + i + 1, total)
    }
  }
}

function completedSessions(now: Instant, count: number): readonly Session[] {
  const sessions = [completedSession(now)]
  while (sessions.length < count) sessions.unshift(session(previousTradingDay(sessions[0].date))!)
  return sessions
}

function moments({ open, close }: Session, every: number): readonly Instant[] {
  const steps: Instant[] = []
  for (let step = open; step < close; step += every) steps.push(step)
  steps.push(close)
  return steps
}
