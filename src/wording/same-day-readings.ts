import type { CharmRegime } from '../exposure/hedging.ts'
import type { StatedRegime } from '../exposure/regime.ts'
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

export function charmRegimeReading(regime: CharmRegime, netChex: number): string {
  if (regime === 'neutral') return 'Charm is balanced: decay alone moves no hedges.'
  const side = regime === 'time_decay_dealers_buy' ? 'buy' : 'sell'
  return `Charm of ${money(netChex)} a day: as the clock runs, dealers ${side} to stay hedged.`
}

export function decayReading(
  theta: number | undefined,
  perHour: number | undefined,
  acceleration: number | undefined
): string {
  if (theta === undefined) return 'No contract of this expiration has greeks: decay cannot be measured.'
  const pace = perHour === undefined ? 'with no session left to earn it' : `${money(perHour)} per remaining hour`
  const gamma =
    acceleration === undefined
      ? ''
      : ` At-the-money gamma is ${level(acceleration)} times that of the seven-day expiration.`
  return `Open interest decays by ${money(theta)} a day, ${pace}.${gamma}`
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

/**
 * Warning in the last minutes before the close. It contains no figure, because the response has the time left in hours.
 */
export const closingWarning =
  'The last minutes before the close: greeks of contracts that expire today are unstable and may jump between snapshots.'

export function sessionIsClosed(symbol: string, lastSession: string): string {
  return `The session is closed: same-day analytics of ${symbol} are told from 09:30 to the close in New York. The last session was ${lastSession}.`
}
