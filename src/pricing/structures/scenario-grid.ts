import { price } from '../bsm.ts'
import type { Leg } from './structure.ts'

export interface ValuedLeg extends Leg {
  /** Annual volatility, a fraction. */
  readonly sigma: number
  /** Calendar days to expiry. Negative if the leg has expired. */
  readonly days: number
}

export interface Market {
  readonly spot: number
  /** Interest rate and dividend yield, continuously compounded, annual fractions. */
  readonly rate: number
  readonly dividendYield: number
}

/**
 * One scenario: `day` is days from now, `volShock` a fraction added to every volatility, `spotShock` a change of spot
 * in percent.
 */
export interface Scenario {
  readonly day: number
  readonly volShock: number
  readonly spotShock: number
}

export interface ScenarioResult extends Scenario {
  readonly spot: number
  readonly pnl: number
}

/**
 * Profit of a structure in every scenario. `pnl` is indexed by day, volatility shock and spot shock, each in the order
 * of its axis.
 */
export interface ScenarioGrid {
  readonly spots: readonly number[]
  readonly pnl: readonly (readonly (readonly number[])[])[]
  readonly best: ScenarioResult
  readonly worst: ScenarioResult
}

export interface ScenarioAxes {
  readonly days: readonly number[]
  readonly volShocks: readonly number[]
  readonly spotShocks: readonly number[]
}

/** A volatility never falls below this through a shock, an annual fraction. */
const MIN_SIGMA = 0.0001

/** Net price paid for a structure: the sum of premium times quantity, USD. Negative if more is received than paid. */
export function entryCost(legs: readonly Leg[]): number {
  return legs.reduce((cost, { quantity, premium }) => cost + quantity * premium, 0)
}

/**
 * Value of a structure in a scenario by Black-Scholes-Merton, with a year of 365 days: the sum of USD per share times
 * quantity. A leg that has expired by then is worth its intrinsic value at the scenario's spot.
 */
export function structureValue(
  legs: readonly ValuedLeg[],
  { spot, rate, dividendYield }: Market,
  { day, volShock, spotShock }: Scenario
): number {
  const shocked = shockedSpot(spot, spotShock)
  let value = 0
  for (const { right, strike, quantity, sigma, days } of legs) {
    const t = Math.max(0, days - day) / 365
    const shockedSigma = Math.max(sigma + volShock, MIN_SIGMA)
    value += quantity * price({ right, spot: shocked, strike, t, sigma: shockedSigma, rate, dividendYield })
  }
  return value
}

function shockedSpot(spot: number, spotShock: number): number {
  return spot * (1 + spotShock / 100)
}

/** Profit of a structure for every combination of values on the three axes. Each axis has at least one value. */
export function scenarioGrid(legs: readonly ValuedLeg[], market: Market, axes: ScenarioAxes): ScenarioGrid {
  const cost = entryCost(legs)
  const results: ScenarioResult[] = []
  const pnl = axes.days.map((day) =>
    axes.volShocks.map((volShock) =>
      axes.spotShocks.map((spotShock) => {
        const scenario = { day, volShock, spotShock }
        const profit = structureValue(legs, market, scenario) - cost
        results.push({ ...scenario, spot: shockedSpot(market.spot, spotShock), pnl: profit })
        return profit
      })
    )
  )
  return {
    spots: axes.spotShocks.map((spotShock) => shockedSpot(market.spot, spotShock)),
    pnl,
    best: results.reduce((best, result) => (comesBefore(result, best, 1) ? result : best)),
    worst: results.reduce((worst, result) => (comesBefore(result, worst, -1) ? result : worst))
  }
}

/**
 * Whether result `a` is better (`sign` 1) or worse (`sign` -1) than result `b`. Profits equal to a millionth of a
 * dollar count as tied. Among ties, the earlier day comes first, then the smaller volatility shock, then the smaller
 * spot shock.
 */
function comesBefore(a: ScenarioResult, b: ScenarioResult, sign: 1 | -1): boolean {
  const gap = sign * (millionths(a.pnl) - millionths(b.pnl))
  if (gap !== 0) return gap > 0
  if (a.day !== b.day) return a.day < b.day
  const volGap = Math.abs(a.volShock) - Math.abs(b.volShock)
  return volGap === 0 ? Math.abs(a.spotShock) < Math.abs(b.spotShock) : volGap < 0
}

function millionths(pnl: number): number {
  return Math.sign(pnl) * Math.round(Math.abs(pnl) * 1e6)
}
