import type { FastifyInstance } from 'fastify'
import type { AnswerShape } from '../../api/compatible-shape.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { Zone } from '../../api/serializer.ts'
import type { HistoryStore } from '../../archive/history-store.ts'
import type { ParquetFiles } from '../../archive/parquet-files.ts'
import { lazily } from '../../market/memoize.ts'
import { tradeDate } from '../../market/trade-date.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../../market/units.ts'
import { ArchiveReader, type ReaderOptions } from '../../replay/archive-reader.ts'
import { Answers } from '../answers/answers.ts'
import type { RequestRecord } from '../http/exchange.ts'
import type { Host } from '../http/host.ts'
import { createHttp, type HttpOptions } from '../http/http-server.ts'
import type { MountedHost } from '../http/mounted-host.ts'
import type { PageUse } from '../http/page-use.ts'
import { mountSwagger } from '../openapi/swagger.ts'
import { mountHealth } from '../operations/health-endpoint.ts'
import { mountProbes } from '../operations/operations.ts'
import { type LiveOnly, liveOnlyOf, movedPaths } from './live-only.ts'
import { mountParquetFiles } from './parquet-route.ts'
import { replayDocument } from './replay-document.ts'
import { momentParameters, type NoHistory, replayHost } from './replay-host.ts'
import { mountReplayRoutes } from './replay-routes.ts'

export interface ReplayServiceOptions extends Omit<HttpOptions, 'host' | 'answers'>, NoHistory {
  /**
   * All endpoints of the live host. Those that are not declared with `replay` get an error: they exist on the live host
   * only.
   */
  readonly endpoints: readonly Endpoint[]
  /** Further paths that exist on the live host only. */
  readonly liveOnly: readonly LiveOnly[]
  /** Judges requests of dashboard pages on plans with an allowance for them. */
  readonly pageUse?: PageUse | undefined
  /** The archive. Undefined if the service keeps none; then every route says how to get one. */
  readonly history: HistoryStore | undefined
  /** First day about which requests are allowed. */
  readonly from: IsoDate
  /** Time zone of printed times, and shape of answers, if a request names none. */
  readonly times: Zone
  readonly shape: AnswerShape
  /** Returns the current time. Requests about later moments get no data. */
  readonly now: () => Instant
  /** Returns the market's time, up to which prints are recorded, if it differs from `now`. */
  readonly marketNow?: () => Instant
  /** Memory for cached responses, bytes. */
  readonly cacheBytes: number
  readonly version: string
  /** Number of contracts that all cached chains together may have; undefined for the default. */
  readonly contracts?: number
  /** Memory for prints, bytes; undefined for the default. */
  readonly tapeBytes?: number
  readonly ratesIndex?: Ticker | undefined
  readonly confidence?: number | undefined
  readonly qualityFloor?: number | undefined
  /** Minute prices of a market that makes its prices up; undefined for every other market. */
  readonly generated?: ReaderOptions['generated']
  /** Files of single sessions; undefined without an archive. */
  readonly files?: ParquetFiles | undefined
}

/** New prints are in the archive after this many milliseconds at the latest. */
const RECORDED_WITHIN = 15 * MILLISECONDS_PER_MINUTE

const prefix = '/replay'

/**
 * Creates the replay host, with its endpoints at past moments, the list of recorded days, and an error for each path
 * that exists on the live host only. It listens on its own port and is also reached under a path of the live host.
 */
export function createReplay(options: ReplayServiceOptions): {
  readonly app: FastifyInstance
  readonly mounted: MountedHost
  readonly answers: Answers
  /** Finds the moments of requests, also for the live host. */
  readonly host: Host
  /** Drops the cached prints of a symbol, because they were rewritten in the archive. */
  readonly forgetTapes: (symbol: Ticker) => void
} {
  const { history, pageUse, reason, isDamaged, from, times, shape, now, marketNow = now, ...rest } = options
  const { cacheBytes, version, contracts, tapeBytes, ratesIndex, confidence, qualityFloor, generated, files, ...http } =
    rest
  const { engine, access, endpoints } = http
  const today = () => tradeDate(marketNow() - RECORDED_WITHIN)
  const settings = { contracts, tapeBytes, ratesIndex, confidence, qualityFloor, generated, today }
  const archive = history && new ArchiveReader(history, engine, settings)
  const host = replayHost({ archive, reason, isDamaged, access, pageUse, from, times, shape, now })
  const replayed = endpoints.filter(({ replay }) => replay)
  const answers = new Answers({ engine, cacheBytes, retain: 'every' })
  const onRequest = (record: RequestRecord) => http.onRequest({ ...record, route: `replay ${record.route}` })
  const liveOnly = [...liveOnlyOf(endpoints), ...http.liveOnly, ...movedPaths]
  const document = lazily(() => replayDocument(replayed, version, momentParameters(times, shape)))
  const app = createHttp({ ...http, endpoints: replayed, host, answers, onRequest })
  mountReplayRoutes(app, { ...http, host, history, reason, isDamaged, now, liveOnly })
  mountParquetFiles(app, { ...http, host, history, files, reason, isDamaged, from, now: marketNow })
  mountHealth(app, [{ name: 'history', check: () => healthOf(history) }])
  mountProbes(app, () => history !== undefined && http.drain?.begun !== true)
  mountSwagger(app, (path) => ({ ...document(), servers: [{ url: path || '/' }] }), ['', prefix])
  return { app, mounted: { prefix, app }, answers, host, forgetTapes: (symbol) => archive?.tapes.drop(symbol) }
}

/** Health of the replay host: degraded without an archive, unhealthy if the archive cannot list its symbols. */
async function healthOf(history: HistoryStore | undefined) {
  if (history === undefined) return 'Degraded'
  await history.symbols()
  return 'Healthy'
}
