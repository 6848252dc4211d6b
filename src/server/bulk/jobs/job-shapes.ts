import Type, { type Static } from 'typebox'
import { Count, Nullable, Timestamp, Words } from '../../../api/quantity.ts'
import { isoInstant } from '../../../market/units.ts'
import { requestExample, requestShape } from '../bulk-shapes.ts'
import { absentOf, isUnfinished, type JobRecord, jobStates } from './job-record.ts'

/** Body of a new job. */
export const jobRequestShape = Type.Object(
  { request: requestShape },
  { title: 'BulkJobRequest', additionalProperties: false }
)
export const jobRequestExample = { request: requestExample }

const groupKey = Type.Object(
  { symbol: Type.String(), at: Nullable(Timestamp('null for now')) },
  { title: 'BulkJobGroup' }
)

const partShape = Type.Object(
  {
    part: Count('from 1'),
    rows: Count(),
    bytes: Count(),
    sha256: Type.String({ description: 'of the file, also its ETag' }),
    first: groupKey,
    last: groupKey
  },
  { title: 'BulkJobPart' }
)

/** Answer about a job. */
export const jobShape = Type.Object(
  {
    id: Type.String(),
    state: Words(...jobStates),
    request: requestShape,
    created_at: Timestamp(),
    started_at: Nullable(Timestamp()),
    ended_at: Nullable(Timestamp()),
    expires_at: Nullable(Timestamp('files and job are removed then; null before the end')),
    groups: Type.Object(
      { total: Count(), answered: Count(), absent: Count('those without an answer'), waiting: Count() },
      { title: 'BulkJobGroups' }
    ),
    rows: Count('of the parts that are listed'),
    cost: Count('requests of the quota: all groups until the job ends, then those that were answered'),
    parts: Type.Array(partShape, { description: 'finished files; one that is listed does not change' }),
    errors: Type.Array(Type.Object({ error: Type.String(), groups: Count() }, { title: 'BulkJobError' }), {
      description: 'absent groups by the code of their error'
    }),
    version: Type.String({ description: 'of the service; a job that outlives an upgrade fails with formulas_changed' }),
    message: Nullable(Type.String({ description: 'why the job failed' }))
  },
  { title: 'BulkJob' }
)

export const jobListShape = Type.Object({ jobs: Type.Array(jobShape, { maxItems: 100 }) }, { title: 'BulkJobList' })

const momentOf = (at: number | undefined) => (at === undefined ? null : isoInstant(at))

export function jobView(record: JobRecord, expiresAt: number | undefined): Static<typeof jobShape> {
  const { total, answered, parts, isCounted } = record
  const absent = absentOf(record)
  const charged = isUnfinished(record) ? total : answered
  return {
    id: record.id,
    state: record.state,
    request: record.request as Static<typeof requestShape>,
    created_at: isoInstant(record.createdAt),
    started_at: momentOf(record.startedAt),
    ended_at: momentOf(record.endedAt),
    expires_at: momentOf(expiresAt),
    groups: { total, answered, absent, waiting: total - answered - absent },
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
    cost: isCounted ? charged : 0,
    parts: parts.map(({ rows, bytes, sha256, first, last }, k) => ({
      part: k + 1,
      rows,
      bytes,
      sha256,
      first: first!,
      last: last!
    })),
    errors: Object.entries(record.absent).map(([error, groups]) => ({ error, groups })),
    version: record.program,
    message: record.message ?? null
  }
}
