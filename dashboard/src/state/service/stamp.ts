import { place } from '../page/address.ts'
import { type SetParams, setOfParams } from '../page/expiration-set.ts'
import type { Place } from '../page/place.ts'
import type { Question } from './question.ts'

/** Names the symbol and the moment of an answer, so that it is never drawn under another symbol or an earlier moment. */
export interface Stamp {
  /** Undefined: the answer is not about one symbol. */
  readonly symbol: string | undefined
  /** The past moment in New York of a replayed answer; 'live', or 'any' for figures with a moment of their own. */
  readonly at: string
  /** The set of expirations that was asked for, as in the address; undefined: all, or the request takes none. */
  readonly set?: string | undefined
}

/** The stamp of the answer to a request. */
export function stampOf(params: object, asked: Question, at: string | undefined, isOfPage: boolean): Stamp {
  const symbol = Object.values(params).includes(asked.symbol) ? asked.symbol : undefined
  return { symbol, at: isOfPage ? (at ?? 'live') : 'any', set: setOfParams(params as SetParams) }
}

export const isOf = (asked: string, { symbol }: Stamp): boolean => symbol === undefined || symbol === asked
export const isOfSymbol = (stamp: Stamp, { symbol }: Place = place.value): boolean => isOf(symbol, stamp)

/**
 * Whether an answer may be drawn at a place, that of the page as a rule: of its symbol, live where the place is live, and
 * in a replay no later than its moment.
 */
export function isOfPage(stamp: Stamp, shown: Place = place.value): boolean {
  if (!isOfSymbol(stamp, shown)) return false
  if (stamp.at === 'any') return true
  const { at } = shown
  if (at === undefined || stamp.at === 'live') return (at ?? 'live') === stamp.at
  return toSecond(stamp.at) <= toSecond(at)
}

const toSecond = (wall: string) => (wall.length === 16 ? `${wall}:00` : wall)
