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
  /** Of the account. It leaves the process towards the two addresses alone. */
  readonly key: string
  /** The address of the sockets without the name of the market. */
  readonly stream: string
  /** The address of the REST interface. */
  readonly url: string
  /** Seconds that the plan's data is behind the market. */
  readonly delay: number
  /** Contracts of which quotes are streamed. */
  readonly quotes: number
  readonly requestsPerSecond: number
  readonly budget?: SharedArrayBuffer | undefined
  readonly onAnswer?: AnswerListener | undefined
  readonly onFrame?: FrameListener | undefined
  /** Times of the stream, those of the vendor when undefined. */
  readonly limits?: Partial<MassivePrintLimits>
}

/** A chain is some pages, of which many are under way at once: SPY has 58. */
const PACE = 5000
const TIME_LIMIT = 60_000
const ON_DEMAND = { burst: 30, perMinute: 60 }

/** The vendor's chains, daily bars and prints. Nothing is connected before somebody asks, or runs the prints. */
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
