import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '../../api/endpoint.ts'
import type { Zone } from '../../api/serializer.ts'
import type { HistoryStore } from '../../archive/history-store.ts'
import { lazily } from '../../market/memoize.ts'
import { tradeDate } from '../../market/trade-date.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../../market/units.ts'
import { ArchiveReader } from '../../replay/archive-reader.ts'
import { Answers } from '../answers/answers.ts'
import type { RequestRecord } from '../http/exchange.ts'
import { createHttp, type HttpOptions } from '../http/http-server.ts'
import type { MountedHost } from '../http/mounted-host.ts'
import { mountSwagger } from '../openapi/swagger.ts'
import { mountHealth } from '../operations/health-endpoint.ts'
import { mountProbes } from '../operations/operations.ts'
import { type LiveOnly, liveOnlyOf, movedPaths } from './live-only.ts'
import { replayDocument } from './replay-document.ts'
import { replayHost } from './replay-host.ts'
import { mountReplayRoutes } from './replay-routes.ts'

export interface ReplayServiceOptions extends Omit<HttpOptions, 'host' | 'answers'> {
  /** All endpoints of the live host; those without `replay` are refused as live only. */
  readonly endpoints: readonly Endpoint[]
  /** Further paths of the live host. */
  readonly liveOnly: readonly LiveOnly[]
  /** The archive; undefined if there is none, and every route then says how to get one. */
  readonly history: HistoryStore | undefined
  readonly reason: string | undefined
  /** First day that can be replayed. */
  readonly from: IsoDate
  /** Time zone of printed times, unless a request names one. */
  readonly times: Zone
  /** Current time; nothing later is known. */
  readonly now: () => Instant
  /** Market time up to which tapes are recorded, if it differs from `now`. */
  readonly marketNow?: () => Instant
  /** Memory for cached responses, bytes. */
  readonly cacheBytes: number
  readonly version: string
  /** Maximum number of contracts in all cached chains together, if not the default. */
  readonly contracts?: number
  readonly ratesIndex?: Ticker | undefined
  readonly confidence?: number | undefined
}

/** Milliseconds within which prints reach the archive. */
const RECORDED_WITHIN = 15 * MILLISECONDS_PER_MINUTE

const prefix = '/replay'

/**
 * Creates the replay host: the replayed endpoints, the coverage of the archive, and an explanation for every path that
 * cannot be replayed. One application serves its own port and, mounted, a path of the live host.
 */
export function createReplay(options: ReplayServiceOptions): {
  readonly app: FastifyInstance
  readonly mounted: MountedHost
  readonly answers: Answers
  /** Drops the cached tapes of a symbol, which were rewritten. */
  readonly forgetTapes: (symbol: Ticker) => void
} {
  const { history, reason, from, times, now, marketNow = now, ...rest } = options
  const { cacheBytes, version, contracts, ratesIndex, confidence, ...http } = rest
  const { engine, access, endpoints } = http
  const today = () => tradeDate(marketNow() - RECORDED_WITHIN)
  const archive = history && new ArchiveReader(history, engine, { contracts, ratesIndex, confidence, today })
  const host = replayHost({ archive, reason, access, from, times, now })
  const replayed = endpoints.filter(({ replay }) => replay)
  const answers = new Answers({ engine, cacheBytes, retain: 'every' })
  const onRequest = (record: RequestRecord) => http.onRequest({ ...record, route: `replay ${record.route}` })
  const liveOnly = [...liveOnlyOf(endpoints), ...http.liveOnly, ...movedPaths]
  const document = lazily(() => replayDocument(replayed, version, times))
  const app = createHttp({ ...http, endpoints: replayed, host, answers, onRequest })
  mountReplayRoutes(app, { ...http, host, history, reason, now, liveOnly })
  mountHealth(app, [{ name: 'history', check: () => healthOf(history) }])
  mountProbes(app, () => history !== undefined && http.drain?.begun !== true)
  mountSwagger(app, (path) => ({ ...document(), servers: [{ url: path || '/' }] }), ['', prefix])
  return { app, mounted: { prefix, app }, answers, forgetTapes: (symbol) => archive?.tapes.drop(symbol) }
}

/** A service without history is healthy but degraded; an archive that cannot list its symbols is unhealthy. */
async function healthOf(history: HistoryStore | undefined) {
  if (history === undefined) return 'Degraded'
  await history.symbols()
  return 'Healthy'
}
