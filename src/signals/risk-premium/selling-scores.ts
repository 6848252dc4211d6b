import { difference } from '../../math/optional.ts'
import { withinUnit } from '../../math/unit-interval.ts'
import { type DealerPositioning, gammaSide } from './dealer-flow-risk.ts'
import type { PremiumFigures } from './premium-figures.ts'

/** How well strategies that sell volatility suit the market, 0 to 100. Undefined if an input is missing. */
export interface SellingScores {
  readonly shortPutSpread: number | undefined
  readonly shortStrangle: number | undefined
  readonly ironCondor: number | undefined
  readonly calendarSpread: number | undefined
}

/**
 * Computes the signals that the scores combine, each from 0 to 1. They and all weights are prescribed by the published
 * API contract, x-conventions.vrp.
 */
function signalsOf({ implied, realized, term, nearSlope, dealers, executionScore }: PremiumFigures) {
  const { atmIv, putWing25, callWing25, relativeSkew } = implied
  const over = (premium: number | undefined, share: number) =>
    premium === undefined || !(atmIv! > 0) ? undefined : withinUnit(premium / (share * atmIv!))
  const down = difference(putWing25, realized.downside20)
  const up = difference(callWing25, realized.upside20)
  const sides = down === undefined || up === undefined ? undefined : { down, up }
  const week = term.find(({ days }) => days === 7)
  const { rv5, rv20 } = realized
  return {
    atm: over(difference(atmIv, rv20), 0.4),
    put: over(down, 0.5),
    asymmetry: sides && (sides.down <= 0 ? 0 : withinUnit((sides.down / Math.max(sides.up, 0.5) - 1) / 3)),
    symmetry:
      sides && (sides.down > 0 && sides.up > 0 ? 1 - Math.abs(sides.down - sides.up) / (sides.down + sides.up) : 0),
    steep: relativeSkew === undefined ? undefined : withinUnit(relativeSkew / 0.3),
    moderate: relativeSkew === undefined ? undefined : withinUnit(1 - Math.abs(relativeSkew - 0.15) / 0.15),
    gamma: { positive_gamma: 1, unknown: 0.5, negative_gamma: 0 }[gammaSide(dealers.netGex)],
    calm: rv5 === undefined || !(rv20! > 0) ? undefined : 1 - withinUnit((rv5 / rv20! - 1) / 0.5),
    contango: nearSlope === undefined ? 0.5 : withinUnit(nearSlope / 15),
    frontLow: week === undefined ? 0.5 : 1 - withinUnit(week.premium / (0.4 * week.iv)),
    liquidity: executionScore === undefined ? 0.5 : executionScore / 100
  }
}

/** Scores of all strategies that sell volatility, whole numbers from 0 to 100. */
export function sellingScores(premiums: PremiumFigures): SellingScores {
  const { atm, put, asymmetry, symmetry, steep, moderate, gamma, calm, contango, frontLow, liquidity } =
    signalsOf(premiums)
  const nearlyAtm = atm === undefined ? undefined : Math.min(1, 2 * atm)
  return {
    shortPutSpread: score([0.35, put], [0.3, asymmetry], [0.2, steep], [0.15, gamma]),
    shortStrangle: score([0.4, atm], [0.25, gamma], [0.2, moderate], [0.15, calm]),
    ironCondor: score([0.3, nearlyAtm], [0.3, symmetry], [0.2, gamma], [0.2, liquidity]),
    calendarSpread: score([0.4, contango], [0.25, frontLow], [0.2, gamma], [0.15, calm])
  }
}

function score(...parts: readonly (readonly [weight: number, signal: number | undefined])[]): number | undefined {
  let sum = 0
  for (const [weight, signal] of parts) {
    if (signal === undefined) return undefined
    sum += weight * signal
  }
  return Math.round(100 * sum)
}

/**
 * How attractive the volatility premium is to a seller, 0 to 1. It is the premium relative to at-the-money volatility,
 * reduced if gamma is negative or spot is close to the flip. Undefined without a premium.
 */
export function harvestScore(premiums: PremiumFigures): number | undefined {
  const { atm } = signalsOf(premiums)
  return atm === undefined ? undefined : atm * harvestFactor(premiums.dealers)
}

function harvestFactor({ spot, netGex, gammaFlip }: DealerPositioning): number {
  const side = gammaSide(netGex)
  if (side === 'negative_gamma') return 0.35
  if (side === 'unknown') return 0.6
  return gammaFlip !== undefined && Math.abs(spot / gammaFlip - 1) < 0.01 ? 0.8 : 1
}

export interface NetHarvest {
  readonly percentile: number | undefined
  readonly dealerFlowRisk: number | undefined
  /** How many of these apply: event risk, inverted term structure, credit stress. */
  readonly burdens: number
}

/**
 * Net harvest score: how attractive selling volatility is overall, a whole number from 0 to 100. At most 20 if the
 * premium is not positive. Undefined if an input is missing.
 */
export function netHarvestScore(premiums: PremiumFigures, { percentile, dealerFlowRisk, burdens }: NetHarvest) {
  const { atm } = signalsOf(premiums)
  const harvest = harvestScore(premiums)
  if (atm === undefined || harvest === undefined || percentile === undefined || dealerFlowRisk === undefined) {
    return undefined
  }
  const base = 0.45 * atm + (0.25 * percentile) / 100 + 0.3 * harvest
  const raw = 100 * base * (1 - dealerFlowRisk / 200) - 10 * burdens
  const most = difference(premiums.implied.atmIv, premiums.realized.rv20)! <= 0 ? 20 : 100
  return Math.round(Math.min(most, Math.max(0, raw)))
}
