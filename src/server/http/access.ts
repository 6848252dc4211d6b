import type { IncomingHttpHeaders } from 'node:http'
import type { Account, Accounts, PanelUse, Subscriber } from '../../accounts/accounts.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { type ApiError, apiError } from '../../api/error.ts'
import type { ParameterContext } from '../../api/params.ts'
import type { Entitlement, Plan, PlanId, Plans } from '../../api/plan.ts'
import { securityKind } from '../../market/security.ts'
import { type EmbedTokens, embedToken } from '../embed/tokens.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { bringsKey, hasTwoKeys, type KeyHolder, requestKeyOf } from './request-key.ts'

/** The parts of a request that may contain an API key, and its connection. Requests of Fastify have these fields. */
export interface KeyBearer extends KeyHolder {
  readonly socket: object
}

/** Credentials that browsers may send instead of a key. */
export interface BrowserCredentials {
  readonly sessions?: Pick<Sessions, 'accountOf' | 'refusal'>
  readonly embedTokens?: Pick<EmbedTokens, 'accountOf' | 'take'>
}

export interface Access {
  /**
   * Finds the account of a request by its key, which may be in a header or in the query; a header comes first.
   * Without a key the browser session decides. Undefined if neither is valid.
   */
  accountOf(request: KeyBearer): Account | undefined
  /**
   * Finds the account of a key that the caller has read from a request; `connection` is the connection of that request.
   */
  accountOfKey(key: unknown, connection?: object): Account | undefined
  /** Finds the account of an embedded panel's token. Undefined if that panel does not use the endpoint. */
  accountOfPanel(request: KeyBearer, endpoint: string): Account | undefined
  /**
   * Counts a request of an embedded panel by token and client address. Returns 0 if it is allowed, otherwise the whole
   * seconds until one is.
   */
  takeFromPanel(panel: PanelUse, address: string): number
  /** Finds the account by the headers alone, for requests whose address must not contain a key. */
  accountOfHeaders(headers: IncomingHttpHeaders): Account | undefined
  usesSession(request: KeyBearer): boolean
  /** Whether a request has an API key, valid or not, or a valid browser session. */
  sendsKey(request: KeyBearer): boolean
  /** Error for requests with a key while no key can be believed, see `Accounts.areOutdated`; undefined otherwise. */
  outdated(): ApiError | undefined
  /** Error for a request without a valid key. */
  keyRefusal(request: KeyBearer): ApiError
  /** Finds the account of a request by key or session. Throws if there is none. */
  authenticate(request: KeyBearer): Account
  allows(account: Subscriber, entitlement: Entitlement): boolean
  /** Error if the account's plan is lower than the endpoint requires; otherwise undefined. */
  planRefusal(account: Subscriber, plan: Endpoint['plan']): ApiError | undefined
  /** Error if the account lacks an entitlement; otherwise undefined. */
  entitlementRefusal(account: Subscriber, entitlement: Entitlement): ApiError | undefined
  /**
   * Error if the parameters require an entitlement or a plan that the account lacks: for an index, an ETF, the full
   * chain, today's expiration or bars within a session. Undefined for an allowed request, and for any request that needs no account.
   */
  gateRefusal(
    account: Subscriber | undefined,
    endpoint: Pick<Endpoint, 'symbols' | 'gates'>,
    params: Readonly<Record<string, unknown>>,
    context: ParameterContext
  ): ApiError | undefined
}

const reasons: Readonly<Record<Entitlement, string>> = {
  etf: 'ETFs need',
  index: 'index symbols need',
  full_chain: 'the full chain (without expiration) needs',
  same_day: 'same-day expirations need',
  svi: 'SVI-smoothed volatility needs',
  full_screen: 'screens beyond the first symbols need',
  replay: 'historical replay needs',
  admin: 'administration needs'
}

/** Seconds after which a request is worth repeating while no key is believed. */
const OUTDATED_AGAIN = 5

/** Error for a request that needs the database of the accounts, which does not answer. */
export function accountsUnreachable(retryAfter: number): ApiError {
  return apiError('overloaded', 'the accounts cannot be reached at the moment: try again shortly', {}, retryAfter)
}

