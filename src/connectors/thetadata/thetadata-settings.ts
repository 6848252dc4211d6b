import type { RequestLimit } from '../port/http/request-budget.ts'

/** License terms that an operator must read before serving ThetaData's data to others. */
export const thetadataTerms =
  'Market data of ThetaData, for the subscriber alone. Passing it on, as it is or as figures made from it, needs a ' +
  'contract with the vendor and the exchanges.'

export const thetadataPlans = ['free', 'value', 'standard', 'pro'] as const
export type ThetaDataPlan = (typeof thetadataPlans)[number]

const MINUTE = 60_000
/** Request limit for paid plans, whose requests the vendor does not count: in effect unlimited. */
const UNCOUNTED = 10_000

/**
 * Request limits of each plan. The number of parallel requests applies to all programs of an account together. The free
 * plan is also limited per minute. Source: ThetaData, Concurrent Requests.
 */
export const requestsOfPlan: Readonly<Record<ThetaDataPlan, RequestLimit>> = {
  free: { requests: 20, every: MINUTE, maxParallel: 1 },
  value: { requests: UNCOUNTED, every: MINUTE, maxParallel: 2 },
  standard: { requests: UNCOUNTED, every: MINUTE, maxParallel: 4 },
  pro: { requests: UNCOUNTED, every: MINUTE, maxParallel: 8 }
}
