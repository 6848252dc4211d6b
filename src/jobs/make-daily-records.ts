import { recordedClose } from '../archive/closing.ts'
import { decodeSnapshot } from '../archive/codec/decode-snapshot.ts'
import type { HistoryStore } from '../archive/history-store.ts'
import type { ImportWriter } from '../imports/import-writer.ts'
import { addDays, previousTradingDay, session } from '../market/calendar.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import { withDividends } from '../market/dividend.ts'
import { easternDate, instantOfEastern } from '../market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { Assumptions } from '../pricing/assumptions.ts'
import { type PricedChain, priceChain } from '../pricing/price-chain.ts'
import { type ClosingFigures, closingFigures, RECORD_BARS, recordWithBars } from '../signals/daily-record-measures.ts'
import { fittedSmile } from '../volatility/smile/smile-volatility.ts'
import { type ImportedCloses, isClose } from './imported-closes.ts'

export type SessionsBySymbol = ReadonlyMap<Ticker, ReadonlySet<IsoDate>>

/** Wraps a writer and collects the sessions whose closing snapshots pass through it. */
export function trackCloses(writer: ImportWriter): { readonly writer: ImportWriter; readonly days: SessionsBySymbol } {
  const days = new Map<Ticker, Set<IsoDate>>()
  const snapshot: ImportWriter['snapshot'] = async (taken) => {
    const { symbol, asOf } = taken.chain
    if (isClose(taken)) days.set(symbol, (days.get(symbol) ?? new Set()).add(easternDate(asOf)))
    await writer.snapshot(taken)
  }
  return { writer: { ...writer, snapshot }, days }
}

export interface DailyRecordOptions {
  readonly store: Pick<HistoryStore, 'closingSnapshot' | 'moments' | 'bars' | 'dividends' | 'writeRecords'>
  /** Closes that the import has priced already; the others are read from the archive. */
  readonly closes?: Pick<ImportedCloses, 'of'> | undefined
  readonly assumptions: Assumptions
  readonly signal: AbortSignal
  readonly progress: (what: string, done: number, total: number) => void | Promise<void>
}

export const RECORDS_LABEL = 'daily records'

/** Days per write. Records lost by a stop in between are computed by the next import. */
const RECORDS_PER_WRITE = 500

/**
 * Writes the daily records of sessions whose closing snapshots and bars are in the archive, so that imported days count
 * in percentiles and histories like recorded days.
 */
export async function makeDailyRecords(
  days: SessionsBySymbol,
  { store, closes, assumptions, signal, progress }: DailyRecordOptions
): Promise<void> {
  const total = [...days.values()].reduce((sum, dates) => sum + dates.size, 0)
  let done = 0
  if (total > 0) await progress(RECORDS_LABEL, 0, total)
  for (const [symbol, dates] of days) {
    let records: DailyRecord[] = []
    const figuresOf = await closesOf(symbol, [...dates].sort())
    for (const date of [...dates].sort()) {
      if (signal.aborted) return
      const figures = await figuresOf(date)
      if (figures === undefined) continue
      records.push(recordWithBars(figures, await store.bars(symbol, session(date)!.close, RECORD_BARS)))
      if (records.length >= RECORDS_PER_WRITE) await store.writeRecords(symbol, records.splice(0))
      await progress(`${RECORDS_LABEL} of ${symbol}`, ++done, total)
    }
    if (records.length > 0) await store.writeRecords(symbol, records)
    records = []
  }

  /** Returns a function that gives the figures of the closes of a symbol, asked in ascending order of their dates. */
  async function closesOf(symbol: Ticker, dates: readonly IsoDate[]) {
    const newest = await newestMoments(symbol, previousTradingDay(dates[0]), dates[dates.length - 1])
    let last: { readonly date: IsoDate; readonly chain: PricedChain } | undefined
    /** The close that the import has priced, if it still is the newest snapshot of its day. */
    const pricedAlready = (date: IsoDate) => {
      const close = closes?.of(symbol, date)
      return close !== undefined && close.asOf === newest.get(date) ? close : undefined
    }
    return async (date: IsoDate): Promise<ClosingFigures | undefined> => {
      const before = previousTradingDay(date)
      const close = pricedAlready(date)
      const isJudged =
        !newest.has(before) || (close?.evening !== undefined && close.evening === pricedAlready(before)?.number)
      if (close !== undefined && isJudged) return close.figures
      const chain = await pricedClose(symbol, date)
      if (chain === undefined) return undefined
      const figures = closingFigures(chain, last?.date === before ? last.chain : await pricedClose(symbol, before))
      last = { date, chain }
      return figures
    }
  }

  /** Moment of the newest snapshot of each day. */
  async function newestMoments(symbol: Ticker, from: IsoDate, to: IsoDate): Promise<ReadonlyMap<IsoDate, Instant>> {
    const held = await store.moments(symbol, instantOfEastern(from, 0), instantOfEastern(addDays(to, 1), 0))
    return new Map(held.map(({ asOf }) => [easternDate(asOf), asOf]))
  }

  async function pricedClose(symbol: Ticker, date: IsoDate): Promise<PricedChain | undefined> {
    const snapshot = await recordedClose(store, symbol, date)
    if (snapshot === undefined) return undefined
    const chain = withDividends(decodeSnapshot(snapshot), await store.dividends(symbol, snapshot.asOf))
    return priceChain(chain, assumptions, fittedSmile)
  }
}
