import { LRUCache } from 'lru-cache'
import type { AlertRule } from '../accounts/alerts/rule.ts'
import type { Instant } from '../market/units.ts'

type LastValue = Pick<AlertRule, 'lastValue' | 'lastValueAt'>

/** More rules than the service watches at once. */
const MAX_RULES = 20_000

/**
 * The last values of alert rules as their owners see them. A value once shown stays for as long as the plan lets data
 * be old, so that an alert tells no more than the other answers of the plan.
 */
export class ShownValues {
  readonly #shown = new LRUCache<string, LastValue & { readonly since: Instant }>({
    maxSize: MAX_RULES,
    sizeCalculation: () => 1
  })

  /** A rule with the value to show. `freshness`: milliseconds until a newer value is shown. */
  of(rule: AlertRule, freshness: number, now: Instant): AlertRule {
    const { lastValue, lastValueAt } = rule
    if (lastValue === undefined) return rule
    const before = this.#shown.get(rule.id)
    if (before !== undefined && Math.abs(now - before.since) < freshness) {
      return { ...rule, lastValue: before.lastValue, lastValueAt: before.lastValueAt }
    }
    this.#shown.set(rule.id, { lastValue, lastValueAt, since: now })
    return rule
  }
}
