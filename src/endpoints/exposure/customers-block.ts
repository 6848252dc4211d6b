import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { block } from '../../api/block.ts'
import { Count, Day, Nullable, Ratio, Words } from '../../api/quantity.ts'
import { customerSides } from '../../flow/open-interest/customer-sides.ts'
import { customerGroups, type SessionCustomers } from '../../market/customer-sums.ts'

/**
 * On which side the customers of each group of contracts stand, by how open interest changed after their trades, beside
 * the sign convention: customers short calls and long puts.
 */
export const customersBlock = block(
  Nullable(
    Type.Object(
      {
        since: Day('the first session that counts'),
        sessions: Count('sessions whose flow and following open interest are known, at most the newest 60'),
        groups: Type.Array(
          Type.Object(
            {
              group: Words(...customerGroups),
              sessions: Count('sessions in which a contract of the group traded'),
              slope: Nullable(
                Ratio('contracts of open interest for each contract that customers bought more than they sold')
              ),
              standard_error: Nullable(Ratio('of the slope', { minimum: 0 })),
              side: Nullable(Words('long', 'short')),
              verdict: Words('fits', 'contradicts', 'not_shown')
            },
            { title: 'CustomerGroupSide' }
          ),
          { ...rowKey('group'), minItems: customerGroups.length, maxItems: customerGroups.length }
        )
      },
      {
        title: 'CustomerSides',
        description: 'on which side customers stand, from the changes of open interest; null without recorded sessions'
      }
    )
  ),
  (sessions: readonly SessionCustomers[]) =>
    sessions.length === 0
      ? null
      : {
          since: sessions[0].session,
          sessions: sessions.length,
          groups: customerSides(sessions).map(({ group, sessions: counted, slope, error, side, verdict }) => ({
            group,
            sessions: counted,
            slope,
            standard_error: error,
            side,
            verdict
          }))
        }
)
