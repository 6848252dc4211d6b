import { CALL, PUT } from '../../../market/chain.ts'
import { median, weightedMedian } from '../../../math/statistics.ts'
import { impliedVolatilities } from '../../implied-volatility.ts'
import type { AmericanTerms } from '../american-volatility.ts'
import { fillPremiumsOfPrices } from '../american-volatility.ts'
import type { PremiumTables } from '../premium-table.ts'

/** Strikes of one expiration at which call and put are both quoted on two sides, ascending; USD per share. */
export interface QuotedPairs {
  readonly strike: Float64Array
  /** Midpoints. */
  readonly call: Float64Array
  readonly put: Float64Array
  /** Half the spread of the call and half that of the put, together. */
  readonly halfSpreads: Float64Array
  /** European volatility of the one out of the money under the first forward, where it is known already. */
  readonly outerSigma?: Float64Array | undefined
}

/** The call and the put of each pair, one after another, and what a reading finds of them. */
export interface PairContracts {
  readonly strike: Float64Array
  readonly right: Uint8Array
  readonly price: Float64Array
  /** Annual fractions: each reading starts from those of the one before. */
  readonly sigma: Float64Array
  /** Of early exercise, USD per share. */
  readonly premium: Float64Array
}

/** A forward that pairs imply together. */
export interface ImpliedForward {
  readonly forward: number
  /** One standard error as the weights have it, USD: 1 / √(sum of weights). */
  readonly error: number
  /** Pairs with weight. */
  readonly pairs: number
  /** Share of the weight whose own forward lies within its half spreads of the common one, 0 to 1. */
  readonly agreement: number
}

/** Strikes of the weighted forward, in units of the first one. */
const MIN_STRIKE = 0.6
const MAX_STRIKE = 1.1
/** The part of a premium that the skew may take away from it. */
const PREMIUM_DOUBT = 0.2
/** The square of a cent, in USD²: no pair is surer than that. */
export const MIN_VARIANCE = 1e-4

/**
 * The contracts of pairs, ready to be read under terms near these. Both of a strike start from the European volatility of
 * the one out of the money, which holds next to no premium.
 */
export function contractsOf(terms: AmericanTerms, pairs: QuotedPairs): PairContracts {
  const { strike, call, put, outerSigma = outerOfPairs(terms, pairs) } = pairs
  const size = strike.length
  const column = () => new Float64Array(2 * size)
  const out = { strike: column(), right: new Uint8Array(2 * size), price: column(), sigma: column(), premium: column() }
  for (let k = 0; k < size; k++) {
    out.right[2 * k] = CALL
    out.right[2 * k + 1] = PUT
    out.price[2 * k] = call[k]
    out.price[2 * k + 1] = put[k]
    for (let i = 2 * k; i <= 2 * k + 1; i++) {
      out.strike[i] = strike[k]
      out.sigma[i] = outerSigma[k]
    }
  }
  return out
}

/** The European volatility of the one of each pair that is out of the money. */
function outerOfPairs(terms: AmericanTerms, { strike, call, put }: QuotedPairs): Float64Array {
  const size = strike.length
  const right = new Uint8Array(size)
  const price = new Float64Array(size)
  const sigma = new Float64Array(size)
  for (let k = 0; k < size; k++) {
    const isCall = strike[k] >= terms.forward
    right[k] = isCall ? CALL : PUT
    price[k] = isCall ? call[k] : put[k]
  }
  impliedVolatilities(terms, strike, right, price, 0, size, sigma)
  return sigma
}

/**
 * The forward of all pairs between 0.6 and 1.1 of the one in `terms`, whose grids are at hand: the weighted median of
 * their forwards. A pair counts 1 / (half spreads² + (0.2 premiums)² + 0.01²): what spread, skew and tick leave open.
 * Undefined where no pair has a premium to take off, because one side is exercised at once or has no volatility.
 */
