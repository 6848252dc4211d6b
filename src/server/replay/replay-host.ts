import Type from 'typebox'
import { type AnswerShape, shapes } from '../../api/compatible-shape.ts'
import type { Deadline } from '../../api/deadline.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { type ApiError, apiError } from '../../api/error.ts'
import { inputNamed } from '../../api/inputs/inputs.ts'
import { type Parameter, readParameters } from '../../api/params.ts'
import type { Zone } from '../../api/serializer.ts'
import type { StoredSnapshot } from '../../archive/history-store.ts'
import type { ChainHeader } from '../../market/chain.ts'
import { easternDate, easternDateTime } from '../../market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { ArchiveReader } from '../../replay/archive-reader.ts'
import { ReplayMarket } from '../../replay/replay-market.ts'
import { noDataReason, parseMoment } from '../../replay/replay-moment.ts'
import type { Access } from '../http/access.ts'
import { type HeaderLines, headerLine } from '../http/headers.ts'
import type { Host, MarketView } from '../http/host.ts'
import type { PageUse } from '../http/page-use.ts'

export interface ReplayOptions extends NoHistory {
  /** Reads the archive. Undefined if this service keeps none; then every route says so. */
  readonly archive: ArchiveReader | undefined
  readonly access: Access
  readonly pageUse?: PageUse | undefined
  /** First day about which requests are allowed. */
  readonly from: IsoDate
  /** Time zone of printed times, and shape of answers, if a request names none. */
  readonly times: Zone
  readonly shape: AnswerShape
  /** Returns the current time. Requests about later moments get no data. */
  readonly now: () => Instant
}

const at: Parameter<Instant> = {
  in: 'query',
  schema: Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2})?$',
    description: 'a New York moment, yyyy-MM-ddTHH:mm:ss or yyyy-MM-dd (16:00:00 of that day), without a zone',
    examples: ['2026-07-29T15:30:00']
  }),
  required: true,
  code: 'invalid_at',
  missing: 'invalid_at',
  example: '2026-07-29T15:30:00',
  read: parseMoment,
  absent: undefined
}

const zones = ['utc', 'et'] as const satisfies readonly Zone[]

/** Parameter for the time zone of printed times. `usual` is the default of the plain shape. */
const tzOr = (usual: Zone): Parameter<Zone | undefined> => ({
  in: 'query',
  schema: Type.Unsafe<Zone>({
    type: 'string',
    enum: zones,
    default: usual,
    description: 'utc or et: the clock that times of the answer are printed on; et where shape is compatible'
  }),
  required: false,
  code: 'invalid_parameter',
  missing: 'invalid_parameter',
  example: 'et',
  read: (text) => zones.find((zone) => zone === text),
  absent: undefined
})

const shapeOr = (usual: AnswerShape): Parameter<AnswerShape> => ({
  in: 'query',
  schema: Type.Unsafe<AnswerShape>({
    type: 'string',
    enum: shapes,
    default: usual,
    description: 'plain or compatible: as declared here, or as existing clients of historical answers read it'
  }),
  required: false,
  code: 'invalid_parameter',
  missing: 'invalid_parameter',
  example: 'plain',
  read: (text) => shapes.find((shape) => shape === text),
  absent: usual
})

export function momentParameters(times: Zone, shape: AnswerShape) {
  return { at, tz: tzOr(shape === 'compatible' ? 'et' : times), shape: shapeOr(shape) }
}

/** Why a service has no archive to answer from. */
export interface NoHistory {
  /** Why it keeps none; undefined if that is not known. */
  readonly reason: string | undefined
  /** Whether there is one, whose files are damaged so that it cannot be opened. */
  readonly isDamaged?: boolean | undefined
}

/** Error of a service without an archive. Gives the reason, or says how to get an archive. */
export function noHistory({
  reason = 'start it with --history embedded, or with the address of a ClickHouse server',
  isDamaged
}: NoHistory): ApiError {
  if (isDamaged) return apiError('history_damaged', 'the history cannot be opened: its files are damaged')
  return apiError('history_off', `this service keeps no history: ${reason}`)
}

/**
 * The replay host: the same endpoints as on the live host, at a past moment that the request names. For plans that
 * include replay.
 */
