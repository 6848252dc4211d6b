import { daysBetween } from '../../market/calendar.ts'
import type { IsoDate } from '../../market/units.ts'
import { difference } from '../../math/optional.ts'
import { gammaSide } from './dealer-flow-risk.ts'
import type { PremiumFigures } from './premium-figures.ts'
import { MIN_SESSIONS, type PremiumRank } from './premium-rank.ts'

/** Labels for implied minus realized volatility, from the most expensive to the cheapest. */
export const premiumAssessments = [
  'very_high_premium',
  'healthy_premium',
  'moderate_premium',
  'thin_premium',
  'negative_spread',
  'danger_zone'
] as const
export type PremiumAssessment = (typeof premiumAssessments)[number]

/** Premium in vol points from which each label applies. The last label has no limit. */
const bounds = [10, 5, 2, 0, -5]

/** Label for `spread`, which is implied minus realized volatility in vol points. Source: the published API contract. */
export function premiumAssessment(spread: number): PremiumAssessment {
  const at = bounds.findIndex((bound) => spread >= bound)
  return premiumAssessments[at === -1 ? bounds.length : at]
}

/** Warnings against selling volatility, in the order in which responses list them. */
export const premiumWarnings = [
  'event_risk',
  'negative_gamma',
  'poor_wing_liquidity',
  'term_inversion',
  'credit_stress',
  'extreme_vrp',
  'insufficient_history_for_zscore'
] as const
export type PremiumWarning = (typeof premiumWarnings)[number]

/** Further inputs for the warnings. An input that is unknown is undefined, and causes no warning. */
export interface PremiumContext {
  readonly rank: PremiumRank
  readonly eventRisk: boolean
  /** Options far out of the money: their mean bid-ask spread in percent of mid, and how many of them are quoted. */
  readonly wings: { readonly mean: number | undefined; readonly contracts: number } | undefined
  /** Three-month volatility index divided by VIX. */
  readonly vixSlope: number | undefined
  readonly highYieldSpread: number | undefined
}

const EVENT_DAYS = 14
const MAX_WINGS = 50
const MIN_WINGS = 5
const STRESSED_SPREAD = 5
const EXTREME_SCORE = 2.5

/** Whether an earnings report is due within 14 calendar days, or by the reference expiration if that is later. */
export function isEventNear(day: IsoDate, expiry: IsoDate | undefined, reports: readonly IsoDate[]): boolean {
  const last = expiry === undefined ? 0 : daysBetween(day, expiry)
  return reports.some((date) => date >= day && daysBetween(day, date) <= Math.max(EVENT_DAYS, last))
}

/**
 * All warnings that apply to selling volatility now. Source: the published API contract, x-conventions.vrp.warnings.
 */
export function warningsOf({ dealers, nearSlope }: PremiumFigures, context: PremiumContext): readonly PremiumWarning[] {
  const { rank, eventRisk, wings, vixSlope, highYieldSpread } = context
  const holds: Readonly<Record<PremiumWarning, boolean>> = {
    event_risk: eventRisk,
    negative_gamma: gammaSide(dealers.netGex) === 'negative_gamma',
    poor_wing_liquidity: wings !== undefined && ((wings.mean ?? 0) > MAX_WINGS || wings.contracts < MIN_WINGS),
    term_inversion: (nearSlope ?? 0) < 0 || (vixSlope ?? 1) < 1,
    credit_stress: (highYieldSpread ?? 0) >= STRESSED_SPREAD,
    extreme_vrp: Math.abs(rank.zScore ?? 0) >= EXTREME_SCORE,
    insufficient_history_for_zscore: rank.sessions < MIN_SESSIONS
  }
  return premiumWarnings.filter((warning) => holds[warning])
}

/** Warnings that lower the net harvest score. Source: the published API contract, x-conventions.vrp. */
const burdens: ReadonlySet<PremiumWarning> = new Set(['event_risk', 'term_inversion', 'credit_stress'])

export function burdensAmong(warnings: readonly PremiumWarning[]): number {
  return warnings.filter((warning) => burdens.has(warning)).length
}

export const premiumRegimes = [
  'harvestable',
  'event_only',
  'toxic_short_vol',
  'cheap_convexity',
  'surface_distorted',
  'fair_value'
] as const
export type PremiumRegime = (typeof premiumRegimes)[number]

/**
 * Regime of the volatility premium. Regimes are tested in this order: distorted surface, event, toxic, cheap,
 * harvestable. If none applies, it is fair value. Undefined without a rank. A premium is harvestable only if it is
 * positive at half of the maturities at least, and not over 20 days alone.
 */
export function premiumRegime(
  { implied, realized, term, dealers }: PremiumFigures,
  { zScore, percentile }: PremiumRank,
  { eventRisk, dealerFlowRisk }: { readonly eventRisk: boolean; readonly dealerFlowRisk: number | undefined }
): PremiumRegime | undefined {
  const { atmIv, fairVol, fitted, butterfly } = implied
  const { rv5, rv20 } = realized
  const premium = difference(atmIv, rv20)
  if (premium === undefined || zScore === undefined || percentile === undefined) return undefined
  const convexity = difference(fairVol, atmIv) ?? 0
  if (!fitted || butterfly || convexity < -1 || convexity > 0.6 * atmIv!) return 'surface_distorted'
  if (eventRisk && premium > 0) return 'event_only'
  const negative = gammaSide(dealers.netGex) === 'negative_gamma'
  const rising = rv5 !== undefined && rv5 > 1.25 * rv20!
  if (negative && (premium <= 0 || rising || (dealerFlowRisk ?? 0) >= 70)) return 'toxic_short_vol'
  if (premium <= 0 || percentile <= 20 || zScore <= -1) return 'cheap_convexity'
  const isPaidAcross = 2 * term.filter((each) => each.premium > 0).length >= term.length
  return percentile >= 50 && !negative && isPaidAcross ? 'harvestable' : 'fair_value'
}
