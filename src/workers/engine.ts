import type { AnswerTask } from '../api/answer.ts'
import type { StoredSnapshot } from '../archive/store.ts'
import type { DailyBar } from '../market/bar.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'

/**
 * Where the heavy work is done: asking the source, pricing, answering. The thread that serves HTTP knows it by this
 * port only, so it may be a pool of worker threads or, in a small installation and in tests, the same thread.
 */
export interface Engine {
  /** Asks the source for a chain at `now` and prices it. Undefined: the source does not know the symbol. */
  load(symbol: Ticker, now: Instant): Promise<PricedChain | undefined>
  /** The chain at the close of a past session, priced. Undefined: the source does not hold that day. */
  loadClose(symbol: Ticker, session: IsoDate): Promise<PricedChain | undefined>
  /** The newest daily bars completed by `now`, ascending, `longestHistory` at most. Empty where the source has none. */
  bars(symbol: Ticker, now: Instant): Promise<readonly DailyBar[]>
  /** The records of past sessions, ascending, where the source holds their closes; without those it does not. */
  records(symbol: Ticker, sessions: readonly IsoDate[], now: Instant): Promise<readonly DailyRecord[]>
  /** The record of a session, from the snapshot of its close and the bars up to it. */
  record(snapshot: StoredSnapshot, bars: readonly DailyBar[]): Promise<DailyRecord>
  /** The chain of a snapshot of the archive, priced. */
  restore(snapshot: StoredSnapshot): Promise<PricedChain>
  /** Answers a question as JSON bytes, or rejects with the ApiError that refuses it. */
  answer(endpoint: string, question: AnswerTask): Promise<Uint8Array>
  /** Says that this chain need not be remembered: it is asked about no more, save what is on its way already. */
  forget(chain: PricedChain): void
  /** Tasks accepted and not finished. */
  readonly pending: number
  close(): Promise<void>
}
