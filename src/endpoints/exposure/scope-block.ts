import Type from 'typebox'
import { echo } from '../../api/annotations.ts'
import { block } from '../../api/block.ts'
import { Contracts, Day, Nullable } from '../../api/quantity.ts'
import { datesOf, type Scope } from '../../exposure/scope.ts'
import type { AskedScope } from './scoped.ts'

const filter = Type.String({
  ...echo,
  description: 'the set of expirations that was asked for, as a value of expirations that means the same',
  'x-text': 'name'
})
const expirations = Type.Array(Day(), { description: 'the dates whose contracts are added up, ascending' })
const contracts = Contracts('listed contracts among them')

/** Which contracts a response covers: one expiration, or all expirations. */
export const scopeBlock = block(
  Type.Object(
    {
      expiration: Nullable(Day('the requested expiration; null for the whole chain')),
      filter: Type.Optional(filter),
      expirations,
      contracts
    },
    { title: 'ExpirationScope', description: 'which contracts the answer is about' }
  ),
  (scope: Scope, asked: AskedScope) => ({
    expiration: asked.expiration,
    ...(asked.expirations && { filter: datesOf(scope).join() }),
    expirations: datesOf(scope),
    contracts: scope.slots.length
  })
)

const setBlock = block(
  Type.Object(
    { filter, expirations, contracts },
    { ...echo, title: 'ExpirationSetScope', description: 'which contracts the answer is about, if a set was asked for' }
  ),
  (scope: Scope) => ({ filter: datesOf(scope).join(), expirations: datesOf(scope), contracts: scope.slots.length })
)

/** The scope of responses that name it only if a set of expirations was asked for. */
export const setScopeSchema = { scope: Type.Optional(setBlock.schema) }

export function setScope(scope: Scope, { expirations: asked }: AskedScope) {
  return asked === undefined ? {} : { scope: setBlock.fill(scope) }
}
