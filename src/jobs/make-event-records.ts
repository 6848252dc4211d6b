import { recordedClose } from '../archive/closing.ts'
import { decodeSnapshot } from '../archive/codec/decode-snapshot.ts'
import type { HistoryStore, StoredSnapshot } from '../archive/history-store.ts'
import { eventRecord } from '../earnings/event-record.ts'
import type { ImportWriter } from '../imports/import-writer.ts'
import { withDividends } from '../market/dividend.ts'
import { type EventRecord, type EventSessions, eventsKnownAt, isReported, sessionsAround } from '../market/earnings.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { Assumptions } from '../pricing/assumptions.ts'
import { type PricedChain, priceChain } from '../pricing/price-chain.ts'
import { fittedSmile } from '../volatility/smile/smile-volatility.ts'
import type { DailyRecordOptions } from './make-daily-records.ts'

interface EventRecordOptions extends Pick<DailyRecordOptions, 'signal' | 'progress'> {
  readonly store: Pick<
    HistoryStore,
    'earnings' | 'eventRecords' | 'closingSnapshot' | 'dividends' | 'writeEventRecords'
  >
  readonly assumptions: Assumptions
  readonly now: Instant
}

/** Wraps a writer and collects the companies whose earnings statements pass through it. */
export function trackCompanies(writer: ImportWriter): {
  readonly writer: ImportWriter
  readonly companies: ReadonlySet<Ticker>
} {
  const companies = new Set<Ticker>()
  const earnings: ImportWriter['earnings'] = async (statements) => {
    for (const { symbol } of statements) companies.add(symbol)
    await writer.earnings(statements)
  }
  return { writer: { ...writer, earnings }, companies }
}

/** A date before any earnings report. */
const EVERY_REPORT = '1900-01-01' as IsoDate

/**
 * Writes missing event records of the symbols' past earnings reports, if the archive has the recorded closes before and
 * after each report. Records are missing if the report or its chains were imported later.
 */
export async function makeEventRecords(
  symbols: readonly Ticker[],
  { store, assumptions, now, signal, progress }: EventRecordOptions
): Promise<void> {
  for (const symbol of symbols) {
    const events = eventsKnownAt(await store.earnings({ symbol, from: EVERY_REPORT }, now), now).filter(isReported)
    const known = new Map((await store.eventRecords(symbol)).map((record) => [record.before, record.after]))
    const missing = events.map(sessionsAround).filter(({ before, after }) => known.get(before) !== after)
    const made: EventRecord[] = []
    for (const [k, sessions] of missing.entries()) {
      if (signal.aborted) return
      const record = await recordOf(symbol, sessions)
      if (record !== undefined) made.push(record)
      await progress(`earnings of ${symbol}`, k + 1, missing.length)
    }
    await store.writeEventRecords(symbol, made)
  }

  async function recordOf(symbol: Ticker, sessions: EventSessions): Promise<EventRecord | undefined> {
    const before = await recordedClose(store, symbol, sessions.before)
    const after = before && (await recordedClose(store, symbol, sessions.after))
    return before && after && eventRecord(sessions, await chainOf(before), await chainOf(after))
  }

  async function chainOf(snapshot: StoredSnapshot): Promise<PricedChain> {
    const dividends = await store.dividends(snapshot.symbol, snapshot.asOf)
    return priceChain(withDividends(decodeSnapshot(snapshot), dividends), assumptions, fittedSmile)
  }
}
