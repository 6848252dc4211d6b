import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/accounts.ts'
import { apiError } from '../../api/error.ts'
import { bulkForms } from '../../api/rows/forms.ts'
import { textSerializerOf } from '../../api/serializer.ts'
import type { After } from '../../facts/bounded-wait.ts'
import { authorize, checkQuota, takenRefusal } from '../http/authorize.ts'
import { encodingFor, preferredType } from '../http/content-negotiation.ts'
import { contentLines, headerLine, rateLines, setHeaders } from '../http/headers.ts'
import { readJson } from '../http/json-body.ts'
import { type BulkGroup, groupsOf, mostRowsOf } from './bulk-groups.ts'
import { type BulkRequest, readBulk } from './bulk-request.ts'
import { bulkPlanShape, requestShape } from './bulk-shapes.ts'
import type { BulkSlots } from './bulk-slots.ts'
import type { BulkHosts, BulkQuestion } from './bulk-source.ts'
import { type BulkProgress, bulkBytes } from './bulk-stream.ts'
import { type BulkJobs, jobPlan } from './jobs/bulk-jobs.ts'
import { mountBulkJobs, type Planned } from './jobs/mount-jobs.ts'

export const bulkPath = '/v1/bulk'
export const bulkColumnsPath = '/v1/bulk/columns'

export interface BulkOptions extends BulkHosts {
  readonly slots: BulkSlots
  readonly jobs: BulkJobs
  readonly onFault: (error: unknown) => void
}

const terms = { plan: 'growth', keys: 'counted' } as const
/** Groups of a response, of callers that may ask about the past and of others. */
const MAX_GROUPS = 2000
const MAX_GROUPS_OF_NOW = 500
const MAX_GROUPS_OF_JOB = 200_000
const MAX_SYMBOLS_OF_RESPONSE = 100
/** Rows times columns of figures over time. */
const MAX_CELLS = 20_000_000
const MAX_CELLS_OF_JOB = 200_000_000
/** A reader that takes nothing for so many milliseconds is let go. */
const PATIENCE = 60_000

const writePlan = textSerializerOf(bulkPlanShape)

/** Adds the operations that answer many symbols and moments as one table. */
export function mountBulk(app: FastifyInstance, options: BulkOptions): void {
  const onRequest = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    const { account, refusal } = authorize(terms, request, options)
    request.account = account
    if (refusal !== undefined) throw refusal
    done()
  }
  app.post(bulkColumnsPath, { onRequest }, async (request, reply) => {
    await checkQuota(request, options)
    const account = request.account!
    const { read, groups } = await planned(bodyOf(request), account, options, MAX_GROUPS_OF_JOB)
    const { source, shape, table } = read
    const tables = [undefined, ...source.rowNames].map((rows) => {
      const { columns } = source.table({ ...shape, rows, fields: undefined })
      return { rows, columns: columns.length }
    })
    const count = groups.length
    const isForJob = options.access.planRefusal(account, jobPlan) === undefined
    const fits =
      sizeRefusal({ read, groups }, account, options) === undefined ? 'response' : isForJob ? 'job' : 'neither'
    setHeaders(reply, contentLines(account) + rateLines(account, request.used, options.quota, options.wallNow()))
    return reply.send(writePlan({ columns: table.columns, tables, groups: count, cost: count, fits }))
  })
  app.post(bulkPath, { onRequest }, async (request, reply) => {
    const account = request.account!
    const plan = await planned(bodyOf(request), account, options, 10 * MAX_GROUPS)
    const { read, groups } = plan
    const refusal = sizeRefusal(plan, account, options)
    if (refusal !== undefined) throw refusal
    const asked = { request: read, account, format: formatOf(read, request) }
    return respond(asked, groups, { request, reply }, options)
  })
  const ofJob = async (sent: unknown, account: Account) => {
    const plan = await planned(sent, account, options, MAX_GROUPS_OF_JOB)
    if (plan.groups.length === 0) throw apiError('no_data', 'nothing is recorded of these symbols at these moments')
    return plan
  }
  mountBulkJobs(app, options.jobs, ofJob, options)
}

const bodyOf = (request: FastifyRequest) => readJson(request, { schema: requestShape })

async function planned(sent: unknown, account: Account, options: BulkOptions, most: number): Promise<Planned> {
  const { access, archive } = options
  const read = readBulk(sent, options)
  const refusal =
    access.planRefusal(account, read.source.plan) ??
    (read.moments === 'now' ? undefined : access.entitlementRefusal(account, 'replay'))
  if (refusal !== undefined) throw refusal
  const groups = await groupsOf(read, archive, most)
  if (groups[0] !== undefined) read.source.check(groups[0], options)
  const tooMany = cellRefusal({ read, groups }, MAX_CELLS_OF_JOB)
  if (tooMany !== undefined) throw tooMany
  return { read, groups }
}

