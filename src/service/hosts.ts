import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { type OrderOptions, orders } from '../jobs/orders.ts'
import { performOnThread } from '../jobs/thread.ts'
import type { LiveMarket } from '../live/live-market.ts'
import { createAccess } from '../server/access.ts'
import { AddressLimit, keylessRate } from '../server/address-limit.ts'
import { adminPaths, mountAdmin } from '../server/admin.ts'
import { adminRoutes } from '../server/admin-routes.ts'
import { Answers } from '../server/answers.ts'
import { mountControl } from '../server/control.ts'
import { type HealthState, mountHealth } from '../server/health.ts'
import { liveHost } from '../server/host.ts'
import { createHttp, type HttpOptions } from '../server/http.ts'
import { listen } from '../server/listen.ts'
import { openApiDocument } from '../server/openapi.ts'
import { createOperations, mountProbes } from '../server/operations.ts'
import { createReplay } from '../server/replay-service.ts'
import { streamDocument } from '../server/stream-document.ts'
import { streamPaths } from '../server/stream-routes.ts'
import { createStream, type StreamService } from '../server/stream-service.ts'
import { mountSwagger } from '../server/swagger.ts'
import type { Ending } from './ending.ts'
import type { Ground } from './ground.ts'
import type { Market } from './market.ts'

/** Everything that listens. */
export interface Hosts {
  readonly rest: FastifyInstance
  readonly replay: FastifyInstance
  readonly stream: StreamService
  /** Undefined where the stream shares the port of REST. */
  readonly streamAlone: FastifyInstance | undefined
  readonly operations: FastifyInstance
  /** Resolves once work that was asked for on the port of operations has come to its end. */
  readonly workEnded: () => Promise<void>
}

export interface HostOptions {
  readonly version: string
  /** What the command line shows to be let in on the port of operations. */
  readonly token: string
}

/** Builds the four hosts over one market. */
export function createHosts(config: Config, ground: Ground, market: Market, { version, token }: HostOptions): Hosts {
  const { log, metrics, database, accounts, quota } = ground
  const { connector, endpoints, engine, live, recording } = market
  const { plans } = config
  // Answers about the past are worth less memory than those that everybody asks for.
  const ofThePast = recording.store === undefined ? 0 : Math.floor(config.cacheBytes / 4)
  const cacheBytes = config.cacheBytes - ofThePast
  const answers = new Answers({ engine, cacheBytes, onLookup: (hit) => metrics.lookup(hit) })
  const access = createAccess(accounts, plans)
  const host = liveHost(live, access)
  const http: Omit<HttpOptions, 'endpoints' | 'host'> = {
    engine,
    answers,
    access,
    keyless: new AddressLimit({ ...keylessRate, now: Date.now }),
    quota,
    plans,
    dataSource: connector.name,
    wallNow: Date.now,
    trustProxy: config.trustProxy,
    corsOrigin: config.corsOrigin,
    onRequest: (record) => {
      metrics.request(record.route, record.plan ?? 'none', record.status, record.seconds)
      ground.logRequest(record)
    }
  }
  const isReady = () => [...live.loaded()].length > 0
  const rest = createHttp({ ...http, endpoints, host })
  mountHealth(rest, [
    { name: 'accounts', check: () => (database.generation() === '' ? 'Unhealthy' : 'Healthy') },
    { name: 'market_data', check: () => marketHealth(live) },
    { name: 'history', check: () => (recording.state()?.fault === undefined ? 'Healthy' : 'Degraded') }
  ])
  mountProbes(rest, isReady)
  mountAdmin(rest, { accounts, quota, plans, database, wallNow: Date.now, authenticate: access.authenticate })
  mountSwagger(rest, openApiDocument(endpoints, { version, extraPaths: { ...adminPaths, ...streamDocument } }))

  const replay = createReplay({
    ...http,
    dataSource: recording.origin,
    endpoints,
    liveOnly: [...adminRoutes, ...streamPaths],
    history: recording.store,
    reason: recording.reason,
    from: config.replayFrom,
    // A recording or a demonstration may stand elsewhere than the clock on the wall.
    now: () => Math.max(live.now(), Date.now()),
    cacheBytes: Math.max(1, ofThePast),
    version
  })

  const stream = createStream({
    endpoints,
    snapshots: answers,
    source: live,
    access,
    bundles: accounts.bundles,
    isReady,
    registry: metrics.registry,
    onRequest: http.onRequest,
    onError: (error) => log.error({ err: error }, 'the stream could not do something')
  })
  market.changes.tell = (symbol) => stream.changed(symbol)
  stream.mount(rest)
  const sharesPort = config.streamPort !== 0 && config.streamPort === config.port
  const streamAlone = sharesPort
    ? undefined
    : createHttp({ ...http, endpoints: [], host: { ...host, standing: undefined } })
  stream.attach(streamAlone ?? rest, { alone: !sharesPort })

  const operations = createOperations({ metrics, isReady })
  const perform = performOnThread(new URL('../jobs/worker.js', import.meta.url))
  const { seed, assumptions } = config
  const { synthetic } = connector
  const onDays: OrderOptions['onDays'] = (symbol, written) => live.renewDays(symbol, written)
  const prepare = orders({ perform, history: recording, synthetic, seed, assumptions, now: Date.now, onDays })
  const workEnded = mountControl(operations, { token, prepare })

  metrics.observe({
    cacheBytes: () => answers.bytes + replay.answers.bytes,
    engineQueue: () => engine.pending,
    held: () => live.loaded(),
    recorded: () => recording.state(),
    wallNow: Date.now
  })
  return { rest, replay: replay.app, stream, streamAlone, operations, workEnded }
}

/** Where each host answers. */
export interface Addresses {
  readonly address: string
  readonly replay: string
  readonly stream: string
  readonly operations: string
}

/** Begins to listen on every port. */
export async function openHosts(config: Config, hosts: Hosts, ending: Ending): Promise<Addresses> {
  const open = async (app: FastifyInstance, host: string, port: number) => {
    const address = await listen(app, host, port)
    ending.add(() => app.close())
    return address
  }
  const address = await open(hosts.rest, config.host, config.port)
  const replay = await open(hosts.replay, config.host, config.replayPort)
  const { streamAlone } = hosts
  const stream = streamAlone === undefined ? address : await open(streamAlone, config.host, config.streamPort)
  ending.add(() => hosts.stream.stop())
  ending.add(() => hosts.workEnded())
  const operations = await open(hosts.operations, config.adminHost, config.adminPort)
  return { address, replay, stream, operations }
}

/** Degraded while nothing is loaded yet, or while some symbols live on their last good chain. */
function marketHealth(live: LiveMarket): HealthState {
  const loaded = [...live.loaded()]
  if (loaded.length === 0) return 'Degraded'
  return loaded.some(({ chain }) => live.isStale(chain)) ? 'Degraded' : 'Healthy'
}
