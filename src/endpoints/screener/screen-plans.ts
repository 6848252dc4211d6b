import { defaultPlans, type Plan, type PlanId } from '../../api/plan.ts'
import type { ScreenEntitlement } from '../../screener/screener-field.ts'

export const SCREENER_PLAN = 'growth' satisfies PlanId

/** Lowest plan that includes an entitlement. Responses show it as `tier` and `min_plan`, and errors name it. */
export function planWith(entitlement: ScreenEntitlement | undefined): Plan {
  return entitlement === undefined ? defaultPlans.byId(SCREENER_PLAN) : defaultPlans.leastWith(entitlement)
}

export const screenPlans = [planWith(undefined).id, planWith('full_screen').id]
