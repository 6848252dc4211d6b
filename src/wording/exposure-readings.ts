import type { DecaySpan } from '../exposure/decay-ahead.ts'
import type { Alignment } from '../exposure/pin/max-pain-signal.ts'
import type { StatedRegime } from '../exposure/regime.ts'
import type { NetCharm } from '../exposure/time-decay.ts'
import { level, money } from './format.ts'

/**
 * Says what the gamma regime means for the price. `unheld` means that, by the requested model, dealers hold none of the
 * open contracts.
 */
export function gammaReading(regime: StatedRegime, flip: number | undefined, unheld = false): string {
  const where = flip === undefined ? '' : `, flip at ${level(flip)}`
  if (regime === 'positive_gamma') {
    return `Positive gamma${where}: dealers sell rallies and buy dips, which dampens moves and favours mean reversion.`
  }
  if (regime === 'negative_gamma') {
    return `Negative gamma${where}: dealers buy rallies and sell dips, which feeds moves and favours momentum.`
  }
  if (unheld) return 'Gamma regime undetermined: by this model dealers hold none of the open contracts.'
  return 'Gamma regime undetermined: no contract in scope has both open interest and a usable quote.'
}

export function vannaReading(netVex: number): string {
  if (netVex > 0) {
    return `Net vanna of ${money(netVex)} per vol unit: rising volatility makes dealers buy, falling volatility makes them sell.`
  }
  if (netVex < 0) {
    return `Net vanna of ${money(netVex)} per vol unit: rising volatility makes dealers sell, falling volatility makes them buy.`
  }
  return 'Net vanna is balanced: a change of volatility alone gives dealers nothing to trade.'
}

/** Over what time a net charm is stated: that of contracts that expire today reaches to the close only. */
export const spanWords: Readonly<Record<DecaySpan, string>> = {
  day: 'a day',
  close: 'to the close',
  both: 'a day, to the close for what expires today'
}

/** Says how dealers react to the passage of time. A net that is undefined is unknown. */
export function charmReading({ net, span }: NetCharm): string {
  if (net === undefined) return 'Net charm is unknown: no open contract in scope has a volatility.'
  if (net > 0) {
    return `Net charm of ${money(net)} ${spanWords[span]}: the passage of time makes dealers buy, a tailwind into the close.`
  }
  if (net < 0) {
    return `Net charm of ${money(net)} ${spanWords[span]}: the passage of time makes dealers sell, a headwind into the close.`
  }
  return 'Net charm is balanced: the passage of time alone gives dealers nothing to trade.'
}

export function alignmentReading(alignment: Alignment, maxPain: number, flip: number | undefined): string {
  const at = `Max pain at ${level(maxPain)}`
  if (alignment === 'converging') {
    return `${at} lies between the walls and next to the gamma flip at ${level(flip!)}: dealer hedging and expiry pull agree.`
  }
  if (alignment === 'moderate')
    return `${at} lies between the walls but away from the gamma flip: a pull without confirmation.`
  if (alignment === 'diverging') return `${at} lies outside the walls: dealer hedging works against a drift there.`
  return `${at}; a wall or the gamma flip is missing, so alignment with dealer positioning cannot be judged.`
}
