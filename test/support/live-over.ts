import type { Endpoint } from '../../src/api/endpoint.ts'
import { ApiError } from '../../src/api/error.ts'
import { readRequest } from '../../src/api/request-params.ts'
import { LiveMarket, type LiveOptions } from '../../src/live/live-market.ts'
import { session } from '../../src/market/calendar.ts'
import { easternDate } from '../../src/market/eastern.ts'
import type { Instant } from '../../src/market/units.ts'
import { ArchiveReader } from '../../src/replay/archive-reader.ts'
import { Answers } from '../../src/server/answers/answers.ts'
import { inlineEngine } from '../../src/workers/inline.ts'
import type { ArchiveRows } from './archive-rows.ts'
import { engineWith, type TestTasks } from './engine-with.ts'
import { madeUpAssumptions } from './made-up.ts'
import { memoryStore } from './memory-store.ts'
import type { Question } from './questions.ts'
import { restored, summedBy } from './replay.ts'
import { scriptedSource } from './scripted-source.ts'

/** The live service at a moment, holding the snapshots that a recorder had written by then. Undefined: it refused. */
export function liveOver(
  rows: ArchiveRows,
  at: Instant,
  endpoints: readonly Endpoint[],
  more: Pick<LiveOptions, 'tapes' | 'pastTapes' | 'standing'> = {}
) {
  const archive = memoryStore(rows)
  const { snapshots } = rows
  const { earnings, ...scripted } = scriptedSource() // what was said of reports is in the archive alone
  const source = {
    ...scripted,
    name: snapshots[0]?.fidelity ?? 'recorded', // as the historical host says
    pace: 60_000,
    holdsPast: false,
    tickers: [], // a symbol that is listed would be answered 503 while it loads
    chain: async (symbol: string, now: Instant) =>
      snapshots.findLast(({ chain }) => chain.symbol === symbol && chain.asOf <= now)?.chain,
    closingChain: async (symbol: string, day: string) =>
      snapshots.findLast(({ chain }) => chain.symbol === symbol && easternDate(chain.asOf) === day)?.chain,
    dailyBars: async (symbol: string, now: Instant) =>
      rows.bars.flatMap(({ symbol: of, bar }) => (of === symbol && session(bar.date)!.close <= now ? [bar] : []))
  }
  const listed = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  const engine = inlineEngine({ connector: source, assumptions: madeUpAssumptions, endpoints: listed })
  const restoreChain: TestTasks['restoreChain'] = ({ snapshot, dividends }) => restored(snapshot, dividends)
  const pastChains = new ArchiveReader(archive, engineWith({ sumStrikes: summedBy(restored), restoreChain }, engine))
  const pastStrikes = pastChains.strikes
  const past = { archive, pastStrikes, pastChains }
  const market = { engine, source, ...past, universe: [], marketNow: () => at, wallNow: () => at, ...more }
  const live = new LiveMarket(market)
  const answers = new Answers({ engine, cacheBytes: 1e7 })
  return async ({ endpoint, symbol, query }: Question): Promise<string | undefined> => {
    const path = { symbol, ticker: symbol }
    const params = readRequest(endpoint, path, Object.fromEntries(query), { today: easternDate(at) })
    const asking = { source: live, maxAge: 0, keyless: false }
    try {
      return (await answers.load(endpoint, params, asking, endpoint.varies)).answer.body.toString()
    } catch (error) {
      // Live, what cannot be made of the present chain may be made of the next one, and counts as loading.
      if (error instanceof ApiError && (error.status === 404 || error.code === 'loading')) return undefined
      throw error
    }
  }
}
