import type { DailyBar } from '../../market/bar.ts'
import { completedSession, latestSession } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import { latestMoment } from '../../market/payload-moment.ts'
import { type Instant, parseIsoDate } from '../../market/units.ts'
import type { FrameListener } from '../port/capture/capture.ts'
import type { Connector } from '../port/connector.ts'
import { mostTraded } from '../port/most-traded.ts'
import { readingOf } from '../port/source-error.ts'
import { StreamBudget } from '../port/streams/stream-budget.ts'
import { createPrintFeed, type TradierPrintLimits } from './prints/tradier-print-feed.ts'
import { mapTradierChain } from './tradier-chain.ts'
import { readContracts, readExpirations } from './tradier-contracts.ts'
import { readQuote, tradierReader } from './tradier-quote.ts'
import { chainRequest, expirationsRequest, historyRequest, quoteRequest, tradierSymbol } from './tradier-requests.ts'
import { CHAIN_LIMIT, createTradierRest, type TradierRestSettings } from './tradier-rest.ts'
import { tradierTerms } from './tradier-settings.ts'

/**
 * Minimum time between two loads of a symbol's chain, milliseconds. A chain of SPY takes about 37 of the 120 requests
 * allowed per minute.
 */
const PACE = 20_000
const ON_DEMAND = { burst: 10, perMinute: 10 }

export type TradierSettings = TradierRestSettings & {
  readonly stream?: string
  /** Number of contracts with streamed prints; 0 or absent for none. */
  readonly contracts?: number
  readonly onFrame?: FrameListener | undefined
  /** Timeouts of the stream, milliseconds. A timeout that is left out has its usual value. */
  readonly limits?: Partial<TradierPrintLimits> | undefined
}

/**
 * Connector for Tradier: polls chains and daily bars with a brokerage account's token, and streams prints of contracts
 * near the price. It has no past data and keeps no state.
 */
export function createTradier(settings: TradierSettings): Connector {
  const rest = createTradierRest(settings)
  const { stream = '', contracts = 0, onFrame, limits } = settings
  // Tradier allows one session per user. It publishes no maximum number of contracts, only that all contracts of an
  // exchange are too many.
  const streams =
    contracts === 0
      ? undefined
      : new StreamBudget({ connections: 1, prints: contracts, quotes: undefined }, settings.budget)
  const universe = mostTraded.filter(({ tier }) => tier === 1)

  const chain: Connector['chain'] = async (symbol, now, signal, check) => {
    const name = tradierSymbol(symbol)
    const asked = performance.now()
    const [listing] = (await rest.ask([expirationsRequest(name)], signal)).bodies
    const today = latestSession(now).date
    const dates = readingOf(listing, readExpirations).filter((date) => date >= today)
    // Underlying and contracts are requested together, so that both are from the same time.
    const begun = now + performance.now() - asked
    const requests = [quoteRequest(name), ...dates.map((date) => chainRequest(name, date))]
    const { bodies, waited } = await rest.ask(requests, signal)
    const [quoted, ...listed] = bodies
    const quote = readingOf(quoted, (bytes) => readQuote(bytes, symbol))
    if (quote === undefined) return undefined
    const contracts = listed.flatMap((body) => readingOf(body, readContracts))
    const payload = Buffer.concat([listing, ...bodies])
    const mapped = readingOf(payload, () => {
      if (contracts.length === 0 && dates.length > 0)
        throw tradierReader.malformed(`no option is listed on ${dates.length} dates`)
      return mapTradierChain({ symbol, quote, contracts, fetched: Math.floor(begun + waited) })
    })
    check?.(mapped.chain, { payload, reading: mapped.reading })
    return mapped.chain
  }

  return {
    name: 'tradier',
    synthetic: false,
    provides: contracts === 0 ? ['chains', 'bars'] : ['chains', 'bars', 'prints'],
    terms: tradierTerms,
    pace: PACE,
    timeLimit: CHAIN_LIMIT,
    budget: rest.budget,
    streams,
    onDemand: ON_DEMAND,
    universe,
    tickers: universe.map(({ symbol }) => symbol).sort(),
    fixedAt: undefined,
    latest: latestMoment,
    chain,
    holdsPast: false,
    closingChain: async () => undefined,
    async dailyBars(symbol, now, signal) {
      const { bodies } = await rest.ask([historyRequest(tradierSymbol(symbol), easternDate(now))], signal)
      return readingOf(bodies[0], (bytes) => readTradierHistory(bytes, now))
    },
    prints: streams && createPrintFeed({ rest, stream, budget: streams, onFrame, limits })
  }
}

/** Reads completed daily bars from a response of `/markets/history`, ascending by day. */
export function readTradierHistory(bytes: Uint8Array, now: Instant): readonly DailyBar[] {
  const history = tradierReader.objectOrNone(tradierReader.body(bytes), 'history')
  const days = history === undefined ? [] : (tradierReader.list(history, 'day') ?? [])
  const last = completedSession(now).date
  return days
    .map((element): DailyBar => {
      const day = tradierReader.element(element, 'day')
      const date = parseIsoDate(tradierReader.text(day, 'date'))
      if (date === undefined) throw tradierReader.malformed('the field date is no date')
      const [open, high, low, close] = ['open', 'high', 'low', 'close'].map((name) =>
        tradierReader.priceOrNone(day, name)
      )
      return { date, open, high, low, close, volume: tradierReader.volume(day, 'volume') }
    })
    .filter(({ date, close }) => date <= last && close > 0)
    .sort((a, b) => (a.date < b.date ? -1 : 1))
}
