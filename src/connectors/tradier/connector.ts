import { latestSession } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import { latestMoment } from '../../market/payload-moment.ts'
import type { FrameListener } from '../port/capture/capture.ts'
import type { Connector } from '../port/connector.ts'
import { mostTraded } from '../port/most-traded.ts'
import { readingOf } from '../port/source-error.ts'
import { StreamBudget } from '../port/streams/stream-budget.ts'
import { readContracts, readExpirations } from './contracts.ts'
import { readHistory } from './history.ts'
import { mapChain } from './map.ts'
import { createPrintFeed, type PrintLimits } from './prints/feed.ts'
import { reader, readQuote } from './quote.ts'
import { chainOf, expirationsOf, historyOf, quoteOf } from './requests.ts'
import { CHAIN_LIMIT, createRest, type RestSettings } from './rest.ts'
import { tradierSymbol } from './symbol.ts'
import { terms } from './terms.ts'

/** SPY is some 37 requests, of the 120 of a minute. */
const PACE = 20_000
const ON_DEMAND = { burst: 10, perMinute: 10 }

export type TradierSettings = RestSettings & {
  /** The address of the stream. */
  readonly stream?: string
  /** Contracts whose prints are streamed; undefined or 0: none. */
  readonly contracts?: number
  readonly onFrame?: FrameListener | undefined
  /** Times of the stream, those of the vendor when undefined. */
  readonly limits?: Partial<PrintLimits> | undefined
}

/**
 * Polls chains and daily bars with the token of a brokerage account, and streams prints of contracts near the price. It has
 * no past, and remembers nothing.
 */
export function createTradier(settings: TradierSettings): Connector {
  const rest = createRest(settings)
  const { stream = '', contracts = 0, onFrame, limits } = settings
  // The vendor allows one session for a user, and says of contracts only that a whole exchange is too many.
  const streams =
    contracts === 0
      ? undefined
      : new StreamBudget({ connections: 1, prints: contracts, quotes: undefined }, settings.budget)
  const universe = mostTraded.filter(({ tier }) => tier === 1)

  const chain: Connector['chain'] = async (symbol, now, signal, check) => {
    const name = tradierSymbol(symbol)
    const asked = performance.now()
    const [listing] = (await rest.ask([expirationsOf(name)], signal)).bodies
    const today = latestSession(now).date
    const dates = readingOf(listing, readExpirations).filter((date) => date >= today)
    // The underlying is asked for with its contracts, so that they are of one moment.
    const begun = now + performance.now() - asked
    const requests = [quoteOf(name), ...dates.map((date) => chainOf(name, date))]
    const { bodies, waited } = await rest.ask(requests, signal)
    const [quoted, ...listed] = bodies
    const quote = readingOf(quoted, (bytes) => readQuote(bytes, symbol))
    if (quote === undefined) return undefined
    const contracts = listed.flatMap((body) => readingOf(body, readContracts))
    const payload = Buffer.concat([listing, ...bodies])
    const mapped = readingOf(payload, () => {
      if (contracts.length === 0 && dates.length > 0)
        throw reader.malformed(`no option is listed on ${dates.length} dates`)
      return mapChain({ symbol, quote, contracts, fetched: Math.floor(begun + waited) })
    })
    check?.(mapped.chain, { payload, reading: mapped.reading })
    return mapped.chain
  }

  return {
    name: 'tradier',
    synthetic: false,
    provides: contracts === 0 ? ['chains', 'bars'] : ['chains', 'bars', 'prints'],
    terms,
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
      const { bodies } = await rest.ask([historyOf(tradierSymbol(symbol), easternDate(now))], signal)
      return readingOf(bodies[0], (bytes) => readHistory(bytes, now))
    },
    prints: streams && createPrintFeed({ rest, stream, budget: streams, onFrame, limits })
  }
}
