import { defaultPlans, type Plan, type PlanId } from '../../api/plan.ts'
import type { ScreenEntitlement } from '../../screener/screener-field.ts'

/** The plan that opens the screener. */
export const SCREENER_PLAN = 'growth' satisfies PlanId

/** The least plan with an entitlement, as `tier`, `min_plan` and refusals name it. */
export function planWith(entitlement: ScreenEntitlement | undefined): Plan {
  return entitlement === undefined ? defaultPlans.byId(SCREENER_PLAN) : defaultPlans.leastWith(entitlement)
}

/** Ids of the plans that see the screener in part and in full. */
export const screenPlans = [planWith(undefined).id, planWith('full_screen').id]
