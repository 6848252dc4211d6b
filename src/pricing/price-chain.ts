import { CALL, type Chain } from '../market/chain.ts'
import { isLive } from '../market/clock.ts'
import { sharedMemory } from '../market/shared-memory.ts'
import { type Assumptions, type Carry, carryOf, mid } from './carry.ts'
import { fillGreeks } from './greeks.ts'
import { impliedVolatilities } from './implied-volatility.ts'
import { logMoneyness } from './log-moneyness.ts'

/** Where a contract's volatility comes from, in the order they are tried, by the wire contract's names: `twin` is the sibling. */
export const sigmaSources = ['none', 'own_mid', 'twin', 'smile'] as const
export const NO_SIGMA = 0
export const OWN_MID = 1
/** From its sibling, the other right at its strike. */
export const SIBLING = 2
export const SMILE = 3

/** A volatility outside these bounds is a quote gone wrong rather than an opinion. */
export const MIN_SIGMA = 0.01
export const MAX_SIGMA = 5

/**
 * A chain with volatilities and greeks as further columns. NaN where a contract has none. Per share, in desk units:
 * theta and charm per calendar day passing, vega and rho per 0.01, vanna per 1.00 of volatility.
 */
export interface PricedChain extends Chain {
  /** One carry for each entry of `expirations`. */
  readonly carries: readonly Carry[]
  readonly sigma: Float64Array
  /** An index into `sigmaSources` for each contract. */
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
 * The fitted smile of one entry of `expirations`: volatility, an annual fraction, over k = ln(K / F). Undefined where none
 * was accepted. It is asked for before there are greeks and sees the volatilities of quotes and siblings only.
 */
export type SmileOf = (chain: PricedChain, at: number) => ((k: number) => number | undefined) | undefined

const columnNames = ['sigma', 'delta', 'gamma', 'theta', 'vega', 'rho', 'vanna', 'charm'] as const

/**
 * Gives every contract its volatility and its greeks.
 *
 * The volatility is inverted from the contract's own mid where that says something about volatility: the option is out
 * of the money forward, or its time value is at least half its spread. A deep in-the-money contract gets the volatility
 * of the other right at its strike instead, so that both sides of a strike agree. What neither gives comes from the fitted
 * smile of the expiration: `smileOf` is asked only for expirations that need it, and without it nothing is filled in.
 * What is no longer live has neither volatility nor greeks, whatever is still quoted: a mark from after the close says
 * nothing about time that is over.
 */
export function priceChain(chain: Chain, assumptions: Assumptions, smileOf?: SmileOf): PricedChain {
  const { size } = chain
  const buffer = sharedMemory(size * (8 * columnNames.length + 1))
  const columns = Object.fromEntries(
    columnNames.map((name, at) => [name, new Float64Array(buffer, 8 * size * at, size)])
  ) as Record<(typeof columnNames)[number], Float64Array>
  const sigmaSource = new Uint8Array(buffer, 8 * size * columnNames.length, size)
  const carries = chain.expirations.map((expiration) => carryOf(chain, expiration, assumptions))
  const priced = { ...chain, ...columns, sigmaSource, carries }
  const price = new Float64Array(size)
  chain.expirations.forEach(({ date, settlement, start, end }, at) => {
    if (!isLive(chain.asOf, date, settlement)) {
      for (const name of columnNames) columns[name].fill(Number.NaN, start, end)
      return
    }
    fillUsableMids(chain, carries[at], start, end, price)
    impliedVolatilities(carries[at], chain.strike, chain.right, price, start, end, columns.sigma)
    fillSources(priced, start, end)
    if (smileOf !== undefined) fillFromSmile(priced, at, smileOf)
    fillGreeks(greekTerms(chain, carries[at]), chain.strike, chain.right, columns.sigma, start, end, columns)
  })
  refillClockGreeks(priced)
  return priced
}

/** The terms the greeks of an expiration are computed with. */
export function greekTerms(chain: Chain, carry: Carry) {
  return { spot: chain.spot, t: carry.t, rate: carry.rate, dividendYield: carry.dividendYield }
}

/** The mid of each contract whose price determines its volatility, NaN for the others. */
function fillUsableMids(chain: Chain, carry: Carry, start: number, end: number, price: Float64Array): void {
  const { forward, discount } = carry
  for (let i = start; i < end; i++) {
    const value = mid(chain, i)
    const intrinsic = discount * (chain.right[i] === CALL ? forward - chain.strike[i] : chain.strike[i] - forward)
    const usable = intrinsic <= 0 || value - intrinsic >= (chain.ask[i] - chain.bid[i]) / 2
    price[i] = usable ? value : Number.NaN
  }
}

/** Refuses volatilities out of bounds, then lends each contract without one that of its sibling at the same strike. */
function fillSources({ strike, sigma, sigmaSource }: PricedChain, start: number, end: number): void {
  for (let i = start; i < end; i++) {
    const own = sigma[i] >= MIN_SIGMA && sigma[i] <= MAX_SIGMA
    if (!own) sigma[i] = Number.NaN
    sigmaSource[i] = own ? OWN_MID : NO_SIGMA
  }
  for (let i = start; i + 1 < end; i++) {
    if (strike[i] !== strike[i + 1]) continue
    const [from, to] = sigmaSource[i] === OWN_MID ? [i, i + 1] : [i + 1, i]
    if (sigmaSource[from] !== OWN_MID || sigmaSource[to] !== NO_SIGMA) continue
    sigma[to] = sigma[from]
    sigmaSource[to] = SIBLING
  }
}

/** Gives each contract without a volatility that of its expiration's smile at its strike, within the same bounds. */
function fillFromSmile(chain: PricedChain, at: number, smileOf: SmileOf): void {
  const { start, end } = chain.expirations[at]
  const first = chain.sigmaSource.subarray(start, end).indexOf(NO_SIGMA)
  const smile = first === -1 ? undefined : smileOf(chain, at)
  if (smile === undefined) return
  const { forward } = chain.carries[at]
  for (let i = start + first; i < end; i++) {
    if (chain.sigmaSource[i] !== NO_SIGMA) continue
    const sigma = smile(logMoneyness(chain.strike[i], forward))
    if (sigma === undefined || !(sigma >= MIN_SIGMA && sigma <= MAX_SIGMA)) continue
    chain.sigma[i] = sigma
    chain.sigmaSource[i] = SMILE
  }
}

/** Charm, theta and rho once more, with the configured yield, where the implied one is implausible. */
function refillClockGreeks(chain: PricedChain): void {
  chain.carries.forEach((carry, at) => {
    const { date, settlement, start, end } = chain.expirations[at]
    if (carry.clockYield === carry.dividendYield || !isLive(chain.asOf, date, settlement)) return
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
    const terms = { ...greekTerms(chain, carry), dividendYield: carry.clockYield }
    const part = <Column extends Float64Array | Uint8Array>(column: Column) => column.subarray(start, end) as Column
    fillGreeks(terms, part(chain.strike), part(chain.right), part(chain.sigma), 0, end - start, again)
    for (const name of ['charm', 'theta', 'rho'] as const) chain[name].set(again[name], start)
  })
}

/** How many contracts of a chain take their volatility from each source, by the names of `sigmaSources`. */
export function countSources(chain: PricedChain): Readonly<Record<(typeof sigmaSources)[number], number>> {
  const counts = { none: 0, own_mid: 0, twin: 0, smile: 0 }
  for (let i = 0; i < chain.size; i++) counts[sigmaSources[chain.sigmaSource[i]]]++
  return counts
}
