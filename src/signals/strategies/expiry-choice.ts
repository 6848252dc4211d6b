import { datesOf, liveScope } from '../../exposure/scope.ts'
import { daysToExpiry } from '../../market/clock.ts'
import type { IsoDate } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { type Slice, slices } from '../../volatility/smile/slice.ts'

// Choice of the expiration that a signal is about. Source: the published API contract, x-conventions.expiry_choice.

/**
 * The requested expiration if it has not expired and is at least `minDays` away, otherwise undefined. If none is
 * requested, the earliest expiration that meets these conditions.
 */
export function chosenExpiry(chain: PricedChain, asked: IsoDate | undefined, minDays = 0): IsoDate | undefined {
  return liveDates(chain).find(
    (date) => (asked === undefined || date === asked) && daysToExpiry(chain.asOf, date) >= minDays
  )
}

/** The expiration of `chosenExpiry` with its smile. Undefined if either is missing. */
export function chosenSlice(
  chain: PricedChain,
  asked: IsoDate | undefined
): { readonly expiry: IsoDate; readonly slice: Slice } | undefined {
  const expiry = chosenExpiry(chain, asked)
  const slice = slices(chain).find(({ date }) => date === expiry)
  return expiry === undefined || slice === undefined ? undefined : { expiry, slice }
}

export function expiryAfter(chain: PricedChain, expiry: IsoDate): IsoDate | undefined {
  return liveDates(chain).find((date) => date > expiry)
}

/** Days to expiry, from first to last, that a signal about a whole chain prefers to trade. */
const [MIN_TRADED, MAX_TRADED] = [7, 45]

/**
 * Expiration in which a signal trades. It is the requested one. If none is requested, it is the earliest one that is 7
 * to 45 days away, or else the earliest at least a day away.
 */
export function tradedExpiry(chain: PricedChain, asked: IsoDate | undefined): IsoDate | undefined {
  if (asked !== undefined) return chosenExpiry(chain, asked)
  const within = liveDates(chain).find((date) => {
    const days = daysToExpiry(chain.asOf, date)
    return days >= MIN_TRADED && days <= MAX_TRADED
  })
  return within ?? chosenExpiry(chain, undefined, 1)
}

/** Days to expiry, from first to last, and the number aimed at, of an option that is sold for income. */
const [MIN_INCOME, INCOME_DAYS, MAX_INCOME] = [20, 30, 45]

/**
 * Expiration of an option that is sold for income. It is the requested one, if it is at least a day away. If none is
 * requested, the one nearest to 30 days among those 20 to 45 days away, of two equally near ones the earlier. Undefined
 * if there is none.
 */
export function incomeExpiry(chain: PricedChain, asked: IsoDate | undefined): IsoDate | undefined {
  if (asked !== undefined) return chosenExpiry(chain, asked, 1)
  const away = (date: IsoDate) => Math.abs(daysToExpiry(chain.asOf, date) - INCOME_DAYS)
  return liveDates(chain)
    .filter((date) => {
      const days = daysToExpiry(chain.asOf, date)
      return days >= MIN_INCOME && days <= MAX_INCOME
    })
    .sort((a, b) => away(a) - away(b))
    .at(0)
}

const liveDates = (chain: PricedChain) => datesOf(liveScope(chain))
