import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/accounts.ts'
import type { QuotaCounters } from '../../accounts/quota.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import type { Plans } from '../../api/plan.ts'
import type { Access } from './access.ts'
import type { AddressLimit } from './address-limit.ts'
import type { Host } from './host.ts'

export interface EnterOptions {
  readonly host: Host
  readonly access: Access
  readonly plans: Plans
  readonly quota: QuotaCounters
  /** How many requests an address may make without a key. */
  readonly keyless: AddressLimit
  readonly wallNow: () => number
}

/** The first checks of the contract's order, which ask who the caller is: key, plan, quota. */
export function enter(
  endpoint: Pick<Endpoint, 'plan' | 'keys'>,
  request: FastifyRequest,
  reply: FastifyReply,
  options: EnterOptions
): void {
  const { access, host } = options
  if (host.open && endpoint.plan === 'public' && (endpoint.keys === 'ignored' || !access.sendsKey(request))) {
    limit(request, reply, options)
    return
  }
  const account = (request.account = access.authenticate(request))
  host.admit(account, endpoint)
  count(account, request, reply, options)
}

/** Takes one request from an account, or refuses it. */
export function count(account: Account, request: FastifyRequest, reply: FastifyReply, options: EnterOptions): void {
  const { allowed, used } = options.quota.take(account)
  request.used = used
  if (!allowed) throw quotaExceeded(reply, account, options)
}

function limit(request: FastifyRequest, reply: FastifyReply, { keyless }: EnterOptions): void {
  // Behind a proxy: the address that the nearest one saw. Whatever stands before it the client may have written itself.
  const seconds = keyless.take(request.ips?.[1] ?? request.ip)
  if (seconds === 0) return
  reply.header('retry-after', `${seconds}`)
  throw apiError(
    'too_many_requests',
    `too many requests without a key from this address; try again in ${seconds} s, or send a key`
  )
}

function quotaExceeded(reply: FastifyReply, { plan }: Account, { plans, quota, wallNow }: EnterOptions) {
  const resetsAt = quota.resetsAt()
  const seconds = Math.max(0, Math.ceil((resetsAt - wallNow()) / 1000))
  reply.header('retry-after', `${seconds}`)
  const next = plans.nextAbove(plan)
  const advice = next === undefined ? '' : `, or move to the ${next.name} plan`
  return apiError('quota_exceeded', `all ${plan.dailyLimit} requests of today are used; wait for the reset${advice}`, {
    current_plan: plan.name,
    limit: plan.dailyLimit ?? 0,
    upgrade_to: next?.name ?? null,
    reset_at: new Date(resetsAt).toISOString()
  })
}
