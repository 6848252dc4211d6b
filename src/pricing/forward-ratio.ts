import type { Expiration } from '../market/chain.ts'
import { daysToExpiry, isLive } from '../market/clock.ts'
import type { IsoDate } from '../market/units.ts'
import type { Carry } from './carry.ts'
import type { PricedChain } from './price-chain.ts'

export interface ForwardRatio {
  readonly ratio: number
  /** Interest rate, continuously compounded, an annual fraction. */
  readonly rate: number
  /** Yield that explains the ratio: rate - ln(ratio) / τ, with τ in years of 365 days. */
  readonly impliedYield: number
}

type Listing = Expiration & Carry

/**
 * Ratio of forward to spot of an underlying for a date, from put-call parity. If options expire on that date, their
 * forward is used (the AM-settled one if there are two). Between two expirations, ln(F/S) and the rate are interpolated
 * linearly in days. Outside all expirations, the ratio is exp((r - q) τ) with rate and yield of the nearest one.
 * Undefined if no expiration implies a forward. Needs no futures prices.
 * Source: cost of carry; Hull, Options, Futures, and Other Derivatives, 9th ed. (2015), ch. 5.
 */
export function forwardRatio(chain: PricedChain, date: IsoDate): ForwardRatio | undefined {
  const days = daysToExpiry(chain.asOf, date)
  const listings = listingsOf(chain)
  const below = listings.findLast((listed) => listed.days <= days)
  const above = listings.find((listed) => listed.days >= days)
  const nearest = below ?? above
  if (nearest === undefined) return undefined
  const years = days / 365
  const found =
    below === undefined || above === undefined
      ? { log: (nearest.rate - nearest.dividendYield) * years, rate: nearest.rate }
      : between(below, above, days)
  return { ratio: Math.exp(found.log), rate: found.rate, impliedYield: found.rate - found.log / years }
}

function listingsOf({ asOf, expirations, carries }: PricedChain): readonly Listing[] {
  const byDate = new Map<IsoDate, Listing>()
  expirations.forEach((expiration, at) => {
    const { date, settlement } = expiration
    if (!carries[at].fromParity || !isLive(asOf, date, settlement)) return
    if (settlement === 'am' || !byDate.has(date)) byDate.set(date, { ...expiration, ...carries[at] })
  })
  return [...byDate.values()]
}

function between(below: Listing, above: Listing, days: number) {
  const share = below.days === above.days ? 0 : (days - below.days) / (above.days - below.days)
  const [low, high] = [below, above].map(({ forward, spot }) => Math.log(forward / spot))
  return { log: low + share * (high - low), rate: below.rate + share * (above.rate - below.rate) }
}
