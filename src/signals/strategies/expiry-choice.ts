import { datesOf, liveScope } from '../../exposure/scope.ts'
import { daysToExpiry } from '../../market/clock.ts'
import type { IsoDate } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { type Slice, slices } from '../../volatility/smile/slice.ts'

// Which expiration a signal is about. Source of the choices: the wire contract, x-conventions.expiry_choice.

/** The expiration asked for, else the earliest, of those that are live and at least so many days away. */
export function chosenExpiry(chain: PricedChain, asked: IsoDate | undefined, minDays = 0): IsoDate | undefined {
  return liveDates(chain).find(
    (date) => (asked === undefined || date === asked) && daysToExpiry(chain.asOf, date) >= minDays
  )
}

/** That expiration and its smile. Undefined where either is missing. */
export function chosenSlice(
  chain: PricedChain,
  asked: IsoDate | undefined
): { readonly expiry: IsoDate; readonly slice: Slice } | undefined {
  const expiry = chosenExpiry(chain, asked)
  const slice = slices(chain).find(({ date }) => date === expiry)
  return expiry === undefined || slice === undefined ? undefined : { expiry, slice }
}

/** The first that is live after another. */
export function expiryAfter(chain: PricedChain, expiry: IsoDate): IsoDate | undefined {
  return liveDates(chain).find((date) => date > expiry)
}

/** Days that are left to what a signal about the whole chain trades. */
const [MIN_TRADED, MAX_TRADED] = [7, 45]

/** What a signal about the whole chain trades: the one asked for, else the earliest a week to six weeks away, else the next. */
export function tradedExpiry(chain: PricedChain, asked: IsoDate | undefined): IsoDate | undefined {
  if (asked !== undefined) return chosenExpiry(chain, asked)
  const within = liveDates(chain).find((date) => {
    const days = daysToExpiry(chain.asOf, date)
    return days >= MIN_TRADED && days <= MAX_TRADED
  })
  return within ?? chosenExpiry(chain, undefined, 1)
}

const liveDates = (chain: PricedChain) => datesOf(liveScope(chain))