export function createAccess(
  accounts: Accounts,
  plans: Plans,
  { sessions, embedTokens }: BrowserCredentials = {}
): Access {
  const allows = ({ plan, grandfathered }: Subscriber, entitlement: Entitlement) =>
    plans.allows(plan, entitlement) || (entitlement === 'same_day' && grandfathered)

  const planRefusal = ({ plan }: Subscriber, least: Endpoint['plan'], what = 'this endpoint needs') =>
    least === 'public' || plans.atLeast(plan, least) ? undefined : tierRestricted(plan, plans.byId(least), what)
  const gatePlanRefusal = (account: Subscriber, least: PlanId) => planRefusal(account, least, 'these parameters need')
  const entitlementRefusal = (account: Subscriber, entitlement: Entitlement) =>
    allows(account, entitlement)
      ? undefined
      : tierRestricted(account.plan, plans.leastWith(entitlement), reasons[entitlement])

  const accountOfKey = (key: unknown, connection?: object) =>
    typeof key === 'string' ? accounts.find(key, connection) : undefined
  const accountOf = (request: KeyBearer) => {
    if (hasTwoKeys(request)) return undefined
    const key = requestKeyOf(request) ?? ''
    return key === '' ? sessions?.accountOf(request.headers) : accountOfKey(key, request.socket)
  }
  const usesSession = (request: KeyBearer) => !bringsKey(request) && sessions?.accountOf(request.headers) !== undefined
  const outdated = () => (accounts.areOutdated ? accountsUnreachable(OUTDATED_AGAIN) : undefined)
  const keyRefusal = (request: KeyBearer) => {
    if (hasTwoKeys(request)) return apiError('unauthorized', 'the request has different API keys: send one of them')
    if (bringsKey(request)) return apiError('unauthorized', 'the API key is invalid or revoked')
    if (embedToken(request.headers) !== undefined) {
      return apiError('unauthorized', 'the token of the panel is over, or opens other answers')
    }
    return apiError('unauthorized', sessions?.refusal(request.headers) ?? missingKey(request.headers))
  }

  return {
    allows,
    accountOf,
    accountOfKey,
    accountOfPanel: ({ headers }, endpoint) => embedTokens?.accountOf(headers, endpoint),
    takeFromPanel: (panel, address) => embedTokens?.take(panel, address) ?? 0,
    accountOfHeaders: (headers) => accountOf({ headers, query: {}, socket: headers }),
    usesSession,
    sendsKey: (request) => bringsKey(request) || usesSession(request),
    outdated,
    keyRefusal,
    planRefusal,
    entitlementRefusal,
    authenticate(request) {
      const unbelieved = outdated()
      if (unbelieved !== undefined) throw unbelieved
      const account = accountOf(request)
      if (account === undefined) throw keyRefusal(request)
      return account
    },
    gateRefusal(account, { symbols, gates }, params, reading) {
      if (account === undefined) return undefined
      for (const symbol of symbols(params as never)) {
        if (account.panel !== undefined && account.panel.symbol !== symbol) return apiError('embed_scope')
        const kind = securityKind(symbol)
        const refusal = kind === 'equity' ? undefined : entitlementRefusal(account, kind)
        if (refusal !== undefined) return refusal
      }
      for (const gate of gates) {
        const needed = gate(params as never, reading)
        if (needed === undefined) continue
        const refusal =
          typeof needed === 'string' ? entitlementRefusal(account, needed) : gatePlanRefusal(account, needed.plan)
        if (refusal !== undefined) return refusal
      }
      return undefined
    }
  }
}

/**
 * Error for a request with a key in its address, valid or not: it would end up in logs and histories, where it opens the
 * account. Undefined if there is none.
 */
export function keyInAddressRefusal({ query }: Pick<KeyBearer, 'query'>): ApiError | undefined {
  const { apiKey = '' } = query as { readonly apiKey?: unknown }
  if (apiKey === '') return undefined
  return apiError('unauthorized', 'this path takes no key in its address: send it in the X-Api-Key header')
}

/** Message for a request without a key. Other services read keys of other schemes from the Authorization header. */
function missingKey({ authorization }: IncomingHttpHeaders): string {
  return authorization === undefined
    ? 'no API key: send one in the X-Api-Key header, or as Authorization: Bearer'
    : 'no API key: the Authorization header holds none; it is read as Bearer and the key, X-Api-Key takes the key as it is'
}

function tierRestricted(current: Plan, required: Plan, what: string) {
  return apiError('tier_restricted', `${what} the ${required.name} plan or higher; this key is on ${current.name}`, {
    current_plan: current.name,
    required_plan: required.name
  })
}
