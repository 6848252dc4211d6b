import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defaultAssumptions } from '../../../src/pricing/assumptions.ts'
import { type PricedChain, priceChain } from '../../../src/pricing/price-chain.ts'
import { type FittedListing, fitListings } from '../../../src/volatility/market-smile/market-surface.ts'
import { type QuoteIntervals, quoteIntervals, ticksOf } from '../../../src/volatility/market-smile/quote-intervals.ts'
import { type SmileCurve, totalVarianceAt } from '../../../src/volatility/market-smile/smile-curve.ts'
import { smilePoints } from '../../../src/volatility/smile/smile-points.ts'
import { outOfTheMoneyValue } from '../../../src/volatility/variance/variance-swap.ts'
import { recordedPayloads } from '../../support/cboe-payload.ts'
import { recordedChain } from '../../support/markets.ts'

const folder = recordedPayloads()

/** Recorded closes of SPX and SPY from the folders next to the project; empty if there are none. */
export const sessions: readonly (readonly [symbol: 'SPX' | 'SPY', date: string, folder: string])[] = [
  ['SPX', '2026-07-22'],
  ['SPX', '2026-07-30'],
  ['SPX', '2026-07-31'],
  ['SPY', '2022-07-12'],
  ['SPY', '2026-07-22'],
  ['SPY', '2026-07-28'],
  ['SPY', '2026-07-29'],
  ['SPY', '2026-07-30'],
  ['SPY', '2026-07-31'],
  ['SPY', '2026-08-03'],
  ['SPY', '2026-08-04']
].flatMap(([symbol, date]) => {
  const file = `${symbol === 'SPX' ? '_SPX' : symbol}-${date}.json.gz`
  const found = [folder, folder && join(folder, '../more')].find((place) => place && existsSync(join(place, file)))
  return found === undefined ? [] : [[symbol as 'SPX' | 'SPY', date, found] as const]
})

/** A recorded session with volatilities of its quotes alone: no smile is needed to fit one. */
export async function session(
  symbol: 'SPX' | 'SPY',
  date: string,
  assumptions = defaultAssumptions
): Promise<PricedChain> {
  const [, , place] = sessions.find(([s, d]) => s === symbol && d === date)!
  return priceChain(await recordedChain(place, symbol, date), assumptions)
}

export const hasSession = (symbol: string, date: string) => sessions.some(([s, d]) => s === symbol && d === date)

/** The listings of a chain as the surface fits them. */
export function listingsOf(chain: PricedChain): readonly (FittedListing & { readonly at: number })[] {
  return chain.carries.map(({ t }, at) => ({ at, t, quotes: quoteIntervals(chain, at) }))
}

export const fitted = (listings: readonly FittedListing[]) => fitListings(listings).map(({ curve }) => curve)

/** The quotes of some indexes only. */
export function only(quotes: QuoteIntervals, keep: (i: number) => boolean): QuoteIntervals {
  const kept = Array.from({ length: quotes.size }, (_, i) => i).filter(keep)
  const part = (column: Float64Array) => Float64Array.from(kept, (i) => column[i])
  const { strike, right, bid, ask } = quotes.prices
  return {
    size: kept.length,
    k: part(quotes.k),
    low: part(quotes.low),
    mid: part(quotes.mid),
    high: part(quotes.high),
    prices: {
      size: kept.length,
      strike: part(strike),
      right: Uint8Array.from(kept, (i) => right[i]),
      bid: part(bid),
      ask: part(ask)
    },
    twoSided: kept.filter((i) => quotes.mid[i] > 0).length
  }
}

/** How a curve meets quotes: how many, inside bid and ask, within a tick of them, and the most ticks that one is missed by. */
export class Tally {
  count = 0
  inside = 0
  withinTick = 0
  worst = 0

  add(ticks: number): void {
    this.count++
    if (ticks <= 1e-6) this.inside++
    if (ticks <= 1 + 1e-6) this.withinTick++
    this.worst = Math.max(this.worst, ticks)
  }

  get share(): number {
    return this.withinTick / this.count
  }

  toString(): string {
    const percent = (part: number) => (this.count === 0 ? '-' : ((100 * part) / this.count).toFixed(1))
    return `${percent(this.inside)} / ${percent(this.withinTick)}`
  }
}

/**
 * Distance in ticks by which a curve misses each liquid quote (a smile point of the wire contract) of the listings in
 * `counted`.
 */
export function* misses(
  chain: PricedChain,
  at: number,
  curve: SmileCurve,
  counted: (i: number) => boolean = () => true
): Generator<number> {
  const { forward, discount } = chain.carries[at]
  const { size, k, prices } = quoteIntervals(chain, at)
  const ticks = ticksOf(chain)
  const liquid = new Set(smilePoints(chain, at).strike)
  for (let i = 0; i < size; i++) {
    if (!liquid.has(prices.strike[i]) || !counted(i)) continue
    const price = discount * forward * outOfTheMoneyValue(k[i], totalVarianceAt(curve, k[i]))
    const miss = Math.max(0, prices.bid[i] - price, price - prices.ask[i])
    yield miss / (prices.ask[i] < 3 ? ticks.below3 : ticks.from3)
  }
}
