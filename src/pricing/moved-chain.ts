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
  const carries = carriesAt(chain, spot)
  const moved = { ...chain, ...columns, spot, carries }
  for (const at of expirations) {
    const { start, end } = chain.expirations[at]
    fillGreeksOf(carries[at], chain.strike, chain.right, chain.sigma, start, end, columns)
    if (!chain.onForward) refillClockGreeks(moved, at)
    keepIntrinsic(chain, start, end, columns)
  }
  return moved
}

/** The carry of each expiration of a chain if its spot were `spot`, USD. */
function carriesAt(chain: PricedChain, spot: number): readonly Carry[] {
  const factor = spot / chain.spot
  return spot === chain.spot ? chain.carries : chain.carries.map((carry) => scaled(carry, factor))
}

/**
 * Gammas of some contracts of a chain at several spots, USD, as `atSpot` computes them: for each of `slots`, which
 * ascend, a row of `spots`. `each` gets the price of the underlying with which the exposures of a gamma are computed.
 */
export function gammasAtSpots(
  chain: PricedChain,
  slots: Int32Array,
  spots: readonly number[],
  each: (gamma: number, k: number, underlying: number) => number
): Float64Array {
  const rows = new Float64Array(slots.length * spots.length)
  const strike = Float64Array.from(slots, (i) => chain.strike[i])
  const right = Uint8Array.from(slots, (i) => chain.right[i])
  const sigma = Float64Array.from(slots, (i) => chain.sigma[i])
  const columns = movedGreeks(slots.length)
  const carries = spots.map((spot) => carriesAt(chain, spot))
  // One expiration after the other, so that its rows stay in the cache of the processor.
  for (const { at, from, to } of partsOf(chain, slots)) {
    spots.forEach((spot, x) => {
      const carry = carries[x][at]
      fillGreeksOf(carry, strike, right, sigma, from, to, columns)
      const underlying = chain.onForward ? carry.exposureSpot : spot
      for (let k = from; k < to; k++) {
        const slot = slots[k]
        const gamma = chain.sigmaSource[slot] === INTRINSIC ? chain.gamma[slot] : columns.gamma[k]
        rows[k * spots.length + x] = each(gamma, k, underlying)
      }
    })
  }
  return rows
}

/** For each expiration that has any of `slots`, its index and their places from `from` up to but excluding `to`. */
function partsOf({ expirations }: PricedChain, slots: Int32Array) {
  let to = 0
  return expirations.flatMap(({ end }, at) => {
    const from = to
    while (to < slots.length && slots[to] < end) to++
    return from === to ? [] : [{ at, from, to }]
  })
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
