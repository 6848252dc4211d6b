import { latestSession, previousTradingDay, session } from '../../market/calendar.ts'
import { easternDateTime } from '../../market/eastern.ts'
import { marketSession } from '../../market/market-session.ts'
import { versionOf } from '../../market/versions.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { apiError } from '../error.ts'
import { andThen, orUndefined } from '../maybe-promise.ts'
import { crossesAsChain, type Input, type SubjectContext } from './input.ts'

/** Recorded chain of the symbol at the earlier moment that the endpoint declares. */
export const earlier: Input<PricedChain, PricedChain | undefined> = {
  kind: 'market',
  moves: false,
  find(context) {
    const { chain, symbols, day, request } = context
    if (chain === undefined) return undefined
    const [symbol] = symbols
    const { source } = request
    const since = sinceOf(context)
    if (since === 'prior_close') return source.closing(symbol, previousTradingDay(day))
    if (since === 'open') {
      const { date } = latestSession(chain.asOf)
      return source.earlier({ symbol, at: session(date)!.open, which: 'first_from' })
    }
    if (since >= chain.asOf) {
      const moment = easternDateTime(chain.asOf)
      throw apiError('invalid_since', `since must lie before the moment of the answer, ${moment}`, {
        parameter: 'since'
      })
    }
    return source.earlier({ symbol, at: since, which: 'newest_by' })
  },
  value: (found) => found!,
  version: (found) => (found === undefined ? '' : versionOf(found)),
  refuse(found, context) {
    const { chain, symbols } = context
    if (chain === undefined || (found !== undefined && found.size > 0 && found.asOf < chain.asOf)) return
    const since = sinceOf(context)
    const when = typeof since === 'number' ? easternDateTime(since) : since.replace('_', ' ')
    throw apiError('no_snapshot', `nothing earlier is held of ${symbols[0]} for since ${when}`)
  },
  errors: () => ['no_snapshot', 'invalid_since'],
  ...crossesAsChain
}

const sinceOf = ({ endpoint, params }: SubjectContext) => endpoint.sinceRead(params as never)

/** Chain of the symbol at the close of the previous trading day; undefined if it is not available. */
export const prior: Input<PricedChain | undefined> = {
  kind: 'market',
  moves: false,
  find: ({ symbols: [symbol], request: { source }, day }) =>
    orUndefined(() => source.closing(symbol, previousTradingDay(day))),
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
