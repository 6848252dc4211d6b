import type { Engine } from '../engine/engine.ts'
import { closingMoment } from '../history/moment.ts'
import type { HistoryStore } from '../history/store.ts'
import { longestHistory } from '../market/bar.ts'
import { session } from '../market/calendar.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'

/** A session whose record older formulas made, and the moment of its last image; undefined without one. */
export interface OutdatedDay {
  readonly symbol: Ticker
  readonly date: IsoDate
  readonly last: Instant | undefined
}

export interface RenewalOptions {
  readonly store: Pick<HistoryStore, 'closingImage' | 'bars' | 'writeRecords'>
  readonly engine: Pick<Engine, 'record'>
  readonly signal: AbortSignal
  /** The archive has other records of a symbol than before. */
  readonly onRecords: (symbol: Ticker) => void
}

export interface Renewal {
  readonly renewed: number
  /** Sessions that keep the record they have. */
  readonly left: number
  /** Why the first of those that should have been made could not be. */
  readonly fault: Error | undefined
}

/** Records that are written together: what an end in between loses is made again at the next start. */
const together = 20
/** Left to other work between two records, milliseconds. */
const rest = 50

/**
 * Makes the records of these sessions anew, one after the other and with rests, of the closes and bars that the archive
 * holds. A session without a recorded close keeps the record it has, and so does one that cannot be read or made: the
 * others are made all the same. Rejects where records cannot be written, since none could be then.
 */
export async function renewRecords(
  days: readonly OutdatedDay[],
  { store, engine, signal, onRecords }: RenewalOptions
): Promise<Renewal> {
  let renewed = 0
  let left = 0
  let fault: Error | undefined
  let made: DailyRecord[] = []
  for (const [k, { symbol, date, last }] of days.entries()) {
    if (signal.aborted) break
    try {
      const record = await recordAnew(symbol, date, last)
      if (record === undefined) left++
      else made.push(record)
    } catch (error) {
      if (signal.aborted) break // what it needs is being stopped
      left++
      fault ??= new Error(`the record of ${symbol} for ${date} cannot be made`, { cause: error })
    }
    if (made.length > 0 && (made.length >= together || days[k + 1]?.symbol !== symbol)) {
      await store.writeRecords(symbol, made)
      onRecords(symbol)
      renewed += made.length
      made = []
    }
    if (last !== undefined) await new Promise((resolve) => setTimeout(resolve, rest))
  }
  return { renewed, left, fault }

  async function recordAnew(symbol: Ticker, date: IsoDate, last: Instant | undefined) {
    const close = session(date)?.close
    const asOf = close === undefined || last === undefined ? undefined : closingMoment(last, close)
    const image = asOf === undefined ? undefined : await store.closingImage(symbol, date)
    if (image === undefined) return undefined
    return engine.record({ ...image, asOf: asOf! }, await store.bars(symbol, close!, longestHistory))
  }
}
