import type { VixState } from '../macro/vix-state.ts'
import type { FitRefusal, Slice } from '../volatility/smile/slice.ts'
import type { ArbitrageFlag } from '../volatility/surface/arbitrage.ts'
import { level, percent } from './format.ts'

/** Sentence about an arbitrage flag: where it is and what is wrong there. */
export function arbitrageReading(flag: ArbitrageFlag): string {
  const at = `at log-moneyness ${flag.k}`
  if (flag.kind === 'calendar') {
    const { earlier, later } = flag
    return `Total variance falls by ${small(flag.value)} from ${earlier.date} to ${later.date} ${at}: a calendar spread there is worth less than nothing.`
  }
  const quantity = flag.condition === 'd2w_dk2' ? 'Curvature of total variance' : "Durrleman's g"
  return `${quantity} is ${small(flag.value)} ${at} on ${flag.slice.date}: the implied density is negative, a butterfly there is worth less than nothing.`
}

const small = (value: number) => `${Number(value.toPrecision(3))}`

const readings: Readonly<Record<VixState, string>> = {
  overvixing: 'index options ask well more than the index has moved, fear is paid for',
  undervixing: 'index options ask no more than the index has moved, protection is cheap',
  neutral: 'index options ask the usual premium over what the index has moved'
}

/**
 * Sentence that compares the VIX with the realized volatility of the S&P 500 over the last month. Both are in percent.
 */
export function vixReading(state: VixState, vix: number, realized: number): string {
  return `VIX at ${percent(vix)} against ${percent(realized)} realized in SPX over 20 days: ${readings[state]}.`
}

/** Why the fit of a smile was refused, worded as the end of a sentence. */
const reasons: Readonly<Record<FitRefusal, string>> = {
  last_hour: 'it settles within the hour',
  few_points: 'too few usable quotes, or too few on one side of the forward',
  no_centre: 'no usable quote close to the forward on both sides',
  no_fit: 'no curve within the bounds of SVI fits its quotes',
  rough: 'the best curve misses its quotes by too much',
  out_of_range: 'its volatility at the forward lies outside 5 to 200%'
}

export function fitReading({ refusal, rms, points, constrained, anchored }: Slice): string {
  if (refusal !== undefined) return `Fit refused: ${reasons[refusal]}.`
  const held = constrained ? ', held free of butterflies' : anchored ? ', held to their centre' : ''
  return `Fit accepted: off by ${level(100 * rms!)} vol points (rms) over ${points.size} quotes${held}.`
}
