import { answer, type Question } from '../api/answer.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { type Connector, SourceError } from '../connectors/connector.ts'
import { type DailyBar, longestHistory } from '../market/bar.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { Assumptions } from '../pricing/carry.ts'
import { type PricedChain, priceChain } from '../pricing/price-chain.ts'

/** What an engine is asked to do. */
export type Task =
  | { readonly kind: 'load'; readonly symbol: Ticker; readonly now: Instant }
  | { readonly kind: 'load close'; readonly symbol: Ticker; readonly session: IsoDate }
  | { readonly kind: 'bars'; readonly symbol: Ticker; readonly now: Instant }
  | { readonly kind: 'answer'; readonly endpoint: string; readonly question: Question }

export interface Workshop {
  readonly connector: Connector
  readonly assumptions: Assumptions
  readonly endpoints: ReadonlyMap<string, Endpoint>
}

/** A source that says nothing for this long is not waited for, milliseconds. */
const longestLoad = 20_000

export type Result = PricedChain | readonly DailyBar[] | Uint8Array | undefined

/** Does one task: the same code on whichever thread. */
export async function perform(task: Task, workshop: Workshop): Promise<Result> {
  const { connector, assumptions, endpoints } = workshop
  if (task.kind === 'answer') {
    const endpoint = endpoints.get(task.endpoint)
    if (endpoint === undefined) throw new Error(`no endpoint is called ${task.endpoint}`)
    return new TextEncoder().encode(answer(endpoint, task.question))
  }
  if (task.kind === 'bars') {
    const bars = await patiently((signal) => connector.dailyBars(task.symbol, task.now, signal))
    return bars.slice(-longestHistory)
  }
  const chain = await patiently((signal) =>
    task.kind === 'load'
      ? connector.chain(task.symbol, task.now, signal)
      : connector.closingChain(task.symbol, task.session, signal)
  )
  return chain && priceChain(chain, assumptions)
}

/** Waits for a source no longer than `longestLoad`, whether it heeds the signal or not. */
async function patiently<Found>(ask: (signal: AbortSignal) => Promise<Found>): Promise<Found> {
  const patience = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new SourceError('timeout', `the source did not answer within ${longestLoad / 1000} seconds`)
      reject(error)
      patience.abort(error)
    }, longestLoad).unref()
  })
  try {
    return await Promise.race([ask(patience.signal), late])
  } finally {
    clearTimeout(timer)
  }
}
