import Type from 'typebox'
import type { Deadline } from '../../api/deadline.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
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

export interface ReplayOptions {
  /** The archive; undefined if this service keeps no history, which every route then explains. */
  readonly archive: ArchiveReader | undefined
  readonly reason: string | undefined
  readonly access: Access
  /** First day that can be replayed. */
  readonly from: IsoDate
  /** Time zone of printed times, unless a request names one. */
  readonly times: Zone
  /** Current time; nothing later is known. */
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

/** Parameter for the time zone of printed times; `usual` is its default. */
const tzOr = (usual: Zone): Parameter<Zone> => ({
  in: 'query',
  schema: Type.Unsafe<Zone>({
    type: 'string',
    enum: zones,
    default: usual,
    description: 'utc or et: the clock that times of the answer are printed on'
  }),
  required: false,
  code: 'invalid_parameter',
  missing: 'invalid_parameter',
  example: 'et',
  read: (text) => zones.find((zone) => zone === text),
  absent: usual
})

export function momentParameters(times: Zone) {
  return { at, tz: tzOr(times) }
}

/** Error for a service without an archive: the reason, and how to get one. */
export function historyOff(reason = 'start it with --history embedded, or with the address of a ClickHouse server') {
  return apiError('history_off', `this service keeps no history: ${reason}`)
}

/** The replay host: the declared endpoints at a moment that the request names, for plans that include replay. */
export function replayHost({ archive, reason, access, from, times, now }: ReplayOptions): Host {
  const parameters = momentParameters(times)
  return {
    open: false,
    defaultMarket: undefined,
    parameters,
    planRefusal: (account, { plan }) =>
      access.entitlementRefusal(account, 'replay') ?? access.planRefusal(account, plan),
    context(endpoint, query) {
      if (archive === undefined) throw historyOff(reason)
      // Neither parameter depends on the date.
      const moment = readParameters(parameters, {}, query, { today: from }) as { at: Instant; tz: Zone }
      refuseOtherDay(endpoint, query)
      const market = (asked: Endpoint, params: Readonly<Record<string, unknown>>, deadline: Deadline) => {
        const empty = noDataReason(moment.at, { now: now(), from })
        if (empty !== undefined) throw apiError('no_data', empty)
        const symbols = asked.symbols(params as never)
        return marketAt(archive, new ReplayMarket(archive, moment.at, symbols, deadline), asked, symbols)
      }
      return { today: easternDate(moment.at), zone: moment.tz, market }
    }
  }
}

/** Refuses the parameter by which an endpoint describes another day: on this host `at` names the day. */
function refuseOtherDay({ params }: Endpoint, query: Readonly<Record<string, unknown>>): void {
  if (!Object.hasOwn(params, 'date') || query['date'] === undefined) return
  throw apiError('invalid_parameter', 'date is not taken here: at names the moment', { parameter: 'date' })
}

/**
 * The market at a moment. Refuses a symbol that was not recorded by then: its chain or, for a response that needs no
 * chain, its tape or anything last known of it. Basket members that were not recorded are left out.
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
 * Starts to compute the tape views that an endpoint reads while its snapshot is read and priced, which takes about as
 * long.
 */
function makeViewsAhead(source: ReplayMarket, { needs }: Endpoint, symbol: Ticker): void {
  for (const name of needs) {
    const { reads } = inputNamed(name)
    if (reads !== undefined) source.makeAhead({ symbol, ...reads })
  }
}

/**
 * Headers for the requested moment and for the oldest snapshot behind the response; they say `imported` if a snapshot
 * was imported.
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