/** Error for a request that one response cannot hold. */
function sizeRefusal(plan: Planned, account: Account, { access }: BulkOptions) {
  const { read, groups } = plan
  const most = access.allows(account, 'replay') ? MAX_GROUPS : MAX_GROUPS_OF_NOW
  if (groups.length > most) {
    const found = `${groups.length} groups are asked for`
    return apiError('too_many_groups', `${found}; a response has at most ${most}, a job more`)
  }
  const { length } = read.symbols
  if (length <= MAX_SYMBOLS_OF_RESPONSE) return cellRefusal(plan, MAX_CELLS, ', a job more')
  const found = `${length} symbols are asked for`
  return apiError('too_many_groups', `${found}; a response has at most ${MAX_SYMBOLS_OF_RESPONSE}, a job more`)
}

/** Error for figures over time that are more than `most` cells. */
function cellRefusal({ read, groups }: Planned, most: number, more = '') {
  const cells = mostRowsOf(groups) * read.table.columns.length
  if (cells <= most) return undefined
  const found = `up to ${cells} cells, rows times columns, are asked for`
  return apiError(
    'too_many_groups',
    `${found}; there may be at most ${most}${more}: name fewer fields or a longer step`
  )
}

function formatOf({ format }: BulkRequest, { headers }: FastifyRequest): string {
  if (format !== undefined) return format
  const type = preferredType(
    bulkForms.map(({ type }) => type),
    headers.accept
  )
  return (bulkForms.find((form) => form.type === type) ?? bulkForms[0]).name
}

async function respond(
  asked: BulkQuestion & { readonly account: Account },
  groups: readonly BulkGroup[],
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  options: BulkOptions
) {
  const { account, format } = asked
  const { slots, quota, wallNow, after, onFault } = options
  const ended = slots.begin(account.userId)
  const isCounted = account.uncounted !== 'all'
  const cost = isCounted ? groups.length : 0
  const taken = isCounted ? await quota.take(account, cost) : { allowed: true, used: 0 }
  if (!taken.allowed) {
    ended()
    throw takenRefusal(taken, account, options, `${cost} requests are needed, and fewer are left today`)
  }
  request.used = taken.used
  const progress: BulkProgress = { answered: 0 }
  let isFinished = false
  const finish = () => {
    if (isFinished) return
    isFinished = true
    ended()
    if (isCounted) quota.refund(account, groups.length - progress.answered)
  }
  const bytes = bulkBytes(asked, groups, options, { slots, progress, onFault })
  // The first bytes decide between an answer and an error; from then on the status cannot change.
  const first = await bytes.next().catch((error: unknown) => {
    finish()
    throw error
  })
  const letGo = () => reply.raw.destroy()
  const body = Readable.from(paced(first, bytes, { after, letGo, finish }), { objectMode: false })
  body.once('close', finish) // the reader may have gone before it took the first byte
  const form = bulkForms.find(({ name }) => name === format)!
  const isText = form.type !== 'application/vnd.apache.arrow.stream'
  const isPacked =
    isText && encodingFor(`${request.headers['accept-encoding'] ?? ''}`.replace(/\bbr\b/g, ''), 1e6) === 'gzip'
  let lines = contentLines(account, form.type) + rateLines(account, taken.used, quota, wallNow())
  lines += headerLine('vary', 'accept, accept-encoding, origin')
  lines += headerLine('x-bulk-groups', `${groups.length}`) + headerLine('x-bulk-cost', `${cost}`)
  if (isPacked) lines += headerLine('content-encoding', 'gzip')
  setHeaders(reply, lines)
  if (!isPacked) return reply.send(body)
  const packed = createGzip({ level: 4 })
  body.on('error', (error) => packed.destroy(error))
  packed.on('close', () => body.destroy())
  return reply.send(body.pipe(packed))
}

interface Pace {
  readonly after: After
  readonly letGo: () => void
  readonly finish: () => void
}

/** Passes bytes on as they are taken. A reader that takes none for too long is let go; `finish` is called at any end. */
async function* paced(
  first: IteratorResult<Uint8Array, void>,
  rest: AsyncGenerator<Uint8Array, void>,
  { after, letGo, finish }: Pace
): AsyncGenerator<Uint8Array, void> {
  try {
    for (let next = first; !next.done; next = await rest.next()) {
      const cancel = after(PATIENCE, letGo)
      try {
        yield next.value
      } finally {
        cancel()
      }
    }
  } finally {
    await rest.return()
    finish()
  }
}
