import type { Accounts } from '../../accounts/accounts.ts'
import type { QuotaCounters } from '../../accounts/quota.ts'
import type { AlertTerms } from '../../alerts/admission.ts'
import { shownInFull } from '../../alerts/alert-figure.ts'
import type { EvaluatorOptions } from '../../alerts/evaluator.ts'
import { andThen } from '../../api/maybe-promise.ts'
import type { IsoDate } from '../../market/units.ts'
import { DEFAULT_CADENCE, MAX_CADENCE } from '../../stream/protocol/limits.ts'
import type { Access } from '../http/access.ts'

/**
 * Alerts that a user may have, and how often their values are renewed: as often as the plan allows, but not more than
 * once a second. With a streaming bundle, alerts may use every figure of the stream. Without one, they may use only
 * figures that the plan fully includes; a figure of which the plan shows only a part is refused.
 */
export function alertTerms(
  userId: string,
  { accounts, access, today }: { accounts: Accounts; access: Access; today: () => IsoDate }
): AlertTerms | undefined {
  const subscriber = accounts.subscriber(userId)
  if (subscriber === undefined) return undefined
  const { plan } = subscriber
  return {
    limit: plan.alerts,
    cadence: Math.min(MAX_CADENCE, Math.max(DEFAULT_CADENCE, plan.freshness)),
    freshness: plan.freshness,
    planName: plan.name,
    refusalOf(figure) {
      if (accounts.bundles.of({ userId }) !== undefined) return undefined
      const { endpoint } = figure.query.operation
      const refusal =
        access.planRefusal(subscriber, endpoint.plan) ??
        access.gateRefusal(subscriber, endpoint, figure.params, { today: today() })
      if (refusal !== undefined) return refusal
      const missing = shownInFull(figure).find((entitlement) => !access.allows(subscriber, entitlement))
      return missing && access.entitlementRefusal(subscriber, missing)
    }
  }
}

/** Counts each firing as a request of its owner: it tells a figure that another answer would have cost. */
export function alertCharges(
  accounts: Pick<Accounts, 'subscriber'>,
  quota: QuotaCounters
): Pick<EvaluatorOptions, 'charge' | 'refund'> {
  return {
    charge(userId) {
      const subscriber = accounts.subscriber(userId)
      return subscriber !== undefined && andThen(quota.take({ userId, ...subscriber }), ({ allowed }) => allowed)
    },
    refund(userId) {
      const subscriber = accounts.subscriber(userId)
      if (subscriber !== undefined) quota.refund({ userId, ...subscriber })
    }
  }
}
