import { apiError } from '../../api/error.ts'
import type { HeldMoment, HistoryStore } from '../../archive/history-store.ts'
import { session } from '../../market/calendar.ts'
import { easternDate, instantOfEastern } from '../../market/eastern.ts'
import { readSymbol } from '../../market/security.ts'
import { type Instant, isoInstant, MILLISECONDS_PER_DAY, parseIsoDate, type Ticker } from '../../market/units.ts'
import { firstMomentOf, parseMoment } from '../../replay/replay-moment.ts'
import { type NoHistory, noHistory } from '../replay/replay-host.ts'
import type { BulkRequest } from './bulk-request.ts'
import { type StepName, steps } from './bulk-shapes.ts'

/** One answer of a request: a symbol as it was asked for, at a past moment or now (undefined). */
export interface BulkGroup {
  readonly symbol: string
  readonly at: Instant | undefined
}

/** Moments of the snapshots that are recorded of a symbol between two moments, ascending. */
export type RecordedMoments = (symbol: Ticker, from: Instant, to: Instant) => Promise<readonly HeldMoment[]>

/** Reads the moments of an archive; without one every reading fails with the reason. */
export function recordedIn(history: HistoryStore | undefined, none: NoHistory): RecordedMoments {
  return async (symbol, from, to) => {
    if (history === undefined) throw noHistory(none)
    return history.moments(symbol, from, to)
  }
}

/**
 * Groups of a request in the order of its answer: symbols as they were asked for, moments ascending. Throws if moments
 * cannot be read, if there are more than `most`, or if `resume_from` is none of them.
 */
export async function groupsOf(
  { symbols, moments, resumeFrom }: BulkRequest,
  recorded: RecordedMoments,
  most: number
): Promise<readonly BulkGroup[]> {
  const groups: BulkGroup[] = []
  const named = moments === 'now' ? [undefined] : 'at' in moments ? listed(moments.at) : undefined
  for (const symbol of symbols) {
    const found = named ?? (await inRange(symbol, moments as Range, recorded))
    groups.push(...found.map((at) => ({ symbol, at })))
    if (groups.length > most) {
      throw apiError('too_many_groups', `more than ${most} groups are asked for: ask for fewer symbols or moments`)
    }
  }
  return resumeFrom === undefined ? groups : groups.slice(placeOf(resumeFrom, groups))
}

/** The moment of a group as its rows have it. */
export const momentText = ({ at }: BulkGroup): string | null => (at === undefined ? null : isoInstant(at))

interface Range {
  readonly from: string
  readonly to: string
  readonly every: StepName
}

function listed(texts: readonly string[]): readonly Instant[] {
  const found = texts.map((text) => momentNamed(text, 'at'))
  return [...new Set(found)].sort((a, b) => a - b)
}

function momentNamed(text: string, field: string): Instant {
  const found = parseMoment(text)
  if (found === undefined) {
    throw apiError('invalid_moments', `moments.${field} must be yyyy-MM-ddTHH:mm:ss or yyyy-MM-dd in New York`, {
      parameter: `moments.${field}`
    })
  }
  return found
}

/** The last recorded snapshot of each step, counted from the open of its session. */
async function inRange(
  symbol: string,
  { from, to, every }: Range,
  recorded: RecordedMoments
): Promise<readonly Instant[]> {
  const startDate = parseIsoDate(from)
  const endDate = parseIsoDate(to)
  const start = startDate === undefined ? momentNamed(from, 'from') : instantOfEastern(startDate, 0)
  const end = endDate === undefined ? momentNamed(to, 'to') : instantOfEastern(endDate, 0) + MILLISECONDS_PER_DAY - 1
  if (start > end)
    throw apiError('invalid_moments', 'moments.from lies after moments.to', { parameter: 'moments.from' })
  const ticker = readSymbol(symbol)
  if (ticker === undefined) return []
  const last = new Map<string, Instant>()
  const step = steps[every]
  for (const { asOf } of await recorded(ticker, start, end)) {
    const date = easternDate(asOf)
    const hours = session(date)
    if (hours === undefined || asOf < hours.open) continue
    const at = firstMomentOf(asOf)
    last.set(step === 'session' ? date : `${date} ${Math.floor((asOf - hours.open) / step)}`, at)
  }
  return [...last.values()]
}

function placeOf({ symbol, at }: NonNullable<BulkRequest['resumeFrom']>, groups: readonly BulkGroup[]): number {
  const place = groups.findIndex((group) => group.symbol === symbol && isSameMoment(at, group))
  if (place >= 0) return place
  throw apiError('invalid_resume_from', undefined, { parameter: 'resume_from' })
}

function isSameMoment(at: string | null, group: BulkGroup): boolean {
  if (at === null || group.at === undefined) return at === null && group.at === undefined
  return (/Z$/.test(at) ? Date.parse(at) : parseMoment(at)) === group.at
}
