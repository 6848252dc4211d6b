import type { FastifyRequest } from 'fastify'
import type { Account, Subscriber } from '../../accounts/accounts.ts'
import type { QuotaCounters, Taken } from '../../accounts/quota.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { type ApiError, apiError } from '../../api/error.ts'
import type { DataRequest, MarketSource } from '../../api/market-source.ts'
import { andThen, type MaybePromise } from '../../api/maybe-promise.ts'
import type { Entitlement, Plans } from '../../api/plan.ts'
import { type Access, accountsUnreachable, type KeyBearer, keyInAddressRefusal } from './access.ts'
import type { AddressLimit, KeyRefusals } from './address-limit.ts'
import { clientAddress, type Sender } from './client-address.ts'
import type { Host } from './host.ts'

export interface AuthorizeOptions {
  readonly host: Host
  readonly access: Access
  readonly plans: Plans
  readonly quota: QuotaCounters
  /** Rate limit for requests without a key, counted by client address. */
  readonly keyless: AddressLimit
  readonly keyRefusals: KeyRefusals
  /** Whether X-Forwarded-For and X-Forwarded-Proto are trusted. */
  readonly trustProxy: boolean
  readonly wallNow: () => number
}

export interface RequestAuthorization {
  readonly account: Account | undefined
  readonly refusal: ApiError | undefined
}

export interface QuotaCount {
  /** Number of the account's requests today, including this one; 0 for a request without an account. */
  readonly used: number
  readonly refusal: ApiError | undefined
}

/**
 * Checks the key and the plan of a request, which come first in the published API contract. Does not count the request.
 */
export function authorize(
  endpoint: Pick<Endpoint, 'plan' | 'keys'> & Partial<Pick<Endpoint, 'id' | 'keyPlace'>>,
  request: KeyBearer & Sender,
  { access, host, keyRefusals }: AuthorizeOptions
): RequestAuthorization {
  if (host.open && endpoint.plan === 'public' && (endpoint.keys === 'ignored' || !access.sendsKey(request))) {
    return { account: undefined, refusal: undefined }
  }
  const outdated = access.outdated()
  if (outdated !== undefined) return { account: undefined, refusal: outdated }
  const inAddress = endpoint.keyPlace === 'header' ? keyInAddressRefusal(request) : undefined
  if (inAddress !== undefined) return { account: undefined, refusal: inAddress }
  const account = ofPage(access.accountOf(request), endpoint, host) ?? panelAccount(endpoint, request, access, host)
  if (account === undefined) return { account, refusal: access.keyRefusal(request) }
  keyRefusals.forgive(request)
  return { account, refusal: host.planRefusal(account, endpoint) }
}

/** The account of a request. Its page allowance counts for endpoints, not for other routes. */
function ofPage(account: Account | undefined, { id }: Partial<Pick<Endpoint, 'id'>>, host: Host): Account | undefined {
  if (account?.page === undefined || (id !== undefined && host.judgesPages)) return account
  const { page: _, ...plain } = account
  return plain
}

function panelAccount({ id }: Partial<Pick<Endpoint, 'id'>>, request: KeyBearer, access: Access, host: Host) {
  return host.panels && id !== undefined ? access.accountOfPanel(request, id) : undefined
}

/**
 * Counts a request against the quota of its account. A request without an account counts against the rate limit of the
 * client's address.
 */
export function countRequest(
  account: Account | undefined,
  sender: Sender,
  options: AuthorizeOptions
): MaybePromise<QuotaCount> {
  if (account === undefined) return countAddress(sender, options)
  if (account.uncounted === 'all') return { used: 0, refusal: undefined }
  if (account.page !== undefined) return { used: options.quota.used(account), refusal: undefined }
  const seconds =
    account.panel === undefined
      ? 0
      : options.access.takeFromPanel(account.panel, clientAddress(sender, options.trustProxy))
  if (seconds > 0) {
    const message = `this panel is asked too often; try again in ${seconds} s`
    return { used: options.quota.used(account), refusal: apiError('too_many_requests', message, {}, seconds) }
  }
  return andThen(options.quota.take(account), (taken) => {
    const { allowed, used } = taken
    return { used, refusal: allowed ? undefined : takenRefusal(taken, account, options) }
  })
}

