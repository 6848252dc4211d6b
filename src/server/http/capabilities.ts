import type { Account } from '../../accounts/accounts.ts'
import type { Bundles } from '../../accounts/bundles.ts'
import type { Capabilities } from '../../api/inputs/account.ts'
import type { Plans } from '../../api/plan.ts'
import { SUBSCRIPTIONS_PER_BLOCK } from '../../stream/protocol/limits.ts'

export interface CapabilityOptions {
  readonly plans: Plans
  readonly bundles: Pick<Bundles, 'of'>
  readonly usedOf: (bundleId: string) => number
  readonly hasHistory: boolean
  readonly admins: 'enterprise' | 'operators'
}

/**
 * Whether an account may administer: because its key has the role operator, or because its plan includes administration
 * and the settings allow that.
 */
export function mayAdminister({ role, plan }: Account, plans: Plans, admins: CapabilityOptions['admins']): boolean {
  return role === 'operator' || (admins === 'enterprise' && plans.allows(plan, 'admin'))
}

/** Parts of the service that an account may use. Clients read this list instead of trying and being refused. */
export function capabilitiesOf(account: Account, options: CapabilityOptions): Capabilities {
  const { plans, bundles, usedOf, hasHistory, admins } = options
  const { plan } = account
  const bundle = bundles.of(account)
  return {
    stream: bundle && {
      until: bundle.endsAt,
      limit: bundle.blocks * SUBSCRIPTIONS_PER_BLOCK,
      used: usedOf(bundle.id)
    },
    replay: hasHistory && plans.allows(plan, 'replay'),
    admin: mayAdminister(account, plans, admins),
    freshness: plan.freshness,
    features: plan.entitlements
  }
}
