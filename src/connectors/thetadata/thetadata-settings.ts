import type { RequestLimit } from '../port/http/request-budget.ts'

/** Terms that an operator must know before serving this data to others. */
export const thetadataTerms =
  'Market data of ThetaData, for the subscriber alone. Passing it on, as it is or as figures made from it, needs a ' +
  'contract with the vendor and the exchanges.'

/** Plans of an account, by the vendor's names. */
export const thetadataPlans = ['free', 'value', 'standard', 'pro'] as const
export type ThetaDataPlan = (typeof thetadataPlans)[number]

const MINUTE = 60_000
/** Practically unlimited: paid plans do not count requests. */
const UNCOUNTED = 10_000

/**
 * Parallel requests by the highest plan of an account, over all its programs. The free plan is also limited per minute.
 * Source: ThetaData, Concurrent Requests.
 */
export const requestsOfPlan: Readonly<Record<ThetaDataPlan, RequestLimit>> = {
  free: { requests: 20, every: MINUTE, maxParallel: 1 },
  value: { requests: UNCOUNTED, every: MINUTE, maxParallel: 2 },
  standard: { requests: UNCOUNTED, every: MINUTE, maxParallel: 4 },
  pro: { requests: UNCOUNTED, every: MINUTE, maxParallel: 8 }
}
