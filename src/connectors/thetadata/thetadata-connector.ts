import type { FrameListener } from '../port/capture/capture.ts'
import type { Connector } from '../port/connector.ts'
import { mostTraded } from '../port/most-traded.ts'
import { StreamBudget } from '../port/streams/stream-budget.ts'
import { thetadataChains } from './chains/thetadata-chain-loader.ts'
import { createPolledFeed } from './prints/thetadata-polled-feed.ts'
import { createPrintFeed, type ThetaDataPrintLimits, usualThetaDataPrints } from './prints/thetadata-print-feed.ts'
import { createThetaDataRest, type ThetaDataRestSettings } from './thetadata-rest.ts'
import { thetadataTerms } from './thetadata-settings.ts'

/** Where the terminal is, and what the account has. */
export type ThetaDataSettings = ThetaDataRestSettings & {
  /** The address of its socket. */
  readonly stream: string
  readonly onFrame?: FrameListener | undefined
  /** Times of the stream, those of the vendor when undefined. */
  readonly limits?: Partial<ThetaDataPrintLimits> | undefined
}

/** A symbol is some requests, of which the plan lets few be under way at a time. */
const PACE = 10_000
/** One answer has the whole chain, and waits for those before it. */
const TIME_LIMIT = 90_000
const ON_DEMAND = { burst: 10, perMinute: 20 }

/** Chains, daily bars and, by plan, prints of the terminal that runs beside this program, and past chains. */
export function createThetaData(settings: ThetaDataSettings): Connector {
  const rest = createThetaDataRest(settings)
  const { plan, budget } = rest
  const { stream, onFrame, limits } = settings
  // The stream of all trades is part of this plan alone, and quotes come with them.
  const streams =
    plan === 'pro'
      ? new StreamBudget({ connections: 1, prints: undefined, quotes: undefined }, settings.budget)
      : undefined
  // What was traded a while ago is part of the plan below, too.
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
    // The other plans count no requests.
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
