import { type ChainHeader, headerOf } from '../../market/chain.ts'
import { versionOf } from '../../market/versions.ts'
import { nothingKnown } from './chain.ts'
import type { Input } from './input.ts'

/**
 * What was last known of a symbol that the moment does not cover, for an answer that says so instead of refusing: undefined
 * where there is a chain. The live market covers every symbol it knows.
 */
export const lastKnown: Input<ChainHeader | undefined> = {
  kind: 'market',
  moves: false,
  find: ({ symbols: [symbol], chain, request: { source } }) =>
    chain === undefined ? source.lastKnown(symbol) : undefined,
  value: (found) => found && headerOf(found),
  version: (found) => (found === undefined ? '' : versionOf(found)),
  refuse(found, context) {
    if (found === undefined && context.chain === undefined) throw nothingKnown(context)
  },
  errors: ({ absent: [unknown] }) => [unknown],
  symbol: (found) => found?.symbol
}
