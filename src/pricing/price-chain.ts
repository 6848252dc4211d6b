import { CALL, type Chain, giveBackQuotes } from '../market/chain.ts'
import { isLive } from '../market/clock.ts'
import { inOneGo, type Steps } from '../market/steps.ts'
import { giveBackMemory, sharedMemory } from '../memory/shared-memory.ts'
import { type Assumptions, exerciseStyleOf, isOnForward } from './assumptions.ts'
import { fillGreeksOf, fillVolatilities } from './by-exercise.ts'
import { type Carry, carrySteps } from './carry.ts'
import { fillSources, fillUsableMids, INTRINSIC } from './sources.ts'

/**
 * A chain with columns for volatility and greeks; NaN if a contract has none. Per share, in desk units: theta and charm
 * per calendar day passing, vega and rho per 0.01, vanna per 1.00 of volatility.
 */
export interface PricedChain extends Chain {
  readonly carries: readonly Carry[]
  /** Whether options are priced on the forward of their expiration because the spot cannot be held. */
  readonly onForward: boolean
  readonly sigma: Float64Array
  /**
   * Index into `sigmaSources` for each contract. A contract whose source is INTRINSIC has greeks without a volatility.
   */
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
 * Returns the fitted smile of one entry of `expirations`: volatility, an annual fraction, over k = ln(K / F). Undefined
 * if no fit was accepted. It is called before there are greeks and sees only volatilities of quotes and siblings.
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

/** Returns the memory of a chain to this thread, which allocated it. Nobody may read the chain afterwards. */
export function giveBackChain(chain: PricedChain): void {
  giveBackQuotes(chain)
  giveBackMemory(chain.sigma.buffer as SharedArrayBuffer)
}

/** Adds pricing columns to a chain. Fields are listed one by one for the reason given at `chainOf`. */
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
 * Gives every contract its volatility and its greeks.
 * The volatility is inverted from the contract's own mid if that depends enough on volatility: the option is out of the
 * money forward, or its time value is at least half its spread. A deep in-the-money contract gets the volatility of the
 * other right at its strike instead, so that both sides of a strike agree. If neither has one, it comes from the fitted
 * smile of the expiration (`smileOf` is called only if needed), else from the strikes around it. If no contract of an
 * expiration has a volatility, an in-the-money contract without time value moves like its underlying. An expired
 * contract has neither volatility nor greeks, even if it is still quoted: a quote from after the close contains no
 * information about time that is over.
 */
export function priceChain(chain: Chain, assumptions: Assumptions, smileOf?: SmileOf): PricedChain {
  return inOneGo(pricingSteps(chain, assumptions, smileOf))
}

/**
 * Does the work of `priceChain` in steps of one expiration each, so that other work of the thread can run between them.
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
 * Fills the greeks of contracts without time value. European ones are practically a forward, the limit of volatility
 * zero; American ones move like the underlying.
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

/** Under Black (1976) the rate only discounts, so the carry part of the spot model's rho is subtracted again. */
function fillForwardRho(chain: PricedChain, at: number): void {
  const { start, end } = chain.expirations[at]
  const { forward, t } = chain.carries[at]
  for (let i = start; i < end; i++) chain.rho[i] -= (t * forward * chain.delta[i]) / 100
}

/** Recomputes charm, theta and rho with `clockYield` if the implied yield is implausible. */
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
