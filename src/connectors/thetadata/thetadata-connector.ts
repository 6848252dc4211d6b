import type { FrameListener } from '../port/capture/capture.ts'
import type { Connector } from '../port/connector.ts'
import { mostTraded } from '../port/most-traded.ts'
import { StreamBudget } from '../port/streams/stream-budget.ts'
import { thetadataChains } from './chains/thetadata-chain-loader.ts'
import { createPolledFeed } from './prints/thetadata-polled-feed.ts'
import { createPrintFeed, type ThetaDataPrintLimits, usualThetaDataPrints } from './prints/thetadata-print-feed.ts'
import { createThetaDataRest, type ThetaDataRestSettings } from './thetadata-rest.ts'
import { thetadataTerms } from './thetadata-settings.ts'

/** Settings of the connector: addresses of the Theta Terminal, the plan of the account, and limits. */
export type ThetaDataSettings = ThetaDataRestSettings & {
  /** Address of the terminal's WebSocket. */
  readonly stream: string
  readonly onFrame?: FrameListener | undefined
  /** Timeouts of the stream, milliseconds. A timeout that is left out has its usual value. */
  readonly limits?: Partial<ThetaDataPrintLimits> | undefined
}

/**
 * Minimum time between two loads of a symbol's chain, milliseconds: a load takes several requests, and the plan limits
 * parallel requests.
 */
const PACE = 10_000
/** Time limit of a chain, milliseconds. One response holds the whole chain and may wait for earlier requests. */
const TIME_LIMIT = 90_000
const ON_DEMAND = { burst: 10, perMinute: 20 }

/**
 * Connector for ThetaData: current and past chains, daily bars and, depending on the plan, prints. It talks to the
 * Theta Terminal, which runs next to this program.
 */
export function createThetaData(settings: ThetaDataSettings): Connector {
  const rest = createThetaDataRest(settings)
  const { plan, budget } = rest
  const { stream, onFrame, limits } = settings
  // Only this plan has the stream of all trades, which includes quotes.
  const streams =
    plan === 'pro'
      ? new StreamBudget({ connections: 1, prints: undefined, quotes: undefined }, settings.budget)
      : undefined
  // The standard plan has past trades, which are polled.
  const polled = plan === 'standard' ? createPolledFeed(rest, { ...usualThetaDataPrints, ...limits }) : undefined
  const feed = streams ? createPrintFeed({ rest, stream, budget: streams, onFrame, limits }) : polled
  const universe = plan === 'free' ? mostTraded.filter(({ tier }) => tier === 1) : mostTraded
  return {
    name: 'thetadata',
    synthetic: false,
    provides: feed === undefined ? ['chains', 'bars'] : ['chains', 'bars', 'prints'],
    terms: thetadataTerms,
    pace: PACE,
    timeLimit: TIME_LIMIT,
    // Only the free plan counts requests.
    ...(plan === 'free' ? { budget } : {}),
    streams,
    onDemand: ON_DEMAND,
    universe,
    tickers: universe.map(({ symbol }) => symbol).sort(),
    fixedAt: undefined,
    holdsPast: true,
    ...thetadataChains(rest),
    prints: feed
  }
}
