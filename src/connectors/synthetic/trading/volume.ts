import { daysBetween } from '../../../market/calendar.ts'
import { gaussian, keyOf } from '../../../math/random.ts'
import type { ContractListing, SyntheticSeries } from '../listing/contract-listing.ts'
import { roundness } from '../listing/strike-ladder.ts'
import { sessions } from '../market-sessions.ts'
import { varianceShare } from '../prices/bridge.ts'
import { priceAt } from '../prices/price-path.ts'
import type { Security } from '../securities/securities.ts'
import { ofDay, type World } from '../world.ts'
import type { ContractDay } from './contract-day.ts'

/**
 * Shares of a session's time at which its three parts begin. Trading within a part concentrates on strikes near the
 * price at the beginning of the part.
 */
export const partStarts = [0, 0.3, 0.65] as const

/** Distance from the money, in the units of `tradedInPart`, beyond which neither the call nor the put of a strike trades. */
const FARTHEST = 11

const termWeights = { monthly: 2.6, 'month-end': 1.3, weekly: 1.5, daily: 1.2 } as const

/** Number of contracts traded by the end of the first `parts` parts of a session, for each contract of the chain. */
export function volumeAfterParts(world: World, security: Security, day: ContractDay, parts: number): Int32Array {
  const volume = new Int32Array(day.size)
  const total = new Float64Array(day.size)
  for (let part = 0; part < parts; part++) {
    const { traded } = ofDay(world, `traded ${security.symbol} ${day.session} ${part}`, () => ({
      size: day.size,
      traded: tradedInPart(world, security, day, day.session, part)
    }))
    for (let slot = 0; slot < day.size; slot++) total[slot] += traded[slot]
  }
  const passed = varianceShare(partStarts[parts] ?? 1)
  for (let slot = 0; slot < day.size; slot++) volume[slot] = total[slot] + passed * turnedBy(day.change[slot])
  return volume
}

/**
 * Number of contracts traded in one part of a session, for each contract of a listing. It is highest near the money, in
 * near expirations and at round strikes. It depends only on what is known when the part begins.
 */
function tradedInPart(world: World, security: Security, listing: ContractListing, session: number, part: number) {
  const traded = new Float32Array(listing.size)
  const key = keyOf(world.seed, 'volume', security.symbol)
  const start = varianceShare(partStarts[part])
  const spot = priceAt(world, security, session, start)
  const share = varianceShare(partStarts[part + 1] ?? 1) - start
  const total = security.optionVolume * share * Math.exp(0.22 * gaussian(key, session) - 0.03)
  const weights = listing.series.map((series) => seriesWeight(series, session))
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  listing.series.forEach((series, at) => {
    if (weights[at] === 0) return
    const days = daysBetween(sessions[session], series.date)
    const unit = security.volatility * Math.sqrt((days + 0.7) / 300)
    let sum = 0
    // Logarithm and powers are taken once for the call and the put of a strike.
    for (let call = series.start; call < series.end; call += 2) {
      const strike = listing.strike[call >> 1]
      const above = Math.log(strike / spot) / unit
      if (Math.abs(above) > FARTHEST) continue
      const round = (200 * roundness(strike, spot)) ** 0.35
      for (let side = 0; side < 2; side++) {
        const x = side === 0 ? above : -above // above 0: out of the money
        const distance = Math.abs(x - 0.3) * (x < 0 ? 1.6 : 0.9)
        if (distance > 9) continue
        const near = Math.exp(-(distance ** 1.25))
        const mood = Math.exp(0.8 * gaussian(listing.key[call + side], session, part))
        traded[call + side] = near * mood * round
        sum += traded[call + side]
      }
    }
    const scale = sum === 0 ? 0 : (total * weights[at]) / (all * sum)
    for (let slot = series.start; slot < series.end; slot++) traded[slot] *= scale
  })
  return traded
}

/**
 * Relative share of a session's trading that an expiration attracts. An AM-settled one has none on its last day,
 * because it stopped trading on the evening before.
 */
function seriesWeight({ date, settlement, term }: SyntheticSeries, session: number): number {
  const days = daysBetween(sessions[session], date)
  return days === 0 && settlement === 'am' ? 0 : termWeights[term] * (days + 0.4) ** -1.25
}

/** Number of contracts that trade in addition if open interest changes by `change` until the next morning. */
function turnedBy(change: number): number {
  return Math.fround(1.3 * Math.abs(change))
}
