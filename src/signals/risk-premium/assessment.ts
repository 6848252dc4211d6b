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

/** From these vol points on, in turn, an assessment holds; below the last one the danger zone begins. */
const bounds = [10, 5, 2, 0, -5]

/** The label of implied less realized volatility, vol points. Source: the wire contract. */
export function premiumAssessment(spread: number): Assessment {
  const at = bounds.findIndex((bound) => spread >= bound)
  return assessments[at === -1 ? bounds.length : at]
}
