import type { Chain, Expiration } from '../market/chain.ts'
import { daysToExpiry, isLive, yearsToExpiry } from '../market/clock.ts'
import type { Instant } from '../market/units.ts'
import { dividendsUntil, yieldOfDividends } from './american/dividends/dividend-terms.ts'
import { fillGreeksOf } from './by-exercise.ts'
import type { Carry } from './carry.ts'
import { type PricedChain, refillClockGreeks } from './price-chain.ts'
import { INTRINSIC, MAX_SIGMA, MIN_SIGMA } from './sources.ts'

// Moves a priced chain to another time, volatility and spot. Everything else stays fixed: the volatility of each strike
// (sticky strike), rates, yields and open interest.

/**
 * Moves a chain to another moment and adds `shift`, an annual fraction, to every volatility. The greeks are still those
 * of the original chain; `atSpot` computes new ones.
 */
export function movedChain(chain: PricedChain, asOf: Instant, shift = 0): PricedChain {
  const carries = chain.expirations.map((listed, at) => {
    const carry = chain.carries[at]
    return shifted(asOf === chain.asOf ? carry : carryAt(chain, listed, carry, asOf), shift)
  })
  const sigma = shift === 0 ? chain.sigma : chain.sigma.map((value) => within(value + shift))
  return { ...chain, asOf, carries, sigma }
}

const within = (sigma: number) => Math.min(Math.max(sigma, MIN_SIGMA), MAX_SIGMA)

function shifted(carry: Carry, shift: number): Carry {
  if (carry.american === undefined || shift === 0) return carry
  const { low, high } = carry.american
  return { ...carry, american: { low: within(low + shift), high: within(high + shift) } }
}

/**
 * Recomputes an expiration's carry for another moment. Dividends stay on their ex-dates. If the yield represents
 * dividends, it is recomputed from those that are still to come; otherwise it stays as it is.
 */
function carryAt(chain: Chain, expiration: Expiration, carry: Carry, asOf: Instant): Carry {
  const { date, settlement } = expiration
  const t = yearsToExpiry(asOf, date, settlement)
  const dividends = carry.dividends.length === 0 ? [] : dividendsUntil(stillToCome(chain, asOf), expiration)
  const change = yieldOfDividends(dividends, t) - yieldOfDividends(carry.dividends, carry.t)
  const dividendYield = carry.dividendYield + change
  return {
    ...carry,
    days: daysToExpiry(asOf, date),
    t,
    discount: Math.exp(-carry.rate * t),
    forward: carry.spot * Math.exp((carry.rate - dividendYield) * t),
    dividends,
    dividendYield,
    expectedYield: carry.expectedYield + change,
    clockYield: carry.clockYield + change
  }
}

/**
 * Moment, spot and dividends of a chain, without the dividends whose ex-date has passed. A stock goes ex with the
 * opening prices of its ex-date.
 */
function stillToCome({ spot, dividends = [] }: Chain, asOf: Instant) {
  return { asOf, spot, dividends: dividends.filter(({ exDate }) => isLive(asOf, exDate, 'am')) }
}

const names = ['delta', 'gamma', 'theta', 'vega', 'rho', 'vanna', 'charm'] as const

export type MovedGreeks = Readonly<Record<(typeof names)[number], Float64Array>>

export function movedGreeks(size: number): MovedGreeks {
  return Object.fromEntries(names.map((name) => [name, new Float64Array(size)])) as MovedGreeks
}

/**
 * Moves the spot of a chain to `spot`, USD, and computes the greeks there. The underlying price of every expiration
 * (see `Carry`) moves by the same percentage. `expirations` holds the indices of those to compute. The greeks are
 * written to `columns`, which a caller may reuse for the next spot.
 */
export function atSpot(
  chain: PricedChain,
  spot: number,
  expirations: readonly number[],
  columns: MovedGreeks
): PricedChain {
  const factor = spot / chain.spot
  const carries = spot === chain.spot ? chain.carries : chain.carries.map((carry) => scaled(carry, factor))
  const moved = { ...chain, ...columns, spot, carries }
  for (const at of expirations) {
    const { start, end } = chain.expirations[at]
    fillGreeksOf(carries[at], chain.strike, chain.right, chain.sigma, start, end, columns)
    if (!chain.onForward) refillClockGreeks(moved, at)
    keepIntrinsic(chain, start, end, columns)
  }
  return moved
}

function scaled(carry: Carry, factor: number): Carry {
  const { spot, exposureSpot, forward } = carry
  return { ...carry, spot: factor * spot, exposureSpot: factor * exposureSpot, forward: factor * forward }
}

/**
 * Copies the greeks of contracts that were priced without time value. Such a contract is practically a forward, and
 * remains one at spots nearby.
 */
function keepIntrinsic(chain: PricedChain, start: number, end: number, columns: MovedGreeks): void {
  for (let i = start; i < end; i++) {
    if (chain.sigmaSource[i] !== INTRINSIC) continue
    for (const name of names) columns[name][i] = chain[name][i]
  }
}
