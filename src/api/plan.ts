// Plans are data: what an operator sells is a file, and the code refers to a plan by its id or by what it entitles to.

/** What a plan may open, beyond the least plan that an endpoint declares. */
export const entitlements = ['etf', 'index', 'full_chain', 'same_day', 'svi', 'full_screen', 'replay', 'admin'] as const
export type Entitlement = (typeof entitlements)[number]

/** The plans that endpoints name, least first. An operator may add others between them, and may rename none. */
export const planIds = ['free', 'basic', 'growth', 'alpha', 'enterprise'] as const
export type PlanId = (typeof planIds)[number]

export interface Plan {
  readonly id: string
  /** As it is printed in errors, capitalised. */
  readonly name: string
  /** Orders the plans, least first. */
  readonly rank: number
  /** Requests per UTC day; undefined means unlimited. */
  readonly dailyLimit: number | undefined
  /** How old the data of an answer may be, milliseconds. */
  readonly freshness: number
  readonly entitlements: readonly Entitlement[]
  /** Alerts that a user may have at once. */
  readonly alerts: number
}

export interface Plans {
  /** Every plan, least first. */
  readonly all: readonly Plan[]
  byId(id: PlanId): Plan
  byId(id: string): Plan | undefined
  /** Whether `plan` ranks as high as the plan called `id`. */
  atLeast(plan: Plan, id: PlanId): boolean
  allows(plan: Plan, entitlement: Entitlement): boolean
  /** The least plan that has `entitlement`: what a 403 names as required_plan. */
  leastWith(entitlement: Entitlement): Plan
  /** The next plan up with a higher limit or none: what a 429 names as upgrade_to. Undefined when no plan gives more. */
  nextAbove(plan: Plan): Plan | undefined
}

const SECOND = 1000
const basic: readonly Entitlement[] = ['etf', 'index']
const growth: readonly Entitlement[] = [...basic, 'full_chain', 'same_day']
const alpha: readonly Entitlement[] = [...growth, 'svi', 'full_screen', 'replay']

/** The plans of the interface specification ("Limits", "Authentication"), used when the operator gives no file. */
export const defaultPlans: Plans = plansOf([
  { id: 'free', name: 'Free', rank: 0, dailyLimit: 5, freshness: 900 * SECOND, entitlements: [], alerts: 3 },
  { id: 'basic', name: 'Basic', rank: 10, dailyLimit: 250, freshness: 15 * SECOND, entitlements: basic, alerts: 20 },
  {
    id: 'growth',
    name: 'Growth',
    rank: 20,
    dailyLimit: 2500,
    freshness: 15 * SECOND,
    entitlements: growth,
    alerts: 50
  },
  { id: 'alpha', name: 'Alpha', rank: 30, dailyLimit: undefined, freshness: SECOND, entitlements: alpha, alerts: 200 },
  {
    id: 'enterprise',
    name: 'Enterprise',
    rank: 40,
    dailyLimit: undefined,
    freshness: SECOND,
    entitlements,
    alerts: 500
  }
])

/**
 * The read-only set over plans that are known to be sound: the five ids present, ranks distinct, entitlements growing
 * with rank, all of them held at the top. An operator's file comes through `parsePlans`, which makes sure of it.
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
