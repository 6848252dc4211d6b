import { daysBetween } from '../../market/calendar.ts'
import { varianceShare } from './bridge.ts'
import { sessions } from './days.ts'
import type { ListedSeries, Listing } from './listing.ts'
import { contractKey, seriesKeyOf } from './open-interest.ts'
import { priceAt } from './path.ts'
import { gaussian, keyOf } from './random.ts'
import type { Security } from './securities.ts'
import { roundness } from './strike-ladder.ts'
import type { World } from './world.ts'

/** The day falls into three parts; what trades in each gathers around the price at its beginning. */
const partStarts = [0, 0.3, 0.65] as const

const termWeights = { monthly: 2.6, 'month-end': 1.3, weekly: 1.5, daily: 1.2 } as const

/** The parts of the day begun when the share `elapsed` of a session's time has passed, and how far each has come. */
export function partsBegun(elapsed: number): readonly number[] {
  const now = varianceShare(elapsed)
  return partStarts
    .map((start, part) => {
      const from = varianceShare(start)
      const to = varianceShare(partStarts[part + 1] ?? 1)
      return Math.min(1, (now - from) / (to - from))
    })
    .filter((progress) => progress > 0)
}

/**
 * Contracts that change hands in one part of a session, for each slot of a listing: near the money, short-dated and
 * at round strikes most. Made from what is known when the part begins.
 */
export function tradedInPart(world: World, security: Security, listing: Listing, session: number, part: number) {
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
    const seriesKey = seriesKeyOf(world, security, series)
    let sum = 0
    for (let slot = series.start; slot < series.end; slot++) {
      const strike = listing.strike[slot >> 1]
      const side = slot & 1
      const x = (side === 0 ? 1 : -1) * (Math.log(strike / spot) / unit) // above 0: out of the money
      const distance = Math.abs(x - 0.3) * (x < 0 ? 1.6 : 0.9)
      if (distance > 9) continue
      const near = Math.exp(-(distance ** 1.25))
      const mood = Math.exp(0.8 * gaussian(contractKey(seriesKey, strike, side), session, part))
      traded[slot] = near * mood * (200 * roundness(strike, spot)) ** 0.35
      sum += traded[slot]
    }
    const scale = sum === 0 ? 0 : (total * weights[at]) / (all * sum)
    for (let slot = series.start; slot < series.end; slot++) traded[slot] *= scale
  })
  return traded
}

/** How much of a session's trading an expiration draws; an AM-settled one has stopped trading the evening before. */
function seriesWeight({ date, settlement, term }: ListedSeries, session: number): number {
  const days = daysBetween(sessions[session], date)
  return days === 0 && settlement === 'am' ? 0 : termWeights[term] * (days + 0.4) ** -1.25
}

/** Contracts that must change hands for open interest to move from one morning's figures to the next. */
export function tradedForChange(before: number, after: number): number {
  return 1.3 * Math.abs(after - before)
}
