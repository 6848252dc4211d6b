import { apiError } from '../../api/error.ts'
import { combineExpirations, expirationSetParameters } from '../../api/expiration-filter.ts'
import { expiration, type ParameterContext, symbolInPath, type ValuesOf, whole } from '../../api/params.ts'
import { type Book, signConvention } from '../../exposure/book.ts'
import { type Scope, scopeOf, withBook } from '../../exposure/scope.ts'
import { datesOfSet, scopeOfDates } from '../../exposure/scope-of-dates.ts'
import { isOneDate, mayHold } from '../../market/expiration-set.ts'
import type { IsoDate } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'

export const scoped = { symbol: symbolInPath(), expiration, ...expirationSetParameters }

/** Number of dates that an error names. */
const NAMED = 3

/** Parameter for a minimum open interest. Strikes with less are left out of the sums. */
export const minOi = whole({
  description:
    'a whole number of contracts, 0 or more: strikes with less open interest, calls and puts together, are dropped',
  default: 0,
  minimum: 0,
  code: 'invalid_min_oi'
})

/** The contracts that a request asks for: those of one date, of a set of expirations, or all. */
export type AskedScope = Partial<Pick<ValuesOf<typeof scoped>, 'expiration' | 'expirations'>>

/** How the parameters of a set become one form before anything is looked up, and the dates that the chain lists of it. */
export const bySet = {
  combine: combineExpirations,
  settle<Params extends AskedScope>(params: Params, { chain }: { readonly chain: PricedChain }): Params {
    if (params.expirations === undefined) return params
    const { expirations } = params
    const dates = datesOfSet(chain, expirations)
    const isSettled = 'dates' in expirations && expirations.dates.length === dates.length
    return isSettled || dates.length === 0 ? params : { ...params, expirations: { dates } }
  }
} as const

/** Requests for today's expiration require an entitlement beyond the plan. */
export const sameDayGate = ({ expiration, expirations }: AskedScope, { today }: ParameterContext) =>
  expiration === today || (expirations !== undefined && mayHold(expirations, today)) ? ('same_day' as const) : undefined

/** Requests for more than one expiration require an entitlement beyond the plan. */
export const fullChainGate = ({ expiration, expirations }: AskedScope) =>
  expiration === undefined && (expirations === undefined || !isOneDate(expirations))
    ? ('full_chain' as const)
    : undefined

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

/** Selects the contracts of a request, like `scopeFor`. Dates of a set that are not listed are left out of it. */
export function scopeAsked(chain: PricedChain, { expiration, expirations }: AskedScope, book?: Book): Scope {
  if (expirations === undefined) return scopeFor(chain, expiration, book)
  const scope = scopeOfDates(chain, datesOfSet(chain, expirations))
  if (scope.slots.length > 0) return withBook(scope, book ?? signConvention(chain))
  const listed = [...new Set(chain.expirations.map(({ date }) => date))].slice(0, NAMED)
  throw apiError('no_data', `${chain.symbol} lists no expiration of this set; it lists ${listed.join(', ')} and others`)
}
