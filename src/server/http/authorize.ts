import type { Account } from '../../accounts/accounts.ts'
import type { QuotaCounters } from '../../accounts/quota.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { type ApiError, apiError } from '../../api/error.ts'
import type { Entitlement, Plans } from '../../api/plan.ts'
import type { DataRequest, MarketSource } from '../../api/source.ts'
import type { Access, KeyBearer } from './access.ts'
import type { AddressLimit } from './address-limit.ts'
import { clientAddress, type Sender } from './client-address.ts'
import type { Host } from './host.ts'

export interface AuthorizeOptions {
  readonly host: Host
  readonly access: Access
  readonly plans: Plans
  readonly quota: QuotaCounters
  /** How many requests an address may make without a key. */
  readonly keyless: AddressLimit
  /** Whether X-Forwarded-For and X-Forwarded-Proto are believed. */
  readonly trustProxy: boolean
  readonly wallNow: () => number
}

/** Whether a request may go on. Without a refusal and without an account it is one that needs no key. */
export interface Authorization {
  readonly account: Account | undefined
  readonly refusal: ApiError | undefined
}

/** Whether a request was counted, or is one too many. */
export interface Count {
  /** Requests of the account today, this one included; 0 without an account. */
  readonly used: number
  readonly refusal: ApiError | undefined
  /** Seconds until another request is allowed; undefined where this one is. */
  readonly retryAfter: number | undefined
}

/** The first checks of the contract's order, key and plan. Counts nothing. */
export function authorize(
  endpoint: Pick<Endpoint, 'plan' | 'keys'>,
  request: KeyBearer,
  { access, host }: AuthorizeOptions
): Authorization {
  if (host.open && endpoint.plan === 'public' && (endpoint.keys === 'ignored' || !access.sendsKey(request))) {
    return { account: undefined, refusal: undefined }
  }
  const account = access.accountOf(request)
  if (account === undefined) return { account, refusal: access.keyRefusal(request) }
  return { account, refusal: host.planRefusal(account, endpoint) }
}

/** Takes one request from the quota of an account or, without one, from the limit of the client's address. */
export function count(account: Account | undefined, sender: Sender, options: AuthorizeOptions): Count {
  if (account === undefined) return countAddress(sender, options)
  const { allowed, used } = options.quota.take(account)
  if (allowed) return { used, refusal: undefined, retryAfter: undefined }
  const resetsAt = options.quota.resetsAt()
  const retryAfter = Math.max(0, Math.ceil((resetsAt - options.wallNow()) / 1000))
  return { used, refusal: quotaRefusal(account, resetsAt, options.plans), retryAfter }
}

function countAddress(sender: Sender, { keyless, trustProxy }: AuthorizeOptions): Count {
  const seconds = keyless.take(clientAddress(sender, trustProxy))
  if (seconds === 0) return { used: 0, refusal: undefined, retryAfter: undefined }
  const message = `too many requests without a key from this address; try again in ${seconds} s, or send a key`
  return { used: 0, refusal: apiError('too_many_requests', message), retryAfter: seconds }
}

function quotaRefusal({ plan }: Account, resetsAt: number, plans: Plans): ApiError {
  const next = plans.nextAbove(plan)
  const advice = next === undefined ? '' : `, or move to the ${next.name} plan`
  return apiError('quota_exceeded', `all ${plan.dailyLimit} requests of today are used; wait for the reset${advice}`, {
    current_plan: plan.name,
    limit: plan.dailyLimit ?? 0,
    upgrade_to: next?.name ?? null,
    reset_at: new Date(resetsAt).toISOString()
  })
}

/** What an authorized request may see: how fresh its data is, and the entitlements that the answer varies by. */
export interface Grant {
  readonly asking: DataRequest
  readonly entitlements: readonly Entitlement[]
}

/** The grant of an account, or of a request that needs no key: that sees what the free plan does. */
export function grantOf(
  account: Account | undefined,
  { varies }: Endpoint,
  source: MarketSource,
  { access, plans }: Pick<AuthorizeOptions, 'access' | 'plans'>
): Grant {
  const { freshness } = account?.plan ?? plans.byId('free')
  return {
    asking: { source, maxAge: freshness, keyless: account === undefined, client: account?.userId },
    entitlements: account === undefined ? [] : varies.filter((entitlement) => access.allows(account, entitlement))
  }
}
