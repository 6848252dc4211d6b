import { CALL, PUT } from '../../../market/chain.ts'
import { median, weightedMedian } from '../../../math/statistics.ts'
import { impliedVolatilities } from '../../implied-volatility.ts'
import type { AmericanTerms } from '../american-volatility.ts'
import { fillPremiumsOfPrices } from '../american-volatility.ts'
import type { PremiumTables } from '../premium-table.ts'

/**
 * Strikes of one expiration at which both call and put have a bid and an ask, ascending, with their mid prices in USD
 * per share.
 */
export interface QuotedPairs {
  readonly strike: Float64Array
  readonly call: Float64Array
  readonly put: Float64Array
  /** Half the bid-ask spread of the call plus half the spread of the put, for each strike. */
  readonly halfSpreads: Float64Array
  /**
   * European volatility of the out-of-the-money contract of each strike, if known. It was computed with the forward
   * from put-call parity of the raw prices.
   */
  readonly outerSigma?: Float64Array | undefined
}

/** The contracts of all pairs, call and put of each strike in turn, with their computed volatilities and premiums. */
export interface PairContracts {
  readonly strike: Float64Array
  readonly right: Uint8Array
  readonly price: Float64Array
  /** Volatilities, annual fractions. Each computation starts from the result of the one before. */
  readonly sigma: Float64Array
  /** Early-exercise premium, USD per share. */
  readonly premium: Float64Array
}

export interface ImpliedForward {
  readonly forward: number
  /** Standard error of the forward, USD, computed from the weights of the pairs: 1 / √(sum of weights). */
  readonly error: number
  readonly pairs: number
  /**
   * Share of the weight, 0 to 1, that belongs to pairs in agreement with the forward. A pair agrees if its own forward
   * differs from `forward` by no more than the half spreads of its call and put together.
   */
  readonly agreement: number
}

/** Range of strikes that count for the weighted forward, as shares of the forward from which the search starts. */
const MIN_STRIKE = 0.6
const MAX_STRIKE = 1.1
/**
 * Standard error of a premium, as a share of the premium: it is computed as if call and put had one volatility, but the
 * volatility skew is not flat.
 */
const PREMIUM_DOUBT = 0.2
/** Least variance that a pair's forward is given: one cent squared, in USD². */
export const MIN_VARIANCE = 1e-4

/**
 * Lists the contracts of call-put pairs for computing their volatilities and premiums under `terms` or terms close to
 * them. At each strike, both contracts start from the European volatility of the out-of-the-money one, which contains
 * almost no early-exercise premium.
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
 * Computes the forward as a weighted median of the forwards that the pairs imply. Only pairs with strikes between 0.6
 * and 1.1 of the forward in `terms` count; the tables must have been computed for `terms`. The weight is 1 / (half
 * spreads² + (0.2 premiums)² + 0.01²), in which the three parts stand for the uncertainty from spread, skew and tick.
 * Undefined if every pair has a side that is exercised at once or has no volatility.
 */
export function weightedForward(
  terms: AmericanTerms,
  tables: PremiumTables,
  pairs: QuotedPairs,
  contracts: PairContracts = contractsOf(terms, pairs)
): ImpliedForward | undefined {
  const { strike, call, put, halfSpreads } = pairs
  const { forward, discount } = terms
  const { premium } = contracts
  const from = firstFrom(strike, MIN_STRIKE * forward)
  const to = firstBeyond(strike, MAX_STRIKE * forward)
  fillPremiumsOfPairs(terms, tables, contracts, from, to)
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

const NEAR_THE_FORWARD = 0.03
const VISIBLE_PREMIUM = 1
const MIN_SHOWN = 0.5

/**
 * Share of the computed early-exercise premiums, 0.5 to 1, that the quotes of pairs near the forward really contain. It
 * is measured by parity: with premiums, call minus put differs from D (F - K) by the call's premium minus the put's. 1
 * if the premiums are too small to be measured.
 */
export function shownPremium(terms: AmericanTerms, tables: PremiumTables, pairs: QuotedPairs): number {
  const { forward, discount } = terms
  const from = firstFrom(pairs.strike, (1 - NEAR_THE_FORWARD) * forward)
  const near = slicePairs(pairs, from, firstBeyond(pairs.strike, (1 + NEAR_THE_FORWARD) * forward))
  const contracts = contractsOf(terms, near)
  fillPremiumsOfPairs(terms, tables, contracts, 0, near.strike.length)
  const parts: number[] = []
  for (let k = 0; k < near.strike.length; k++) {
    const premium = contracts.premium[2 * k] - contracts.premium[2 * k + 1]
    if (!(Math.abs(premium) > VISIBLE_PREMIUM * near.halfSpreads[k])) continue
    parts.push((near.call[k] - near.put[k] - discount * (forward - near.strike[k])) / premium)
  }
  const part = median(parts)
  return part === undefined ? 1 : Math.min(Math.max(part, MIN_SHOWN), 1)
}

function fillPremiumsOfPairs(
  terms: AmericanTerms,
  tables: PremiumTables,
  { strike, right, price, sigma, premium }: PairContracts,
  from: number,
  to: number
): void {
  fillPremiumsOfPrices(terms, tables, strike, right, price, 2 * from, 2 * to, sigma, premium)
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
