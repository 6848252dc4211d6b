import { latestMoment } from '../../market/payload-moment.ts'
import type { FrameListener } from '../port/capture/capture.ts'
import type { Connector } from '../port/connector.ts'
import { mostTraded } from '../port/most-traded.ts'
import { StreamBudget } from '../port/streams/stream-budget.ts'
import { type TastytradeBarLimits, tastytradeBars, usualBarLimits } from './bars/tastytrade-bar-loader.ts'
import { type TastytradeChainLimits, tastytradeChains, usualChainLimits } from './chains/tastytrade-chain-loader.ts'
import { type DxlinkLimits, usualDxlinkLimits } from './dxlink/dxlink-connection.ts'
import { createPrintFeed, type TastytradePrintLimits, usualTastytradePrints } from './prints/tastytrade-print-feed.ts'
import { createTastytradeRest, type TastytradeRestSettings } from './tastytrade-rest.ts'
import { tastytradeTerms } from './tastytrade-settings.ts'

export interface TastytradeSettings extends TastytradeRestSettings {
  readonly most: number
  readonly onFrame?: FrameListener | undefined
  /** Timeouts and intervals, milliseconds. Each one that is left out has its usual value. */
  readonly limits?: Partial<DxlinkLimits & TastytradeChainLimits & TastytradeBarLimits & TastytradePrintLimits>
}

/** Minimum time between two loads of a symbol's chain, milliseconds: a chain takes thousands of subscriptions. */
const PACE = 60_000
const TIME_LIMIT = 90_000
const ON_DEMAND = { burst: 10, perMinute: 10 }

/**
 * Connector for tastytrade: chains, daily bars and prints. Connects only when a request comes or the print feed runs.
 */
export function createTastytrade(settings: TastytradeSettings): Connector {
  const { most, onFrame } = settings
  const rest = createTastytradeRest(settings)
  const limits = {
    ...usualDxlinkLimits,
    ...usualChainLimits,
    ...usualBarLimits,
    ...usualTastytradePrints,
    ...settings.limits
  }
  const streams = new StreamBudget({ connections: undefined, prints: most, quotes: undefined }, settings.budget)
  const universe = mostTraded.filter(({ tier }) => tier === 1)
  return {
    name: 'tastytrade',
    synthetic: false,
    provides: ['chains', 'bars', 'prints'],
    terms: tastytradeTerms,
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
    chain: tastytradeChains({ rest, most, link: limits, onFrame, limits }),
    dailyBars: tastytradeBars({ rest, link: limits, onFrame, limits }),
    prints: createPrintFeed({ rest, budget: streams, link: limits, onFrame, limits })
  }
}
