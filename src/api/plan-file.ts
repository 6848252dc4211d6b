import { MILLISECONDS_PER_DAY } from '../market/units.ts'
import { type PageAllowance, pageScreenNames } from './page-allowance.ts'
import { type Entitlement, entitlements, type Plan, type Plans, planIds, plansOf } from './plan.ts'

/** An invalid plans file; `problems` has a sentence for each mistake. */
export class PlansError extends Error {
  override readonly name = 'PlansError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

const fields = ['id', 'name', 'rank', 'dailyLimit', 'freshness', 'entitlements', 'alerts', 'page']
/** Number of alerts in a plan whose file does not state it. Files written before alerts existed do not. */
const USUAL_ALERTS = 20

/**
 * Parses an operator's plans: an array of objects with the fields of `Plan`. `dailyLimit` is a whole number or
 * "unlimited", `freshness` is in milliseconds, `alerts` and `page` may be
 * omitted. Throws one `PlansError` with every problem.
 */
export function parsePlans(json: unknown): Plans {
  if (!Array.isArray(json)) throw new PlansError(['the plans file must hold an array of plans'])
  const problems: string[] = []
  const plans = json.flatMap((raw: unknown, index) => parsePlan(raw, `plan ${index + 1}`, problems) ?? [])
  problems.push(...problemsBetween(plans, problems.length === 0))
  if (problems.length > 0) throw new PlansError(problems)
  return plansOf(plans)
}

function parsePlan(raw: unknown, place: string, problems: string[]): Plan | undefined {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    problems.push(`${place} must be an object with the fields ${fields.join(', ')}`)
    return undefined
  }
  const found = new Map(Object.entries(raw))
  const {
    id,
    name,
    rank,
    dailyLimit,
    freshness,
    entitlements: opens,
    alerts = USUAL_ALERTS,
    page
  } = Object.fromEntries(found)
  const where = typeof id === 'string' ? `${place} (${id.slice(0, 40)})` : place
  const before = problems.length
  const must = (holds: boolean, sentence: string) => holds || problems.push(`${where}: ${sentence}`)

  for (const field of found.keys()) must(fields.includes(field), `the field ${field.slice(0, 40)} is unknown`)
  must(typeof id === 'string' && /^[a-z][a-z0-9_-]{0,31}$/.test(id), 'id must be a short lower-case word')
  must(
    typeof name === 'string' && /^[^\p{C}]{1,40}$/u.test(name) && name.trim() !== '',
    'name must be a text of 1 to 40 characters'
  )
  must(Number.isSafeInteger(rank), 'rank must be a whole number')
  must(
    dailyLimit === 'unlimited' || (Number.isSafeInteger(dailyLimit) && dailyLimit >= 0),
    'dailyLimit must be a whole number of requests, 0 or more, or the word "unlimited"'
  )
  must(
    typeof freshness === 'number' && freshness >= 0 && freshness <= MILLISECONDS_PER_DAY,
    `freshness must be a number of milliseconds from 0 to ${MILLISECONDS_PER_DAY}`
  )
  must(
    Array.isArray(opens) && opens.every(isEntitlement) && new Set(opens).size === opens.length,
    `entitlements must be an array of distinct words out of ${entitlements.join(', ')}`
  )
  must(Number.isSafeInteger(alerts) && alerts >= 0, 'alerts must be a whole number, 0 or more')
  must(page === undefined || isPageAllowance(page), PAGE_FORM)
  if (problems.length > before) return undefined
  const limit = dailyLimit === 'unlimited' ? undefined : dailyLimit
  return {
    id,
    name,
    rank,
    dailyLimit: limit,
    freshness,
    entitlements: Object.freeze([...opens]),
    alerts,
    ...(page !== undefined && { page })
  }
}

const PAGE_FORM = `page must give screens out of ${pageScreenNames.join(', ')}, symbols (1 to 10000 a day) and sessions (1 to 250)`

function isPageAllowance(raw: unknown): raw is PageAllowance {
  if (typeof raw !== 'object' || raw === null) return false
  const { screens, symbols, sessions, ...more } = raw as Record<string, unknown>
  const within = (value: unknown, most: number) =>
    Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= most
  const isList = Array.isArray(screens) && screens.length > 0 && new Set(screens).size === screens.length
  return (
    isList &&
    screens.every((screen) => pageScreenNames.includes(screen)) &&
    within(symbols, 10_000) &&
    within(sessions, 250) &&
    Object.keys(more).length === 0
  )
}

function isEntitlement(word: unknown): word is Entitlement {
  return (entitlements as readonly unknown[]).includes(word)
}

/**
 * Finds mistakes that only show when plans are compared, such as equal ranks. A missing plan is reported only if every
 * plan in the file could be parsed.
 */
function problemsBetween(plans: readonly Plan[], complete: boolean): string[] {
  const problems: string[] = []
  for (const [index, plan] of plans.entries()) {
    const earlier = plans.slice(0, index)
    if (earlier.some((other) => other.id === plan.id)) problems.push(`the id ${plan.id} is given twice`)
    if (earlier.some((other) => other.rank === plan.rank)) problems.push(`the rank ${plan.rank} is given twice`)
  }
  if (!complete || problems.length > 0) return problems

  const missing = planIds.filter((id) => !plans.some((plan) => plan.id === id))
  for (const id of missing) problems.push(`the plan ${id} is missing: endpoints refer to it`)
  const ranked = [...plans].sort((a, b) => a.rank - b.rank)
  const order = ranked.map((plan) => plan.id).filter((id) => (planIds as readonly string[]).includes(id))
  if (missing.length === 0 && order.join() !== planIds.join()) {
    problems.push(`ranks must order the plans as ${planIds.join(', ')}, not as ${order.join(', ')}`)
  }
  for (const [index, plan] of ranked.entries()) {
    const below = ranked[index - 1]
    const lost = below?.entitlements.filter((entitlement) => !plan.entitlements.includes(entitlement)) ?? []
    if (lost.length > 0) problems.push(`${plan.id} lacks ${lost.join(', ')}, which ${below?.id} below it has`)
  }
  const top = ranked.at(-1)
  const unsold = top === undefined ? [] : entitlements.filter((entitlement) => !top.entitlements.includes(entitlement))
  if (unsold.length > 0)
    problems.push(`${top?.id} is the highest plan and must have every entitlement: add ${unsold.join(', ')}`)
  return problems
}
