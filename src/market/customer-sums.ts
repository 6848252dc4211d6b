import { nextTradingDay, session as sessionOf } from './calendar.ts'
import type { Instant, IsoDate, Ticker } from './units.ts'

/** Groups of contracts whose customers are judged together: calls and puts, out of the money and in it. */
export const customerGroups = ['calls_out', 'calls_in', 'puts_out', 'puts_in'] as const
export type CustomerGroup = (typeof customerGroups)[number]

/** Products of two of (change, volume, net), in the order of the terms of a squared residual. */
export const customerPairs = [
  [0, 0],
  [1, 1],
  [2, 2],
  [0, 1],
  [0, 2],
  [1, 2]
] as const
/** Powers of net / volume by which the scores are multiplied. */
export const customerPowers = [0, 1, 2] as const

/**
 * Sums over traded contracts for the regression of `customerSide`, weighted by 1 / volume. `products` are x x' and x y of
 * the regressors volume and net; `scores` are the sums that White's error is made of. They add up over sessions.
 */
export interface CustomerSums {
  readonly contracts: number
  readonly products: readonly number[]
  readonly scores: readonly number[]
}

/** Sums of one session that tell the side of customers, from its flow and the open interest of the next morning. */
export interface SessionCustomers {
  readonly symbol: Ticker
  readonly session: IsoDate
  readonly groups: Readonly<Record<CustomerGroup, CustomerSums>>
}

/**
 * Whether the sums of a session may be known at a moment: from the close of the next one. Its open interest is published in
 * the morning, but a source may deliver it at any time of that day.
 */
export const isSettledBy = (session: IsoDate, at: Instant): boolean => sessionOf(nextTradingDay(session))!.close <= at
