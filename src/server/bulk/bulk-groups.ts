import { apiError } from '../../api/error.ts'
import { session } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import { readSymbol } from '../../market/security.ts'
import { type Instant, isoInstant } from '../../market/units.ts'
import { firstMomentOf, parseMoment } from '../../replay/replay-moment.ts'
import type { BulkArchive } from './bulk-archive.ts'
import { type BulkRange, momentsNamed, spanOf } from './bulk-moments.ts'
import type { BulkRequest } from './bulk-request.ts'
import { steps } from './bulk-shapes.ts'
import { stretchesOf } from './bulk-stretches.ts'

/** One part of a request: a symbol as it was asked for, at a past moment or now (undefined), or over a stretch of time. */
export interface BulkGroup {
  readonly symbol: string
  /** The moment; the first one of a stretch. */
  readonly at: Instant | undefined
  readonly stretch?: BulkStretch | undefined
}

export interface BulkStretch {
  /** The last moment. */
  readonly to: Instant
  /** Most rows that there can be. */
  readonly rows: number
}

/**
 * Groups of a request in the order of its answer: symbols as they were asked for, moments ascending. Throws if moments
 * cannot be read, if there are more than `most`, or if `resume_from` is none of them.
 */
export async function groupsOf(
  { source, symbols, moments, table, resumeFrom }: BulkRequest,
  archive: BulkArchive,
  most: number
): Promise<readonly BulkGroup[]> {
  const groups: BulkGroup[] = []
  const named = moments === 'now' ? [undefined] : 'at' in moments ? momentsNamed(moments.at) : undefined
  const inRange = source.inStretches ? stretchesOf : momentsIn
  for (const symbol of symbols) {
    const found =
      named?.map((at) => ({ symbol, at })) ??
      (await inRange(symbol, moments as BulkRange, archive, table.columns.length))
    groups.push(...found)
    if (groups.length > most) {
      throw apiError('too_many_groups', `more than ${most} groups are asked for: ask for fewer symbols or moments`)
    }
  }
  return resumeFrom === undefined ? groups : groupsFrom(resumeFrom, groups)
}

/** The moment of a group as its rows have it; of a stretch the first. */
export const momentText = ({ at }: BulkGroup): string | null => (at === undefined ? null : isoInstant(at))

/** Most rows of groups that are stretches of time. */
export const mostRowsOf = (groups: readonly BulkGroup[]) =>
  groups.reduce((sum, { stretch }) => sum + (stretch?.rows ?? 0), 0)

/** The last recorded snapshot of each step, counted from the open of its session. */
async function momentsIn(symbol: string, range: BulkRange, archive: BulkArchive): Promise<readonly BulkGroup[]> {
  const { start, end } = spanOf(range)
  const ticker = readSymbol(symbol)
  if (ticker === undefined) return []
  const last = new Map<string, Instant>()
  const step = steps[range.every]
  for (const { asOf } of await archive.moments(ticker, start, end)) {
    const date = easternDate(asOf)
    const hours = session(date)
    if (hours === undefined || asOf < hours.open) continue
    const at = firstMomentOf(asOf)
    last.set(step === 'session' ? date : `${date} ${Math.floor((asOf - hours.open) / step)}`, at)
  }
  return [...last.values()].map((at) => ({ symbol, at }))
}

type ResumeFrom = NonNullable<BulkRequest['resumeFrom']>

/** The groups from one on. A stretch begins with the row that has the moment. */
function groupsFrom(from: ResumeFrom, groups: readonly BulkGroup[]): readonly BulkGroup[] {
  const at = instantOf(from)
  const place = groups.findIndex((group) => group.symbol === from.symbol && holds(group, at))
  if (place < 0) throw apiError('invalid_resume_from', undefined, { parameter: 'resume_from' })
  const [first, ...rest] = groups.slice(place)
  if (first.stretch === undefined) return [first, ...rest]
  return [{ ...first, at: Math.max(first.at!, firstWithMoment(at!)) }, ...rest]
}

function instantOf({ at }: ResumeFrom): Instant | undefined {
  if (at === null) return undefined
  return (/Z$/.test(at) ? Date.parse(at) : parseMoment(at)) ?? Number.NaN
}

function holds({ at: first, stretch }: BulkGroup, at: Instant | undefined): boolean {
  if (stretch === undefined || at === undefined || first === undefined) return first === at
  return first <= at && firstWithMoment(at) <= stretch.to
}

/** The earliest snapshot that becomes visible to replay at a moment of whole seconds. */
const firstWithMoment = (at: Instant): Instant => at - 999
