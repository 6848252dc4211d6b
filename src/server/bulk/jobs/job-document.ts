import type { ErrorCode } from '../../../api/error.ts'
import { bulkForms } from '../../../api/rows/forms.ts'
import { errorResponses, headersOf, jsonOf, type Piece, rateLimitHeaders } from '../../openapi/errors.ts'
import { requestBodyOf } from '../../openapi/openapi.ts'
import type { LiveOnly } from '../../replay/live-only.ts'
import { refusals } from '../bulk-refusals.ts'
import { jobPlan } from './bulk-jobs.ts'
import { jobListShape, jobRequestExample, jobRequestShape, jobShape } from './job-shapes.ts'
import { jobPath, jobsPath, partPath } from './mount-jobs.ts'

/** Routes of jobs, which exist on the live host only. */
export const jobRoutes: readonly LiveOnly[] = [
  { method: 'POST', path: jobsPath },
  { method: 'GET', path: jobsPath },
  { method: 'GET', path: jobPath },
  { method: 'DELETE', path: jobPath },
  { method: 'GET', path: partPath }
]

const ofCaller: readonly ErrorCode[] = ['unauthorized', 'tier_restricted', 'internal_error']
const ofJob: readonly ErrorCode[] = [...ofCaller, 'quota_exceeded', 'job_not_found']
const ofCreation: readonly ErrorCode[] = [
  'invalid_parameter',
  'no_data',
  'bulk_busy',
  'idempotency_conflict',
  'no_room',
  'storage_unavailable'
]
const common = { tags: ['bulk'], 'x-plan': jobPlan, deprecated: false }
const jobId = {
  name: 'job_id',
  in: 'path',
  required: true,
  description: 'the id of a job of the caller',
  schema: { type: 'string', maxLength: 29 },
  example: 'bj_0123456789ABCDEFGHJKMNPQRS'
}
const partNumber = {
  name: 'part',
  in: 'path',
  required: true,
  description: 'a part that the job lists, counted from 1',
  schema: { type: 'integer', minimum: 1 },
  example: 1
}
const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'the same request with the same key gets the job that it began before',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
  example: 'levels-2026-07'
}
const answered = (description: string, schema: unknown) => ({
  description,
  headers: headersOf(...rateLimitHeaders),
  content: jsonOf(schema)
})
const file = Object.fromEntries(
  bulkForms.map(({ type }) => [
    type,
    { schema: { type: 'string', ...(type.endsWith('.stream') && { format: 'binary' }) } }
  ])
)

/** OpenAPI descriptions of the operations on jobs. */
export const jobPaths: Readonly<Record<string, Piece>> = {
  [jobsPath]: {
    get: {
      operationId: 'listBulkJobs',
      summary: 'The bulk jobs of the caller, newest first',
      description: 'At most 100. A job is kept for a day after its end, unless the operator says otherwise.',
      ...common,
      parameters: [],
      responses: { 200: answered('the jobs', jobListShape), ...errorResponses([...ofCaller, 'quota_exceeded']) }
    },
    post: {
      operationId: 'createBulkJob',
      summary: 'Answers of many symbols and moments as files, made in the background',
      description:
        'For what is too much for one response: up to 200,000 groups of 500 symbols. The groups are taken from the quota at once; those without an answer, or never tried, are given back at the end.',
      ...common,
      parameters: [idempotencyKey],
      requestBody: requestBodyOf({ schema: jobRequestShape, example: jobRequestExample }),
      responses: {
        202: answered('the job, which has begun', jobShape),
        ...errorResponses([...refusals, ...ofCreation])
      }
    }
  },
  [jobPath]: {
    get: {
      operationId: 'getBulkJob',
      summary: 'How far a bulk job is, and its finished files',
      description: 'A finished part can be read while the job goes on. The job outlasts a restart of the service.',
      ...common,
      parameters: [jobId],
      responses: { 200: answered('the job', jobShape), ...errorResponses(ofJob) }
    },
    delete: {
      operationId: 'cancelBulkJob',
      summary: 'Ends a bulk job and removes its files',
      description: 'What was not tried is given back to the quota. A job that had ended loses its files.',
      ...common,
      parameters: [jobId],
      responses: { 200: answered('the job as it ended', jobShape), ...errorResponses(ofJob) }
    }
  },
  [partPath]: {
    get: {
      operationId: 'getBulkPart',
      summary: 'One file of a bulk job',
      description: 'Whole or by Range, with the SHA-256 of the file as ETag; it takes HEAD. Not counted by the quota.',
      ...common,
      parameters: [jobId, partNumber],
      responses: {
        200: { description: 'the file', headers: headersOf(...rateLimitHeaders), content: file },
        206: { description: 'the range that was asked for', content: file },
        304: { description: 'the file named in If-None-Match still holds' },
        ...errorResponses([...ofJob, 'part_not_found', 'range_not_satisfiable'])
      }
    }
  }
}
