import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { withTimeout } from '../with-timeout.ts'
import { priced, type Task } from './task.ts'

/** Asks the source for the chain of a symbol at `now` and prices it. Undefined: the source does not know the symbol. */
export const loadChain: Task<{ readonly symbol: Ticker; readonly now: Instant }, PricedChain | undefined> = {
  symbol: ({ symbol }) => symbol,
  async run({ symbol, now }, context) {
    const chain = await withTimeout((signal) => context.connector.chain(symbol, now, signal))
    return chain && priced(chain, context)
  }
}

/** The chain at the close of a past session, priced. Undefined: the source does not hold that day. */
export const loadClosingChain: Task<{ readonly symbol: Ticker; readonly session: IsoDate }, PricedChain | undefined> = {
  symbol: ({ symbol }) => symbol,
  async run({ symbol, session }, context) {
    const chain = await withTimeout((signal) => context.connector.closingChain(symbol, session, signal))
    return chain && priced(chain, context)
  }
}
