import Type from 'typebox'
import { block } from '../../api/block.ts'
import { Contracts, Day, Nullable } from '../../api/quantity.ts'
import { datesOf, type Scope } from '../../exposure/scope.ts'
import type { IsoDate } from '../../market/units.ts'

/** Which contracts a response covers: one expiration, or all expirations. */
export const scopeBlock = block(
  Type.Object(
    {
      expiration: Nullable(Day('the requested expiration; null for the whole chain')),
      expirations: Type.Array(Day(), { description: 'the dates whose contracts are added up, ascending' }),
      contracts: Contracts('listed contracts among them')
    },
    { description: 'which contracts the answer is about' }
  ),
  (scope: Scope, expiration: IsoDate | undefined) => ({
    expiration,
    expirations: datesOf(scope),
    contracts: scope.slots.length
  })
)
