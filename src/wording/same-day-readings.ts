import type { DecaySpan } from '../exposure/decay-ahead.ts'
import type { StatedRegime } from '../exposure/regime.ts'
import type { ExposureGap } from '../exposure/scope.ts'
import { gammaReading, stances } from './exposure-readings.ts'
import { level, money, percent, sideOfLevel } from './format.ts'

/**
 * Says where spot is relative to the gamma flip of today's expiration. `gap` says why there is no exposure, if there is
 * none.
 */
export function regimeReading(
  label: StatedRegime,
  spot: number,
  flip: number | undefined,
  gap: ExposureGap | undefined
): string {
  if (label === 'undetermined') return gammaReading(label, flip, gap)
  if (flip === undefined) return `No gamma flip of this expiration near spot at ${level(spot)}: ${stances[label]}.`
  return `Spot at ${level(spot)} is ${sideOfLevel(spot, flip)} the gamma flip of this expiration at ${level(flip)}: ${stances[label]}.`
}

export function pinReading(score: number, magnet: number | undefined, distancePercent: number | undefined): string {
  if (magnet === undefined || distancePercent === undefined)
    return 'No strike stands out, so there is nothing to pin to.'
  const strength = score >= 70 ? 'high' : score >= 40 ? 'moderate' : 'low'
  const consequence = {
    high: 'price may be drawn there into expiration',
    moderate: 'a pull that stronger flow can override',
    low: 'there is little to hold price there'
  }[strength]
  return `Pin risk is ${strength} (score ${score}) at ${level(magnet)}, ${percent(distancePercent)} from spot: ${consequence}.`
}

/**
 * Says how much time value option holders lose: until the close if the contracts expire today (`span`), otherwise in a
 * day.
 */
export function decayReading(
  theta: number | undefined,
  perHour: number | undefined,
  acceleration: number | undefined,
  span: DecaySpan
): string {
  if (theta === undefined) return 'No open contract of this expiration has an implied volatility: decay is unknown.'
  const gamma =
    acceleration === undefined
      ? ''
      : ` At-the-money gamma is ${level(acceleration)} times that of the seven-day expiration.`
  if (theta === 0) return `Open contracts of this expiration hold no time value to decay.${gamma}`
  const held = theta > 0 ? 'gain' : 'lose'
  const size = money(Math.abs(theta))
  if (span === 'day') return `Time decay: holders of open contracts ${held} ${size} a day.${gamma}`
  const pace = perHour === undefined ? '' : `, ${money(Math.abs(perHour))} per remaining hour on average`
  return `Time decay: holders of open contracts ${held} ${size} to the close${pace}.${gamma}`
}

export function volatilityReading(
  today: number | undefined,
  week: number | undefined,
  ratio: number | undefined
): string {
  if (today === undefined) return 'The quotes give no at-the-money volatility for this expiration.'
  if (week === undefined || ratio === undefined) {
    return `At-the-money volatility is ${percent(today)}; there is no expiration a week out to compare it with.`
  }
  const verdict =
    ratio > 1.1
      ? 'this expiration is priced rich, as before an event or under stress'
      : ratio < 0.9
        ? 'this expiration is priced calm'
        : 'this expiration is priced in line with it'
  return `At-the-money volatility is ${percent(today)}, against ${percent(week)} a week out: ${verdict}.`
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
  'In the last minutes before the close, the greeks of contracts that expire today are unstable and may jump between snapshots.'

export function sessionIsClosed(symbol: string, lastSession: string): string {
  return `The session is closed. Same-day analytics of ${symbol} are available from 09:30 New York time to the close. The last session was ${lastSession}.`
}
