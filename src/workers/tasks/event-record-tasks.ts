import { setImmediate } from 'node:timers/promises'
import { decodeSnapshot } from '../../archive/codec/decode-snapshot.ts'
import type { StoredSnapshot } from '../../archive/history-store.ts'
import { eventDecomposition } from '../../earnings/event-decomposition.ts'
import { eventRecord } from '../../earnings/event-record.ts'
import type { EventRecord, EventSessions } from '../../market/earnings.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { judgedCloseQuotes } from './judged-close.ts'
import { type PricingContext, priced, type Task } from './task.ts'

interface RecordedEvent extends Pick<PricingContext, 'dividends'> {
  readonly sessions: EventSessions
  /** Recorded close before the earnings report; `after` is the close after it, if there is one. */
  readonly before: StoredSnapshot
  readonly after: StoredSnapshot | undefined
}

/**
 * Computes the record of an earnings report from the recorded closes around it. Like daily records, it uses the
 * operator's interest rate, or the default.
 */
export const makeEventRecord: Task<RecordedEvent, EventRecord> = {
  urgency: 'later',
  symbol: ({ before }) => before.symbol,
  async run({ sessions, before, after, dividends }, context) {
    const chain = (snapshot: StoredSnapshot) => priced(decodeSnapshot(snapshot), context, { dividends })
    return eventRecord(sessions, await chain(before), after && (await chain(after)))
  }
}

interface PastEvents extends Pick<PricingContext, 'dividends'> {
  readonly symbol: Ticker
  readonly events: readonly EventSessions[]
}

/**
 * Computes records of past earnings reports from closes that the source provides; a report without the close before it
 * is left out. Other tasks may run in between.
 */
export const makePastEventRecords: Task<PastEvents, readonly EventRecord[]> = {
  urgency: 'soon',
  symbol: ({ symbol }) => symbol,
  async run({ symbol, events, dividends }, context) {
    const { connector } = context
    const records: EventRecord[] = []
    if (!connector.holdsPast) return records
    const closing = async (session: IsoDate) => {
      const chain = await judgedCloseQuotes({ symbol, session }, connector)
      return chain && priced(chain, context, { dividends })
    }
    for (const sessions of events) {
      const before = await closing(sessions.before)
      if (before !== undefined) records.push(eventRecord(sessions, before, await closing(sessions.after)))
      if (context.pause === undefined) await setImmediate()
    }
    return records
  }
}

interface ImpliedMove {
  readonly chain: PricedChain
  /** The last session before the earnings report. */
  readonly before: IsoDate
}

/** Computes the move that option prices imply for an earnings report alone, percent of spot. */
export const readImpliedMove: Task<ImpliedMove, number | undefined> = {
  urgency: 'later',
  symbol: ({ chain }) => chain.symbol,
  run: ({ chain, before }) => eventDecomposition(chain, before)?.jump,
  pack: ({ chain, ...asked }, refOf) => ({ ...asked, chain: refOf(chain) as PricedChain }),
  unpack: ({ chain, ...asked }, chainOf) => ({ ...asked, chain: chainOf(chain) })
}
