import { latestMoment } from '../../market/payload-moment.ts'
import type { AnswerListener, FrameListener } from '../port/capture/capture.ts'
import type { Connector } from '../port/connector.ts'
import { mostTraded } from '../port/most-traded.ts'
import { StreamBudget } from '../port/streams/stream-budget.ts'
import { massiveChains } from './chains/massive-chain-loader.ts'
import { massiveTerms } from './massive-account.ts'
import { createMassiveRest } from './massive-rest.ts'
import { createPrintFeed, type MassivePrintLimits } from './prints/massive-print-feed.ts'

export interface MassiveSettings {
  /** API key. It is sent only to the addresses in `stream` and `url`. */
  readonly key: string
  /** Address of the stream without its path, e.g. `wss://socket.massive.com`. */
  readonly stream: string
  readonly url: string
  /** Delay of the data that the account's plan provides, seconds. */
  readonly delay: number
  readonly quotes: number
  readonly requestsPerSecond: number
  readonly budget?: SharedArrayBuffer | undefined
  readonly onAnswer?: AnswerListener | undefined
  readonly onFrame?: FrameListener | undefined
  /** Timeouts of the stream, milliseconds. A timeout that is left out has its usual value. */
  readonly limits?: Partial<MassivePrintLimits>
}

/** Minimum time between two loads of a symbol's chain, milliseconds. A chain of SPY has 58 pages, read in parallel. */
const PACE = 5000
const TIME_LIMIT = 60_000
const ON_DEMAND = { burst: 30, perMinute: 60 }

/** Connector for Massive: chains, daily bars and prints. Connects only when a request comes or the print feed runs. */
export function createMassive(settings: MassiveSettings): Connector {
  const rest = createMassiveRest(settings)
  const streams = new StreamBudget({ connections: 1, prints: undefined, quotes: settings.quotes }, settings.budget)
  return {
    name: 'massive',
    synthetic: false,
    provides: ['prints', 'chains', 'bars'],
    terms: massiveTerms,
    pace: PACE,
    timeLimit: TIME_LIMIT,
    budget: rest.budget,
    streams,
    onDemand: ON_DEMAND,
    universe: mostTraded,
    tickers: mostTraded.map(({ symbol }) => symbol).sort(),
    fixedAt: undefined,
    latest: latestMoment,
    holdsPast: false,
    closingChain: async () => undefined,
    ...massiveChains(rest),
    prints: createPrintFeed({ ...settings, rest, budget: streams })
  }
}
