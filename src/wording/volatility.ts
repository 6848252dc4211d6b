import type { ArbitrageFlag } from '../volatility/arbitrage.ts'
import { percent } from './format.ts'

/** How well an expiration trades, best first. */
export const executionLabels = ['tight', 'normal', 'wide', 'illiquid'] as const
export type ExecutionLabel = (typeof executionLabels)[number]

export function executionLabel(score: number): ExecutionLabel {
  if (score >= 75) return 'tight'
  if (score >= 50) return 'normal'
  return score >= 20 ? 'wide' : 'illiquid'
}

/** What options cost over what the underlying did, dearest first. */
export const assessments = [
  'very_high_premium',
  'healthy_premium',
  'moderate_premium',
  'thin_premium',
  'negative_spread',
  'danger_zone'
] as const
export type Assessment = (typeof assessments)[number]

/** The label of implied less realized volatility, in vol points. */
export function premiumAssessment(spread: number): Assessment {
  const bounds = [10, 5, 2, 0, -5]
  const at = bounds.findIndex((bound) => spread >= bound)
  return assessments[at === -1 ? bounds.length : at]
}

export const termStates = ['contango', 'backwardation', 'mixed', 'unknown'] as const
export type TermState = (typeof termStates)[number]

/** The shape of the term structure, from the relative slopes of its near and its far part. */
export function termState(near: number | undefined, far: number | undefined): TermState {
  if (near === undefined) return 'unknown'
  const slopes = far === undefined ? [near] : [near, far]
  if (slopes.every((slope) => slope > 0)) return 'contango'
  return slopes.every((slope) => slope < 0) ? 'backwardation' : 'mixed'
}

/** What a flag means, naming its node and what is wrong there. */
export function arbitrageReading(flag: ArbitrageFlag): string {
  const at = `at log-moneyness ${flag.k}`
  if (flag.kind === 'calendar') {
    const { earlier, later } = flag
    return `Total variance falls by ${small(flag.value)} from ${earlier.date} to ${later.date} ${at}: a calendar spread there is worth less than nothing.`
  }
  const quantity = flag.condition === 'd2w_dk2' ? 'Curvature of total variance' : "Durrleman's g"
  return `${quantity} is ${small(flag.value)} ${at} on ${flag.slice.date}: the implied density is negative, a butterfly there is worth less than nothing.`
}

export const vixStates = ['overvixing', 'undervixing', 'neutral'] as const
export type VixState = (typeof vixStates)[number]

/** Whether the VIX asks more or less than the index has moved, from the difference in vol points. */
export function vixState(spread: number): VixState {
  if (spread >= 5) return 'overvixing'
  return spread <= 0 ? 'undervixing' : 'neutral'
}

/** The VIX beside what the S&P 500 did over the last month. */
export function vixReading(vix: number, realized: number): string {
  const levels = `VIX at ${percent(vix)} against ${percent(realized)} realized in SPX over 20 days`
  const state = vixState(vix - realized)
  if (state === 'overvixing')
    return `${levels}: index options ask well more than the index has moved, fear is paid for.`
  if (state === 'undervixing')
    return `${levels}: index options ask no more than the index has moved, protection is cheap.`
  return `${levels}: index options ask the usual premium over what the index has moved.`
}

const small = (value: number) => `${Number(value.toPrecision(3))}`
