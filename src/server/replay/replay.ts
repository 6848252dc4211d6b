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
import { mountHealth } from '../operations/health-checks.ts'
import { mountProbes } from '../operations/operations.ts'
import { type LiveOnly, liveOnlyOf, movedPaths } from './live-only.ts'
import { replayDocument } from './replay-document.ts'
import { replayHost } from './replay-host.ts'
import { mountReplayRoutes } from './replay-routes.ts'

export interface ReplayServiceOptions extends Omit<HttpOptions, 'host' | 'answers'> {
  /** Every endpoint of the live host: those that declare it are replayed, the others are said to be live only. */
  readonly endpoints: readonly Endpoint[]
  /** Further paths of the live host. */
  readonly liveOnly: readonly LiveOnly[]
  /** Undefined: there is no archive, and every route says how to get one. */
  readonly history: HistoryStore | undefined
  /** Why there is none. */
  readonly reason: string | undefined
  /** The first day that is answered for. */
  readonly from: IsoDate
  /** The clock that times of a body are printed on where a request names none. */
  readonly times: Zone
  /** The present, after which nothing is known. */
  readonly now: () => Instant
  /** The moment of the market whose tapes are recorded, where that is another one. */
  readonly marketNow?: () => Instant
  /** Memory for finished answers, bytes. */
  readonly cacheBytes: number
  readonly version: string
  /** Contracts of restored chains held at once, where it is not the usual number. */
  readonly contracts?: number
  /** See `ArchiveReader`. */
  readonly ratesIndex?: Ticker | undefined
  readonly confidence?: number | undefined
}

/** What was printed is in the archive after this time, milliseconds. */
const RECORDED_WITHIN = 15 * MILLISECONDS_PER_MINUTE

/** Where the historical host answers on the port of the live one. */
const prefix = '/replay'

/**
 * The historical host: the replayed endpoints, what the archive covers, and a word for every path without a past. One
 * application serves its own port and, mounted, a path of the live host.
 */
export function createReplay(options: ReplayServiceOptions): {
  readonly app: FastifyInstance
  readonly mounted: MountedHost
  readonly answers: Answers
  /** Tapes of a symbol were written anew. */
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

/** A service without history is well, but half of it is missing; an archive that cannot list its symbols is not. */
async function healthOf(history: HistoryStore | undefined) {
  if (history === undefined) return 'Degraded'
  await history.symbols()
  return 'Healthy'
}
