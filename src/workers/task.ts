import { type AnswerTask, answer } from '../api/answer.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { decodeSnapshot } from '../archive/codec/decode.ts'
import type { StoredSnapshot } from '../archive/store.ts'
import type { Connector } from '../connectors/port/connector.ts'
import { type DailyBar, MAX_BARS } from '../market/bar.ts'
import type { Chain } from '../market/chain.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { Assumptions } from '../pricing/carry.ts'
import { type PricedChain, priceChain } from '../pricing/price-chain.ts'
import { dailyRecord } from '../signals/daily-record.ts'
import { fittedSmile } from '../volatility/smile.ts'
import { type Past, pastRecords } from './past-records.ts'
import { withTimeout } from './with-timeout.ts'

/** What an engine is asked to do. */
export type Task =
  | { readonly kind: 'load'; readonly symbol: Ticker; readonly now: Instant }
  | { readonly kind: 'load close'; readonly symbol: Ticker; readonly session: IsoDate }
  | { readonly kind: 'bars'; readonly symbol: Ticker; readonly now: Instant }
  | ({ readonly kind: 'records' } & Past)
  | { readonly kind: 'record'; readonly snapshot: StoredSnapshot; readonly bars: readonly DailyBar[] }
  | { readonly kind: 'restore'; readonly snapshot: StoredSnapshot }
  | { readonly kind: 'answer'; readonly endpoint: string; readonly question: AnswerTask }

export interface TaskContext {
  readonly connector: Connector
  readonly assumptions: Assumptions
  readonly endpoints: ReadonlyMap<string, Endpoint>
}

export type Result = PricedChain | readonly DailyBar[] | DailyRecord | readonly DailyRecord[] | Uint8Array | undefined

/** Does one task: the same code on whichever thread. */
export async function runTask(task: Task, context: TaskContext): Promise<Result> {
  const { connector, assumptions, endpoints } = context
  if (task.kind === 'answer') {
    const endpoint = endpoints.get(task.endpoint)
    if (endpoint === undefined) throw new Error(`no endpoint is called ${task.endpoint}`)
    return new TextEncoder().encode(answer(endpoint, task.question))
  }
  const price = (chain: Chain) => priceChain(chain, assumptions, fittedSmile)
  if (task.kind === 'record') return dailyRecord(price(decodeSnapshot(task.snapshot)), task.bars)
  if (task.kind === 'restore') return price(decodeSnapshot(task.snapshot))
  if (task.kind === 'bars') {
    const bars = await withTimeout((signal) => connector.dailyBars(task.symbol, task.now, signal))
    return bars.slice(-MAX_BARS)
  }
  if (task.kind === 'records') return pastRecords(task, connector, price)
  const chain = await withTimeout((signal) =>
    task.kind === 'load'
      ? connector.chain(task.symbol, task.now, signal)
      : connector.closingChain(task.symbol, task.session, signal)
  )
  return chain && price(chain)
}
