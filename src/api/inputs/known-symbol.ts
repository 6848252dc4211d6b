import { type ChainHeader, headerOf } from '../../market/chain.ts'
import { versionOf } from '../../market/versions.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { newestBars } from './daily-history.ts'
import type { Input } from './input.ts'
import { nothingKnown, ofSubject } from './symbol-chain.ts'

/** Accepts a symbol without a chain if it has recent daily bars or a tape; any other symbol is refused as unknown. */
export const orTaped: Pick<Input<ChainHeader | undefined>, 'isTapeEnough' | 'refuse' | 'errors' | 'symbol'> = {
  isTapeEnough: true,
  refuse(found, context) {
    if (found !== undefined) return
    const { symbols, market, day } = context
    const [symbol] = symbols
    if (newestBars(market.bars(symbol), day, 1).length === 0 && !market.isTaped(symbol)) throw nothingKnown(context)
  },
  errors: ({ absent: [unknown] }) => [unknown],
  symbol: (found) => found?.symbol
}

/**
 * Quote of the underlying if there is one. Undefined if only daily bars or a tape are known; an unknown symbol is
 * refused.
 */
export const anyQuote: Input<ChainHeader | undefined, PricedChain | undefined> = {
  ...orTaped,
  ...ofSubject,
  value: (found) => found && headerOf(found)
}

/** Underlying for responses computed from prints: any known symbol will do, whether its options are priced or not. */
export const tapeSubject: Input<ChainHeader | undefined> = {
  ...orTaped,
  kind: 'market',
  moves: true,
  subject: 'underlying',
  find: ({ underlying }) => underlying,
  value: (found) => found && headerOf(found), // `found` may be a whole chain
  version: (found) => (found === undefined ? '' : versionOf(found)),
  dates: (found) => (found === undefined ? [] : [found])
}
