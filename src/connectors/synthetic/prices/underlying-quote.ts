import type { UnderlyingQuote } from '../../../market/chain.ts'
import { keyOf, uniform } from '../../../math/random.ts'
import type { MarketMoment } from '../market-moment.ts'
import type { Security } from '../securities/securities.ts'
import type { World } from '../world.ts'
import { priceAt, rangeOf } from './price-path.ts'

/** Tick sizes of option prices, in cents: for prices below 3 USD, and from 3 USD on. */
export interface TickSize {
  readonly below3: number
  readonly from3: number
}

/** Tick sizes of a security's options: cents at all prices, cents only below 3 USD, or 5 and 10 cents. */
export function tickSizeOf({ cycle, kind, optionVolume }: Security): TickSize {
  if (cycle === 'daily' || cycle === 'xsp') return { below3: 1, from3: 1 }
  if (cycle === 'vix') return { below3: 1, from3: 5 }
  if (kind === 'index' || optionVolume < 10_000) return { below3: 5, from3: 10 }
  return { below3: 1, from3: 5 }
}

/** The highest tick that is not above a price. */
export function tickBelow({ below3, from3 }: TickSize, price: number): number {
  const tick = price >= 3 ? from3 : below3
  return (Math.floor((100 * price) / tick + 1e-7) * tick) / 100
}

/** The lowest tick that is not below a price. */
export function tickAbove({ below3, from3 }: TickSize, price: number): number {
  const tick = price > 3 ? from3 : below3
  return (Math.ceil((100 * price) / tick - 1e-7) * tick) / 100
}

/** Spread between bid and ask in volatility points: narrower for securities that trade more. */
export function volatilitySpread({ kind, optionVolume }: Security): number {
  return (kind === 'index' ? 0.6 : 1) * (0.1 + 6 / Math.sqrt(optionVolume / 1000))
}

/**
 * Distance of bid and ask from the value of an option, USD: half of vega times the volatility spread, plus half of a
 * hedging cost for options deep in the money, minus half a tick, because rounding adds that much.
 */
export function halfSpread(tick: number, vegaSpread: number, delta: number, spot: number, t: number): number {
  const deep = 0.0003 * spot * delta ** 8 * (1 + 6 * Math.sqrt(t))
  return Math.max(0, 0.5 * (vegaSpread + deep - tick / 100))
}

/** The underlying's quote and spot. An index has no bid and ask. */
export function underlyingQuote(world: World, security: Security, moment: MarketMoment) {
  const { session, s, asOf } = moment
  const price = priceAt(world, security, session, s)
  const whole = Math.round(100 * price)
  if (security.kind === 'index') {
    const quote: UnderlyingQuote = { bid: undefined, ask: undefined, last: whole / 100, time: asOf }
    return { quote, spot: whole / 100 }
  }
  const width = Math.max(1, Math.round(price * (0.0015 + 0.1 / Math.sqrt(security.optionVolume / 1000))))
  const bidCents = Math.max(1, Math.floor(100 * price - (width - 1) / 2))
  const bid = bidCents / 100
  const ask = (bidCents + width) / 100
  if (moment.elapsed >= 1) return { quote: { bid, ask, last: whole / 100, time: asOf }, spot: whole / 100 }
  const { low, high } = rangeOf(world, security, session)
  const middle = (2 * bidCents + width) / 200
  const seconds = Math.floor(asOf / 1000)
  const atAsk = uniform(keyOf(world.seed, 'print', security.symbol), seconds % 2 ** 31) > 0.5
  const last = Math.max(low, Math.min(high, atAsk ? ask : bid))
  return { quote: { bid, ask, last, time: asOf }, spot: Math.max(low, Math.min(high, middle)) }
}
