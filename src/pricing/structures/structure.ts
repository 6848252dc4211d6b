import type { Right } from '../bsm.ts'

/** One leg of a structure held to expiry. */
export interface Leg {
  readonly right: Right
  readonly strike: number
  /** Price paid or received per share, 0 or more. */
  readonly premium: number
  /** Number of contracts: positive if bought, negative if sold. */
  readonly quantity: number
}

/**
 * Profit of a structure at expiry if the underlying ends at `spot`: the sum of USD per share times quantity, without a
 * contract multiplier.
 */
export function pnlAtExpiry(legs: readonly Leg[], spot: number): number {
  let pnl = 0
  for (const { right, strike, premium, quantity } of legs) {
    pnl += quantity * (Math.max(right === 'call' ? spot - strike : strike - spot, 0) - premium)
  }
  return pnl
}

/**
 * A point at which the slope of the profit at expiry changes. Between such points, profit is linear in the price of the
 * underlying.
 */
interface Corner {
  readonly spot: number
  readonly pnl: number
  readonly slope: number
}

/** A profit at a corner counts as 0 if it is below this share of the amounts in its sum: it may be a rounding error. */
const ROUNDING = 1e-14

function cornersOf(legs: readonly Leg[]): readonly Corner[] {
  const spots = [...new Set([0, ...legs.map(({ strike }) => strike)])].sort((a, b) => a - b)
  return spots.map((spot) => {
    const pnl = pnlAtExpiry(legs, spot)
    let size = 0
    for (const { strike, premium, quantity } of legs) size += Math.abs(quantity) * (Math.max(spot, strike) + premium)
    return { spot, pnl: Math.abs(pnl) <= ROUNDING * size ? 0 : pnl, slope: slopeAbove(legs, spot) }
  })
}

/**
 * Slope of the profit over the price of the underlying, just above `spot`. Quantities are whole numbers, so the slope
 * of a flat stretch is exactly 0.
 */
function slopeAbove(legs: readonly Leg[], spot: number): number {
  let slope = 0
  for (const { right, strike, quantity } of legs) {
    if (right === 'call' && strike <= spot) slope += quantity
    if (right === 'put' && strike > spot) slope -= quantity
  }
  return slope
}

/**
 * Prices of the underlying, 0 or more, at which profit at expiry is exactly 0, ascending. If profit is 0 over a whole
 * stretch, both ends of the stretch count, or only its beginning if it has no end.
 */
export function breakevens(legs: readonly Leg[]): readonly number[] {
  const corners = cornersOf(legs)
  const zeros: number[] = []
  corners.forEach(({ spot, pnl, slope }, i) => {
    const next = corners.at(i + 1)
    if (pnl === 0) {
      const insideFlat = slope === 0 && i > 0 && corners[i - 1].slope === 0
      if (!insideFlat) zeros.push(spot)
      return
    }
    const crosses = pnl > 0 ? slope < 0 : slope > 0
    if (!crosses || (next && (next.pnl === 0 || next.pnl > 0 === pnl > 0))) return
    zeros.push(Math.min(spot - pnl / slope, next?.spot ?? Number.POSITIVE_INFINITY))
  })
  return zeros
}

/** Largest and smallest profit at expiry. Undefined where profit or loss has no limit. */
export function pnlExtremes(legs: readonly Leg[]): { maxProfit: number | undefined; maxLoss: number | undefined } {
  const corners = cornersOf(legs)
  const beyond = corners[corners.length - 1].slope
  const pnls = corners.map(({ pnl }) => pnl)
  return {
    maxProfit: beyond > 0 ? undefined : Math.max(...pnls),
    maxLoss: beyond < 0 ? undefined : Math.min(...pnls)
  }
}

/** `count` (2 or more) numbers from `from` to `to`, both included, at equal distances. */
export function evenlySpaced(from: number, to: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => (i === count - 1 ? to : from + ((to - from) * i) / (count - 1)))
}
