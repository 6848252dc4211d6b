import { planAge } from '../facts/freshness.ts'
import type { PageAllowance } from './page-allowance.ts'

// Plans are data: an operator sells what a file says. Code refers to a plan by its id or by its entitlements.

/** Rights that a plan may include. A request may need one in addition to the lowest plan of its endpoint. */
export const entitlements = ['etf', 'index', 'full_chain', 'same_day', 'svi', 'full_screen', 'replay', 'admin'] as const
export type Entitlement = (typeof entitlements)[number]

/** Plans that endpoints name, lowest first. An operator may add others between them, but not rename these. */
export const planIds = ['free', 'basic', 'growth', 'alpha', 'enterprise'] as const
export type PlanId = (typeof planIds)[number]

export interface Plan {
  readonly id: string
  readonly name: string
  /** Position of the plan in the order of all plans; the lowest plan has the smallest number. */
  readonly rank: number
  /** Requests per UTC day; undefined means unlimited. */
  readonly dailyLimit: number | undefined
  /** Maximum age of data in responses, milliseconds. */
  readonly freshness: number
  readonly entitlements: readonly Entitlement[]
  readonly alerts: number
  /** Screens that the dashboard shows without using requests of the plan; absent if its pages count like any caller. */
  readonly page?: PageAllowance
}

export interface Plans {
  /** Every plan, lowest first. */
  readonly all: readonly Plan[]
  byId(id: PlanId): Plan
  byId(id: string): Plan | undefined
  /** Whether `plan` ranks at least as high as the plan `id`. */
  atLeast(plan: Plan, id: PlanId): boolean
  allows(plan: Plan, entitlement: Entitlement): boolean
  /** The lowest plan that includes an entitlement. A 403 response names it as `required_plan`. */
  leastWith(entitlement: Entitlement): Plan
  /**
   * The next higher plan with a higher daily limit, or with none. A 429 response names it as `upgrade_to`. Undefined if
   * there is no such plan.
   */
  nextAbove(plan: Plan): Plan | undefined
}

const basic: readonly Entitlement[] = ['etf', 'index']
const growth: readonly Entitlement[] = [...basic, 'full_chain', 'same_day']
const alpha: readonly Entitlement[] = [...growth, 'svi', 'full_screen', 'replay']

const defaults: Readonly<Record<PlanId, Omit<Plan, 'id'>>> = {
  free: {
    name: 'Free',
    rank: 0,
    dailyLimit: 5,
    freshness: planAge.free,
    entitlements: [],
    alerts: 3,
    page: { screens: ['overview'], symbols: 10, sessions: 20 }
  },
  basic: { name: 'Basic', rank: 10, dailyLimit: 250, freshness: planAge.basic, entitlements: basic, alerts: 20 },
  growth: { name: 'Growth', rank: 20, dailyLimit: 2500, freshness: planAge.growth, entitlements: growth, alerts: 50 },
  alpha: { name: 'Alpha', rank: 30, dailyLimit: undefined, freshness: planAge.alpha, entitlements: alpha, alerts: 200 },
  enterprise: {
    name: 'Enterprise',
    rank: 40,
    dailyLimit: undefined,
    freshness: planAge.enterprise,
    entitlements,
    alerts: 500
  }
}

/** Default plans, as the published API contract states them ("Limits", "Authentication"). */
export const defaultPlans: Plans = plansOf(planIds.map((id) => ({ id, ...defaults[id] })))

/**
 * Makes a read-only set of plans from a list. The plans must be valid: the five ids present, no two ranks equal, every
 * plan with at least the entitlements of the plan below it, and the highest with all. `parsePlans` checks this for an
 * operator's file.
 */
export function plansOf(list: readonly Plan[]): Plans {
  const all = Object.freeze([...list].sort((a, b) => a.rank - b.rank).map((plan) => Object.freeze({ ...plan })))
  const byId = new Map(all.map((plan) => [plan.id, plan]))
  const least = new Map(
    entitlements.map((entitlement) => [entitlement, all.find((plan) => plan.entitlements.includes(entitlement))!])
  )
  return Object.freeze({
    all,
    byId: (id: string) => byId.get(id)!,
    atLeast: (plan: Plan, id: PlanId) => plan.rank >= byId.get(id)!.rank,
    allows: (plan: Plan, entitlement: Entitlement) => plan.entitlements.includes(entitlement),
    leastWith: (entitlement: Entitlement) => least.get(entitlement)!,
    nextAbove: (plan: Plan) =>
      plan.dailyLimit === undefined
        ? undefined
        : all.find((other) => other.rank > plan.rank && (other.dailyLimit ?? Infinity) > plan.dailyLimit!)
  })
}

/** Plans that an operator may replace while the service runs. Whoever holds them sees the newest. */
export interface ReplaceablePlans extends Plans {
  replace(plans: Plans): void
}

export function replaceablePlans(first: Plans): ReplaceablePlans {
  let current = first
  return {
    get all() {
      return current.all
    },
    byId: ((id: string) => current.byId(id)) as Plans['byId'],
    atLeast: (plan, id) => current.atLeast(plan, id),
    allows: (plan, entitlement) => current.allows(plan, entitlement),
    leastWith: (entitlement) => current.leastWith(entitlement),
    nextAbove: (plan) => current.nextAbove(plan),
    replace(plans) {
      current = plans
    }
  }
}
