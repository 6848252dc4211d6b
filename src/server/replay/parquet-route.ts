import { send } from '@fastify/send'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import Type from 'typebox'
import type { Account } from '../../accounts/accounts.ts'
import { byDeadline, deadlineIn } from '../../api/deadline.ts'
import { apiError } from '../../api/error.ts'
import { date, type Parameter, readParameters, symbolInPath, type ValuesOf } from '../../api/params.ts'
import type { HistoryStore } from '../../archive/history-store.ts'
import { type ParquetFile, type ParquetFiles, type ParquetTable, parquetTables } from '../../archive/parquet-files.ts'
import { session } from '../../market/calendar.ts'
import { parentOfRoot } from '../../market/security.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { entriesUpTo } from '../../memory/entries-up-to.ts'
import { type AuthorizeOptions, checkCaller, refund, takenRefusal } from '../http/authorize.ts'
import { headerLine, rateLines, setHeaders } from '../http/headers.ts'
import type { MountOptions } from '../http/mount-endpoints.ts'
import { asApiError } from '../http/refusal.ts'
import { type NoHistory, noHistory } from './replay-host.ts'

export interface ParquetRouteOptions
  extends AuthorizeOptions,
    Pick<MountOptions, 'requestDeadline' | 'after' | 'steadyNow'>,
    NoHistory {
  readonly history: HistoryStore | undefined
  readonly files: ParquetFiles | undefined
  readonly from: IsoDate
  readonly now: () => Instant
}

export const parquetPath = '/v1/files/{symbol}/{session}/{table}.parquet'

const table: Parameter<ParquetTable> = {
  in: 'path',
  schema: Type.Unsafe<ParquetTable>({
    type: 'string',
    enum: parquetTables,
    description: 'quotes of all contracts, prints of options, or series: figures over time'
  }),
  required: true,
  code: 'invalid_parameter',
  missing: 'invalid_parameter',
  example: 'series',
  read: (text) => parquetTables.find((name) => name === text),
  absent: undefined
}

export const parquetParameters = {
  symbol: symbolInPath('no_coverage'),
  session: {
    ...date({
      description: 'a session that is over',
      code: 'invalid_parameter',
      required: true,
      example: '2026-07-29'
    }),
    in: 'path'
  },
  table
} as const

const terms = { plan: 'free', keys: 'counted' } as const
/** The last prints and figures of a session are in the archive this long after its close, milliseconds. */
const SETTLES_WITHIN = 30 * MILLISECONDS_PER_MINUTE
/** A file costs one request for each so many bytes, once a day, however it is read. */
const BYTES_PER_REQUEST = 1_000_000
const MAX_PAID = 10_000

/** Adds the files of single sessions, which programs read by address, in parts if they like. */
export function mountParquetFiles(app: FastifyInstance, options: ParquetRouteOptions): void {
  const { quota, wallNow, requestDeadline, after, steadyNow } = options
  app.addHook('onClose', () => options.files?.close())
  const paid = new LRUCache<string, true>(entriesUpTo(MAX_PAID))
  app.route({
    method: ['GET', 'HEAD'],
    url: parquetPath.replace(/\{(\w+)\}/g, ':$1'),
    async handler(request, reply) {
      await checkCaller(terms, request, options)
      const account = request.account!
      try {
        const deadline = deadlineIn(requestDeadline, steadyNow)
        const { file, folder } = await byDeadline(fileOf(request.params as never, options), deadline, after)
        const name = `${account.userId} ${file.name} ${file.bytes} ${new Date(wallNow()).toISOString().slice(0, 10)}`
        const cost = paid.has(name) ? 0 : Math.max(1, Math.ceil(file.bytes / BYTES_PER_REQUEST))
        request.used = await pay(account, cost, options)
        paid.set(name, true)
        const { statusCode, headers, stream } = await send(request.raw, file.name, {
          root: folder,
          cacheControl: false
        })
        let lines = rateLines(account, request.used, quota, wallNow()) + headerLine('x-bulk-cost', `${cost}`)
        lines += headerLine('cache-control', 'private, no-cache') + headerLine('vary', 'origin')
        setHeaders(reply, lines)
        return reply
          .code(statusCode)
          .headers({ ...headers, 'content-type': 'application/vnd.apache.parquet' })
          .send(stream)
      } catch (error) {
        if (asApiError(error).status >= 500) refund(account, quota)
        throw error
      }
    }
  })
}

/** Takes what a file costs; the request itself was counted as one. Returns the requests used today. */
async function pay(account: Account, cost: number, options: ParquetRouteOptions): Promise<number> {
  const { quota } = options
  if (account.uncounted === 'all') return 0
  if (cost === 0) quota.refund(account)
  if (cost <= 1) return quota.used(account)
  const taken = await quota.take(account, cost - 1)
  if (taken.allowed) return taken.used
  throw takenRefusal(taken, account, options, `this file costs ${cost} requests, and fewer are left today`)
}

async function fileOf(
  path: Readonly<Record<string, string>>,
  { history, files, reason, isDamaged, from, now }: ParquetRouteOptions
): Promise<{ readonly file: ParquetFile; readonly folder: string }> {
  if (history === undefined || files === undefined) throw noHistory({ reason, isDamaged })
  const asked = readParameters(parquetParameters, path, {}, { today: from }) as ValuesOf<typeof parquetParameters>
  const symbol = parentOfRoot(asked.symbol) ?? asked.symbol
  const hours = session(asked.session!)
  if (hours === undefined) throw apiError('no_data', `${asked.session} has no session`)
  const isOver = hours.close + SETTLES_WITHIN <= now()
  if (!isOver) throw apiError('no_data', `the session of ${hours.date} is given half an hour after its close`)
  const coverage = await history.coverage(symbol)
  if (coverage === undefined) throw apiError('no_coverage')
  const day = coverage.days.find(({ date }) => date === hours.date)
  const isHeld = { quotes: day?.hasOptions, series: day !== undefined, prints: day?.hasTape }[asked.table]
  if (hours.date < from || isHeld !== true) {
    throw apiError('no_data', `no ${asked.table} of ${symbol} are recorded of ${hours.date}`)
  }
  if (asked.table === 'series' && (await isWaiting(history, symbol, hours))) {
    throw apiError('data_loading', `figures of ${symbol} of ${hours.date} are being made: try again shortly`, {}, 5)
  }
  return { file: await files.file({ symbol, session: hours.date, table: asked.table }), folder: files.folder }
}

/** Whether figures of a session wait to be made: a file made now would miss them for good. */
async function isWaiting(
  history: HistoryStore,
  symbol: Parameters<HistoryStore['coverage']>[0],
  { date, close }: { readonly date: IsoDate; readonly close: Instant }
): Promise<boolean> {
  const waiting = await history.waitingFigures(close + SETTLES_WITHIN, symbol)
  return waiting.some((day) => day.date === date && day.moments.length > 0)
}
