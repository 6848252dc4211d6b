import { latestSession } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import type { Instant } from '../../market/units.ts'
import type { Connector } from '../port/connector.ts'
import { closeOf, momentAt } from './market-moment.ts'
import { lastSession, sessionNumber, sessionOnOrBefore, sessions } from './market-sessions.ts'
import { reportsStated } from './prices/earnings-calendar.ts'
import { seriesBarOf, seriesOf } from './prices/macro-levels.ts'
import { minutePath } from './prices/minute-path.ts'
import { sessionBarAt } from './prices/price-path.ts'
import { securities, securityOf, syntheticTickers, syntheticUniverse } from './securities/securities.ts'
import { closingQuotes, expiringSnapshot, snapshot } from './synthetic-chain.ts'
import { syntheticTerms } from './synthetic-terms.ts'
import { sharesByMinute } from './trading/shares-by-minute.ts'
import { syntheticPrints } from './trading/synthetic-prints.ts'
import { createWorld } from './world.ts'

const SECOND = 1000

/**
 * Creates a made-up market of about 250 real tickers that needs no network and no key. Everything is a pure function of
 * seed, symbol and time: two processes with the same seed see the same market, at any time from 2017 to 2030.
 */
export function createSynthetic({ seed }: { readonly seed: number }): Connector {
  const world = createWorld(seed)
  return {
    name: 'synthetic',
    synthetic: true,
    provides: ['chains', 'bars', 'prints', 'earnings', 'macro'],
    terms: syntheticTerms,
    pace: SECOND,
    universe: syntheticUniverse,
    tickers: syntheticTickers,
    listsAll: true,
    fixedAt: undefined,
    latest,

    async chain(symbol, now) {
      const security = securityOf(symbol)
      const moment = momentAt(latest(now))
      return security === undefined || moment === undefined ? undefined : snapshot(world, security, moment)
    },

    async expiringChain(symbol, now) {
      const security = securityOf(symbol)
      const moment = momentAt(latest(now))
      return security === undefined || moment === undefined ? undefined : expiringSnapshot(world, security, moment)
    },

    prints: syntheticPrints(world),

    async earnings({ symbol, from }, now) {
      const asked = symbol === undefined ? securities : [securityOf(symbol)].filter((found) => found !== undefined)
      return asked.flatMap((security) => reportsStated(world, security, from, now))
    },

    holdsPast: true,

    async closingChain(symbol, session) {
      const security = securityOf(symbol)
      const number = sessionNumber(session)
      return security === undefined || number === undefined ? undefined : snapshot(world, security, closeOf(number))
    },

    async closingQuotes(symbol, session) {
      const security = securityOf(symbol)
      const number = sessionNumber(session)
      return security === undefined || number === undefined
        ? undefined
        : closingQuotes(world, security, closeOf(number))
    },

    async minutePrices(symbol, date, minutes) {
      const security = securityOf(symbol)
      const number = sessionNumber(date)
      if (security === undefined || number === undefined) return undefined
      const shares = sharesByMinute(world, security, number, minutes)
      return { ...minutePath(world, security, number, minutes), shares }
    },

    async dailyBars(symbol, now, _signal, most = Number.POSITIVE_INFINITY) {
      const security = securityOf(symbol)
      const series = seriesOf(world, symbol)
      if (security === undefined && series === undefined) return []
      const today = Math.min(lastSession, sessionOnOrBefore(easternDate(now)))
      const count = now >= closeOf(today).asOf ? today + 1 : today
      const first = Math.max(0, count - most)
      return Array.from({ length: count - first }, (_, k) =>
        security === undefined ? seriesBarOf(series!, first + k) : sessionBarAt(world, security, first + k)
      )
    }
  }
}

/**
 * Time of the newest data: the whole second at `now` during a session, otherwise the last close. It never passes the
 * end of the synthetic market.
 */
function latest(now: Instant): Instant {
  const { close, date } = latestSession(now)
  if (date > sessions[lastSession]) return closeOf(lastSession).asOf
  return Math.min(close, Math.floor(now / SECOND) * SECOND)
}
