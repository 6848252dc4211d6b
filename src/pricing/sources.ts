import { CALL } from '../market/chain.ts'
import { normalPdf } from '../math/normal.ts'
import { leastValueOf } from './by-exercise.ts'
import { impliedVolatilities } from './implied-volatility.ts'
import { logMoneyness } from './log-moneyness.ts'
import { mid } from './parity.ts'
import type { PricedChain, SmileOf } from './price-chain.ts'

/**
 * Sources of a contract's volatility or greeks, in the order in which they are tried. The published API uses these
 * names. `twin` is the sibling: the contract of the other right at the same strike.
 */
export const sigmaSources = ['none', 'own_mid', 'twin', 'smile', 'between', 'intrinsic'] as const
export const NO_SIGMA = 0
export const OWN_MID = 1
/** The volatility comes from the sibling: the contract of the other right at the same strike. */
export const SIBLING = 2
export const SMILE = 3
/** The volatility comes from contracts at neighboring strikes. */
export const BETWEEN = 4
/**
 * The contract has greeks but no volatility. It is in the money and without time value, so it moves like its
 * underlying.
 */
export const INTRINSIC = 5

/**
 * A volatility outside 0.01 to 20 is taken for an error of the quote. Short-dated options on stocks in a squeeze and
 * before a decision have been quoted well above 5.
 */
export const MIN_SIGMA = 0.01
export const MAX_SIGMA = 20

/** Fills `price` with the mid of each contract of an expiration. NaN if the mid says too little about volatility. */
export function fillUsableMids(chain: PricedChain, at: number, isAmerican: boolean, price: Float64Array): void {
  const { start, end } = chain.expirations[at]
  const least = leastValueOf(chain.carries[at], isAmerican)
  for (let i = start; i < end; i++) {
    const value = mid(chain, i)
    const intrinsic = least(chain.strike[i], chain.right[i])
    const usable = intrinsic <= 0 || value - intrinsic >= (chain.ask[i] - chain.bid[i]) / 2
    price[i] = usable ? value : Number.NaN
  }
}

/**
 * Gives each contract of an expiration a volatility from the first source that has one. On entry, `sigma` holds the
 * volatilities implied by the contracts' own mids.
 */
export function fillSources(chain: PricedChain, at: number, smileOf: SmileOf | undefined): void {
  refuseOutOfBounds(chain, at)
  const { american, dividends } = chain.carries[at]
  if (american !== undefined && dividends.length === 0) preferOutOfTheMoney(chain, at)
  fillFromSiblings(chain, at)
  if (smileOf !== undefined) fillFromSmile(chain, at, smileOf)
  fillBetween(chain, at)
  capAtAsks(chain, at)
  markIntrinsic(chain, at)
}

function refuseOutOfBounds({ expirations, sigma, sigmaSource }: PricedChain, at: number): void {
  const { start, end } = expirations[at]
  for (let i = start; i < end; i++) {
    const own = isInBounds(sigma[i])
    if (!own) sigma[i] = Number.NaN
    sigmaSource[i] = own ? OWN_MID : NO_SIGMA
  }
}

/**
 * Greatest days to expiry at which call and put are compared. In longer expirations, ex-dates change the value of early
 * exercise by less than the spread.
 */
const NEAR_A_DIVIDEND = 100

/**
 * Drops the volatility of an in-the-money American option if it differs from its sibling's by more than their spreads
 * explain. A continuous yield ignores ex-dates. A call in the money shortly before an ex-date, or a put shortly after
 * it, therefore contains an early-exercise premium that would be mistaken for volatility. Out of the money there is
 * almost none. With discrete dividends this is not needed: call and put both keep their own volatility.
 */
function preferOutOfTheMoney(chain: PricedChain, at: number): void {
  const { strike, bid, ask, sigma, sigmaSource } = chain
  const { start, end } = chain.expirations[at]
  const { days, t, spot, forward, dividendYield } = chain.carries[at]
  if (days > NEAR_A_DIVIDEND) return
  const vegaAtD1 = spot * Math.exp(-dividendYield * t) * Math.sqrt(t)
  for (let i = start; i + 1 < end; i++) {
    if (strike[i] !== strike[i + 1] || sigmaSource[i] !== OWN_MID || sigmaSource[i + 1] !== OWN_MID) continue
    // A call precedes its put: below the forward the call is the one in the money.
    const [within, out] = strike[i] < forward ? [i, i + 1] : [i + 1, i]
    const total = sigma[out] * Math.sqrt(t)
    const vega = vegaAtD1 * normalPdf(logMoneyness(forward, strike[i]) / total + total / 2)
    const spreads = ask[i] - bid[i] + (ask[i + 1] - bid[i + 1])
    if (Math.abs(sigma[within] - sigma[out]) * vega <= spreads / 2) continue
    sigma[within] = Number.NaN
    sigmaSource[within] = NO_SIGMA
  }
}

function fillFromSiblings({ expirations, strike, sigma, sigmaSource }: PricedChain, at: number): void {
  const { start, end } = expirations[at]
  for (let i = start; i + 1 < end; i++) {
    if (strike[i] !== strike[i + 1]) continue
    const [from, to] = sigmaSource[i] === OWN_MID ? [i, i + 1] : [i + 1, i]
    if (sigmaSource[from] !== OWN_MID || sigmaSource[to] !== NO_SIGMA) continue
    sigma[to] = sigma[from]
    sigmaSource[to] = SIBLING
  }
}

