import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { StoredSnapshot } from '../../archive/history-store.ts'
import type { Connector } from '../../connectors/port/connector.ts'
import { SourceError } from '../../connectors/port/source-error.ts'
import { type DailyBar, MAX_BARS } from '../../market/bar.ts'
import { previousTradingDay, session as sessionOf } from '../../market/calendar.ts'
import type { Chain } from '../../market/chain.ts'
import type { DailyRecord } from '../../market/daily-record.ts'
import { comingDividends, type Dividend } from '../../market/dividend.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { entriesUpTo } from '../../memory/entries-up-to.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { dailyRecord } from '../../signals/daily-record-measures.ts'
import { judgedCloseQuotes } from './judged-close.ts'
import { madeOf, type PricingContext, priced, type Task, type TaskContext, withTimeout } from './task.ts'

/** Number of daily records a thread caches, some 200 bytes each: a year of two hundred symbols. */
const MAX_CACHED_RECORDS = 50_000

const made = new WeakMap<Connector, LRUCache<string, DailyRecord>>()

interface RecordedSession extends Pick<PricingContext, 'dividends'> {
  readonly snapshot: StoredSnapshot
  /** The close of the session before; without it the record has no errors of bands. */
  readonly before?: StoredSnapshot | undefined
  readonly bars: readonly DailyBar[]
}

/**
 * Computes the daily record of a session from the snapshot of its close and the bars up to it. Records of many years
 * are compared with each other, so they use the operator's interest rate or the default, never the rate of the day.
 */
export const makeRecord: Task<RecordedSession, DailyRecord> = {
  urgency: 'later',
  symbol: ({ snapshot }) => snapshot.symbol,
  run: ({ snapshot, before, bars, dividends }, context) => {
    const recordWith = (evening?: PricedChain) =>
      madeOf(snapshot, context, { dividends }, (chain) => dailyRecord(chain, bars, evening))
    return before === undefined ? recordWith() : madeOf(before, context, { dividends }, recordWith)
  }
}

interface PastSessions {
  readonly symbol: Ticker
  /** Completed sessions, ascending. */
  readonly sessions: readonly IsoDate[]
  readonly now: Instant
  /** All known dividends of the underlying, see `priced`. */
  readonly dividends?: readonly Dividend[]
}

/**
 * Computes daily records of past sessions, ascending, from closes that the source provides; a day without a close is
 * left out, and a source without history gives none. Each record is computed once per thread and cached. A year of a
 * large chain takes seconds, so other tasks may run in between.
 */
export const makePastRecords: Task<PastSessions, readonly DailyRecord[]> = {
  urgency: 'soon',
  symbol: ({ symbol }) => symbol,
  run: (past, context) => (context.connector.holdsPast ? pastRecords(past, context) : [])
}

async function pastRecords(
  { symbol, sessions, now, dividends = [] }: PastSessions,
  context: TaskContext
): Promise<DailyRecord[]> {
  const { connector } = context
  let known = made.get(connector)
  if (known === undefined) made.set(connector, (known = new LRUCache(entriesUpTo(MAX_CACHED_RECORDS))))
  const records: DailyRecord[] = []
  const nameOf = (date: IsoDate) => {
    const expected = comingDividends(dividends, sessionOf(date)!.close).map(
      ({ exDate, amount }) => `${exDate} ${amount}`
    )
    return [symbol, date, ...expected].join(' ')
  }
  const missing = sessions.some((session) => !known.has(nameOf(session)))
  const bars = missing ? await withTimeout((signal) => connector.dailyBars(symbol, now, signal, MAX_BARS)) : []
  const read = bars.slice(-MAX_BARS)
  const pricedClose = async (session: IsoDate) => {
    const chain = await closingQuotes(connector, symbol, session)
    return chain && priced(chain, context, { dividends })
  }
  let last: { readonly session: IsoDate; readonly chain: PricedChain } | undefined
  for (const session of sessions) {
    const name = nameOf(session)
    let record = known.get(name)
    if (record === undefined) {
      const chain = await pricedClose(session)
      if (chain === undefined) continue
      const before = previousTradingDay(session)
      record = dailyRecord(chain, read, last?.session === before ? last.chain : await pricedClose(before))
      known.set(name, record)
      last = { session, chain }
      if (context.pause === undefined) await setImmediate()
    }
    records.push(record)
  }
  return records
}

/**
 * Loads the close of a session. An unreadable close counts as missing; any other failure may be temporary and ends the
 * task.
 */
async function closingQuotes(connector: Connector, symbol: Ticker, session: IsoDate): Promise<Chain | undefined> {
  try {
    return await judgedCloseQuotes({ symbol, session }, connector)
  } catch (error) {
    if (error instanceof SourceError && error.fault === 'malformed') return undefined
    throw error
  }
}
