import { aggressorOf, BUY, judgedOf, MID, SELL, type TapeKind } from '../../market/print.ts'

/** Maximum age of a quote that decides a side, milliseconds. */
export const MAX_QUOTE_AGE: Readonly<Record<TapeKind, number>> = { option: 900_000, stock: 60_000 }

const INSIDE = 0
const ABOVE_ASK = 1
const AT_ASK = 2
const AT_BID = 3
const BELOW_BID = 4
const NOTHING = 0
const QUOTE = 1
const LOCKED = 2
const TICK = 3

/** Value of a print whose side no rule decides; it counts as mid. */
export const UNJUDGED = judgedOf(MID, INSIDE, NOTHING)
export const UPTICK = judgedOf(BUY, INSIDE, TICK)
export const DOWNTICK = judgedOf(SELL, INSIDE, TICK)
/** Keeps the price's relation to the quote, removes the side. */
export const withoutSide = (judged: number): number => judgedOf(MID, aggressorOf(judged), NOTHING)

/**
 * Side and aggressor by the quote before a print, as in the `judged` column. Prices are in units of the tape; a missing
 * or old quote is NO_PRICE. Returns UNJUDGED if the quote decides nothing: it has no ask, is crossed, or is locked at
 * the price.
 *
 * A print at the ask or above, to one unit, is a purchase; at the bid or below, a sale. Inside the quote the nearer
 * side counts, but neither within a twentieth of the spread around the midpoint:
 *
 *     |p - (a + b)/2| <= (a - b)/20,  in whole numbers  |20 p - 10 (a + b)| <= a - b
 *
 * Source: Lee and Ready, Inferring Trade Direction from Intraday Data, Journal of Finance 46 (1991), with a band in the
 * middle and limits of one unit.
 */
export function judgeByQuote(price: number, bid: number, ask: number): number {
  if (!(ask > 0 && bid >= 0 && ask >= bid)) return UNJUDGED
  if (ask === bid) {
    if (price > ask + 1) return judgedOf(BUY, ABOVE_ASK, LOCKED)
    return price < bid - 1 ? judgedOf(SELL, BELOW_BID, LOCKED) : UNJUDGED
  }
  if (price >= ask - 1) return judgedOf(BUY, price > ask + 1 ? ABOVE_ASK : AT_ASK, QUOTE)
  if (price <= bid + 1) return judgedOf(SELL, price < bid - 1 ? BELOW_BID : AT_BID, QUOTE)
  const fromMiddle = 20 * price - 10 * (ask + bid)
  const band = ask - bid
  return judgedOf(fromMiddle > band ? BUY : fromMiddle < -band ? SELL : MID, INSIDE, QUOTE)
}