/** Takes back the count of a request that should not have counted, such as one that failed. */
export function refund(account: Account, quota: QuotaCounters): void {
  if (account.uncounted !== 'all' && account.page === undefined) quota.refund(account)
}

function countAddress(sender: Sender, { keyless, trustProxy }: AuthorizeOptions): QuotaCount {
  const seconds = keyless.take(clientAddress(sender, trustProxy))
  if (seconds === 0) return { used: 0, refusal: undefined }
  const message = `too many requests without a key from this address; try again in ${seconds} s, or send a key`
  return { used: 0, refusal: apiError('too_many_requests', message, {}, seconds) }
}

/** Seconds after which a request is worth repeating of which nobody could say whether it may be answered. */
const UNKNOWN_AGAIN = 1

/**
 * Error for requests that were not allowed. `what` says what is wrong if it is not that all requests of today are used.
 */
export function takenRefusal(
  { isUnknown }: Pick<Taken, 'isUnknown'>,
  { plan }: Account,
  { plans, quota, wallNow }: AuthorizeOptions,
  what = `all ${plan.dailyLimit} requests of today are used`
): ApiError {
  if (isUnknown) return accountsUnreachable(UNKNOWN_AGAIN)
  const next = plans.nextAbove(plan)
  const advice = next === undefined ? '' : `, or move to the ${next.name} plan`
  const message = `${what}; wait for the reset${advice}`
  const resetsAt = quota.resetsAt()
  const detail = {
    current_plan: plan.name,
    limit: plan.dailyLimit ?? 0,
    upgrade_to: next?.name ?? null,
    reset_at: new Date(resetsAt).toISOString()
  }
  return apiError('quota_exceeded', message, detail, Math.max(0, Math.ceil((resetsAt - wallNow()) / 1000)))
}

export interface Grant {
  readonly asking: DataRequest
  readonly entitlements: readonly Entitlement[]
}

export function grantOf(
  account: (Pick<Account, 'userId'> & Subscriber) | undefined,
  { varies }: Endpoint,
  source: MarketSource,
  { access, plans }: Pick<AuthorizeOptions, 'access' | 'plans'>
): Grant {
  const { freshness } = account?.plan ?? plans.byId('free')
  return {
    asking: { source, maxAge: freshness, keyless: account === undefined, client: account?.userId, mayBePart: true },
    entitlements: account === undefined ? [] : varies.filter((entitlement) => access.allows(account, entitlement))
  }
}

/**
 * Checks key, plan and quota, which come first in the published API contract. Stores the account and its usage on the
 * request. Throws an ApiError if the request is refused.
 */
export function checkCaller(
  endpoint: Parameters<typeof authorize>[0],
  request: FastifyRequest,
  options: AuthorizeOptions
): MaybePromise<void> {
  const { account, refusal } = authorize(endpoint, request, options)
  request.account = account
  if (refusal !== undefined) throw refusal
  return checkQuota(request, options)
}

/**
 * Counts a request against the quota of its account or the rate limit of its address. Throws an ApiError if the limit
 * is exceeded.
 */
export function checkQuota(request: FastifyRequest, options: AuthorizeOptions): MaybePromise<void> {
  return andThen(countRequest(request.account, request, options), ({ used, refusal }) => {
    request.used = used
    if (refusal !== undefined) throw refusal
  })
}

/** Calls `done` of a hook once a check has ended. A check that fails at once throws, as Fastify expects. */
export function onceChecked(check: MaybePromise<void>, done: (error?: Error) => void): void {
  if (check instanceof Promise) check.then(() => done(), done)
  else done()
}
