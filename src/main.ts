import { Accounts } from './accounts/accounts.ts'
import { openDatabase } from './accounts/database.ts'
import { ensureDemoKeys } from './accounts/demo-keys.ts'
import { StoredQuota } from './accounts/quota.ts'
import { type Config, ConfigError } from './config.ts'
import type { Connector, SourceSettings, UniverseSymbol } from './connectors/connector.ts'
import { createConnector } from './connectors/create.ts'
import { endpoints } from './endpoints/index.ts'
import type { Engine } from './engine/engine.ts'
import { inlineEngine } from './engine/inline.ts'
import { createPool } from './engine/pool.ts'
import { demoClock } from './live/clock.ts'
import { LiveMarket, type LoadEvent } from './live/live-market.ts'
import { easternDate } from './market/eastern.ts'
import { type Instant, isoInstant } from './market/units.ts'
import { createAccess } from './server/access.ts'
import { adminPaths, mountAdmin } from './server/admin.ts'
import { Answers } from './server/answers.ts'
import { type HealthState, mountHealth } from './server/health.ts'
import { createHttp } from './server/http.ts'
import { listen } from './server/listen.ts'
import { createLog, type Log } from './server/log.ts'
import { createMetrics } from './server/metrics.ts'
import { openApiDocument } from './server/openapi.ts'
import { createOperations, mountProbes } from './server/operations.ts'
import { mountSwagger } from './server/swagger.ts'
import { welcome } from './server/welcome.ts'
import { packageVersion } from './version.ts'

/**
 * Builds the parts of the service, hands them to each other and starts to listen. Resolves once it answers; what it
 * returns stops everything in order: requests in flight are finished, counts are written, files are closed.
 */
export async function serve(config: Config): Promise<{ stop(): Promise<void> }> {
  const undo: (() => unknown)[] = []
  let stopping = false
  const stop = async () => {
    stopping = true
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const { log, request: logRequest, flush } = createLog(config.logLevel)
    undo.push(flush)
    const metrics = createMetrics()

    const database = openDatabase(config.data)
    undo.push(() => database.close())
    const accounts = new Accounts(database, config.plans)
    const onError = (error: unknown) =>
      log.error({ err: error }, 'usage could not be written; it is kept and tried again')
    const quota = new StoredQuota(database, { now: Date.now, onError })
    undo.push(() => quota.close())
    const demoKeys = ensureDemoKeys(accounts, config.data)

    const settings = sourceSettings(config)
    const connector = await createConnector(settings)
    const engine = await createEngine(config, settings, connector, log)
    undo.push(() => engine.close())
    const live = liveMarket(config, connector, engine, ({ symbol, seconds, chain, error }) => {
      if (stopping) return // it ends the loads under way, which is no fault of the source
      const result = error !== undefined ? 'failed' : chain === undefined ? 'unknown' : 'loaded'
      metrics.load(connector.name, result, seconds)
      if (error !== undefined) log.warn({ symbol, seconds, reason: error.message }, 'the source did not answer')
    })
    live.start()
    undo.push(() => live.stop())

    const answers = new Answers({
      source: live,
      engine,
      cacheBytes: config.cacheBytes,
      onLookup: (hit) => metrics.lookup(hit)
    })
    metrics.observe({
      cacheBytes: () => answers.bytes,
      engineQueue: () => engine.pending,
      held: () => live.loaded(),
      wallNow: Date.now
    })
    const access = createAccess(accounts, config.plans)
    const app = createHttp({
      endpoints,
      source: live,
      engine,
      answers,
      access,
      quota,
      plans: config.plans,
      dataSource: connector.name,
      wallNow: Date.now,
      trustProxy: config.trustProxy,
      corsOrigin: config.corsOrigin,
      onRequest: (record) => {
        metrics.request(record.route, record.plan ?? 'none', record.status, record.seconds)
        logRequest(record)
      }
    })
    const isReady = () => [...live.loaded()].length > 0
    mountHealth(app, [
      { name: 'accounts', check: () => (database.generation() === '' ? 'Unhealthy' : 'Healthy') },
      { name: 'market_data', check: () => marketHealth(live) }
    ])
    mountProbes(app, isReady)
    const { plans } = config
    mountAdmin(app, { accounts, quota, plans, database, wallNow: Date.now, authenticate: access.authenticate })
    const version = packageVersion()
    mountSwagger(app, openApiDocument(endpoints, { version, extraPaths: adminPaths }))
    const operations = createOperations({ metrics, isReady })

    const address = await listen(app, config.host, config.port)
    undo.push(() => app.close())
    const operationsAddress = await listen(operations, config.adminHost, config.adminPort)
    undo.push(() => operations.close())
    const shown = { version, address, operations: operationsAddress, source: connector, data: config.data, demoKeys }
    process.stdout.write(welcome({ ...shown, moment: isoInstant(live.now()), example: exampleSymbol(connector) }))
    log.info({ address, source: connector.name, terms: connector.terms }, 'started')
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}

function sourceSettings({ source, seed, cboePath, cboeUrl, asOf }: Config): SourceSettings {
  if (source === 'cboe' && cboePath === undefined && asOf !== undefined) {
    throw new ConfigError(['--as-of needs recorded data: the live feed knows the present only (see --cboe-path)'])
  }
  return { source, seed, cboePath, cboeUrl, session: asOf === undefined ? undefined : easternDate(asOf) }
}

function createEngine(
  config: Config,
  source: SourceSettings,
  connector: Connector,
  log: Log
): Promise<Engine> | Engine {
  const { workers, assumptions } = config
  if (workers === 0) {
    return inlineEngine({ connector, assumptions, endpoints: new Map(endpoints.map((listed) => [listed.id, listed])) })
  }
  const onCrash = (error: Error) => log.error({ err: error }, 'a worker stopped and is replaced')
  return createPool({ workers, source, assumptions, program: new URL('./engine/worker.js', import.meta.url), onCrash })
}

function liveMarket(
  config: Config,
  connector: Connector,
  engine: Engine,
  onLoad: (event: LoadEvent) => void
): LiveMarket {
  const asked = config.universe?.map((symbol): UniverseSymbol => ({ symbol, tier: 1 }))
  return new LiveMarket({
    engine,
    source: connector,
    universe: asked ?? connector.universe,
    marketNow: marketClock(config, connector),
    wallNow: Date.now,
    onLoad
  })
}

/** A recording stands still; `--as-of` stands where it says; else the market follows the wall clock. */
function marketClock({ asOf, clock }: Config, { standsAt }: Connector): () => Instant {
  const fixed = standsAt ?? asOf
  if (fixed !== undefined) return () => fixed
  return clock === 'demo' ? demoClock(Date.now) : Date.now
}

/** Degraded while nothing is loaded yet, or while some symbols live on their last good chain. */
function marketHealth(live: LiveMarket): HealthState {
  const loaded = [...live.loaded()]
  if (loaded.length === 0) return 'Degraded'
  return loaded.some(({ chain }) => live.isStale(chain)) ? 'Degraded' : 'Healthy'
}

/** SPY where the source has it: the symbol a newcomer knows. */
function exampleSymbol({ universe }: Connector): string {
  return universe.find(({ symbol }) => symbol === 'SPY')?.symbol ?? universe[0]?.symbol ?? 'SPY'
}
