import { ratio } from '../../math/optional.ts'
import { byStrike, netGex, type StrikeRow } from '../by-strike.ts'
import { painCurve, totalPain } from '../pin/max-pain.ts'
import { type Scope, sameDayScope, withBook } from '../scope.ts'
import { nearer } from './key-levels.ts'

export const rankedLevels = ['call_wall', 'put_wall', 'magnet', 'max_pain'] as const
export type RankedLevel = (typeof rankedLevels)[number]

/** A strike that could be the level, and the figure it is ranked by, USD. */
export interface LevelCandidate {
  readonly strike: number
  readonly value: number
}

/**
 * Strikes that qualify for a level, best first, so that the first one is the level. Walls rank by the gamma of their
 * calls or puts, the magnet by net gamma of today's expiration, max pain by the payout to holders (least first). Ties
 * go to the strike nearest to spot, then to the lower one.
 */
export function levelCandidates(scope: Scope, level: RankedLevel): readonly LevelCandidate[] {
  if (level === 'max_pain') {
    const points = painCurve(scope).map((point) => ({ strike: point.strike, value: totalPain(point) }))
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

function byDistance(a: LevelCandidate, b: LevelCandidate, spot: number): number {
  return nearer(a.strike, b.strike, spot) ? -1 : 1
}

/**
 * Figure of the best candidate divided by that of the second, at least 1 (for max pain, second divided by best).
 * Undefined without a second candidate or if the divisor is 0.
 */
export function leadOf([first, second]: readonly LevelCandidate[], level: RankedLevel): number | undefined {
  if (second === undefined) return undefined
  const [large, small] = level === 'max_pain' ? [second, first] : [first, second]
  return ratio(Math.abs(large.value), Math.abs(small.value))
}

/**
 * Share of nights after which another strike was the call wall, by the lead (see `leadOf`) of the wall the evening
 * before.
 */
const moved = [
  { below: 1.05, share: 0.46 },
  { below: 1.15, share: 0.29 },
  { below: 1.3, share: 0.08 },
  { below: 1.6, share: 0.05 },
  { below: Number.POSITIVE_INFINITY, share: 0.02 }
]

/**
 * Share of nights after which a call wall with this lead had moved to another strike, measured over 996 sessions of 17
 * symbols. Source: the wire contract.
 */
export function movedOvernight(lead: number): number {
  return moved.find(({ below }) => lead < below)!.share
}
