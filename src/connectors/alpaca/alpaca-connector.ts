import { latestMoment } from '../../market/payload-moment.ts'
import type { FrameListener } from '../port/capture/capture.ts'
import type { Connector } from '../port/connector.ts'
import { mostTraded } from '../port/most-traded.ts'
import { StreamBudget } from '../port/streams/stream-budget.ts'
import { alpacaTerms, isAtAlpaca } from './alpaca-account.ts'
import { type AlpacaRestSettings, createAlpacaRest } from './alpaca-rest.ts'
import { alpacaChains } from './chains/alpaca-chain-loader.ts'
import { type AlpacaPrintLimits, createPrintFeed } from './prints/alpaca-print-feed.ts'

export interface AlpacaSettings extends AlpacaRestSettings {
  /** Option feed: `indicative` (free, with estimated quotes) or `opra` (the exchanges' quotes). */
  readonly feed: keyof typeof alpacaTerms
  /** Stock feed: `iex`, `delayed_sip` or `sip`. */
  readonly stocks: string
  /** Address of the option stream without its path, e.g. `wss://stream.data.alpaca.markets`. */
  readonly stream: string
  readonly quotes: number
  readonly onFrame?: FrameListener | undefined
  /** Timeouts of the stream, milliseconds. A timeout that is left out has its usual value. */
  readonly limits?: Partial<AlpacaPrintLimits>
}

/**
 * Minimum time between two loads of a symbol's chain, milliseconds. A chain of SPY takes about 16 requests; a free
 * account may make 200 a minute.
 */
const PACE = 15_000
const TIME_LIMIT = 90_000
const ON_DEMAND = { burst: 10, perMinute: 20 }
/** Delay of each option feed's trades, seconds. */
const delays = { indicative: 900, opra: 0 } as const

/** Connector for Alpaca: chains, daily bars and prints. Connects only when a request comes or the print feed runs. */
export function createAlpaca(settings: AlpacaSettings): Connector {
  const { feed, stocks, key, secret } = settings
  const rest = createAlpacaRest(settings)
  const streams = new StreamBudget({ connections: 1, prints: undefined, quotes: settings.quotes }, settings.budget)
  const universe = mostTraded.filter(({ symbol }) => isAtAlpaca(symbol))
  return {
    name: 'alpaca',
    synthetic: false,
    provides: ['chains', 'bars', 'prints'],
    terms: alpacaTerms[feed],
    pace: PACE,
    timeLimit: TIME_LIMIT,
    budget: rest.budget,
    streams,
    onDemand: ON_DEMAND,
    universe,
    tickers: universe.map(({ symbol }) => symbol).sort(),
    fixedAt: undefined,
    latest: latestMoment,
    holdsPast: false,
    closingChain: async () => undefined,
    ...alpacaChains(rest, { options: feed, stocks }),
    prints: createPrintFeed({ ...settings, keys: { key, secret }, delay: delays[feed], rest, budget: streams })
  }
}
