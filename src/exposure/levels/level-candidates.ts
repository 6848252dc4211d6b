import { ratio } from '../../math/optional.ts'
import { byStrike, netGex, type StrikeRow } from '../by-strike.ts'
import { painCurve, totalPain } from '../pin/max-pain.ts'
import { type Scope, sameDayScope, withBook } from '../scope.ts'
import { nearer } from './key-levels.ts'

export const rankedLevels = ['call_wall', 'put_wall', 'magnet', 'max_pain'] as const
export type RankedLevel = (typeof rankedLevels)[number]

/** A strike that could be the level. `value` is the figure by which candidates are ranked, USD. */
export interface LevelCandidate {
  readonly strike: number
  readonly value: number
}

/**
 * The strikes that qualify for a level, best first. The first one is the level. Walls are ranked by call or put gamma,
 * the magnet by net gamma of today's expiration, and max pain by the payout to option holders, least first. A tie goes
 * to the strike nearest to spot, then to the lower one.
 */
export function levelCandidates(scope: Scope, level: RankedLevel): readonly LevelCandidate[] {
  if (level === 'max_pain') {
    const points = painCurve(scope).map((point) => ({ strike: point.strike, value: inCents(totalPain(point)) }))
    return points.sort((a, b) => a.value - b.value || byDistance(a, b, scope.chain.spot))
  }
  const { part, figure } = ofGamma[level]
  const rows = byStrike(part(scope)).map((row) => ({ strike: row.strike, value: figure(row) }))
  const qualified = rows.filter(({ value }) => value !== 0)
  return qualified.sort((a, b) => Math.abs(b.value) - Math.abs(a.value) || byDistance(a, b, scope.chain.spot))
}

const whole = (scope: Scope) => scope
const ofGamma: Readonly<
  Record<
    Exclude<RankedLevel, 'max_pain'>,
    { readonly part: (scope: Scope) => Scope; readonly figure: (row: StrikeRow) => number }
  >
> = {
  call_wall: { part: whole, figure: (row) => Math.max(row.callGex, 0) },
  put_wall: { part: whole, figure: (row) => Math.min(row.putGex, 0) },
  magnet: { part: ({ chain, book }) => withBook(sameDayScope(chain), book), figure: netGex }
}

/** USD rounded to cents, so that equal payouts are equal numbers. */
const inCents = (usd: number) => Math.round(100 * usd) / 100

function byDistance(a: LevelCandidate, b: LevelCandidate, spot: number): number {
  return nearer(a.strike, b.strike, spot) ? -1 : 1
}

/**
 * How far the best candidate leads: its figure divided by the second one's, at least 1. For max pain, where less is
 * better, the second figure divided by the best. Undefined without a second candidate or if the divisor is 0.
 */
export function leadOf([first, second]: readonly LevelCandidate[], level: RankedLevel): number | undefined {
  if (second === undefined) return undefined
  const [large, small] = level === 'max_pain' ? [second, first] : [first, second]
  return ratio(Math.abs(large.value), Math.abs(small.value))
}

/**
 * How often the call wall had moved to another strike by the next morning, as a share of nights. Each row applies to
 * walls whose lead (see `leadOf`) was below `below` the evening before.
 */
const moved = [
  { below: 1.05, share: 0.46 },
  { below: 1.15, share: 0.29 },
  { below: 1.3, share: 0.08 },
  { below: 1.6, share: 0.05 },
  { below: Number.POSITIVE_INFINITY, share: 0.02 }
]

/**
 * How often a call wall with this lead (see `leadOf`) had moved to another strike by the next morning, as a share of
 * nights. Measured over 996 trading sessions of 17 symbols together. Source: the published API contract.
 */
export function movedOvernight(lead: number): number {
  return moved.find(({ below }) => lead < below)!.share
}
