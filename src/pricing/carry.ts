import { CALL, type Chain, type Expiration } from '../market/chain.ts'
import { daysToExpiry, yearsToExpiry } from '../market/clock.ts'
import { median } from '../math/statistics.ts'

/** What the operator assumes about money and dividends where the market does not say. */
export interface Assumptions {
  /** Continuously compounded rates by tenor in days, ascending; linear between, flat outside. One point is a flat rate. */
  readonly rates: readonly { readonly days: number; readonly rate: number }[]
  /** Continuous dividend yield of a symbol that `dividendYields` does not name. */
  readonly dividendYield: number
  readonly dividendYields: Readonly<Record<string, number>>
}

export const defaultAssumptions: Assumptions = {
  rates: [{ days: 0, rate: 0.045 }],
  dividendYield: 0.013,
  dividendYields: {}
}

/** Time, money and the forward of one expiration: what its inversion, its greeks, its flip and its smile share. */
export interface Carry {
  /** Days and years to expiry on the clock of `market/clock.ts`. */
  readonly days: number
  readonly t: number
  readonly rate: number
  readonly discount: number
  readonly forward: number
  /** rate - ln(forward / spot) / t, so that the forward is the one the options imply. */
  readonly dividendYield: number
  /** The yield behind charm, theta and rho: `dividendYield` while it is plausible, else the configured one. */
  readonly clockYield: number
  readonly fromParity: boolean
}

/**
 * How far an implied yield may lie from the configured one before charm, theta and rho stop believing it. A stale or
 * after-hours underlying shows up as a yield of 40 % and more in the nearest expirations, where it would double CHEX;
 * dividends and borrow of the names with listed options stay inside.
 */
const PLAUSIBLE_YIELD_GAP = 0.05

/** The carry of one expiration of a chain, from put-call parity where its own options allow it. */
export function carryOf(chain: Chain, expiration: Expiration, assumptions: Assumptions): Carry {
  const days = daysToExpiry(chain.asOf, expiration.date)
  const t = yearsToExpiry(chain.asOf, expiration.date, expiration.settlement)
  const rate = rateAt(assumptions.rates, days)
  const configured = assumptions.dividendYields[chain.symbol] ?? assumptions.dividendYield
  const fallback = chain.spot * Math.exp((rate - configured) * t)
  const discount = Math.exp(-rate * t)
  const parity = days >= 1 ? parityForward(chain, expiration, discount) : undefined
  const fromParity = parity !== undefined && Math.abs(parity / fallback - 1) <= 0.05 + 0.25 * t
  const forward = fromParity ? parity : fallback
  const dividendYield = fromParity ? rate - Math.log(forward / chain.spot) / t : configured
  const plausible = Math.abs(dividendYield - configured) <= PLAUSIBLE_YIELD_GAP
  return {
    days,
    t,
    rate,
    discount,
    forward,
    dividendYield,
    clockYield: plausible ? dividendYield : configured,
    fromParity
  }
}

/** The rate for a tenor of `days`, linear between the points of the curve and flat beyond its ends. */
export function rateAt(rates: Assumptions['rates'], days: number): number {
  const after = rates.findIndex((point) => point.days >= days)
  if (after <= 0) return rates[after === 0 ? 0 : rates.length - 1].rate
  const [low, high] = [rates[after - 1], rates[after]]
  return low.rate + ((high.rate - low.rate) * (days - low.days)) / (high.days - low.days)
}

/** How many strikes the forward is the median of, at most. */
const PAIRS_READ = 5

/**
 * Median forward of the (at most) five strikes whose call and put quote closest to each other: F = K + (C - P) / D.
 * Undefined when no strike has both sides two-sided.
 */
function parityForward(chain: Chain, { start, end }: Expiration, discount: number): number | undefined {
  const { strike, right } = chain
  const gaps: number[] = []
  const forwards: number[] = []
  for (let i = start; i + 1 < end; i++) {
    if (right[i] !== CALL || strike[i + 1] !== strike[i]) continue
    const gap = mid(chain, i) - mid(chain, i + 1)
    if (Number.isNaN(gap)) continue
    const size = Math.abs(gap)
    if (gaps.length === PAIRS_READ && size >= gaps[PAIRS_READ - 1]) continue
    let at = Math.min(gaps.length, PAIRS_READ - 1)
    for (; at > 0 && gaps[at - 1] > size; at--) {
      gaps[at] = gaps[at - 1]
      forwards[at] = forwards[at - 1]
    }
    gaps[at] = size
    forwards[at] = strike[i] + gap / discount
  }
  return median(forwards)
}

/** Midpoint of a two-sided quote (a bid above zero, an ask not below it), USD per share; NaN where there is none. */
export function mid(chain: Chain, i: number): number {
  const bid = chain.bid[i]
  const ask = chain.ask[i]
  return bid > 0 && ask >= bid ? (bid + ask) / 2 : Number.NaN
}
