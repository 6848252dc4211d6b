import type { DecaySpan } from '../exposure/decay-ahead.ts'
import type { CharmRegime } from '../exposure/hedging.ts'
import type { StatedRegime } from '../exposure/regime.ts'
import type { NetCharm } from '../exposure/time-decay.ts'
import { spanWords } from './exposure-readings.ts'
import { level, money, percent } from './format.ts'

/**
 * Says where spot is relative to the gamma flip of today's expiration. `unheld` means that, by the requested model,
 * dealers hold none of the open contracts.
 */
export function regimeReading(label: StatedRegime, spot: number, flip: number | undefined, unheld = false): string {
  if (label === 'undetermined' && unheld) {
    return 'By this model dealers hold none of the open contracts of this expiration: no regime can be read.'
  }
  if (label === 'undetermined')
    return 'No contract of this expiration has both open interest and greeks: no regime can be read.'
  const stance =
    label === 'positive_gamma'
      ? 'dealers fade moves, so expect them to be absorbed'
      : 'dealers chase moves, so expect them to be extended'
  if (flip === undefined) return `No flip within reach of spot at ${level(spot)}; ${stance}.`
  const side = spot >= flip ? 'above' : 'below'
  return `Spot at ${level(spot)} is ${side} the flip at ${level(flip)}; ${stance}.`
}

export function pinReading(score: number, magnet: number | undefined, distancePercent: number | undefined): string {
  if (magnet === undefined || distancePercent === undefined) return 'No strike stands out: nothing to pin to.'
  const strength = score >= 70 ? 'high' : score >= 40 ? 'moderate' : 'low'
  const consequence = {
    high: 'price is likely to gravitate there into the close',
    moderate: 'a pull that stronger flow can overrun',
    low: 'little to hold price there'
  }[strength]
  return `Pin risk is ${strength} (score ${score}) at ${level(magnet)}, ${percent(distancePercent)} from spot: ${consequence}.`
}

/** Says which hedges the passage of time moves. A net that is undefined is unknown. */
export function charmRegimeReading(regime: CharmRegime, { net, span }: NetCharm): string {
  if (net === undefined) return 'No open contract of this expiration has a volatility: charm is unknown.'
  if (regime === 'neutral') return 'Charm is balanced: decay alone moves no hedges.'
  const side = regime === 'time_decay_dealers_buy' ? 'buy' : 'sell'
  return `Charm of ${money(net)} ${spanWords[span]}: as the clock runs, dealers ${side} to stay hedged.`
}

/**
 * Says how fast open interest decays: until the close if the contracts expire today (`span`), otherwise in a day.
 */
export function decayReading(
  theta: number | undefined,
  perHour: number | undefined,
  acceleration: number | undefined,
  span: DecaySpan
): string {
  if (theta === undefined) return 'No open contract of this expiration has a volatility: decay is unknown.'
  const gamma =
    acceleration === undefined
      ? ''
      : ` At-the-money gamma is ${level(acceleration)} times that of the seven-day expiration.`
  if (span === 'day') return `Open interest decays by ${money(theta)} a day.${gamma}`
  const pace = perHour === undefined ? '' : `, ${money(perHour)} per remaining hour on average`
  return `Open interest decays by ${money(theta)} to the close${pace}.${gamma}`
}

export function volatilityReading(
  today: number | undefined,
  week: number | undefined,
  ratio: number | undefined
): string {
  if (today === undefined) return 'No same-day volatility can be inverted from the quotes.'
  if (week === undefined || ratio === undefined) {
    return `At-the-money volatility of ${percent(today)}; no week-out expiration to compare with.`
  }
  const verdict =
    ratio > 1.1
      ? 'the day is priced rich, an event or stress is expected'
      : ratio < 0.9
        ? 'the day is priced calm against the week'
        : 'the day is priced in line with the week'
  return `At-the-money volatility of ${percent(today)} against ${percent(week)} a week out: ${verdict}.`
}

export function nothingExpires(symbol: string, weekdayName: string, next: string | undefined): string {
  const then = next === undefined ? 'No later expiration is listed.' : `The next expiration is ${next}.`
  return `${symbol} has no expiration today (${weekdayName}). ${then}`
}

/** Note on greeks of contracts that expire today, which are stated for a calendar day. */
export const lastDayNote =
  'Theta and charm of contracts that expire today are rates for a calendar day, which these contracts do not have left. Sums of them run to the close instead.'

/**
 * Warning in the last minutes before the close. It contains no figure, because the response has the time left in hours.
 */
export const closingWarning =
  'The last minutes before the close: greeks of contracts that expire today are unstable and may jump between snapshots.'

export function sessionIsClosed(symbol: string, lastSession: string): string {
  return `The session is closed: same-day analytics of ${symbol} are told from 09:30 to the close in New York. The last session was ${lastSession}.`
}
