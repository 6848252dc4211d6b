import { isLive } from '../market/clock.ts'
import { memoize } from '../market/memoize.ts'
import type { IsoDate } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'

/** A range of slots that expire together, and the index of their date in `dates`. */
export interface LiveRange {
  readonly start: number
  readonly end: number
  readonly date: number
}

/** The unexpired contracts of a chain as a tree of dates, strikes and contracts. */
export interface ChainTree {
  /** Expiration dates, ascending. AM- and PM-settled options of a date share one entry. */
  readonly dates: readonly IsoDate[]
  readonly ranges: readonly LiveRange[]
}

export const chainTree = memoize(({ asOf, expirations }: PricedChain): ChainTree => {
  const live = expirations.filter(({ date, settlement }) => isLive(asOf, date, settlement))
  const dates = [...new Set(live.map(({ date }) => date))]
  const places = new Map(dates.map((date, k) => [date, k]))
  return { dates, ranges: live.map(({ date, start, end }) => ({ start, end, date: places.get(date)! })) }
})

/**
 * The strikes of every unexpired date, ascending by date and strike. The contracts of strike k are `slots` from index
 * `first[k]` up to but excluding `first[k + 1]`.
 */
export interface StrikeNodes {
  readonly strike: Float64Array
  readonly date: Int32Array
  readonly first: Int32Array
  /** Slots of the contracts, ordered by date, strike, then call before put. Contracts of several roots are merged. */
  readonly slots: Int32Array
}

export const strikeNodes = memoize((chain: PricedChain): StrikeNodes => {
  const { dates, ranges } = chainTree(chain)
  const size = ranges.reduce((sum, { start, end }) => sum + end - start, 0)
  const slots = new Int32Array(size)
  const [strikes, places, first]: [number[], number[], number[]] = [[], [], []]
  let filled = 0
  for (let date = 0; date < dates.length; date++) {
    const from = filled
    const ofDate = ranges.filter((range) => range.date === date)
    for (const { start, end } of ofDate) for (let i = start; i < end; i++) slots[filled++] = i
    // A single listing is already in order; several have to be merged.
    if (ofDate.length > 1) {
      const byStrike = (a: number, b: number) =>
        chain.strike[a] - chain.strike[b] || chain.right[a] - chain.right[b] || a - b
      slots.subarray(from, filled).sort(byStrike)
    }
    for (let k = from; k < filled; k++) {
      const strike = chain.strike[slots[k]]
      if (k > from && strike === strikes[strikes.length - 1]) continue
      strikes.push(strike)
      places.push(date)
      first.push(k)
    }
  }
  first.push(filled)
  return { strike: Float64Array.from(strikes), date: Int32Array.from(places), first: Int32Array.from(first), slots }
})
