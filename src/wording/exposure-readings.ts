import type { DecaySpan } from '../exposure/decay-ahead.ts'
import type { Alignment } from '../exposure/pin/max-pain-signal.ts'
import type { StatedRegime } from '../exposure/regime.ts'
import type { ExposureGap } from '../exposure/scope.ts'
import type { NetCharm } from '../exposure/time-decay.ts'
import { level, money } from './format.ts'

// All sentences about dealers take the exposures to be those of the dealers' own options: without a dealer model long
// calls and short puts. Whatever adds to the delta of that book makes dealers sell, whatever lowers it makes them buy.

/** Why nothing can be said about dealers, worded as the second half of a sentence. */
const gaps: Readonly<Record<ExposureGap, string>> = {
  uncounted: 'open interest is unknown',
  unpriced: 'no open contract in scope has an implied volatility',
  empty: 'no contract in scope has open interest',
  unheld: 'under this dealer model, dealers hold none of the open contracts'
}

/** Says that an exposure is unknown, or 0 because dealers hold nothing. */
function withoutExposure(name: string, gap: ExposureGap): string {
  return `${name} is ${gap === 'empty' || gap === 'unheld' ? 'balanced' : 'unknown'}: ${gaps[gap]}.`
}

/** Clauses about the trades of dealers in each gamma regime. */
export const stances = {
  positive_gamma: 'dealers sell rallies and buy dips, which dampens moves',
  negative_gamma: 'dealers buy rallies and sell dips, which amplifies moves'
} as const

/** Says what the gamma regime means for the price. `gap` says why there is no exposure, if there is none. */
export function gammaReading(regime: StatedRegime, flip: number | undefined, gap: ExposureGap | undefined): string {
  if (regime === 'undetermined') {
    return gap === undefined
      ? 'No gamma regime: the gamma of calls and puts offsets exactly.'
      : `No gamma regime: ${gaps[gap]}.`
  }
  const where = flip === undefined ? '' : `, flip at ${level(flip)}`
  return `${regime === 'positive_gamma' ? 'Positive' : 'Negative'} gamma${where}: ${stances[regime]}.`
}

/** Says how dealers react to volatility. `perPoint` is net vanna in USD of delta per volatility point. */
export function vannaReading(perPoint: number, gap: ExposureGap | undefined): string {
  if (gap !== undefined) return withoutExposure('Net vanna', gap)
  if (perPoint === 0) return 'Net vanna is balanced: a change in volatility alone gives dealers nothing to trade.'
  const [up, down] = perPoint > 0 ? ['sell', 'buy'] : ['buy', 'sell']
  return `Net vanna is ${amount(perPoint)} per volatility point: rising volatility makes dealers ${up}, falling volatility makes them ${down}.`
}

/** Over what time a net charm is stated: that of contracts that expire today reaches to the close only. */
const spanWords: Readonly<Record<DecaySpan, string>> = {
  day: 'a day',
  close: 'to the close',
  both: 'a day (to the close for what expires today)'
}

/** Says how dealers react to the passage of time. A net that is undefined is unknown. */
export function charmReading({ net, span }: NetCharm, gap: ExposureGap | undefined): string {
  if (gap !== undefined) return withoutExposure('Net charm', gap)
  if (net === undefined) return withoutExposure('Net charm', 'unpriced')
  if (net === 0) return 'Net charm is balanced: the passage of time alone gives dealers nothing to trade.'
  const effect = net > 0 ? 'sell, a headwind for the price' : 'buy, a tailwind for the price'
  return `Net charm is ${amount(net)} ${spanWords[span]}: the passage of time makes dealers ${effect}.`
}

/** An amount that is not 0, so it is never called $0. */
const amount = (usd: number) => (Math.abs(usd) < 0.5 ? 'less than a dollar' : money(usd))

export function alignmentReading(alignment: Alignment, maxPain: number, flip: number | undefined): string {
  const at = `Max pain at ${level(maxPain)}`
  if (alignment === 'converging') {
    return `${at} lies within the walls and next to the gamma flip at ${level(flip!)}: expiration pull and dealer positioning agree.`
  }
  if (alignment === 'moderate') {
    return `${at} lies within the walls but away from the gamma flip at ${level(flip!)}: dealer positioning does not confirm the pull.`
  }
  if (alignment === 'diverging') {
    return `${at} lies outside the walls: dealer positioning does not support a drift there.`
  }
  return `${at}: a wall or the gamma flip is missing, so dealer positioning neither supports nor contradicts it.`
}

/** Note that accompanies sentences about dealers. `isModelled` means that a dealer model was requested. */
export function bookNote(isModelled: boolean): string {
  const book = isModelled ? 'hold the positions of the requested dealer model' : 'are long calls and short puts'
  return `Sentences assume that dealers ${book}: they sell what adds to their delta and buy what lowers it. Codes about vanna and charm, such as vol_up_dealers_buy, assume the opposite positions.`
}
