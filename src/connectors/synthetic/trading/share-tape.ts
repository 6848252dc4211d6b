import { session as sessionHours } from '../../../market/calendar.ts'
import { MILLISECONDS_PER_MINUTE } from '../../../market/units.ts'
import { drift } from '../../../math/random.ts'
import type { QuoteAtPrint } from '../../port/prints/print-feed.ts'
import { momentIn } from '../market-moment.ts'
import { sessions } from '../market-sessions.ts'
import { type PriceRange, sessionBarAt } from '../prices/price-path.ts'
import { underlyingQuote } from '../prices/underlying-quote.ts'
import type { Security } from '../securities/securities.ts'
import type { World } from '../world.ts'
import { printsOfMinute, shareSizes } from './minute-prints.ts'
import { minuteTape, printPrice, type SecondQuotes, type SessionTape, type TapeTerms } from './session-tape.ts'
import { shareKey, sharesByMinute } from './shares-by-minute.ts'
import { MAX_MINUTES, minutesOf } from './traded-minute.ts'

/**
 * Generates the prints of a stock or fund in a session. They add up to the volume of the daily bar, and every price
 * lies in the bar's range. Undefined for an index, which trades no shares.
 */
export function shareTape(world: World, security: Security, session: number): SessionTape | undefined {
  const shares = sharesByMinute(world, security, session, minutesOf(session))
  if (shares === undefined) return undefined
  const bar = sessionBarAt(world, security, session)
  const key = shareKey(world, security)
  const { open } = sessionHours(sessions[session])!
  const terms: Omit<TapeTerms, 'bias'> = {
    symbol: security.symbol,
    session: sessions[session],
    kind: 'stock',
    quotes: shareQuotes(world, security, session),
    contract: () => undefined,
    price: priceWithin(bar)
  }
  const slots = { series: [{ start: 0, end: 1 }], key }
  return {
    minute(at) {
      const prints = printsOfMinute(slots, session * MAX_MINUTES + at, shares.subarray(at, at + 1), shareSizes)
      const lean = LEAN * drift(key[0], session * MOODS + at / MOOD_MINUTES)
      return minuteTape({ ...terms, bias: () => lean }, at, open + at * MILLISECONDS_PER_MINUTE, prints)
    }
  }
}

/** Size of the bias with which buyers or sellers prevail for some minutes. */
const LEAN = 0.2
const MOOD_MINUTES = 15
const MOODS = 30

/**
 * Returns a price function that stays within the day's range. A trade that would lie outside takes the other side of
 * the quote.
 */
function priceWithin({ low, high }: PriceRange): NonNullable<TapeTerms['price']> {
  const within = (price: number) => price >= low && price <= high
  return (quote, side, inside) => {
    const wanted = printPrice(quote, side, inside)
    if (within(wanted)) return wanted
    return [quote.bid, quote.ask].find(within) ?? Math.max(low, Math.min(high, wanted))
  }
}

function shareQuotes(world: World, security: Security, session: number): SecondQuotes {
  let spot = Number.NaN
  let newest: QuoteAtPrint | undefined
  return {
    get spot() {
      return spot
    },
    quote(second) {
      if (newest?.time === second) return newest
      const shown = underlyingQuote(world, security, momentIn(session, second))
      spot = shown.spot
      return (newest = { bid: shown.quote.bid!, ask: shown.quote.ask!, time: second })
    }
  }
}
