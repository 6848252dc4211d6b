import { type ChainHeader, headerOf } from '../../market/chain.ts'
import { versionOf } from '../../market/versions.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { andThen } from '../maybe-promise.ts'
import { newestBars } from './daily-history.ts'
import type { Input } from './input.ts'
import { nothingKnown, ofSubject } from './symbol-chain.ts'

/** What two inputs have in common that do without a chain where daily bars or a tape are known of a symbol. */
export const orTaped: Pick<Input<ChainHeader | undefined>, 'isTapeEnough' | 'refuse' | 'errors' | 'symbol'> = {
  isTapeEnough: true,
  refuse(found, context) {
    if (found !== undefined) return
    const [symbol] = context.symbols
    const { source } = context.request
    return andThen(source.bars(symbol), (all) => {
      if (newestBars(all, context.day, 1).length > 0) return
      return andThen(source.isTaped(symbol), (isTaped) => {
        if (!isTaped) throw nothingKnown(context)
      })
    })
  },
  errors: ({ absent: [unknown] }) => [unknown],
  symbol: (found) => found?.symbol
}

/**
 * The underlying where an answer does without its quote too, so that a symbol nobody knows is told from one that did not
 * trade: undefined where nothing but daily bars or a tape is known of it.
 */
export const anyQuote: Input<ChainHeader | undefined, PricedChain | undefined> = {
  ...orTaped,
  ...ofSubject,
  value: (found) => found && headerOf(found)
}

/** The underlying of an answer made of prints: that it is known is enough, and what its options say is no part of it. */
export const tapeSubject: Input<ChainHeader | undefined> = {
  ...orTaped,
  kind: 'market',
  moves: true,
  subject: 'underlying',
  find: ({ underlying }) => underlying,
  value: (found) => found && headerOf(found), // what is found may be a whole chain
  version: (found) => (found === undefined ? '' : versionOf(found)),
  dates: (found) => (found === undefined ? [] : [found])
}
