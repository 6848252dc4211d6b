import { liveScope } from '../../exposure/scope.ts'
import type { IsoDate } from '../../market/units.ts'
import { withinUnit } from '../../math/unit-interval.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { slices } from '../../volatility/smile/slice.ts'
import { atmVolatility } from '../../volatility/smile/smile-volatility.ts'
import { type StrategyAssessment, scoreOf } from './strategy-assessment.ts'

export const termRegimes = ['contango', 'backwardation', 'flat_term', 'no_term_structure_data'] as const
export type TermRegime = (typeof termRegimes)[number]

export interface TermSignalPoint {
  readonly expiry: IsoDate
  readonly days: number
  readonly iv: number
}

export interface TermFigures {
  readonly shape: Exclude<TermRegime, 'no_term_structure_data'>
  readonly front: number
  readonly back: number
  /** Back volatility minus front volatility, vol points. */
  readonly slope: number
  readonly points: readonly TermSignalPoint[]
}

/** Range of plausible volatilities in percent. Others are taken for errors of the quotes. */
const [MIN_IV, MAX_IV] = [5, 200]
/** Longest time to expiry, in days, that can be the back of the term structure. */
const MAX_DAYS = 365
/**
 * Slope from which the term structure is not flat (`MIN_SLOPE`), and slope that gives a full score, both as fractions
 * of the front volatility.
 */
const MIN_SLOPE = 0.03
const FULL_SLOPE = 0.3
const FULL_SAMPLE = 8

/**
 * Shape of the term structure of at-the-money volatility. Source: the published API contract,
 * /v1/strategies/term-structure.
 */
export function termStructureSignal(chain: PricedChain): StrategyAssessment<TermRegime, TermFigures> {
  const scope = liveScope(chain)
  const points = slices(chain).flatMap((slice): TermSignalPoint[] => {
    const iv = 100 * (atmVolatility(slice) ?? 0)
    return iv >= MIN_IV && iv <= MAX_IV ? [{ expiry: slice.date, days: slice.days, iv }] : []
  })
  if (points.length === 0) return { regime: 'no_term_structure_data', missing: 'volatility', scope }
  const front = points.find(({ days }) => days >= 1) ?? points[0]
  const back = points.findLast(({ days }) => days <= MAX_DAYS && days >= front.days) ?? front
  const slope = back.iv - front.iv
  const relative = slope / front.iv
  const shape = relative >= MIN_SLOPE ? 'contango' : relative <= -MIN_SLOPE ? 'backwardation' : 'flat_term'
  return {
    regime: shape,
    figures: { shape, front: front.iv, back: back.iv, slope, points },
    score: scoreOf(100 * withinUnit(Math.abs(relative) / FULL_SLOPE)),
    verdict: 'neutral',
    sample: withinUnit(points.length / FULL_SAMPLE),
    scope,
    expiry: undefined,
    structures: [],
    risks: [],
    gammaFlip: undefined
  }
}
