import { createReadStream } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../../accounts/accounts.ts'
import { apiError } from '../../../api/error.ts'
import { bulkForms } from '../../../api/rows/forms.ts'
import { textSerializerOf } from '../../../api/serializer.ts'
import { authorize, checkQuota, onceChecked } from '../../http/authorize.ts'
import { byteRange } from '../../http/byte-range.ts'
import { contentLines, headerLine, rateLines, setHeaders } from '../../http/headers.ts'
import { readJson } from '../../http/json-body.ts'
import type { BulkGroup } from '../bulk-groups.ts'
import type { BulkRequest } from '../bulk-request.ts'
import type { BulkHosts } from '../bulk-source.ts'
import { type BulkJobs, jobPlan } from './bulk-jobs.ts'
import type { JobRecord } from './job-record.ts'
import { jobListShape, jobRequestShape, jobShape, jobView } from './job-shapes.ts'

export const jobsPath = '/v1/bulk/jobs'
export const jobPath = '/v1/bulk/jobs/{job_id}'
export const partPath = '/v1/bulk/jobs/{job_id}/parts/{part}'

/** Reads a bulk request of a caller, and finds its groups. Throws if a job cannot do it. */
export type PlanJob = (sent: unknown, account: Account) => Promise<Planned>

export interface Planned {
  readonly read: BulkRequest
  readonly groups: readonly BulkGroup[]
}

const terms = { plan: jobPlan, keys: 'counted' } as const
const writeJob = textSerializerOf(jobShape)
const writeList = textSerializerOf(jobListShape)

/** Adds the routes with which users make bulk jobs and fetch their files. */
export function mountBulkJobs(app: FastifyInstance, jobs: BulkJobs, plan: PlanJob, options: BulkHosts): void {
  const { quota, wallNow } = options
  const url = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')
  const check = (request: FastifyRequest) => {
    const { account, refusal } = authorize(terms, request, options)
    request.account = account
    if (refusal !== undefined) throw refusal
  }
  const onRequest = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    check(request)
    done()
  }
  const counted = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    check(request)
    onceChecked(checkQuota(request, options), done)
  }
  const send = (request: FastifyRequest, reply: FastifyReply, text: string) => {
    const account = request.account!
    const used = quota.used(account)
    setHeaders(reply, contentLines(account) + rateLines(account, used, quota, wallNow()))
    return reply.header('cache-control', 'no-store').send(text)
  }
  const written = (record: JobRecord) => writeJob(jobView(record, jobs.expiresAt(record)))
  const jobOf = (request: FastifyRequest) => {
    const { job_id: id } = request.params as { readonly job_id: string }
    return jobs.get(request.account!.userId, id)
  }

  app.post(jobsPath, { onRequest }, async (request, reply) => {
    const body = readJson(request, { schema: jobRequestShape })
    const { request: sent, ...more } = (typeof body === 'object' && body !== null ? body : {}) as Body
    if (sent === undefined || Object.keys(more).length > 0) {
      throw apiError('invalid_body', 'the body must be {"request": …} and nothing else')
    }
    const key = idempotencyKey(request)
    const record = await jobs.create(request.account!, { key, sent, ...(await plan(sent, request.account!)) })
    reply.code(202).header('location', `${jobsPath}/${record.id}`)
    return send(request, reply, written(record))
  })
  app.get(jobsPath, { onRequest: counted }, async (request, reply) => {
    const own = jobs.list(request.account!.userId)
    return send(request, reply, writeList({ jobs: own.map((record) => jobView(record, jobs.expiresAt(record))) }))
  })
  app.get(url(jobPath), { onRequest: counted }, async (request, reply) => send(request, reply, written(jobOf(request))))
  app.delete(url(jobPath), { onRequest: counted }, async (request, reply) => {
    const { id, userId } = jobOf(request)
    return send(request, reply, written(await jobs.cancel(userId, id)))
  })
  app.route({
    method: ['GET', 'HEAD'],
    url: url(partPath),
    onRequest,
    handler: async (request, reply) => {
      const account = request.account!
      setHeaders(reply, rateLines(account, quota.used(account), quota, wallNow()))
      return sendPart(jobOf(request), jobs, request, reply)
    }
  })
}

function idempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || /^[\w-]{1,64}$/.test(`${key}`)) return key as string | undefined
  throw apiError('invalid_parameter', 'Idempotency-Key must be 1 to 64 letters, digits, underscores and hyphens', {
    parameter: 'Idempotency-Key'
  })
}

interface Body {
  readonly request?: unknown
}

/** Sends a finished part, or the range of it that is asked for. Parts do not count against the quota. */
function sendPart(record: JobRecord, jobs: BulkJobs, request: FastifyRequest, reply: FastifyReply) {
  const { part: text } = request.params as { readonly part: string }
  const number = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 0
  const part = record.parts[number - 1]
  if (part === undefined) throw apiError('part_not_found')
  const { bytes, sha256 } = part
  const etag = `"${sha256}"`
  const { type } = bulkForms.find(({ name }) => name === record.format)!
  let lines = contentLines(request.account!, type) + headerLine('etag', etag) + headerLine('accept-ranges', 'bytes')
  lines += headerLine('vary', 'origin')
  setHeaders(reply, lines)
  const { range, 'if-range': condition, 'if-none-match': held } = request.headers
  if (held !== undefined && (held === '*' || held.includes(etag))) return reply.code(304).send()
  const wanted = condition === undefined || condition === etag ? byteRange(range, bytes) : undefined
  if (wanted === 'unsatisfiable') {
    reply.header('content-range', `bytes */${bytes}`)
    throw apiError('range_not_satisfiable', `the part has ${bytes} bytes`)
  }
  const { first, last } = wanted ?? { first: 0, last: bytes - 1 }
  if (wanted !== undefined) reply.code(206).header('content-range', `bytes ${first}-${last}/${bytes}`)
  reply.header('content-length', last - first + 1)
  if (request.method === 'HEAD') return reply.send()
  return reply.send(createReadStream(jobs.partPath(record, number), { start: first, end: last }))
}
