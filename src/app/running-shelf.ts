import type { Connector } from '../connectors/port/connector.ts'
import type { SharedChains } from '../connectors/port/declaration.ts'
import { describeSource } from '../connectors/shared/source-description.ts'
import { Collector } from '../live/collector.ts'
import type { LiveMarket } from '../live/live-market.ts'
import type { MarketEventBus } from '../live/market-events.ts'
import type { Instant, Ticker } from '../market/units.ts'
import { mountShelfMetrics } from '../server/operations/shelf-metrics.ts'
import { redisShelf } from '../shelf/redis-shelf.ts'
import type { Engine } from '../workers/engine.ts'
import type { Foundations } from './foundations.ts'
import type { Shutdown } from './shutdown.ts'

interface Parts {
  readonly connector: Connector
  readonly engine: Engine
  readonly live: LiveMarket
  readonly events: MarketEventBus
  readonly marketNow: () => Instant
}

/** Shares the chains of the live market with other members, or counts those that came from a collector. */
export function startSharing(
  { address, prefix, collects, fence }: SharedChains,
  { connector, engine, live, events, marketNow }: Parts,
  { log, metrics }: Pick<Foundations, 'log' | 'metrics'>,
  shutdown: Shutdown
): void {
  const onOutdone = once(() => {
    log.error('another collector has taken over: this one ends, and waits for its turn when it is started again')
    process.kill(process.pid, 'SIGTERM')
  })
  const shelf = redisShelf({ address, prefix }, fence === undefined ? undefined : { number: fence, onOutdone })
  shutdown.add(() => shelf.close())
  let wasUp = false
  shelf.onUp(() => {
    log.info(wasUp ? 'the shared chains can be reached again' : 'the shared chains can be reached')
    wasUp = true
  })
  const travelled = mountShelfMetrics(metrics.registry, () => shelf.isUp)
  if (!collects) {
    const told = new Map<Ticker, { readonly observedAt: Instant; readonly at: Instant }>()
    connector.followed?.onNewer((symbol, moments) => {
      if (symbol !== undefined && moments !== undefined) told.set(symbol, moments)
    })
    events.on('chainSwapped', ({ symbol, observedAt }) => {
      const moments = told.get(symbol)
      if (moments?.observedAt === observedAt) travelled((Date.now() - moments!.at) / 1000)
      told.delete(symbol)
    })
    return
  }
  const collector = new Collector({
    shelf,
    engine,
    market: live,
    events,
    description: Buffer.from(JSON.stringify(describeSource(connector))),
    latest: () => connector.latest(marketNow()),
    wallNow: Date.now,
    onError: (error) => log.error({ err: error }, 'a chain could not be shared; its next one is')
  })
  collector.start()
  shutdown.add(() => collector.stop())
}

function once(run: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    run()
  }
}
