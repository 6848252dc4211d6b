import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { sourceText } from '../connectors/port/provenance.ts'
import { type ServiceJobOptions, serviceJobs } from '../jobs/service-jobs.ts'
import type { LiveMarket } from '../live/market.ts'
import { adminPaths, mountAdmin } from '../server/admin/admin.ts'
import { adminRoutes } from '../server/admin/routes.ts'
import { Answers } from '../server/answers/answers.ts'
import { createAccess } from '../server/http/access.ts'
import { AddressLimit, keylessRate } from '../server/http/address-limit.ts'
import { liveHost } from '../server/http/host.ts'
import { createHttp, type HttpOptions } from '../server/http/http.ts'
import { listen } from '../server/http/listen.ts'
import { openApiDocument } from '../server/openapi/openapi.ts'
import { mountSwagger } from '../server/openapi/swagger.ts'
import { mountControl } from '../server/operations/control.ts'
import { type HealthState, mountHealth } from '../server/operations/health.ts'
import { createOperations, mountProbes } from '../server/operations/operations.ts'
import { createReplay } from '../server/replay/replay.ts'
import { streamDocument } from '../server/stream/document.ts'
import { createStream, type StreamHost } from '../server/stream/host.ts'
import { streamPaths } from '../server/stream/routes.ts'
import { runJobOnThread } from '../workers/run-job.ts'
import type { Foundations } from './foundations.ts'
import type { Market } from './market.ts'
import { pastFigures } from './past-figures.ts'
import type { Shutdown } from './shutdown.ts'

/** Everything that listens. */
export interface Hosts {
  readonly rest: FastifyInstance
  readonly replay: FastifyInstance
  readonly stream: StreamHost
  /** Undefined where the stream shares the port of REST. */
  readonly streamAlone: FastifyInstance | undefined
  readonly operations: FastifyInstance
  /** Resolves once no job runs on the port of operations. */
  readonly workEnded: () => Promise<void>
}

export interface HostOptions {
  readonly version: string
  /** The token that the command line sends to the port of operations. */
  readonly token: string
}

/** Builds the four hosts over one market. */
export function createHosts(
  config: Config,
  foundations: Foundations,
  market: Market,
  { version, token }: HostOptions
): Hosts {
  const { log, metrics, database, accounts, quota } = foundations
  const { connector, endpoints, engine, live, recording, events } = market
  const { plans } = config
  // Answers about the past get less memory, since fewer clients ask for each of them.
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
    dataSource: sourceText(connector),
    wallNow: Date.now,
    trustProxy: config.trustProxy,
    corsOrigin: config.corsOrigin,
    onRequest: (record) => {
      metrics.request(record.route, record.plan ?? 'none', record.status, record.seconds)
      foundations.logRequest(record)
    }
  }
  const isReady = () => [...live.loaded()].length > 0
  const rest = createHttp({ ...http, endpoints, host })
  mountHealth(rest, [
    { name: 'accounts', check: () => (database.generation() === '' ? 'Unhealthy' : 'Healthy') },
    { name: 'market_data', check: () => marketHealth(live) },
    { name: 'history', check: () => (recording.state()?.failure === undefined ? 'Healthy' : 'Degraded') }
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
    // The market of a recording or a demonstration may be at another moment than the wall clock.
    now: () => Math.max(live.now(), Date.now()),
    cacheBytes: Math.max(1, ofThePast),
    version
  })

  const stream = createStream({
    endpoints,
    answers: answers,
    source: live,
    access,
    bundles: accounts.bundles,
    isReady,
    registry: metrics.registry,
    onRequest: http.onRequest,
    onError: (error) => log.error({ err: error }, 'the stream could not do something')
  })
  events.on('chainSwapped', ({ symbol }) => stream.changed(symbol))
  stream.mount(rest)
  const sharesPort = config.streamPort !== 0 && config.streamPort === config.port
  const streamAlone = sharesPort
    ? undefined
    : createHttp({ ...http, endpoints: [], host: { ...host, defaultMarket: undefined } })
  stream.attach(streamAlone ?? rest, { alone: !sharesPort })

  const operations = createOperations({ metrics, isReady })
  const { assumptions } = config
  const { seed } = config.connectorValues
  const { synthetic } = connector
  const onDays: ServiceJobOptions['onDays'] = (symbol, written) => events.emit('daysWritten', { symbol, written })
  const prepare = serviceJobs({
    runJob: runJobOnThread,
    history: recording,
    synthetic,
    seed,
    assumptions,
    now: () => live.now(),
    replayFrom: config.replayFrom,
    figures: recording.store && pastFigures(recording.store, engine),
    onDays
  })
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
export async function openHosts(config: Config, hosts: Hosts, shutdown: Shutdown): Promise<Addresses> {
  const open = async (app: FastifyInstance, host: string, port: number) => {
    const address = await listen(app, host, port)
    shutdown.add(() => app.close())
    return address
  }
  const address = await open(hosts.rest, config.host, config.port)
  const replay = await open(hosts.replay, config.host, config.replayPort)
  const { streamAlone } = hosts
  const stream = streamAlone === undefined ? address : await open(streamAlone, config.host, config.streamPort)
  shutdown.add(() => hosts.stream.stop())
  shutdown.add(() => hosts.workEnded())
  const operations = await open(hosts.operations, config.adminHost, config.adminPort)
  return { address, replay, stream, operations }
}

/** Degraded while nothing is loaded yet, or while some symbols live on their last good chain. */
function marketHealth(live: LiveMarket): HealthState {
  const loaded = [...live.loaded()]
  if (loaded.length === 0) return 'Degraded'
  return loaded.some(({ chain }) => live.isStale(chain)) ? 'Degraded' : 'Healthy'
}
