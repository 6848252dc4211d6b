import type { VixState } from '../macro/vix-state.ts'
import type { FitRefusal, Slice } from '../volatility/smile/slice.ts'
import type { ArbitrageFlag } from '../volatility/surface/arbitrage.ts'
import type { ArbitrageSource } from '../volatility/surface/quoted-arbitrage.ts'
import { level, percent, withNoun } from './format.ts'

/** Sentence about an arbitrage flag: where it is, what is wrong there, and whether the fit or the quotes are to blame. */
export function arbitrageReading(flag: ArbitrageFlag, source: ArbitrageSource): string {
  const at = `at log-moneyness ${flag.k}`
  if (flag.kind === 'calendar') {
    const { earlier, later } = flag
    return `Fitted total variance falls by ${small(flag.value)} from ${earlier.date} to ${later.date} ${at}, so a calendar spread there has a negative price. ${blame[source]}`
  }
  const quantity = flag.condition === 'd2w_dk2' ? 'Curvature of fitted total variance' : "Durrleman's g of the fit"
  return `${quantity} is ${small(flag.value)} ${at} on ${flag.slice.date}, so a butterfly there has a negative price. ${blame[source]}`
}

const blame: Readonly<Record<ArbitrageSource, string>> = {
  fit: 'The fitted curve is to blame, not the quotes.',
  quotes: 'The quotes themselves show it, bought at the ask and sold at the bid.'
}

const small = (value: number) => `${Number(value.toPrecision(3))}`

const readings: Readonly<Record<VixState, string>> = {
  overvixing: 'index options price in much more than the index has moved, so protection is expensive',
  undervixing: 'index options price in no more than the index has moved, so protection is cheap',
  neutral: 'index options price in somewhat more than the index has moved, as is usual'
}

/**
 * Sentence that compares the VIX with the realized volatility of the S&P 500 over the last month. Both are in percent.
 */
export function vixReading(state: VixState, vix: number, realized: number): string {
  return `VIX is at ${level(vix)}, against 20-day realized volatility of ${percent(realized)} in SPX: ${readings[state]}.`
}

/** Why the fit of a smile was rejected, worded as the end of a sentence. */
const reasons: Readonly<Record<FitRefusal, string>> = {
  last_hour: 'the contracts settle within the hour',
  few_points: 'too few usable quotes, or too few on one side of the forward',
  no_centre: 'no usable quote close to the forward on both sides',
  no_fit: 'no curve within the bounds of SVI fits the quotes',
  rough: 'the best curve misses the quotes by too much',
  out_of_range: 'volatility at the forward lies outside 5 to 200%'
}

export function fitReading({ refusal, rms, points, constrained, anchored }: Slice): string {
  if (refusal !== undefined) return `Fit rejected: ${reasons[refusal]}.`
  const held = constrained
    ? ', constrained to be free of butterfly arbitrage'
    : anchored
      ? ', pulled to the quotes at the forward'
      : ''
  return `Fit accepted: RMS error of ${level(100 * rms!)} vol points over ${withNoun(points.size, 'quote')}${held}.`
}
