import { type NetExposures, netExposures } from '../../exposure/net.ts'
import { totalOpenInterest } from '../../exposure/pin/max-pain.ts'
import { carriesExposure, liveOn, liveScope, type Scope } from '../../exposure/scope.ts'
import type { IsoDate } from '../../market/units.ts'
import { withinUnit } from '../../math/unit-interval.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { chosenExpiry, tradedExpiry } from './expiry-choice.ts'
import { type GammaSetting, gammaSetting } from './gamma-setting.ts'
import { rankedStructures, variantDeltas } from './ranking.ts'
import { type StrategyAssessment, scoreOf, verdictOf } from './strategy-assessment.ts'
import { ironCondor, type ShortStrikes } from './structures.ts'
import { type Tradable, type TradableContract, tradableOn } from './tradable-contracts.ts'

export const dealerRegimes = ['positive_gamma_compression', 'negative_gamma_acceleration', 'transition'] as const
export type DealerRegime = (typeof dealerRegimes)[number]

/** Gamma levels and net exposures in USD, computed from published open interest. */
export interface DealerFigures extends GammaSetting, NetExposures {}

/**
 * Distance to the gamma flip in percent of spot. Below TRANSITION, the regime is a transition. From FULL_DISTANCE on,
 * the regime is fully established.
 */
const TRANSITION = 0.5
const FULL_DISTANCE = 3
const FULL_SAMPLE = 200
const SHORT_DELTA = 0.2
/**
 * A short leg is placed at a wall if the |delta| there is in this range. Otherwise it is placed at the target delta.
 */
const [MIN_WALL_DELTA, MAX_WALL_DELTA] = [0.1, 0.3]

/**
 * Whether dealer hedging dampens or amplifies price moves, by the exposures from published open interest. Source: the
 * published API contract, /v1/strategies/dealer-regime.
 */
export function dealerRegimeSignal(
  chain: PricedChain,
  asked: IsoDate | undefined
): StrategyAssessment<DealerRegime, DealerFigures> {
  if (asked !== undefined && chosenExpiry(chain, asked) === undefined) {
    return { regime: 'transition', missing: 'expiration', scope: liveScope(chain) }
  }
  const scope = asked === undefined ? liveScope(chain) : liveOn(chain, asked)
  if (totalOpenInterest(scope) === 0) return { regime: 'transition', missing: 'open_interest', scope }
  const exposed = scope.slots.filter((i) => carriesExposure(scope, i)).length
  if (exposed === 0) return { regime: 'transition', missing: 'greeks', scope }
  const figures = { ...gammaSetting(scope), ...netExposures(scope) }
  const regime = regimeOf(figures)
  const score = scoreOf(gradeOf(regime, figures, scope))
  const expiry = tradedExpiry(chain, asked)
  const on = expiry === undefined || regime !== 'positive_gamma_compression' ? undefined : tradableOn(chain, expiry)
  return {
    regime,
    figures,
    score,
    verdict: verdictOf(score),
    sample: withinUnit(exposed / FULL_SAMPLE),
    scope,
    expiry,
    structures: on === undefined ? [] : condors(on, figures, score),
    risks: [],
    gammaFlip: figures.flip
  }
}

function regimeOf({ distance, gex }: DealerFigures): DealerRegime {
  if (distance === undefined || gex === 0 || Math.abs(distance) < TRANSITION) return 'transition'
  if (Math.sign(gex) !== Math.sign(distance)) return 'transition'
  return gex > 0 ? 'positive_gamma_compression' : 'negative_gamma_acceleration'
}

function gradeOf(regime: DealerRegime, { distance = 0, gex, vex, callWall, putWall }: DealerFigures, scope: Scope) {
  if (regime === 'transition') return 45 + 5 * Math.sign(gex)
  const firm = withinUnit(Math.abs(distance) / FULL_DISTANCE)
  if (regime === 'negative_gamma_acceleration') return 35 * (1 - firm)
  const { spot } = scope.chain
  const isBetweenWalls = callWall !== undefined && putWall !== undefined && putWall <= spot && spot <= callWall
  return 55 + 25 * firm + (isBetweenWalls ? 10 : 0) + (vex > 0 ? 10 : 0)
}

function condors(on: Tradable, { callWall, putWall }: DealerFigures, score: number) {
  const wanted: ShortStrikes = { put: sellableWall(on.puts, putWall), call: sellableWall(on.calls, callWall) }
  return rankedStructures(
    variantDeltas(SHORT_DELTA).map((delta) => ironCondor(on, delta, {}, wanted)),
    score
  )
}

/** The strike of a wall if its delta suits a short leg. Undefined otherwise. */
function sellableWall(contracts: readonly TradableContract[], wall: number | undefined): number | undefined {
  const delta = Math.abs(contracts.find(({ strike }) => strike === wall)?.delta ?? 0)
  return delta >= MIN_WALL_DELTA && delta <= MAX_WALL_DELTA ? wall : undefined
}
