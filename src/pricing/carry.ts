import { CALL, type Chain, type Expiration } from '../market/chain.ts'
import { daysToExpiry, isLive, yearsToExpiry } from '../market/clock.ts'
import { inOneGo, type Steps } from '../market/steps.ts'
import { median } from '../math/statistics.ts'
import { dividendsUntil, type ProportionalDividend, yieldOfDividends } from './american/dividends/dividend-terms.ts'
import { americanForward } from './american/forward/american-forward.ts'
import { quotedPairs } from './american/forward/quoted-pairs.ts'
import { type VolatilityRange, volatilityRange } from './american/premium-table.ts'
import { type Assumptions, DEFAULT_RATES, exerciseStyleOf, isOnForward, rateAt, yieldOf } from './assumptions.ts'
import { impliedVolatilities } from './implied-volatility.ts'
import { ENOUGH_TO_AGREE, mid, parityForward } from './parity.ts'

/** Time, rate and forward of one expiration, used for its volatilities, greeks, gamma flip and smile. */
export interface Carry {
  /** Days and years to expiry on the clock of `market/clock.ts`. */
  readonly days: number
  readonly t: number
  readonly rate: number
  readonly discount: number
  readonly forward: number
  /** Price of the underlying for moneyness, carry and exercise, USD: see `effectiveSpot`, or the forward itself. */
  readonly spot: number
  /** Price of the underlying with which exposures are computed, USD: the quoted spot, or the forward itself. */
  readonly exposureSpot: number
  /** rate - ln(forward / spot) / t, the yield that gives the forward implied by the options. */
  readonly dividendYield: number
  /**
   * Expected yield: that of known dividends if there are any, else the configured one; the rate if the underlying
   * cannot be held.
   */
  readonly expectedYield: number
  /** Yield used for charm, theta and rho: `dividendYield` if plausible, else the expected one. */
  readonly clockYield: number
  readonly fromParity: boolean
  /** Volatilities that the early-exercise tables cover; undefined if options are European. */
  readonly american: VolatilityRange | undefined
  /** Discrete dividends used for early exercise, see `usableDividends`; empty if a continuous yield is used. */
  readonly dividends: readonly ProportionalDividend[]
}

/**
 * Terms computed from one expiration's options, before all expirations decide whether the chain's spot is plausible.
 */
type Term = Pick<Carry, 'days' | 't' | 'rate' | 'discount' | 'forward' | 'fromParity' | 'dividends' | 'expectedYield'>

/**
 * Implied yields further than this from the expected one are not used. A stale or after-hours underlying implies yields
 * of 40 % and more in the nearest expirations, which would double CHEX; dividends and borrow fees of stocks with
 * options stay within.
 */
const PLAUSIBLE_YIELD_GAP = 0.05

/**
 * Minimum share of the weight of pairs whose own forward lies within their spreads of the common forward. Otherwise the
 * forward is rejected.
 */
const MIN_AGREEMENT = 0.5
/** Quotes beyond these volatilities are wrong, or too far off for early exercise to matter. */
const MIN_COVERED = 0.03
const MAX_COVERED = 2.5

/** Years up to which discrete dividends are used: beyond, a continuous yield is as accurate and costs a tenth. */
const MAX_WITH_DIVIDENDS = 0.5
/** Share of the dividends that may be missing from an expiration's yield before its dividend schedule is discarded. */
const MISSING_DIVIDENDS = 0.5

/**
 * The carry of each expiration of a chain, in their order, from put-call parity if the expiration's own options allow
 * it.
 */
export function carriesOf(chain: Chain, assumptions: Assumptions): readonly Carry[] {
  return inOneGo(carrySteps(chain, assumptions))
}

/** Does the work of `carriesOf` in steps of one expiration each. */
export function* carrySteps(chain: Chain, assumptions: Assumptions): Steps<readonly Carry[]> {
  const configured = yieldOf(assumptions, chain.symbol)
  const isAmerican = exerciseStyleOf(assumptions, chain.symbol) === 'american'
  const onForwards = isOnForward(assumptions, chain.symbol)
  const terms: Term[] = []
  for (const expiration of chain.expirations) {
    const dividends = isAmerican && !onForwards ? usableDividends(chain, expiration) : []
    terms.push(termOf(chain, expiration, dividends, assumptions, configured))
    yield
  }
  if (onForwards) return terms.map(onForward)
  const spot = effectiveSpot(chain.spot, terms)
  const carryOf = (term: Term, at: number) => {
    if (!isAmerican) return europeanCarry(chain.spot, spot, term)
    const { [at]: expiration } = chain.expirations
    const carry = americanCarry(chain, expiration, europeanCarry(chain.spot, spot, term))
    if (!isContradicted(carry)) return carry
    const without = termOf(chain, expiration, [], assumptions, configured)
    return americanCarry(chain, expiration, europeanCarry(chain.spot, spot, without))
  }
  const carries: Carry[] = []
  for (const [at, term] of terms.entries()) {
    carries.push(carryOf(term, at))
    yield
  }
  return carries
}

function usableDividends(chain: Chain, expiration: Expiration): readonly ProportionalDividend[] {
  const years = yearsToExpiry(chain.asOf, expiration.date, expiration.settlement)
  return years <= MAX_WITH_DIVIDENDS ? dividendsUntil(chain, expiration) : []
}

/**
 * Whether most of the dividends are missing from the forward. Schedules can be wrong, and contracts are adjusted for
 * special dividends, which then do not lower the forward.
 */
