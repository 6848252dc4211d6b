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

/** Time, money and the forward of one expiration: what its inversion, its greeks, its flip and its smile share. */
export interface Carry {
  /** Days and years to expiry on the clock of `market/clock.ts`. */
  readonly days: number
  readonly t: number
  readonly rate: number
  readonly discount: number
  readonly forward: number
  /** The underlying that moneyness, carry and exercise are measured from, USD: see `effectiveSpot`, or the forward itself. */
  readonly spot: number
  /** The underlying that exposures are counted in, USD: the quoted spot, or the forward itself. */
  readonly exposureSpot: number
  /** rate - ln(forward / spot) / t, so that the forward is the one the options imply. */
  readonly dividendYield: number
  /** The yield to be expected: that of its known dividends, else the configured one; the rate where nobody carries it. */
  readonly expectedYield: number
  /** The yield behind charm, theta and rho: `dividendYield` while it is plausible, else the expected one. */
  readonly clockYield: number
  readonly fromParity: boolean
  /** The volatilities that the grids of early exercise cover, see `by-exercise.ts`; undefined where options are European. */
  readonly american: VolatilityRange | undefined
  /** The dividends that early exercise waits for, see `usableDividends`; none where a continuous yield stands for them. */
  readonly dividends: readonly ProportionalDividend[]
}

/** What an expiration says by itself, before the chain's spot is judged by it. */
type Term = Pick<Carry, 'days' | 't' | 'rate' | 'discount' | 'forward' | 'fromParity' | 'dividends' | 'expectedYield'>

/**
 * How far an implied yield may lie from the expected one before it is not believed. A stale or after-hours underlying
 * shows up as a yield of 40 % and more in the nearest expirations, where it would double CHEX; dividends and borrow of the
 * names with listed options stay inside.
 */
const PLAUSIBLE_YIELD_GAP = 0.05

/** Share of the weight of American pairs whose forward must lie within their spreads of the common one. */
const MIN_AGREEMENT = 0.5
/** Quotes beyond these volatilities are too far off for their options to be worth exercising, or wrong. */
const MIN_COVERED = 0.03
const MAX_COVERED = 2.5

/** Years up to which discrete dividends are followed: beyond, a continuous yield is as good and costs a tenth. */
const MAX_WITH_DIVIDENDS = 0.5
/** The part of its dividends that the yield of an expiration may lack before its schedule is not believed. */
const MISSING_DIVIDENDS = 0.5

/** The carry of each expiration of a chain, in their order, from put-call parity where its own options allow it. */
export function carriesOf(chain: Chain, assumptions: Assumptions): readonly Carry[] {
  return inOneGo(carrySteps(chain, assumptions))
}

/** The same as steps of one expiration each. */
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

/** The dividends of an expiration where they are followed one by one. */
function usableDividends(chain: Chain, expiration: Expiration): readonly ProportionalDividend[] {
  const years = yearsToExpiry(chain.asOf, expiration.date, expiration.settlement)
  return years <= MAX_WITH_DIVIDENDS ? dividendsUntil(chain, expiration) : []
}

/**
 * Whether the forward lacks most of the dividends: contracts are adjusted for special dividends, so that they cost their
 * holders nothing, and a schedule may be wrong.
 */
function isContradicted({ t, dividends, dividendYield }: Carry): boolean {
  const paid = yieldOfDividends(dividends, t)
  return dividends.length > 0 && Math.abs(dividendYield - paid) > PLAUSIBLE_YIELD_GAP + MISSING_DIVIDENDS * paid
}

function europeanCarry(quoted: number, spot: number, term: Term): Carry {
  const { expectedYield } = term
  const dividendYield = term.fromParity ? term.rate - Math.log(term.forward / spot) / term.t : expectedYield
  const forward = term.fromParity ? term.forward : forwardAt(spot, term, expectedYield)
  const clockYield = believed(dividendYield, expectedYield)
  return { ...term, forward, spot, exposureSpot: quoted, dividendYield, clockYield, american: undefined }
}

/** The same with the premiums of early exercise taken off its pairs. What tells no volatility needs no exercise either. */
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
  // One pair or two cannot agree: parity has judged them by their distance from spot.
  const isBelieved = implied.pairs < ENOUGH_TO_AGREE ? european.fromParity : implied.agreement >= MIN_AGREEMENT
  if (!isBelieved) return american
  const { forward, dividendYield } = implied
  const clockYield = believed(dividendYield, european.expectedYield)
  return { ...american, forward, dividendYield, clockYield, fromParity: true }
}

/**
 * European volatilities of the quotes out of the money, which hold next to no premium, by contract of an expiration; NaN for
 * all others.
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

/** Nobody carries what cannot be held: each expiration has its own underlying, under Black (1976) with a yield of r. */
function onForward(term: Term): Carry {
  const { forward, rate } = term
  const yields = { dividendYield: rate, expectedYield: rate, clockYield: rate }
  return { ...term, ...yields, spot: forward, exposureSpot: forward, american: undefined }
}

function forwardAt(spot: number, { rate, t }: Pick<Term, 'rate' | 't'>, dividendYield: number): number {
  return spot * Math.exp((rate - dividendYield) * t)
}

/** Up to so many days a forward tells the spot behind it, whatever is paid meanwhile. */
const NEAR = 7

/**
 * The spot that the options were quoted at. It is the chain's own, unless the yield that the nearest forward implies with
 * it is not plausible: then spot and quotes are of different moments, a payload's spot being a print from after hours or
 * a quarter of an hour old, and the expirations of the next seven days say what it was, q₀ being the yield expected of each:
 *
 *     S* = median of F exp(-(r - q₀) T)
 */
function effectiveSpot(spot: number, terms: readonly Term[]): number {
  const near = terms.filter(({ days, fromParity }) => fromParity && days <= NEAR)
  if (near.length === 0) return spot
  const { rate, forward, t, expectedYield } = near[0]
  if (isPlausible(rate - Math.log(forward / spot) / t, expectedYield)) return spot
  return median(near.map((term) => term.forward / forwardAt(1, term, term.expectedYield)))!
}

function believed(dividendYield: number, expected: number): number {
  return isPlausible(dividendYield, expected) ? dividendYield : expected
}

function isPlausible(dividendYield: number, expected: number): boolean {
  return Math.abs(dividendYield - expected) <= PLAUSIBLE_YIELD_GAP
}
