import { CALL, type Chain, giveBackColumns } from '../market/chain.ts'
import { isLive } from '../market/clock.ts'
import { inOneGo, type Steps } from '../market/steps.ts'
import { giveBackMemory, sharedMemory } from '../memory/shared-memory.ts'
import { type Assumptions, exerciseStyleOf, isOnForward } from './assumptions.ts'
import { fillGreeksOf, fillVolatilities } from './by-exercise.ts'
import { type Carry, carrySteps } from './carry.ts'
import { fillSources, fillUsableMids, INTRINSIC } from './sources.ts'

/**
 * A chain with the volatility and the greeks of each contract; NaN if it has none. Greeks are per share. Theta and
 * charm are per calendar day that passes, vega and rho per 0.01 of volatility or rate, vanna per 1.00 of volatility.
 */
export interface PricedChain extends Chain {
  readonly carries: readonly Carry[]
  /**
   * Whether each option is priced on the forward of its expiration, because the spot cannot be held (volatility
   * indexes, for example).
   */
  readonly onForward: boolean
  readonly sigma: Float64Array
  /** Index into `sigmaSources` for each contract. A contract with the source INTRINSIC has greeks but no volatility. */
  readonly sigmaSource: Uint8Array
  readonly delta: Float64Array
  readonly gamma: Float64Array
  readonly theta: Float64Array
  readonly vega: Float64Array
  readonly rho: Float64Array
  readonly vanna: Float64Array
  readonly charm: Float64Array
}

/**
 * Returns the fitted smile of the expiration with index `at`: a function from k = ln(K / F) to volatility, an annual
 * fraction. Undefined if no fit was accepted. It is called before greeks are computed. At that time, the chain contains
 * only volatilities from quotes and from siblings (the other right at the same strike).
 */
export type SmileOf = (chain: PricedChain, at: number) => ((k: number) => number | undefined) | undefined

const columnNames = ['sigma', 'delta', 'gamma', 'theta', 'vega', 'rho', 'vanna', 'charm'] as const

type PricedColumns = Pick<PricedChain, (typeof columnNames)[number] | 'sigmaSource'>

function pricedColumns(size: number): PricedColumns {
  const buffer = sharedMemory(size * (8 * columnNames.length + 1))
  const floats = Object.fromEntries(
    columnNames.map((name, at) => [name, new Float64Array(buffer, 8 * size * at, size)])
  ) as Omit<PricedColumns, 'sigmaSource'>
  return { ...floats, sigmaSource: new Uint8Array(buffer, 8 * size * columnNames.length, size) }
}

/**
 * Returns the memory of a chain for reuse by this thread, which must have allocated it. Nobody may read the chain
 * afterwards.
 */
export function giveBackChain(chain: PricedChain): void {
  giveBackColumns(chain)
  giveBackPricing(chain)
}

/** The same for the pricing alone, where others still read the chain that was priced. */
export function giveBackPricing({ sigma }: PricedChain): void {
  giveBackMemory(sigma.buffer as SharedArrayBuffer)
}

/** Adds pricing columns to a chain. Fields are listed one by one for the reason that `chainOf` explains. */
function withPricing(
  chain: Chain,
  columns: PricedColumns,
  { carries, onForward }: Pick<PricedChain, 'carries' | 'onForward'>
): PricedChain {
  return {
    symbol: chain.symbol,
    asOf: chain.asOf,
    delay: chain.delay,
    spot: chain.spot,
    quote: chain.quote,
    source: chain.source,
    observedAt: chain.observedAt,
    strike: chain.strike,
    right: chain.right,
    bid: chain.bid,
    ask: chain.ask,
    last: chain.last,
    bidSize: chain.bidSize,
    askSize: chain.askSize,
    volume: chain.volume,
    openInterest: chain.openInterest,
    size: chain.size,
    expirations: chain.expirations,
    dividends: chain.dividends,
    sigma: columns.sigma,
    delta: columns.delta,
    gamma: columns.gamma,
    theta: columns.theta,
    vega: columns.vega,
    rho: columns.rho,
    vanna: columns.vanna,
    charm: columns.charm,
    sigmaSource: columns.sigmaSource,
    carries,
    onForward
  }
}

/**
 * Gives every contract its volatility and its greeks. The volatility comes from the first source that has one:
 * 1. The contract's own mid, if it depends enough on volatility: the option is out of the money (at the forward), or
 * its time value is at least half its spread.
 * 2. The contract of the other right at the same strike, so that call and put agree.
 * 3. The fitted smile of the expiration. `smileOf` is called only if needed.
 * 4. The strikes around it.
 * If no contract of an expiration has a volatility, an in-the-money contract without time value moves like its
 * underlying. An expired contract has neither volatility nor greeks, even if it is still quoted: time that is over has
 * no volatility.
 */