function isContradicted({ t, dividends, dividendYield }: Carry): boolean {
  const paid = yieldOfDividends(dividends, t)
  return dividends.length > 0 && Math.abs(dividendYield - paid) > PLAUSIBLE_YIELD_GAP + MISSING_DIVIDENDS * paid
}

function europeanCarry(quoted: number, spot: number, term: Term): Carry {
  const { expectedYield } = term
  const dividendYield = term.fromParity ? term.rate - Math.log(term.forward / spot) / term.t : expectedYield
  const forward = term.fromParity ? term.forward : forwardAt(spot, term, expectedYield)
  const clockYield = plausibleOr(dividendYield, expectedYield)
  return { ...term, forward, spot, exposureSpot: quoted, dividendYield, clockYield, american: undefined }
}

/**
 * The carry with early-exercise premiums removed from the pairs. An expiration without any volatility stays European.
 */
function americanCarry(chain: Chain, expiration: Expiration, european: Carry): Carry {
  if (!isLive(chain.asOf, expiration.date, expiration.settlement)) return european
  const outer = outerVolatilities(chain, expiration, european)
  const range = volatilityRange(outer.filter((sigma) => sigma >= MIN_COVERED && sigma <= MAX_COVERED))
  if (range === undefined) return european
  const american = { ...european, american: range }
  if (european.days < 1) return american
  const pairs = quotedPairs(chain, expiration, outer)
  const implied = americanForward(european, pairs, european.forward, range)
  if (implied === undefined) return american
  const isAccepted = implied.pairs < ENOUGH_TO_AGREE ? european.fromParity : implied.agreement >= MIN_AGREEMENT
  if (!isAccepted) return american
  const { forward, dividendYield } = implied
  const clockYield = plausibleOr(dividendYield, european.expectedYield)
  return { ...american, forward, dividendYield, clockYield, fromParity: true }
}

/**
 * European volatilities of out-of-the-money quotes, which contain almost no premium, by contract of an expiration; NaN
 * for all others.
 */
function outerVolatilities(chain: Chain, { start, end }: Expiration, carry: Carry): Float64Array {
  const { strike, right } = chain
  const [strikes, prices, sigmas] = Array.from({ length: 3 }, () => new Float64Array(end - start))
  const rights = new Uint8Array(end - start)
  const places = new Int32Array(end - start)
  let count = 0
  for (let i = start; i < end; i++) {
    const isOuter = right[i] === CALL ? strike[i] >= carry.forward : strike[i] < carry.forward
    const price = isOuter ? mid(chain, i) : Number.NaN
    if (Number.isNaN(price)) continue
    strikes[count] = strike[i]
    rights[count] = right[i]
    prices[count] = price
    places[count++] = i - start
  }
  impliedVolatilities(carry, strikes, rights, prices, 0, count, sigmas)
  const outer = new Float64Array(end - start).fill(Number.NaN)
  for (let k = 0; k < count; k++) outer[places[k]] = sigmas[k]
  return outer
}

function termOf(
  chain: Chain,
  expiration: Expiration,
  dividends: readonly ProportionalDividend[],
  { rates = DEFAULT_RATES }: Assumptions,
  configured: number
): Term {
  const days = daysToExpiry(chain.asOf, expiration.date)
  const t = yearsToExpiry(chain.asOf, expiration.date, expiration.settlement)
  const rate = rateAt(rates, days)
  const discount = Math.exp(-rate * t)
  const expectedYield = dividends.length > 0 ? yieldOfDividends(dividends, t) : configured
  const expected = forwardAt(chain.spot, { rate, t }, expectedYield)
  // On the last day a cent of spread outweighs the carry.
  const parity =
    days >= 1 ? parityForward(chain, expiration, discount, { expected, reach: 0.05 + 0.25 * t }) : undefined
  const forward = parity ?? expected
  return { days, t, rate, discount, forward, fromParity: parity !== undefined, dividends, expectedYield }
}

/**
 * Terms for an underlying that cannot be held: each expiration has its own forward, under Black (1976) with a yield of
 * r.
 */
function onForward(term: Term): Carry {
  const { forward, rate } = term
  const yields = { dividendYield: rate, expectedYield: rate, clockYield: rate }
  return { ...term, ...yields, spot: forward, exposureSpot: forward, american: undefined }
}

function forwardAt(spot: number, { rate, t }: Pick<Term, 'rate' | 't'>, dividendYield: number): number {
  return spot * Math.exp((rate - dividendYield) * t)
}

const NEAR = 7

/**
 * Spot at the time of the option quotes. It is the chain's own spot, unless the nearest forward would imply an
 * implausible yield with it. Then spot and quotes are of different moments (the spot may be an after-hours print or a
 * quarter of an hour old), and the spot is computed from the expirations of the next seven days, with q₀ their expected
 * yield:
 *
 *    S* = median of F exp(-(r - q₀) T)
 */
function effectiveSpot(spot: number, terms: readonly Term[]): number {
  const near = terms.filter(({ days, fromParity }) => fromParity && days <= NEAR)
  if (near.length === 0) return spot
  const { rate, forward, t, expectedYield } = near[0]
  if (isPlausible(rate - Math.log(forward / spot) / t, expectedYield)) return spot
  return median(near.map((term) => term.forward / forwardAt(1, term, term.expectedYield)))!
}

function plausibleOr(dividendYield: number, expected: number): number {
  return isPlausible(dividendYield, expected) ? dividendYield : expected
}

function isPlausible(dividendYield: number, expected: number): boolean {
  return Math.abs(dividendYield - expected) <= PLAUSIBLE_YIELD_GAP
}