function fillFromSmile(chain: PricedChain, at: number, smileOf: SmileOf): void {
  const { start, end } = chain.expirations[at]
  const first = chain.sigmaSource.subarray(start, end).indexOf(NO_SIGMA)
  const smile = first === -1 ? undefined : smileOf(chain, at)
  if (smile === undefined) return
  const { forward } = chain.carries[at]
  for (let i = start + first; i < end; i++) {
    if (chain.sigmaSource[i] !== NO_SIGMA) continue
    const sigma = smile(logMoneyness(chain.strike[i], forward))
    if (sigma === undefined || !isInBounds(sigma)) continue
    chain.sigma[i] = sigma
    chain.sigmaSource[i] = SMILE
  }
}

/**
 * Gives each contract that still has no volatility one from the strikes around it. Total variance is linear in k = ln(K
 * / F) between the two nearest strikes and constant beyond the outermost ones. A strike whose call and put differ
 * counts with the mean of their variances.
 */
function fillBetween({ expirations, carries, strike, sigma, sigmaSource }: PricedChain, at: number): void {
  const { start, end } = expirations[at]
  const { forward } = carries[at]
  const knots: Knot[] = []
  let missing = 0
  for (let i = start; i < end; i++) {
    if (sigmaSource[i] === NO_SIGMA) missing++
    else addKnot(knots, strike[i], forward, sigma[i] * sigma[i])
  }
  if (missing === 0 || knots.length === 0) return
  let above = 0
  for (let i = start; i < end; i++) {
    if (sigmaSource[i] !== NO_SIGMA) continue
    while (above < knots.length && knots[above].strike < strike[i]) above++
    const right = knots[Math.min(above, knots.length - 1)]
    const left = knots[Math.max(above - 1, 0)]
    const share = right === left ? 0 : (logMoneyness(strike[i], forward) - left.k) / (right.k - left.k)
    sigma[i] = Math.sqrt(left.variance + share * (right.variance - left.variance))
    sigmaSource[i] = BETWEEN
  }
}

interface Knot {
  readonly strike: number
  readonly k: number
  variance: number
}

function addKnot(knots: Knot[], strike: number, forward: number, variance: number): void {
  const last = knots.at(-1)
  if (last?.strike === strike) last.variance = (last.variance + variance) / 2
  else knots.push({ strike, k: logMoneyness(strike, forward), variance })
}

/**
 * Lowers the estimated volatility of an out-of-the-money option without a bid, and of its sibling, to the volatility of
 * its ask. A buyer who thought the option worth more could buy it there. Beyond its quotes, a smile is only a guess.
 */
function capAtAsks(chain: PricedChain, at: number): void {
  const { strike, right, bid, ask, sigma, sigmaSource } = chain
  const { start, end } = chain.expirations[at]
  const carry = chain.carries[at]
  const asked: number[] = []
  for (let i = start; i < end; i++) {
    if (!isGuessed(sigmaSource[i]) || bid[i] > 0 || !(ask[i] > 0)) continue
    if ((right[i] === CALL) === strike[i] >= carry.forward) asked.push(i)
  }
  if (asked.length === 0) return
  const count = asked.length
  const [strikes, asks, most] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)]
  const rights = new Uint8Array(count)
  for (let k = 0; k < count; k++) {
    strikes[k] = strike[asked[k]]
    asks[k] = ask[asked[k]]
    rights[k] = right[asked[k]]
  }
  // European volatilities will do: an option without a bid contains almost no early-exercise premium.
  impliedVolatilities(carry, strikes, rights, asks, 0, count, most)
  for (let k = 0; k < count; k++) {
    const i = asked[k]
    if (!isInBounds(most[k]) || sigma[i] <= most[k]) continue
    for (let j = Math.max(i - 1, start); j <= Math.min(i + 1, end - 1); j++) {
      if (strike[j] === strike[i] && isGuessed(sigmaSource[j])) sigma[j] = most[k]
    }
  }
}

function isGuessed(source: number): boolean {
  return source === SMILE || source === BETWEEN
}

/**
 * Marks contracts that are in the money and have a mid, but no volatility from any source: their mid has no time value.
 */
function markIntrinsic(chain: PricedChain, at: number): void {
  const { start, end } = chain.expirations[at]
  const { forward } = chain.carries[at]
  for (let i = start; i < end; i++) {
    if (chain.sigmaSource[i] !== NO_SIGMA || Number.isNaN(mid(chain, i))) continue
    const inTheMoney = chain.right[i] === CALL ? forward > chain.strike[i] : forward < chain.strike[i]
    if (inTheMoney) chain.sigmaSource[i] = INTRINSIC
  }
}

function isInBounds(sigma: number): boolean {
  return sigma >= MIN_SIGMA && sigma <= MAX_SIGMA
}

export function countSources({
  size,
  sigmaSource
}: PricedChain): Readonly<Record<(typeof sigmaSources)[number], number>> {
  const counts = { none: 0, own_mid: 0, twin: 0, smile: 0, between: 0, intrinsic: 0 }
  for (let i = 0; i < size; i++) counts[sigmaSources[sigmaSource[i]]]++
  return counts
}
