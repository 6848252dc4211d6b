import type { Chain, Expiration } from '../../src/market/chain.ts'
import { UNKNOWN } from '../../src/market/chain.ts'

/** A chain with its spot multiplied, as a feed of another unit or another hour would state it. */
export function withSpot(chain: Chain, factor: number): Chain {
  const spot = factor * chain.spot
  return { ...chain, spot, quote: { ...chain.quote, bid: undefined, ask: undefined, last: spot } }
}

export const withoutInterest = (chain: Chain): Chain => ({ ...chain, openInterest: new Int32Array(chain.size) })

export const withUnknownInterest = (chain: Chain): Chain => ({
  ...chain,
  openInterest: new Int32Array(chain.size).fill(UNKNOWN)
})

export const withStrikesTimes = (chain: Chain, factor: number): Chain => ({
  ...chain,
  strike: chain.strike.map((strike) => factor * strike)
})

export const withPricesTimes = (chain: Chain, factor: number): Chain => ({
  ...chain,
  bid: chain.bid.map((price) => factor * price),
  ask: chain.ask.map((price) => factor * price)
})

/** A chain without the bids that `isLost` names by slot. */
export const withoutBids = (chain: Chain, isLost: (slot: number) => boolean): Chain => ({
  ...chain,
  bid: chain.bid.map((bid, i) => (isLost(i) ? Number.NaN : bid))
})

export const withoutQuotes = (chain: Chain): Chain => {
  const nothing = new Float64Array(chain.size).fill(Number.NaN)
  return { ...chain, bid: nothing, ask: nothing }
}

/** The contracts of a chain whose strikes lie further from spot than a fraction of it. */
export function deepStrikes(chain: Chain, beyond: number): Chain {
  const isKept = (i: number) => Math.abs(chain.strike[i] / chain.spot - 1) > beyond
  const kept = Array.from(chain.strike.keys()).filter(isKept)
  const columns = Object.entries(chain).map(([name, column]) => {
    if (column instanceof Float64Array) return [name, Float64Array.from(kept, (i) => column[i])]
    if (column instanceof Int32Array) return [name, Int32Array.from(kept, (i) => column[i])]
    return [name, column instanceof Uint8Array ? Uint8Array.from(kept, (i) => column[i]) : column]
  })
  const expirations: Expiration[] = []
  let end = 0
  for (const listed of chain.expirations) {
    const start = end
    end += kept.filter((i) => i >= listed.start && i < listed.end).length
    if (end > start) expirations.push({ ...listed, start, end })
  }
  return { ...Object.fromEntries(columns), size: kept.length, expirations } as Chain
}
