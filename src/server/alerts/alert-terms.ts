import type { Accounts } from '../../accounts/accounts.ts'
import type { AlertTerms } from '../../alerts/admission.ts'
import { shownInFull } from '../../alerts/alert-figure.ts'
import type { IsoDate } from '../../market/units.ts'
import { DEFAULT_CADENCE, MAX_CADENCE } from '../../stream/protocol/limits.ts'
import type { Access } from '../http/access.ts'

/**
 * Terms on which a user may have alerts. With a streaming bundle every figure of the stream is allowed, otherwise those
 * of the plan. A figure that the stream shows in full but the plan only in part is refused. Values are renewed as often
 * as the plan allows, once a second at most.
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