export function weightedForward(
  terms: AmericanTerms,
  grids: PremiumTables,
  pairs: QuotedPairs,
  contracts: PairContracts = contractsOf(terms, pairs)
): ImpliedForward | undefined {
  const { strike, call, put, halfSpreads } = pairs
  const { forward, discount } = terms
  const { premium } = contracts
  const from = firstFrom(strike, MIN_STRIKE * forward)
  const to = firstBeyond(strike, MAX_STRIKE * forward)
  fillPremiumsOfPairs(terms, grids, contracts, from, to)
  const forwards = new Float64Array(to - from)
  const weights = new Float64Array(to - from)
  const spreads = new Float64Array(to - from)
  let size = 0
  let total = 0
  for (let k = from; k < to; k++) {
    const callPremium = premium[2 * k]
    const putPremium = premium[2 * k + 1]
    const own = strike[k] + (call[k] - callPremium - put[k] + putPremium) / discount
    if (Number.isNaN(own)) continue
    const doubt = PREMIUM_DOUBT * (callPremium + putPremium)
    forwards[size] = own
    weights[size] = 1 / (halfSpreads[k] * halfSpreads[k] + doubt * doubt + MIN_VARIANCE)
    spreads[size] = halfSpreads[k]
    total += weights[size++]
  }
  if (size === 0) return undefined
  const middle = weightedMedian(forwards.subarray(0, size), weights.subarray(0, size))!
  let agreeing = 0
  for (let k = 0; k < size; k++) {
    if (Math.abs(forwards[k] - middle) * discount <= spreads[k]) agreeing += weights[k]
  }
  return { forward: middle, error: 1 / Math.sqrt(total), pairs: size, agreement: agreeing / total }
}

/** Strikes around the forward, as parts of it, that show how much of a premium is there. */
const NEAR_THE_FORWARD = 0.03
/** PremiumTables smaller than this beside the half spreads show nothing. */
const VISIBLE_PREMIUM = 1
const MIN_SHOWN = 0.5

/**
 * The part of the premium at one volatility that the pairs near the forward show, 0.5 to 1: of D (F - K) the call less the
 * put falls short by the put's premium less the call's. 1 where premiums are too small to be seen.
 */
export function shownPremium(terms: AmericanTerms, grids: PremiumTables, pairs: QuotedPairs): number {
  const { forward, discount } = terms
  const from = firstFrom(pairs.strike, (1 - NEAR_THE_FORWARD) * forward)
  const near = slicePairs(pairs, from, firstBeyond(pairs.strike, (1 + NEAR_THE_FORWARD) * forward))
  const contracts = contractsOf(terms, near)
  fillPremiumsOfPairs(terms, grids, contracts, 0, near.strike.length)
  const parts: number[] = []
  for (let k = 0; k < near.strike.length; k++) {
    const premium = contracts.premium[2 * k] - contracts.premium[2 * k + 1]
    if (!(Math.abs(premium) > VISIBLE_PREMIUM * near.halfSpreads[k])) continue
    parts.push((near.call[k] - near.put[k] - discount * (forward - near.strike[k])) / premium)
  }
  const part = median(parts)
  return part === undefined ? 1 : Math.min(Math.max(part, MIN_SHOWN), 1)
}

/** A quote that is off the grids of all others is off altogether: its pair tells nothing. */
function fillPremiumsOfPairs(
  terms: AmericanTerms,
  grids: PremiumTables,
  { strike, right, price, sigma, premium }: PairContracts,
  from: number,
  to: number
): void {
  fillPremiumsOfPrices(terms, grids, strike, right, price, 2 * from, 2 * to, sigma, premium)
}

function firstFrom(strike: Float64Array, least: number): number {
  let k = 0
  while (k < strike.length && strike[k] < least) k++
  return k
}

function firstBeyond(strike: Float64Array, most: number): number {
  let k = strike.length
  while (k > 0 && strike[k - 1] > most) k--
  return k
}

function slicePairs({ strike, call, put, halfSpreads }: QuotedPairs, from: number, to: number): QuotedPairs {
  const part = (column: Float64Array) => column.subarray(from, to)
  return { strike: part(strike), call: part(call), put: part(put), halfSpreads: part(halfSpreads) }
}
