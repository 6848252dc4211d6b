import { defaultPlans, type Plan, type PlanId } from '../../api/plan.ts'
import type { ScreenEntitlement } from '../../screener/screener-field.ts'

/** The plan that opens the screener. */
export const SCREENER_PLAN = 'growth' satisfies PlanId

/** Least plan with an entitlement, shown as `tier`, `min_plan` and in refusals. */
export function planWith(entitlement: ScreenEntitlement | undefined): Plan {
  return entitlement === undefined ? defaultPlans.byId(SCREENER_PLAN) : defaultPlans.leastWith(entitlement)
}

/** Ids of the least plans for the limited and the full screener. */
export const screenPlans = [planWith(undefined).id, planWith('full_screen').id]
