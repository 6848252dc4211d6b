import type { FastifyRequest } from 'fastify'
import { type AuthorizeOptions, authorize, count } from './authorize.ts'

/**
 * The first checks of the contract's order, which ask who the caller is: key, plan, quota. The request then knows its
 * account and what that has used. Throws the refusal.
 */
export function checkCaller(
  endpoint: Parameters<typeof authorize>[0],
  request: FastifyRequest,
  options: AuthorizeOptions
): void {
  const { account, refusal } = authorize(endpoint, request, options)
  request.account = account
  if (refusal !== undefined) throw refusal
  checkQuota(request, options)
}

/** Counts a request of the account that it came with, or of its address. Throws the refusal of one too many. */
export function checkQuota(request: FastifyRequest, options: AuthorizeOptions): void {
  const { used, refusal } = count(request.account, request, options)
  request.used = used
  if (refusal !== undefined) throw refusal
}
