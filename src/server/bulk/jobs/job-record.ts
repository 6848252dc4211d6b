import { randomBytes } from 'node:crypto'
import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { Nullable, Words } from '../../../api/quantity.ts'

export const jobStates = ['waiting', 'running', 'done', 'failed', 'cancelled', 'expired'] as const
export type JobState = (typeof jobStates)[number]

const count = Type.Integer({ minimum: 0 })
const groupKey = Type.Object({ symbol: Type.String(), at: Nullable(Type.String()) })
export type GroupKey = Static<typeof groupKey>

/** What a part holds so far. `groups` counts those that were answered; rows of absent ones are in `rows` too. */
const content = {
  groups: count,
  rows: count,
  bytes: count,
  first: Type.Optional(groupKey),
  last: Type.Optional(groupKey)
}
const openPart = Type.Object(content)
export type OpenPart = Static<typeof openPart>

const finishedPart = Type.Object({ ...content, sha256: Type.String() })

/** A job as its folder keeps it. Times are epoch milliseconds. */
const recordShape = Type.Object({
  id: Type.String(),
  userId: Type.String(),
  /** Whether the groups count against the quota. */
  isCounted: Type.Boolean(),
  /** Version of the program that makes the parts. */
  program: Type.String(),
  /** The Idempotency-Key that came with the request. */
  key: Type.Optional(Type.String()),
  /** The request as it was sent. */
  request: Type.Unknown(),
  format: Type.String(),
  state: Words(...jobStates),
  createdAt: Type.Number(),
  startedAt: Type.Optional(Type.Number()),
  endedAt: Type.Optional(Type.Number()),
  /** End of the day of the quota that the groups were taken from. */
  resetsAt: Type.Number(),
  total: count,
  /** Groups that were tried and are written; the next one is behind them. */
  tried: count,
  answered: count,
  /** Groups without an answer, by the code of their error. */
  absent: Type.Record(Type.String(), count),
  parts: Type.Array(finishedPart),
  /** The part that is being written, as far as it is safely on the disk. */
  open: Type.Optional(openPart),
  message: Type.Optional(Type.String())
})
export type JobRecord = Omit<Static<typeof recordShape>, 'key' | 'open' | 'message'> & {
  key?: string | undefined
  open?: OpenPart | undefined
  message?: string | undefined
}

/** Reads a record of the disk; undefined for anything else. */
export function readRecord(text: string): JobRecord | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return Value.Check(recordShape, json) && isJobId(json.id) ? json : undefined
  } catch {
    return undefined
  }
}

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A new id that cannot be guessed. */
export const newJobId = () => `bj_${[...randomBytes(26)].map((byte) => letters[byte & 31]).join('')}`
export const isJobId = (text: string) => /^bj_[0-9A-HJKMNP-TV-Z]{26}$/.test(text)

export const isUnfinished = ({ state }: JobRecord) => state === 'waiting' || state === 'running'

/** Bytes of a job on the disk. */
export const diskBytesOf = ({ parts, open }: JobRecord) =>
  parts.reduce((sum, { bytes }) => sum + bytes, 0) + (open?.bytes ?? 0)

export const absentOf = ({ absent }: JobRecord) => Object.values(absent).reduce((sum, groups) => sum + groups, 0)
