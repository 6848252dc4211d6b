import { apiError } from '../../api/error.ts'
import { expiration, type ParameterContext, symbolInPath, type ValuesOf, whole } from '../../api/params.ts'
import { type Book, signConvention } from '../../exposure/book.ts'
import { type Scope, scopeOf, withBook } from '../../exposure/scope.ts'
import type { IsoDate } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'

export const scoped = { symbol: symbolInPath(), expiration }

/** Parameter for a minimum open interest. Strikes with less are left out of the sums. */
export const minOi = whole({
  description:
    'a whole number of contracts, 0 or more: strikes with less open interest, calls and puts together, are dropped',
  default: 0,
  minimum: 0,
  code: 'invalid_min_oi'
})

type Scoped = Pick<ValuesOf<typeof scoped>, 'expiration'>

/** Requests for today's expiration require an entitlement beyond the plan. */
export const sameDayGate = ({ expiration }: Scoped, { today }: ParameterContext) =>
  expiration === today ? ('same_day' as const) : undefined

/** Requests for the whole chain require an entitlement beyond the plan. */
export const fullChainGate = ({ expiration }: Scoped) =>
  expiration === undefined ? ('full_chain' as const) : undefined

/**
 * Selects the requested contracts and what dealers hold of them. Throws no_data if none of the contracts is listed any
 * more.
 */
export function scopeFor(chain: PricedChain, date: IsoDate | undefined, book: Book = signConvention(chain)): Scope {
  const scope = withBook(scopeOf(chain, date), book)
  if (scope.slots.length > 0) return scope
  throw apiError(
    'no_data',
    date === undefined
      ? `${chain.symbol} has no live option contracts`
      : `${chain.symbol} lists no expiration on ${date}; /v1/options/${chain.symbol} names those it lists`
  )
}
