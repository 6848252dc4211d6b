import { type CustomerGroup, customerGroups, type SessionCustomers } from '../../market/customer-sums.ts'
import { memoize } from '../../market/memoize.ts'
import { type CustomerSide, customerSide } from './customer-side.ts'

export interface GroupSide extends CustomerSide {
  readonly group: CustomerGroup
}

/** The side on which the customers of each group stand by the sessions of a symbol, which ascend. */
export const customerSides = memoize((sessions: readonly SessionCustomers[]): readonly GroupSide[] =>
  customerGroups.map((group) => ({
    group,
    ...customerSide(
      group,
      sessions.map(({ groups }) => groups[group])
    )
  }))
)
