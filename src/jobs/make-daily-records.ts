import { recordedClose } from '../archive/closing.ts'
import { decodeSnapshot } from '../archive/codec/decode-snapshot.ts'
import type { HistoryStore } from '../archive/history-store.ts'
import type { ImportWriter } from '../imports/import-writer.ts'
import { MAX_BARS } from '../market/bar.ts'
import { previousTradingDay, session } from '../market/calendar.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import { withDividends } from '../market/dividend.ts'
import { easternDate } from '../market/eastern.ts'
import type { IsoDate, Ticker } from '../market/units.ts'
import type { Assumptions } from '../pricing/assumptions.ts'
import { type PricedChain, priceChain } from '../pricing/price-chain.ts'
import { dailyRecord } from '../signals/daily-record-measures.ts'
import { fittedSmile } from '../volatility/smile/smile-volatility.ts'

export type SessionsBySymbol = ReadonlyMap<Ticker, ReadonlySet<IsoDate>>

/** Wraps a writer and collects the sessions whose closing snapshots pass through it. */
export function trackCloses(writer: ImportWriter): { readonly writer: ImportWriter; readonly days: SessionsBySymbol } {
  const days = new Map<Ticker, Set<IsoDate>>()
  const snapshot: ImportWriter['snapshot'] = async (taken) => {
    const { symbol, asOf } = taken.chain
    const date = easternDate(asOf)
    if (asOf >= (session(date)?.close ?? Number.POSITIVE_INFINITY)) {
      const dates = days.get(symbol) ?? new Set()
      days.set(symbol, dates.add(date))
    }
    await writer.snapshot(taken)
  }
  return { writer: { ...writer, snapshot }, days }
}

export interface DailyRecordOptions {
  readonly store: Pick<HistoryStore, 'closingSnapshot' | 'bars' | 'dividends' | 'writeRecords'>
  readonly assumptions: Assumptions
  readonly signal: AbortSignal
  readonly progress: (what: string, done: number, total: number) => void | Promise<void>
}

export const RECORDS_LABEL = 'daily records'

/** Days per write. Records lost by a stop in between are computed by the next import. */
const RECORDS_PER_WRITE = 20

/**
 * Writes the daily records of sessions whose closing snapshots and bars are in the archive, so that imported days count
 * in percentiles and histories like recorded days.
 */
export async function makeDailyRecords(
  days: SessionsBySymbol,
  { store, assumptions, signal, progress }: DailyRecordOptions
): Promise<void> {
  const total = [...days.values()].reduce((sum, dates) => sum + dates.size, 0)
  let done = 0
  if (total > 0) await progress(RECORDS_LABEL, 0, total)
  for (const [symbol, dates] of days) {
    let records: DailyRecord[] = []
    let last: { readonly date: IsoDate; readonly chain: PricedChain } | undefined
    for (const date of [...dates].sort()) {
      if (signal.aborted) return
      const chain = await pricedClose(symbol, date)
      if (chain === undefined) continue
      const bars = await store.bars(symbol, session(date)!.close, MAX_BARS)
      const before = previousTradingDay(date)
      records.push(dailyRecord(chain, bars, last?.date === before ? last.chain : await pricedClose(symbol, before)))
      last = { date, chain }
      if (records.length >= RECORDS_PER_WRITE) {
        await store.writeRecords(symbol, records)
        records = []
      }
      await progress(`${RECORDS_LABEL} of ${symbol}`, ++done, total)
    }
    await store.writeRecords(symbol, records)
  }

  async function pricedClose(symbol: Ticker, date: IsoDate): Promise<PricedChain | undefined> {
    const snapshot = await recordedClose(store, symbol, date)
    if (snapshot === undefined) return undefined
    const chain = withDividends(decodeSnapshot(snapshot), await store.dividends(symbol, snapshot.asOf))
    return priceChain(chain, assumptions, fittedSmile)
  }
}