export function priceChain(chain: Chain, assumptions: Assumptions, smileOf?: SmileOf): PricedChain {
  return inOneGo(pricingSteps(chain, assumptions, smileOf))
}

/**
 * Does the work of `priceChain` in steps, one expiration at a time, so that other work of the thread can run in
 * between.
 */
export function* pricingSteps(chain: Chain, assumptions: Assumptions, smileOf?: SmileOf): Steps<PricedChain> {
  const { size } = chain
  const columns = pricedColumns(size)
  const carries = yield* carrySteps(chain, assumptions)
  const isAmerican = exerciseStyleOf(assumptions, chain.symbol) === 'american'
  const priced = withPricing(chain, columns, { carries, onForward: isOnForward(assumptions, chain.symbol) })
  const price = new Float64Array(size)
  for (let at = 0; at < chain.expirations.length; at++) {
    priceExpiration(priced, at, isAmerican, price, smileOf)
    yield
  }
  return priced
}

function priceExpiration(
  priced: PricedChain,
  at: number,
  isAmerican: boolean,
  price: Float64Array,
  smileOf: SmileOf | undefined
): void {
  const { date, settlement, start, end } = priced.expirations[at]
  if (!isLive(priced.asOf, date, settlement)) {
    for (const name of columnNames) priced[name].fill(Number.NaN, start, end)
    return
  }
  const carry = priced.carries[at]
  fillUsableMids(priced, at, isAmerican, price)
  fillVolatilities(carry, priced.strike, priced.right, price, start, end, priced.sigma)
  fillSources(priced, at, smileOf)
  fillGreeksOf(carry, priced.strike, priced.right, priced.sigma, start, end, priced)
  fillIntrinsicGreeks(priced, at, isAmerican)
  if (priced.onForward) fillForwardRho(priced, at)
  else refillClockGreeks(priced, at)
}

export function greekTerms({ spot, t, rate, dividendYield }: Carry) {
  return { spot, t, rate, dividendYield }
}

/**
 * Fills the greeks of contracts without time value. A European contract is practically a forward: its greeks are the
 * limit as volatility falls to zero. An American one moves like the underlying.
 */
function fillIntrinsicGreeks(chain: PricedChain, at: number, isAmerican: boolean): void {
  const { start, end } = chain.expirations[at]
  const { spot, t, rate, discount, dividendYield } = chain.carries[at]
  const carried = Math.exp(-dividendYield * t)
  for (let i = start; i < end; i++) {
    if (chain.sigmaSource[i] !== INTRINSIC) continue
    const sign = chain.right[i] === CALL ? 1 : -1
    const paid = sign * discount * chain.strike[i]
    chain.delta[i] = isAmerican ? sign : sign * carried
    chain.theta[i] = isAmerican ? 0 : (sign * dividendYield * spot * carried - rate * paid) / 365
    chain.rho[i] = isAmerican ? 0 : (t * paid) / 100
    for (const name of ['gamma', 'vega', 'vanna', 'charm'] as const) chain[name][i] = 0
  }
}

/**
 * Corrects rho of options priced on a forward. In the model of Black (1976) the rate only discounts, so the part of rho
 * that comes from the carry is subtracted.
 */
function fillForwardRho(chain: PricedChain, at: number): void {
  const { start, end } = chain.expirations[at]
  const { forward, t } = chain.carries[at]
  for (let i = start; i < end; i++) chain.rho[i] -= (t * forward * chain.delta[i]) / 100
}

/**
 * Recomputes charm, theta and rho with `clockYield` if it differs from the implied yield, which is then implausible.
 */
export function refillClockGreeks(chain: PricedChain, at: number): void {
  const { start, end } = chain.expirations[at]
  const carry = chain.carries[at]
  if (carry.clockYield === carry.dividendYield) return
  const scratch = () => new Float64Array(end - start)
  const again = {
    delta: scratch(),
    gamma: scratch(),
    theta: scratch(),
    vega: scratch(),
    rho: scratch(),
    vanna: scratch(),
    charm: scratch()
  }
  const part = <Column extends Float64Array | Uint8Array>(column: Column) => column.subarray(start, end) as Column
  const [strike, right, sigma] = [part(chain.strike), part(chain.right), part(chain.sigma)]
  fillGreeksOf(carry, strike, right, sigma, 0, end - start, again, carry.clockYield)
  for (const name of ['charm', 'theta', 'rho'] as const) {
    for (let i = start; i < end; i++) if (chain.sigmaSource[i] !== INTRINSIC) chain[name][i] = again[name][i - start]
  }
}
