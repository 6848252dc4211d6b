import { liveOn, liveScope } from '../../exposure/scope.ts'
import { gammaFlip } from '../../exposure/spot-ladder/gamma-flip.ts'
import type { IsoDate } from '../../market/units.ts'
import { withinUnit } from '../../math/unit-interval.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { acceptedSlices } from '../../volatility/smile/slice.ts'
import { type WingResiduals, wingResiduals } from '../../volatility/smile/wing-residuals.ts'
import { chosenExpiry } from './expiry-choice.ts'
import { type RankedStructure, rankedStructures, variantDeltas } from './ranking.ts'
import { MAX_AVOIDED, type StrategyAssessment, scoreOf, verdictOf } from './strategy-assessment.ts'
import { shortVertical } from './structures.ts'
import { tradableOn } from './tradable-contracts.ts'

export const surfaceRegimes = ['rich_put_wing', 'rich_call_wing', 'flat_residuals', 'no_fitted_surface'] as const
export type SurfaceRegime = (typeof surfaceRegimes)[number]

export interface SurfaceFigures extends WingResiduals {
  readonly expiry: IsoDate
  readonly forward: number
  readonly dominantWing: 'put' | 'call' | 'none'
  /** Whole number from 0 to 100 that says how far the cheaper wing is quoted below the fitted smile. */
  readonly cheapConvexity: number
}

/**
 * A wing that is quoted above the fitted smile by this many vol points counts as rich, and at `FULL_RICHNESS` has the
 * full score. A wing below it by `FULL_CHEAPNESS` has full cheap convexity.
 */
const RICH = 0.5
const FULL_RICHNESS = 1.75
const FULL_CHEAPNESS = 1.5
const FULL_SAMPLE = 30
const SHORT_DELTA = 0.25

/**
 * Finds the wing of an expiration that is quoted above its fitted smile. Source: the published API contract,
 * /v1/strategies/surface-anomaly.
 */
export function surfaceAnomalySignal(
  chain: PricedChain,
  asked: IsoDate | undefined
): StrategyAssessment<SurfaceRegime, SurfaceFigures> {
  const slice = acceptedSlices(chain).find(({ date }) => asked === undefined || date === asked)
  if (slice === undefined) {
    const isListed = chosenExpiry(chain, asked) !== undefined
    const scope = isListed && asked !== undefined ? liveOn(chain, asked) : liveScope(chain)
    return { regime: 'no_fitted_surface', missing: isListed ? 'fitted_smile' : 'expiration', scope }
  }
  const { date: expiry, forward } = slice
  const scope = liveOn(chain, expiry)
  const residuals = wingResiduals(slice)
  const { putRichness, callRichness, fitQuality, points } = residuals
  const richness = [putRichness, callRichness].filter((wing) => wing !== undefined)
  const [most, least] = [Math.max(0, ...richness), Math.min(0, ...richness)]
  const dominantWing = most < RICH ? 'none' : most === putRichness ? 'put' : 'call'
  const sum = 100 * (0.7 * withinUnit(most / FULL_RICHNESS) + (0.3 * fitQuality) / 100)
  const score = scoreOf(sum, dominantWing === 'none' ? MAX_AVOIDED : 100)
  return {
    regime: dominantWing === 'none' ? 'flat_residuals' : `rich_${dominantWing}_wing`,
    figures: {
      ...residuals,
      expiry,
      forward,
      dominantWing,
      cheapConvexity: Math.round(100 * withinUnit(-least / FULL_CHEAPNESS))
    },
    score,
    verdict: verdictOf(score),
    sample: withinUnit(points.length / FULL_SAMPLE),
    scope,
    expiry,
    structures: dominantWing === 'none' ? [] : verticalsOf(chain, expiry, dominantWing, score),
    risks: [],
    gammaFlip: gammaFlip(scope)
  }
}

function verticalsOf(
  chain: PricedChain,
  expiry: IsoDate,
  right: 'put' | 'call',
  score: number
): readonly RankedStructure[] {
  const on = tradableOn(chain, expiry)
  if (on === undefined) return []
  return rankedStructures(
    variantDeltas(SHORT_DELTA).map((delta) => shortVertical(on, right, delta)),
    score
  )
}
