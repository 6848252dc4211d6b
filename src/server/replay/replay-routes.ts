import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { byDeadline, deadlineIn } from '../../api/deadline.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { ignoredNames, queryNames } from '../../api/parameter-names.ts'
import { type Parameter, type Parameters, readParameters, type ValuesOf } from '../../api/params.ts'
import { textSerializerOf } from '../../api/serializer.ts'
import type { Gap, HistoryStore, SymbolCoverage } from '../../archive/history-store.ts'
import { readSymbol } from '../../market/security.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_DAY, type Ticker } from '../../market/units.ts'
import { coverageOf } from '../../replay/archive-coverage.ts'
import { type AuthorizeOptions, checkCaller, refund } from '../http/authorize.ts'
import { contentLines, ignoredLines, rateLines, setHeaders } from '../http/headers.ts'
import type { MountOptions } from '../http/mount-endpoints.ts'
import { asApiError } from '../http/refusal.ts'
import { coverageListShape, coverageView, symbolCoverageShape } from './coverage-shape.ts'
import type { LiveOnly } from './live-only.ts'
import { recordedMoments, recordedParameters, recordedPath } from './recorded-moments.ts'
import { type NoHistory, noHistory } from './replay-host.ts'

export interface ReplayRoutesOptions
  extends AuthorizeOptions,
    Pick<MountOptions, 'requestDeadline' | 'after' | 'steadyNow'>,
    NoHistory {
  readonly liveOnly: readonly LiveOnly[]
  readonly history: HistoryStore | undefined
  readonly now: () => Instant
}

export const coveragePath = '/v1/tickers'

/**
 * Key and plan that these routes require. On the replay host a plan must also include replay, whatever it needs on the
 * live host.
 */
const terms: Pick<Endpoint, 'id' | 'plan' | 'keys'> = { id: 'recorded', plan: 'free', keys: 'counted' }
const writeList = textSerializerOf(coverageListShape)
const writeOne = textSerializerOf(symbolCoverageShape)

/**
 * Parameter for one symbol. Any text is accepted here; if it cannot be a ticker, the request gets the error for a
 * symbol that was never recorded.
 */
const symbol: Parameter<string | undefined> = {
  in: 'query',
  schema: Type.String({ maxLength: 10, description: 'one ticker, for the bare object instead of the list' }),
  required: false,
  code: 'invalid_parameter',
  missing: 'invalid_parameter',
  example: 'SPY',
  read: (text) => text,
  absent: undefined
}
export const coverageParameters = { symbol }

/** What the archive itself is asked for. */
interface ArchiveRoute {
  readonly path: string
  readonly parameters: Parameters
  /** Reads the answer, as JSON. */
  readonly read: (history: HistoryStore, params: Readonly<Record<string, unknown>>, now: Instant) => Promise<string>
}

const archiveRoutes: readonly ArchiveRoute[] = [
  {
    path: coveragePath,
    parameters: coverageParameters,
    read: (history, params, now) => {
      const named = params['symbol'] as string | undefined
      return named === undefined ? listOf(history, now) : oneOf(history, named, now)
    }
  },
  {
    path: recordedPath,
    parameters: recordedParameters,
    read: (history, params) => recordedMoments(history, params as ValuesOf<typeof recordedParameters> as never)
  }
]

/**
 * Adds the other routes of the replay host: what days and moments are recorded, and for each path that exists on the live host
 * only, an error that says so.
 */
export function mountReplayRoutes(app: FastifyInstance, options: ReplayRoutesOptions): void {
  for (const route of archiveRoutes) {
    app.get(route.path.replace(/\{(\w+)\}/g, ':$1'), async (request, reply) => {
      await checkCaller(terms, request, options)
      return answerOf(route, request, reply, options)
    })
  }
  const named = new Map(options.liveOnly.map((one) => [`${one.method} ${one.path}`, one]))
  for (const { method, path, instead, keyPlace = 'header or query' } of named.values()) {
    if (path === coveragePath) continue
    // This check comes before the body is read, because the body is ignored.
    const onRequest = async (request: FastifyRequest) => {
      await checkCaller({ ...terms, keyPlace }, request, options)
      throw apiError('live_only', `${method} ${path} is of the live host alone: ${instead ?? 'it has no past'}`)
    }
    const url = path.replace(/\{(\w+)\}/g, ':$1')
    app.route({ method, url, onRequest, handler: () => undefined })
  }
}

async function answerOf(
  { parameters, read }: ArchiveRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ReplayRoutesOptions
) {
  const { history, reason, isDamaged, quota, requestDeadline, after, wallNow, steadyNow, now } = options
  const account = request.account!
  try {
    if (history === undefined) throw noHistory({ reason, isDamaged })
    setHeaders(reply, ignoredLines(ignoredNames(request.query as never, queryNames(parameters))))
    const context = { today: '1970-01-01' as IsoDate }
    const params = readParameters(parameters, request.params as never, request.query as never, context)
    const body = await byDeadline(read(history, params, now()), deadlineIn(requestDeadline, steadyNow), after)
    setHeaders(reply, contentLines(account) + rateLines(account, request.used, quota, wallNow()))
    return reply.send(body)
  } catch (error) {
    if (asApiError(error).status >= 500) refund(account, quota)
    throw error
  }
}

async function listOf(history: HistoryStore, now: Instant): Promise<string> {
  const [held, gaps] = await Promise.all([history.coverages(), history.gaps(undefined, 0, now + MILLISECONDS_PER_DAY)])
  const gapsOf = (symbol: Ticker) => gaps.filter((gap) => gap.symbol === symbol)
  const tickers = held.map((found) => viewOf(found, gapsOf(found.symbol), now))
  return writeList({ count: tickers.length, tickers })
}

async function oneOf(history: HistoryStore, text: string, now: Instant): Promise<string> {
  const named = readSymbol(text)
  const found = named && (await history.coverage(named))
  if (found === undefined) throw apiError('no_coverage')
  return writeOne(viewOf(found, await history.gaps(found.symbol, 0, now + MILLISECONDS_PER_DAY), now))
}

function viewOf({ symbol, days, updatedAt }: SymbolCoverage, gaps: readonly Gap[], now: Instant) {
  return coverageView(symbol, coverageOf(days, gaps, now), updatedAt)
}
