import { marketSession } from '../../market/market-session.ts'
import { andThen, orUndefined } from '../maybe-promise.ts'
import type { Input } from './input.ts'

/**
 * Where the symbol closed in the session before that of the market's day, USD per share: by its daily bar, split-adjusted,
 * else by the closing chain of that session. Undefined where neither is held.
 */
export const previousClose: Input<number | undefined> = {
  kind: 'market',
  moves: false,
  find({ symbols: [symbol], request: { source } }) {
    const { previousDate } = marketSession(source.now())
    const bars = orUndefined(() => source.bars(symbol))
    return andThen(bars, (all) => {
      const bar = all?.findLast(({ date }) => date <= previousDate)
      if (bar?.date === previousDate) return bar.close
      return andThen(
        orUndefined(() => source.closing(symbol, previousDate)),
        (closing) => closing?.spot
      )
    })
  },
  version: (found) => found ?? ''
}
