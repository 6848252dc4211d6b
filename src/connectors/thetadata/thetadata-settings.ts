import type { RequestLimit } from '../port/http/request-budget.ts'

/** What an operator must know before serving this data to others. */
export const thetadataTerms =
  'Market data of ThetaData, for the subscriber alone. Passing it on, as it is or as figures made from it, needs a ' +
  'contract with the vendor and the exchanges.'

/** What an account has, by the names of the vendor. */
export const thetadataPlans = ['free', 'value', 'standard', 'pro'] as const
export type ThetaDataPlan = (typeof thetadataPlans)[number]

const MINUTE = 60_000
/** More than so many requests at a time can make: the paid plans count none. */
const UNCOUNTED = 10_000

/**
 * How many requests may be under way at once, those of all programs of an account together, by its highest plan. The free
 * one is counted by the minute, too. Source: ThetaData, Concurrent Requests.
 */
export const requestsOfPlan: Readonly<Record<ThetaDataPlan, RequestLimit>> = {
  free: { requests: 20, every: MINUTE, maxParallel: 1 },
  value: { requests: UNCOUNTED, every: MINUTE, maxParallel: 2 },
  standard: { requests: UNCOUNTED, every: MINUTE, maxParallel: 4 },
  pro: { requests: UNCOUNTED, every: MINUTE, maxParallel: 8 }
}
