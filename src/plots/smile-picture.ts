import { CALL, PUT } from '../market/chain.ts'
import type { Instant, IsoDate } from '../market/units.ts'
import { logMoneyness } from '../pricing/log-moneyness.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { quoteVolatilities } from '../pricing/quote-volatility.ts'
import { acceptedSlices, type Slice, slices } from '../volatility/smile/slice.ts'
import { smileVolatility } from '../volatility/smile/smile-volatility.ts'
import { arbitrageFlags } from '../volatility/surface/arbitrage.ts'

/**
 * Volatilities implied by bid, mid and ask of an out-of-the-money quote, percent. Undefined where a price implies none.
 */
export interface QuotedVolatility {
  readonly strike: number
  readonly right: 'call' | 'put'
  readonly bid: number | undefined
  readonly mid: number
  readonly ask: number | undefined
  /** Whether this quote was used in the fit of the smile. */
  readonly used: boolean
}

/** Data for the smile plot of one expiration. Strikes are in USD, volatilities in percent. */
export interface SmilePicture {
  readonly symbol: string
  readonly root: string
  readonly settlement: 'am' | 'pm'
  readonly asOf: Instant
  readonly spot: number
  readonly slice: Slice
  readonly quotes: readonly QuotedVolatility[]
  /** Points of the fitted smile. If the fit was refused, they are interpolated between smile points. */
  readonly curve: readonly (readonly [strike: number, iv: number])[]
  readonly flags: readonly { readonly kind: 'butterfly' | 'calendar'; readonly strike: number; readonly iv: number }[]
}

const CURVE_POINTS = 240
/** The curve continues this far beyond the outermost fitted quotes, as a fraction of the distance between them. */
const MARGIN = 0.06

/** Data for the smile plot of one expiration date. Undefined if no unexpired options are listed for it. */
export function smilePicture(chain: PricedChain, date: IsoDate): SmilePicture | undefined {
  const slice = slices(chain).find((listed) => listed.date === date)
  if (slice === undefined) return undefined
  const { root, settlement } = chain.expirations[slice.at]
  const quotes = quotesOf(chain, slice)
  const curve = curveOf(slice, quotes)
  return {
    symbol: chain.symbol,
    root,
    settlement,
    asOf: chain.asOf,
    spot: chain.spot,
    slice,
    quotes,
    curve,
    flags: flagsOf(chain, slice)
  }
}

function quotesOf(chain: PricedChain, { at, forward, points }: Slice): readonly QuotedVolatility[] {
  const { start, end } = chain.expirations[at]
  const { bid, mid, ask } = quoteVolatilities(chain)
  const used = new Set(points.strike)
  const quotes: QuotedVolatility[] = []
  for (let i = start; i < end; i++) {
    const strike = chain.strike[i]
    const outside = chain.right[i] === CALL ? strike >= forward : chain.right[i] === PUT && strike <= forward
    if (!outside || Number.isNaN(mid[i])) continue
    quotes.push({
      strike,
      right: chain.right[i] === CALL ? 'call' : 'put',
      bid: percentOf(bid[i]),
      mid: 100 * mid[i],
      ask: percentOf(ask[i]),
      used: used.has(strike)
    })
  }
  return quotes
}

const percentOf = (fraction: number) => (Number.isNaN(fraction) ? undefined : 100 * fraction)

/** Points of the smile line. A fitted curve continues slightly beyond its quotes; an interpolated one ends at them. */
function curveOf(slice: Slice, quotes: readonly QuotedVolatility[]): SmilePicture['curve'] {
  const strikes = quotes.filter(({ used }) => used).map(({ strike }) => strike)
  if (strikes.length === 0) return []
  const [first, last] = [strikes[0], strikes[strikes.length - 1]]
  const beyond = slice.svi === undefined ? 0 : MARGIN * (last - first)
  const from = Math.max(first / 2, first - beyond)
  const step = (last + beyond - from) / (CURVE_POINTS - 1)
  return Array.from({ length: CURVE_POINTS }, (_, n) => from + n * step).flatMap((strike) => {
    const iv = smileVolatility(slice, logMoneyness(strike, slice.forward))
    return iv === undefined ? [] : [[strike, 100 * iv] as const]
  })
}

function flagsOf(chain: PricedChain, slice: Slice): SmilePicture['flags'] {
  return arbitrageFlags(acceptedSlices(chain)).flatMap((flag) => {
    const mine = flag.kind === 'butterfly' ? [flag.slice] : [flag.earlier, flag.later]
    if (!mine.some(({ at }) => at === slice.at)) return []
    return [{ kind: flag.kind, strike: slice.forward * Math.exp(flag.k), iv: 100 * smileVolatility(slice, flag.k)! }]
  })
}
