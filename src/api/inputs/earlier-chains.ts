import { latestSession, previousTradingDay, session } from '../../market/calendar.ts'
import { easternDateTime } from '../../market/eastern.ts'
import { marketSession } from '../../market/market-session.ts'
import { versionOf } from '../../market/versions.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { apiError } from '../error.ts'
import { crossesAsChain, type Input, type SubjectContext } from './input.ts'
import { ifReadable } from './market-reader.ts'

/** Recorded chain of the symbol at the earlier moment that the endpoint declares. */
export const earlier: Input<PricedChain, PricedChain | undefined> = {
  kind: 'market',
  moves: false,
  find(context) {
    const { chain, symbols, day, market } = context
    if (chain === undefined) return undefined
    const [symbol] = symbols
    const since = sinceOf(context)
    if (since === 'prior_close') return market.closing(symbol, previousTradingDay(day), 'comparison')
    if (since === 'open') {
      const { date } = latestSession(chain.asOf)
      return market.earlier({ symbol, at: session(date)!.open, which: 'first_from' })
    }
    if (since >= chain.asOf) {
      const moment = easternDateTime(chain.asOf)
      throw apiError('invalid_since', `since must lie before the moment of the answer, ${moment}`, {
        parameter: 'since'
      })
    }
    return market.earlier({ symbol, at: since, which: 'newest_by' })
  },
  value: (found) => found!,
  version: (found) => (found === undefined ? '' : versionOf(found)),
  refuse(found, context) {
    const { chain, symbols } = context
    if (chain === undefined || (found !== undefined && found.size > 0 && found.asOf < chain.asOf)) return
    const since = sinceOf(context)
    const when = typeof since === 'number' ? easternDateTime(since) : since.replace('_', ' ')
    throw apiError(
      'no_snapshot',
      `nothing earlier that can be compared is held of ${symbols[0]} for since ${when}; a share's chain cannot be compared over a split`
    )
  },
  errors: () => ['no_snapshot', 'invalid_since', 'history_damaged'],
  ...crossesAsChain
}

const sinceOf = ({ endpoint, params }: SubjectContext) => endpoint.sinceRead(params as never)

/**
 * Chain of the symbol at the close of the previous trading day; undefined if it is not available or the share was split
 * since.
 */
export const prior: Input<PricedChain | undefined> = {
  kind: 'market',
  moves: false,
  find: ({ symbols: [symbol], market, day }) =>
    ifReadable(() => market.closing(symbol, previousTradingDay(day), 'comparison')),
  version: (found) => (found === undefined ? '' : versionOf(found)),
  ...crossesAsChain
}

/**
 * Close of the symbol in the session before the market's current day, USD per share: from its daily bar
 * (split-adjusted), else from its closing chain. Undefined if neither is available.
 */
export const previousClose: Input<number | undefined> = {
  kind: 'market',
  moves: false,
  find({ symbols: [symbol], market, request: { source } }) {
    const { previousDate } = marketSession(source.now())
    const bar = ifReadable(() => market.bars(symbol))?.findLast(({ date }) => date <= previousDate)
    if (bar?.date === previousDate) return bar.close
    return ifReadable(() => market.closing(symbol, previousDate, 'comparison'))?.spot
  },
  version: (found) => found ?? ''
}
