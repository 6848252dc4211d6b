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

/**
 * Time, rate, forward and yields of one expiration. Its volatilities, greeks, gamma flip and smile are computed with
 * them.
 */
export interface Carry {
  /** Calendar days and years to expiry, on the clock of `market/clock.ts`. */
  readonly days: number
  readonly t: number
  readonly rate: number
  readonly discount: number
  readonly forward: number
  /**
   * Price of the underlying used for moneyness, carry and exercise, USD. It is the result of `effectiveSpot`, or the
   * forward if the underlying cannot be held.
   */
  readonly spot: number
  /**
   * Price of the underlying used for exposures, USD. It is the quoted spot, or the forward if the underlying cannot be
   * held.
   */
  readonly exposureSpot: number
  /** Yield that explains the forward implied by the options: rate - ln(forward / spot) / t. */
  readonly dividendYield: number
  /**
   * Yield to be expected without looking at the options: from known dividends if there are any, otherwise as
   * configured. It is the rate if the underlying cannot be held.
   */
  readonly expectedYield: number
  /** Yield used for charm, theta and rho. It is `dividendYield` if that is plausible, and `expectedYield` otherwise. */
  readonly clockYield: number
  readonly fromParity: boolean
  /** Volatilities that the tables of early-exercise premiums cover. Undefined if the options are European. */
  readonly american: VolatilityRange | undefined
  /** Discrete dividends used for early exercise, see `usableDividends`. Empty if a continuous yield is used instead. */
  readonly dividends: readonly ProportionalDividend[]
}

/**
 * The part of a carry that depends on the options of its own expiration alone. All of these parts together then decide
 * whether the chain's spot is plausible.
 */
type Term = Pick<Carry, 'days' | 't' | 'rate' | 'discount' | 'forward' | 'fromParity' | 'dividends' | 'expectedYield'>

/**
 * A yield implied by the options is not used if it differs from the expected one by more than this. A stale or
 * after-hours price of the underlying implies yields of 40 % and more in the nearest expirations, which would double
 * the charm exposure (CHEX). Dividends and borrow fees of stocks with options stay within this limit.
 */
const PLAUSIBLE_YIELD_GAP = 0.05

/**
 * Least share of the weight that must belong to pairs in agreement with the common forward (see `ImpliedForward`).
 * Otherwise the forward is rejected.
 */
const MIN_AGREEMENT = 0.5
/**
 * Range of volatilities that early-exercise tables should cover. Quotes with a volatility outside it are wrong, or so
 * far from the money that early exercise does not matter.
 */
const MIN_COVERED = 0.03
const MAX_COVERED = 2.5

/**
 * Discrete dividends are used for expirations up to this many years away. Beyond, a continuous yield is as accurate and
 * takes a tenth of the time.
 */
const MAX_WITH_DIVIDENDS = 0.5
/**
 * Share of the scheduled dividends that may be missing from an expiration's yield. If more is missing, the schedule is
 * discarded.
 */
const MISSING_DIVIDENDS = 0.5

/**
 * Computes the carry of each expiration of a chain, in the order of the expirations. The forward comes from put-call
 * parity if the quotes of the expiration's options allow it.
 */
export function carriesOf(chain: Chain, assumptions: Assumptions): readonly Carry[] {
  return inOneGo(carrySteps(chain, assumptions))
}

/** Does the work of `carriesOf` in steps, one expiration at a time. */
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
  if (onForwards) return withNeighbours(terms).map(onForward)
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
 * Whether most of the scheduled dividends are missing from the forward. Schedules can be wrong. Also, contracts are
 * adjusted for special dividends, which then do not lower the forward.
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
 * Computes the carry of an expiration of American options, whose forward comes from pairs without their early-exercise
 * premiums. An expiration without any volatility keeps its European carry.
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
 * European volatilities of the out-of-the-money quotes of an expiration, one entry per contract. Such quotes contain
 * almost no early-exercise premium. NaN for all other contracts.
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
 * Carry for an underlying that cannot be held. Each expiration has its own forward, which takes the place of the spot.
 * The yield equals the rate, as in the model of Black (1976).
 */
function onForward(term: Term): Carry {
  const { forward, rate } = term
  const yields = { dividendYield: rate, expectedYield: rate, clockYield: rate }
  return { ...term, ...yields, spot: forward, exposureSpot: forward, american: undefined }
}

/**
 * Gives expirations of a volatility index without call-put pairs the forward of their neighbors that have one. The
 * forward is a volatility, so F² T, its total variance, is interpolated linearly in time; before the first neighbor and
 * after the last one their forward itself stands. The index of today says little about it: weeks ahead it is expected
 * closer to its mean. On the last day the forward stays at spot, to which it settles.
 */
function withNeighbours(terms: readonly Term[]): readonly Term[] {
  const known = terms.filter(({ fromParity }) => fromParity).sort((a, b) => a.t - b.t)
  if (known.length === 0) return terms
  return terms.map((term) =>
    term.fromParity || term.days < 1 ? term : { ...term, forward: neighboringForward(known, term.t) }
  )
}

function neighboringForward(known: readonly Term[], t: number): number {
  const after = known.findIndex((other) => other.t >= t)
  if (after <= 0) return known.at(after)!.forward
  const [low, high] = [known[after - 1], known[after]]
  const [lowVariance, highVariance] = [low.forward ** 2 * low.t, high.forward ** 2 * high.t]
  return Math.sqrt((lowVariance + ((highVariance - lowVariance) * (t - low.t)) / (high.t - low.t)) / t)
}

function forwardAt(spot: number, { rate, t }: Pick<Term, 'rate' | 't'>, dividendYield: number): number {
  return spot * Math.exp((rate - dividendYield) * t)
}

const NEAR = 7

/**
 * Spot at the time of the option quotes. It is the chain's own spot, unless that spot and the nearest forward imply an
 * implausible yield. In that case spot and quotes are from different moments: the spot may be an after-hours price, or
 * a quarter of an hour old. The spot is then computed from the expirations of the next seven days, with their expected
 * yield q₀:
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
