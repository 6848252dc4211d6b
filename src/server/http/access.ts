import type { FastifyRequest } from 'fastify'
import type { Account, Accounts } from '../../accounts/accounts.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { type ApiError, apiError } from '../../api/error.ts'
import type { Reading } from '../../api/params.ts'
import type { Entitlement, Plan, PlanId, Plans } from '../../api/plan.ts'
import { securityKind } from '../../market/security.ts'

/** Who may ask what. Every refusal says which plan would do. */
export interface Access {
  /** The account behind the key of a request: header first, then the query parameter. Undefined: no valid key. */
  accountOf(request: FastifyRequest): Account | undefined
  /** The same for a key at hand; `connection` is what it came by. */
  accountOfKey(key: unknown, connection?: object): Account | undefined
  /** Whether a request brings anything for a key. */
  sendsKey(request: FastifyRequest): boolean
  /** The account of a request, or the refusal of one without a valid key. */
  authenticate(request: FastifyRequest): Account
  /** Whether an account has the plan of an endpoint, and what to say when it has not. */
  admits(account: Account, plan: PlanId): boolean
  refusalBelow(account: Account, plan: PlanId): ApiError
  /** What to say to an account whose plan lacks an entitlement. */
  refusalWithout(account: Account, entitlement: Entitlement): ApiError
  /** Refuses what the parameters ask for beyond the plan: an index, an ETF, the full chain, today's expiration. */
  checkGates(account: Account, endpoint: Endpoint, params: Readonly<Record<string, unknown>>, reading: Reading): void
  /** Whether neither the plan of the endpoint nor what the parameters ask for is beyond the account. */
  mayAsk(account: Account, endpoint: Endpoint, params: Readonly<Record<string, unknown>>, reading: Reading): boolean
  allows(account: Account, entitlement: Entitlement): boolean
}

const reasons: Readonly<Record<Entitlement, string>> = {
  etf: 'ETFs need',
  index: 'index symbols need',
  full_chain: 'the full chain (without expiration) needs',
  same_day: 'same-day expirations need',
  svi: 'SVI-smoothed volatility needs',
  replay: 'historical replay needs',
  admin: 'administration needs'
}

export function createAccess(accounts: Accounts, plans: Plans): Access {
  const allows = ({ plan, grandfathered }: Account, entitlement: Entitlement) =>
    plans.allows(plan, entitlement) || (entitlement === 'same_day' && grandfathered)

  /** The first thing the parameters ask for that the account may not have. */
  const missing = (account: Account, { symbols, gates }: Endpoint, params: object, reading: Reading) => {
    for (const symbol of symbols(params as never)) {
      const kind = securityKind(symbol)
      if (kind !== 'equity' && !allows(account, kind)) return kind
    }
    for (const gate of gates) {
      const entitlement = gate(params as never, reading)
      if (entitlement !== undefined && !allows(account, entitlement)) return entitlement
    }
    return undefined
  }

  const refusalWithout = ({ plan }: Account, entitlement: Entitlement) =>
    tierRestricted(plan, plans.leastWith(entitlement), reasons[entitlement])
  const accountOfKey = (key: unknown, connection?: object) =>
    typeof key === 'string' ? accounts.find(key, connection) : undefined
  const accountOf = (request: FastifyRequest) => accountOfKey(keyOf(request), request.socket)

  return {
    allows,
    accountOf,
    accountOfKey,
    sendsKey,
    mayAsk: (account, endpoint, params, reading) =>
      (endpoint.plan === 'public' || plans.atLeast(account.plan, endpoint.plan)) &&
      missing(account, endpoint, params, reading) === undefined,
    authenticate(request) {
      const account = accountOf(request)
      if (account !== undefined) return account
      throw apiError(
        'unauthorized',
        sendsKey(request) ? 'the API key is invalid or revoked' : 'no API key: send one in the X-Api-Key header'
      )
    },
    admits: ({ plan }, least) => plans.atLeast(plan, least),
    refusalWithout,
    refusalBelow: ({ plan }, least) => tierRestricted(plan, plans.byId(least), 'this endpoint needs'),
    checkGates(account, endpoint, params, reading) {
      const entitlement = missing(account, endpoint, params, reading)
      if (entitlement !== undefined) throw refusalWithout(account, entitlement)
    }
  }
}

const keyOf = ({ headers, query }: FastifyRequest): unknown =>
  headers['x-api-key'] ?? (query as { readonly apiKey?: unknown }).apiKey

const sendsKey = (request: FastifyRequest) => (keyOf(request) ?? '') !== ''

function tierRestricted(current: Plan, required: Plan, what: string) {
  return apiError('tier_restricted', `${what} the ${required.name} plan or higher; this key is on ${current.name}`, {
    current_plan: current.name,
    required_plan: required.name
  })
}
