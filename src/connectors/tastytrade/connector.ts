import { latestMoment } from '../../market/payload-moment.ts'
import type { FrameListener } from '../port/capture/capture.ts'
import type { Connector } from '../port/connector.ts'
import { mostTraded } from '../port/most-traded.ts'
import { StreamBudget } from '../port/streams/stream-budget.ts'
import { type BarLimits, barsOver, usualBars } from './bars/load.ts'
import { type ChainLimits, chainsOver, usualChain } from './chains/load.ts'
import { type LinkLimits, usualLink } from './dxlink/connection.ts'
import { createPrintFeed, type PrintLimits, usualPrints } from './prints/feed.ts'
import { createRest, type RestSettings } from './rest.ts'
import { terms } from './terms.ts'

export interface TastytradeSettings extends RestSettings {
  /** Contracts that one connection subscribes to at once. */
  readonly most: number
  readonly onFrame?: FrameListener | undefined
  /** Times, those of the vendor when undefined. */
  readonly limits?: Partial<LinkLimits & ChainLimits & BarLimits & PrintLimits>
}

/** A chain is thousands of subscriptions. */
const PACE = 60_000
const TIME_LIMIT = 90_000
const ON_DEMAND = { burst: 10, perMinute: 10 }

/** The vendor's chains, daily bars and prints. Nothing is connected before somebody asks, or runs the prints. */
export function createTastytrade(settings: TastytradeSettings): Connector {
  const { most, onFrame } = settings
  const rest = createRest(settings)
  const limits = { ...usualLink, ...usualChain, ...usualBars, ...usualPrints, ...settings.limits }
  const streams = new StreamBudget({ connections: undefined, prints: most, quotes: undefined }, settings.budget)
  const universe = mostTraded.filter(({ tier }) => tier === 1)
  return {
    name: 'tastytrade',
    synthetic: false,
    provides: ['chains', 'bars', 'prints'],
    terms,
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
    chain: chainsOver({ rest, most, link: limits, onFrame, limits }),
    dailyBars: barsOver({ rest, link: limits, onFrame, limits }),
    prints: createPrintFeed({ rest, budget: streams, link: limits, onFrame, limits })
  }
}