export function replayHost({
  archive,
  reason,
  isDamaged,
  access,
  pageUse,
  from,
  times,
  shape: usual,
  now
}: ReplayOptions): Host {
  const parameters = momentParameters(times, usual)
  return {
    open: false,
    panels: false,
    defaultMarket: undefined,
    parameters,
    planRefusal: (account, endpoint) => {
      const { page } = account
      if (page === undefined)
        return access.entitlementRefusal(account, 'replay') ?? access.planRefusal(account, endpoint.plan)
      return pageUse!.covers(page, endpoint.id!, true) ? undefined : pageUse!.refusal(account, endpoint)
    },
    judgesPages: pageUse !== undefined,
    pageRefusal: (account, endpoint, params, { at: moment }) =>
      pageUse!.pastRefusal(account, endpoint, params, moment!),
    context(endpoint, query) {
      if (archive === undefined) throw noHistory({ reason, isDamaged })
      // No parameter depends on the date, so any date will do.
      const read = readParameters(parameters, {}, query, { today: from })
      const moment = read as { at: Instant; tz: Zone | undefined; shape: AnswerShape }
      const { shape, tz = shape === 'compatible' ? 'et' : times } = moment
      refuseOtherDay(endpoint, query)
      const market = (asked: Endpoint, params: Readonly<Record<string, unknown>>, deadline: Deadline) => {
        const empty = noDataReason(moment.at, { now: now(), from })
        if (empty !== undefined) throw apiError('no_data', empty)
        const symbols = asked.symbols(params as never)
        return marketAt(archive, new ReplayMarket(archive, moment.at, symbols, deadline), asked, symbols)
      }
      return { at: moment.at, today: easternDate(moment.at), zone: tz, shape, market }
    }
  }
}

/** Throws if a request has the parameter `date`. On this host the parameter `at` names the moment. */
function refuseOtherDay({ params }: Endpoint, query: Readonly<Record<string, unknown>>): void {
  if (!Object.hasOwn(params, 'date') || query['date'] === undefined) return
  throw apiError('invalid_parameter', 'date is not taken here: at names the moment', { parameter: 'date' })
}

/**
 * The market at a past moment. Throws if the requested symbol had not been recorded by then. A response that needs no
 * chain can also be computed from the symbol's prints, or from its last known price. If a request names several
 * symbols, those that were not recorded are left out.
 */
async function marketAt(
  archive: ArchiveReader,
  source: ReplayMarket,
  asked: Endpoint,
  symbols: readonly Ticker[]
): Promise<MarketView> {
  const inPath = Object.values(asked.params).some((parameter) => parameter.in === 'path')
  if (inPath) makeViewsAhead(source, asked, symbols[0])
  const resolved = (symbol: Ticker) =>
    source.resolved(symbol).catch(async (refusal: unknown) => {
      if (asked.needs.some((name) => inputNamed(name).isTapeEnough) && (await source.isTaped(symbol))) return undefined
      if (asked.needs.includes('lastKnown') && (await source.lastKnown(symbol)) !== undefined) return undefined
      throw refusal
    })
  const found = inPath ? await Promise.all(symbols.map(resolved)) : []
  const snapshots = found.filter((snapshot) => snapshot !== undefined)
  const headers = (chains: readonly ChainHeader[]) => momentLines(archive, source.now(), snapshots, chains)
  return { source, headers, end: source.end }
}

/**
 * Begins to compute the figures from prints that an endpoint reads. Meanwhile the snapshot is read and priced, which
 * takes about as long.
 */
function makeViewsAhead(source: ReplayMarket, { needs }: Endpoint, symbol: Ticker): void {
  for (const name of needs) {
    const { reads } = inputNamed(name)
    if (reads !== undefined) source.makeAhead({ symbol, ...reads })
  }
}

/**
 * Response headers with the requested moment, and with the time of the oldest snapshot behind the response. They say
 * `imported` if any of the snapshots was imported.
 */
function momentLines(
  archive: ArchiveReader,
  moment: Instant,
  snapshots: readonly StoredSnapshot[],
  chains: readonly ChainHeader[]
): HeaderLines {
  const lines = headerLine('x-replay-at', easternDateTime(moment))
  const seen = [...snapshots, ...chains.map((chain) => ({ asOf: chain.asOf, fidelity: archive.fidelityOf(chain) }))]
  if (seen.length === 0) return lines
  const oldest = seen.reduce((least, { asOf }) => Math.min(least, asOf), Number.POSITIVE_INFINITY)
  const imported = seen.some(({ fidelity }) => fidelity === 'imported')
  const fidelity = headerLine('x-replay-fidelity', imported ? 'imported' : 'recorded')
  return lines + headerLine('x-replay-as-of', easternDateTime(oldest)) + fidelity
}
