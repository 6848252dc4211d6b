import { defaultPlans, type Plan, type PlanId } from '../../api/plan.ts'
import type { ScreenEntitlement } from '../../screener/screener-field.ts'

export const SCREENER_PLAN = 'growth' satisfies PlanId

/** Lowest plan with an entitlement, shown as `tier`, `min_plan` and in errors. */
export function planWith(entitlement: ScreenEntitlement | undefined): Plan {
  return entitlement === undefined ? defaultPlans.byId(SCREENER_PLAN) : defaultPlans.leastWith(entitlement)
}

export const screenPlans = [planWith(undefined).id, planWith('full_screen').id]
