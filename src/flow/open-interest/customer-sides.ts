import { type CustomerGroup, customerGroups, type SessionCustomers } from '../../market/customer-sums.ts'
import { memoize } from '../../market/memoize.ts'
import { type CustomerSide, customerSide, decayedCustomers } from './customer-side.ts'

export interface GroupSide extends CustomerSide {
  readonly group: CustomerGroup
  /** Sessions with a traded contract of the group. */
  readonly sessions: number
}

/** The side on which the customers of each group stand by the sessions of a symbol, which ascend. */
export const customerSides = memoize((sessions: readonly SessionCustomers[]): readonly GroupSide[] =>
  customerGroups.map((group) => {
    const sums = sessions.map(({ groups }) => groups[group])
    const counted = sums.filter(({ contracts }) => contracts > 0).length
    return { group, sessions: counted, ...customerSide(group, decayedCustomers(sums)) }
  })
)
