import { closingMoment } from '../../archive/closing.ts'
import type { HistoryStore, OutdatedDay } from '../../archive/history-store.ts'
import { MAX_BARS } from '../../market/bar.ts'
import { session } from '../../market/calendar.ts'
import type { DailyRecord } from '../../market/daily-record.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { Engine } from '../../workers/engine.ts'
import { recordOfDay } from './live-records.ts'

export interface RecordRenewalOptions {
  readonly store: Pick<HistoryStore, 'closingSnapshot' | 'bars' | 'dividends' | 'writeRecords'>
  readonly engine: Pick<Engine, 'run'>
  readonly signal: AbortSignal
  readonly onRecords: (symbol: Ticker) => void
}

export interface RecordRenewal {
  readonly migrated: number
  /** Number of sessions whose old record stays, because it could not be recomputed. */
  readonly left: number
  /** Why the first of the failed records could not be computed. */
  readonly failure: Error | undefined
}

/**
 * Number of records that are written together. If the service stops before a write, the next start computes them again.
 */
const RECORDS_PER_WRITE = 20
/** Pause between two records, milliseconds, so that other work can use the machine. */
const REST_BETWEEN_RECORDS = 50

/**
 * Recomputes daily records of older formulas from the closes and bars in the archive, one after the other with pauses.
 * A record stays as it is if the archive has no close of its session, or if computing it fails. Rejects if records
 * cannot be written, since later writes would fail too.
 */
export async function renewRecords(
  days: readonly OutdatedDay[],
  { store, engine, signal, onRecords }: RecordRenewalOptions
): Promise<RecordRenewal> {
  let migrated = 0
  let left = 0
  let failure: Error | undefined
  let made: DailyRecord[] = []
  for (const [k, { symbol, date, last }] of days.entries()) {
    if (signal.aborted) break
    try {
      const record = await recordAnew(symbol, date, last)
      if (record === undefined) left++
      else made.push(record)
    } catch (error) {
      if (signal.aborted) break
      left++
      failure ??= new Error(`the record of ${symbol} for ${date} cannot be made`, { cause: error })
    }
    if (made.length > 0 && (made.length >= RECORDS_PER_WRITE || days[k + 1]?.symbol !== symbol)) {
      await store.writeRecords(symbol, made)
      onRecords(symbol)
      migrated += made.length
      made = []
    }
    if (last !== undefined) await new Promise((resolve) => setTimeout(resolve, REST_BETWEEN_RECORDS))
  }
  return { migrated, left, failure }

  async function recordAnew(symbol: Ticker, date: IsoDate, last: Instant | undefined) {
    const close = session(date)?.close
    // Without a usable close no bars need to be read.
    if (close === undefined || last === undefined || closingMoment(last, close) === undefined) return undefined
    return recordOfDay(symbol, date, {
      archive: store,
      engine,
      bars: () => store.bars(symbol, close, MAX_BARS),
      dividends: () => store.dividends(symbol, close)
    })
  }
}
