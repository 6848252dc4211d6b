import { spreadPercent } from '../../exposure/liquidity/liquidity.ts'
import { CALL, known, PUT } from '../../market/chain.ts'
import type { IsoDate } from '../../market/units.ts'
import { mid } from '../../pricing/parity.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { slices } from '../../volatility/smile/slice.ts'

/** A contract that can be a leg of a structure. Prices are in USD per share. */
export interface TradableContract {
  readonly right: 'put' | 'call'
  readonly strike: number
  /** Delta of one option, negative for puts. */
  readonly delta: number
  readonly mid: number
  /** Bid-ask spread in percent of mid. */
  readonly spread: number
  readonly openInterest: number
  readonly sigma: number
}

/**
 * Tradable contracts of one expiration. All have the same settlement, AM or PM, so that the legs of a structure settle
 * together.
 */
export interface Tradable {
  readonly expiry: IsoDate
  readonly days: number
  /** Years to expiry. */
  readonly t: number
  readonly forward: number
  readonly spot: number
  readonly puts: readonly TradableContract[]
  readonly calls: readonly TradableContract[]
  /** Distance between the listed strikes just below and just above spot. */
  readonly strikeStep: number
}

/** Widest bid-ask spread of a tradable contract, in percent of mid. */
const MAX_SPREAD = 50
/** Open interest that a leg needs by default. */
export const USUAL_OPEN_INTEREST = 250
const reachOfTarget = 0.1
/** Two deltas that differ by less than this count as equal: rounding may separate them. */
const SAME = 1e-12

/**
 * Contracts of an expiration that can be traded: the spread is at most half the mid, and there are a volatility and
 * enough open interest. If AM- and PM-settled contracts share the date, only those with the smile that represents the
 * date are used. Undefined if the date has expired or is not listed. Source: the published API contract,
 * x-conventions.legs.
 */
export function tradableOn(
  chain: PricedChain,
  expiry: IsoDate,
  minOpenInterest = USUAL_OPEN_INTEREST
): Tradable | undefined {
  const slice = slices(chain).find(({ date }) => date === expiry)
  if (slice === undefined) return undefined
  const { start, end } = chain.expirations[slice.at]
  const side = (right: number): readonly TradableContract[] => {
    const found: TradableContract[] = []
    for (let i = start; i < end; i++) {
      const spread = spreadPercent(chain, i)
      const [openInterest, sigma] = [known(chain.openInterest[i]), chain.sigma[i]]
      if (chain.right[i] !== right || spread === undefined || spread > MAX_SPREAD) continue
      if (Number.isNaN(sigma) || openInterest < minOpenInterest) continue
      const [strike, delta] = [chain.strike[i], chain.delta[i]]
      found.push({
        right: right === CALL ? 'call' : 'put',
        strike,
        delta,
        mid: mid(chain, i),
        spread,
        openInterest,
        sigma
      })
    }
    return found
  }
  const { days, t, forward } = slice
  const strikeStep = stepAround(chain.strike.subarray(start, end), chain.spot)
  return { expiry, days, t, forward, spot: chain.spot, puts: side(PUT), calls: side(CALL), strikeStep }
}

/** Distance between the listed strikes just below and just above a price. 0 if all strikes lie on one side of it. */
function stepAround(strikes: Float64Array, price: number): number {
  const above = strikes.findIndex((strike) => strike > price)
  return above <= 0 ? 0 : strikes[above] - strikes[above - 1]
}

/** Tradable puts or calls that are out of the money, measured at the forward. */
export function outOfTheMoney({ puts, calls, forward }: Tradable, right: 'put' | 'call'): readonly TradableContract[] {
  return right === 'put'
    ? puts.filter(({ strike }) => strike < forward)
    : calls.filter(({ strike }) => strike > forward)
}

/**
 * The contract whose |delta| is nearest to `target`, at most `within` away. In a tie, the one with the smaller |delta|.
 */
export function nearestDelta(
  contracts: readonly TradableContract[],
  target: number,
  within = reachOfTarget
): TradableContract | undefined {
  const away = ({ delta }: TradableContract) => Math.abs(Math.abs(delta) - target)
  let best: TradableContract | undefined
  for (const contract of contracts) {
    if (away(contract) > within + SAME) continue
    const gain = best === undefined ? 1 : away(best) - away(contract)
    if (gain > SAME || (gain > -SAME && Math.abs(contract.delta) < Math.abs(best!.delta))) best = contract
  }
  return best
}

/** The contract furthest out of the money whose strike is at most `width` beyond the given one. */
export function widestWithin(
  contracts: readonly TradableContract[],
  strike: number,
  width: number
): TradableContract | undefined {
  const distance = ({ right, strike: other }: TradableContract) => (right === 'put' ? strike - other : other - strike)
  const within = contracts.filter((contract) => distance(contract) > 0 && distance(contract) <= width)
  return within.reduce<TradableContract | undefined>(
    (best, contract) => (best === undefined || distance(contract) > distance(best) ? contract : best),
    undefined
  )
}
