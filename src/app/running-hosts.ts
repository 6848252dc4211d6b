import type { FastifyInstance } from 'fastify'
import { UserDocuments } from '../accounts/documents.ts'
import { apiError } from '../api/error.ts'
import { ParquetFiles } from '../archive/parquet-files.ts'
import { type Config, ConfigError } from '../config/config.ts'
import { scansOf } from '../connectors/port/scans.ts'
import { budgetsOf, sourceText, sourceTextOf, streamsOf } from '../connectors/port/source-provenance.ts'
import { seriesColumns, seriesFieldNames } from '../endpoints/series/fields.ts'
import { afterTimeout } from '../facts/bounded-wait.ts'
import { steadyNow } from '../facts/steady-clock.ts'
import { type ServiceJobOptions, serviceJobs } from '../jobs/service-jobs.ts'
import { MILLISECONDS_PER_HOUR } from '../market/units.ts'
import { ratesIndexOf } from '../pricing/assumptions.ts'
import { adminPaths, mountAdmin } from '../server/admin/admin.ts'
import { adminRoutes } from '../server/admin/admin-routes.ts'
import { alertRoutes } from '../server/alerts/alert-routes.ts'
import { alertPaths } from '../server/alerts/mount-alerts.ts'
import { Answers } from '../server/answers/answers.ts'
import { bulkArchive } from '../server/bulk/bulk-archive.ts'
import { bulkPaths, bulkRoutes } from '../server/bulk/bulk-document.ts'
import { BulkSlots } from '../server/bulk/bulk-slots.ts'
import { BulkJobs } from '../server/bulk/jobs/bulk-jobs.ts'
import { JobFolder } from '../server/bulk/jobs/job-folder.ts'
import { mountBulk } from '../server/bulk/mount-bulk.ts'
import type { PageFiles } from '../server/dashboard/dashboard-files.ts'
import { mountDocs } from '../server/dashboard/docs-routes.ts'
import { type VisitorOptions, visitors } from '../server/dashboard/visitor.ts'
import { documentRoutes } from '../server/documents/document-routes.ts'
import { documentPaths, mountDocuments } from '../server/documents/mount-documents.ts'
import { embedDocument } from '../server/embed/embed-document.ts'
import { embedPaths, mountEmbedTokens } from '../server/embed/embed-routes.ts'
import { EmbedTokens } from '../server/embed/tokens.ts'
import { createAccess } from '../server/http/access.ts'
import { AddressLimit, KeyRefusals, keylessRate, keyRefusalRate } from '../server/http/address-limit.ts'
import { type CapabilityOptions, capabilitiesOf } from '../server/http/capabilities.ts'
import { liveHost } from '../server/http/host.ts'
import { createHttp, type HttpOptions } from '../server/http/http-server.ts'
import { listen } from '../server/http/listen.ts'
import type { Drain } from '../server/http/open-connections.ts'
import { PageUse } from '../server/http/page-use.ts'
import { openApiDocument } from '../server/openapi/openapi.ts'
import { mountSwagger } from '../server/openapi/swagger.ts'
import { mountOpenBb } from '../server/openbb/mount-openbb.ts'
import { mountControl } from '../server/operations/control.ts'
import { mountHealth } from '../server/operations/health-endpoint.ts'
import { JobRunner, type Work } from '../server/operations/job-runner.ts'
import { createOperations, mountProbes } from '../server/operations/operations.ts'
import { withKeyInHeader } from '../server/replay/live-only.ts'
import { mountMoved } from '../server/replay/moved.ts'
import { createReplay } from '../server/replay/replay.ts'
import type { OpenLink } from '../server/sessions/open-link.ts'
import { ownHosts } from '../server/sessions/own-host.ts'
import { sessionDocument } from '../server/sessions/session-document.ts'
import { sessionPaths } from '../server/sessions/session-routes.ts'
import { Sessions } from '../server/sessions/sessions.ts'
import { mountAsyncApi } from '../server/stream/asyncapi.ts'
import { streamDocument } from '../server/stream/stream-document.ts'
import { createStream, type StreamHost } from '../server/stream/stream-host.ts'
import { streamPaths } from '../server/stream/stream-routes.ts'
import { Tickets } from '../server/stream/tickets.ts'
import { mountUdf } from '../server/udf/mount-udf.ts'
import { heldOverall } from '../signals/band-accuracy.ts'
import type { StreamServerOptions } from '../stream/session/stream-server.ts'
import { runJobOnThread } from '../workers/job-on-thread.ts'
import { chartFigures } from './chart-figures.ts'
import { embedPanels, mountDashboard } from './dashboard-pages.ts'
import type { Foundations } from './foundations.ts'
import { pastFigures } from './past-figures.ts'
import { createAlerts, type RunningAlerts } from './running-alerts.ts'
import { mountAssistants } from './running-assistants.ts'
import type { RunningMarket } from './running-market.ts'
import { healthChecks, storageFailure } from './service-health.ts'
import { type SettingsReload, settingsReload } from './settings-reload.ts'
import { customerCounts } from './settlement-check.ts'
import type { Shutdown } from './shutdown.ts'

export interface RunningHosts {
  readonly rest: FastifyInstance
  readonly replay: FastifyInstance
  readonly stream: StreamHost
  /** Host of the stream; undefined if the stream uses the port of the REST API. */
  readonly streamAlone: FastifyInstance | undefined
  readonly operations: FastifyInstance
  readonly alerts: RunningAlerts
  readonly bulkJobs: BulkJobs
  /** Link that opens the dashboard once without a key; undefined if there is no such link. */
  readonly openLink: OpenLink | undefined
  /** Reads again the settings that may change while the service runs. */
  readonly reload: SettingsReload
  /** Runs jobs on the archive, such as an import, one at a time. */
  readonly jobs: JobRunner
  /** Reads a job from JSON and returns what runs it. Throws a JobError if the job cannot be done. */
  readonly prepare: (document: unknown) => Work
}

export interface HostOptions {
  readonly version: string
  readonly token: string
  readonly drain: Drain
  readonly pages: PageFiles | undefined
  readonly docs: PageFiles | undefined
  /** Counts streams together with other services; undefined if there are none. */
  readonly sharedUsage: StreamServerOptions['shared']
}

/** Builds the hosts for REST, past data, the stream and operations. All of them read the same market. */
export function createHosts(
  config: Config,
  foundations: Foundations,
  market: RunningMarket,
  { version, token, drain, pages, docs, sharedUsage }: HostOptions
): RunningHosts {
  const { log, metrics, database, plans, accounts, secrets, endedSessions: ended, quota } = foundations
  const { connector, scans, endpoints, engine, live, recording, events, settlements } = market
  // Responses about the past get a quarter of the cache memory, because each of them is requested less often.
  const ofThePast = recording.store === undefined ? 0 : Math.floor(config.memory.answers / 4)
  const cacheBytes = config.memory.answers - ofThePast
  const answers = new Answers({ engine, cacheBytes, onLookup: (hit) => metrics.lookup(hit) })
  const isOwnHost = ownHosts([config.host, ...config.allowedHosts])
  const hasPast = recording.store !== undefined
  const ofBrowser = { accounts, secrets, now: Date.now }
  const sessions = new Sessions({ ...ofBrowser, ended, isOwnHost, freeHere: config.dashboardFree, hasPast })
  const embedTokens = new EmbedTokens({ ...ofBrowser, panels: embedPanels })
  const tickets = new Tickets({ ...ofBrowser, sessions, spend: database.sharing?.streams.spend })
  const access = createAccess(accounts, plans, { sessions, embedTokens })
  const pageUse = new PageUse({ access, plans, now: () => live.now(), wallNow: Date.now })
  const host = liveHost(live, access, pageUse)
  const wrongKeys = new AddressLimit({ ...keyRefusalRate, now: Date.now })
  const keyRefusals = new KeyRefusals(wrongKeys, config.trustProxy)
  const capable: CapabilityOptions = {
    plans,
    bundles: accounts.bundles,
    usedOf: (bundleId) => stream.usedOf(bundleId),
    hasHistory: hasPast,
    admins: config.admin
  }
  const http: Omit<HttpOptions, 'endpoints' | 'host'> = {
    engine,
    answers,
    access,
    keyless: new AddressLimit({ ...keylessRate, now: Date.now }),
    keyRefusals,
    drain,
    quota,
    plans,
    capabilitiesOf: (account) => capabilitiesOf(account, capable),
    dataSource: dataSourceOf(connector),
    requestDeadline: config.requestDeadline,
    after: afterTimeout,
    steadyNow,
    wallNow: Date.now,
    trustProxy: config.trustProxy,
    corsOrigin: config.corsOrigin,
    onRequest: (record) => {
      metrics.request(record.route, record.plan ?? 'none', record.status, record.seconds)
      foundations.logRequest(record)
    }
  }
  const onFault = (error: unknown) => log.error({ err: error }, 'a group of a bulk request failed')
  const isReady = () => !drain.begun && [...live.loaded()].length > 0
  const hindrance = () => storageFailure(foundations)
  const files = parquetFiles(config, recording)
  // The clock of a recorded or demo market may be ahead of the wall clock.
  const pastNow = () => Math.max(live.now(), Date.now())
  const replay = createReplay({
    ...http,
    dataSource: recording.origin,
    endpoints,
    liveOnly: [
      ...bulkRoutes,
      ...streamPaths,
      ...withKeyInHeader([...adminRoutes, ...alertRoutes, ...documentRoutes, ...sessionPaths, ...embedPaths])
    ],
    history: recording.store,
    pageUse,
    reason: recording.reason,
    isDamaged: recording.isDamaged,
    from: config.replayFrom,
    times: config.replayTimes,
    shape: config.replayShape,
    now: pastNow,
    marketNow: () => live.now(),
    cacheBytes: Math.max(1, ofThePast),
    contracts: config.memory.pastContracts,
    tapeBytes: config.memory.pastTapes,
    ratesIndex: ratesIndexOf(config.assumptions),
    confidence: config.flowConfidence,
    qualityFloor: config.qualityFloor,
    generated: market.generated,
    files,
    version
  })

  const rest = createHttp({ ...http, endpoints, host, mounted: replay.mounted })
  const jobs = new JobRunner()
  mountHealth(rest, healthChecks(foundations, market, jobs))
  mountProbes(rest, isReady, hindrance)
  const reload = settingsReload({ ...foundations, files: config })
  const { authenticate, usesSession } = access
  const admins = config.admin
  mountAdmin(rest, {
    accounts,
    quota,
    plans,
    database,
    doubtControl: live,
    reload: refusing(reload),
    wallNow: Date.now,
    authenticate,
    usesSession,
    admins
  })
  mountMoved(rest, { ...http, host })
  const archive = bulkArchive(recording.store, {
    ...recording,
    period: () => ({ now: pastNow(), from: config.replayFrom })
  })
  const slots = new BulkSlots(config.workers)
  const ofBulk = {
    ...http,
    endpoints,
    host,
    past: replay.host,
    archive,
    seriesColumns,
    presets: () => foundations.presets.current,
    slots,
    onFault
  }
  const bulkJobs = new BulkJobs({
    ...ofBulk,
    folder: new JobFolder(`${config.data}/bulk`),
    program: version,
    subscriber: (userId) => accounts.subscriber(userId),
    keepFor: config.bulkKeepHours * MILLISECONDS_PER_HOUR,
    maxBytes: config.bulkBytes
  })
  mountBulk(rest, { ...ofBulk, jobs: bulkJobs })
  mountUdf(rest, { figures: chartFigures, now: () => live.now() })
  mountOpenBb(rest, { endpoints, figures: chartFigures })
  const streams: VisitorOptions['streams'] = (account) => accounts.bundles.of(account) !== undefined
  const visitorOf = visitors({ sessions, access, pageUse, endpoints, streams })
  const openLink = config.dashboard
    ? mountDashboard(rest, config, foundations, { files: pages, sessions, isOwnHost, embedTokens, visitorOf })
    : undefined
  if (config.dashboard) mountEmbedTokens(rest, embedTokens, { ...http, host })
  const ofBrowsers = config.dashboard ? { ...sessionDocument, ...embedDocument } : {}
  const extraPaths = {
    ...bulkPaths,
    ...adminPaths,
    ...alertPaths,
    ...documentPaths,
    ...streamDocument,
    ...ofBrowsers
  }
  mountSwagger(rest, () => openApiDocument(endpoints, { version, extraPaths }))
  for (const app of [rest, replay.app]) mountDocs(app, docs)
  const streamPort = () => {
    const listening = streamAlone?.addresses()[0]
    return typeof listening === 'object' ? listening.port : undefined
  }
  mountAsyncApi(rest, { version, streamPort })

  const stream = createStream({
    endpoints,
    answers,
    requestDeadline: http.requestDeadline,
    after: http.after,
    source: live,
    access,
    bundles: accounts.bundles,
    tickets,
    keyRefusals,
    isReady,
    registry: metrics.registry,
    onRequest: http.onRequest,
    onError: (error) => log.error({ err: error }, 'the stream could not do something'),
    shared: sharedUsage
  })
  accounts.onChange(() => stream.accountsChanged())
  events.on('daysWritten', ({ symbol, written }) => {
    if (written === 'tapes') replay.forgetTapes(symbol)
    if (written === 'tapes' || written === 'snapshots') files?.forget(symbol)
  })
  events.on('chainSwapped', (chain) => {
    answers.renew(chain)
    stream.changed(chain.symbol)
  })
  events.on('chainRestored', ({ symbol }) => stream.changed(symbol))
  events.on('tapeMoved', ({ symbol }) => stream.tapeMoved(symbol))
  stream.mount(rest)
  const counting = { ...http, host }
  mountAssistants({ live: rest, past: replay.app, endpoints, counting, isOwnHost, version }, config, foundations)
  mountDocuments(rest, new UserDocuments(database, Date.now), { authenticate, counting })
  const alerts = createAlerts(rest, config, foundations, market, { counting, stream })
  const isOnRestAlone = config.streamPort !== 0 && config.streamPort === config.port
  const streamAlone = isOnRestAlone
    ? undefined
    : createHttp({ ...http, endpoints: [], host: { ...host, defaultMarket: undefined } })
  stream.attach(rest, { alone: false })
  if (streamAlone !== undefined) stream.attach(streamAlone, { alone: true })

  const operations = createOperations({ metrics, isReady, hindrance, token })
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
    confidence: config.flowConfidence,
    now: () => live.now(),
    replayFrom: config.replayFrom,
    figures:
      recording.readOnce &&
      pastFigures(recording.readOnce, engine, assumptions, config.flowConfidence, config.qualityFloor),
    onDays
  })
  mountControl(operations, { token, prepare, jobs })

  metrics.observe({
    budgets: () => budgetsOf(connector),
    cacheBytes: () => answers.bytes + replay.answers.bytes,
    doubts: () => live.doubts.length,
    engineQueue: () => engine.pending,
    held: () => live.loaded(),
    ratesFrom: () => live.ratesFrom(),
    recorded: () => recording.state(),
    scans: () => scansOf(scans),
    sessionFiles: () => recording.sessionFiles,
    settlements: () => settlements?.accuracy,
    bandsHeld: () => heldOverall(settlements?.bands ?? []),
    customers: () => settlements && customerCounts(settlements),
    streams: () => streamsOf(connector),
    wallNow: Date.now
  })
  return {
    rest,
    replay: replay.app,
    stream,
    streamAlone,
    operations,
    alerts,
    bulkJobs,
    openLink,
    jobs,
    prepare,
    reload
  }
}

/** Disk space for files of sessions that programs read by address, bytes. */
const MAX_PARQUET_BYTES = 2 * 2 ** 30

function parquetFiles({ data }: Config, { store }: RunningMarket['recording']): ParquetFiles | undefined {
  if (store === undefined) return undefined
  const folder = `${data}/parquet`
  return new ParquetFiles({ folder, store, fields: seriesFieldNames, maxBytes: MAX_PARQUET_BYTES })
}

/** Reloads settings for a request: mistakes in their files are a refusal that lists them. */
function refusing(reload: SettingsReload): SettingsReload {
  return async (actor) => {
    try {
      return await reload(actor)
    } catch (error) {
      throw error instanceof ConfigError ? apiError('validation_error', error.problems.join('; ')) : error
    }
  }
}

/**
 * Text of the response header that names the data source. If the service has only one source, every response gets the
 * same text.
 */
function dataSourceOf(connector: RunningMarket['connector']): HttpOptions['dataSource'] {
  const text = sourceText(connector)
  const { chains = connector } = connector.suppliers ?? {}
  return chains.alternatives === undefined ? () => text : (served) => sourceTextOf(connector, served)
}

export interface Addresses {
  readonly address: string
  readonly replay: string
  readonly stream: string
  readonly operations: string
}

export async function openHosts(
  config: Config,
  hosts: RunningHosts,
  drain: Drain,
  shutdown: Shutdown
): Promise<Addresses> {
  const open = async (app: FastifyInstance, host: string, port: number) => {
    const address = await listen(app, host, port, drain)
    shutdown.add(() => app.close())
    return address
  }
  if (!config.member.serves) {
    const operations = await open(hosts.operations, config.adminHost, config.adminPort)
    return { address: operations, replay: operations, stream: operations, operations }
  }
  // The host of past data opens first: it also answers under a path of the live host, and a host accepts no more routes
  // or hooks once it is ready.
  const replay = await open(hosts.replay, config.host, config.replayPort)
  const address = await open(hosts.rest, config.host, config.port)
  const { streamAlone } = hosts
  const stream = streamAlone === undefined ? address : await open(streamAlone, config.host, config.streamPort)
  shutdown.add(() => hosts.stream.stop())
  hosts.alerts.start()
  shutdown.add(() => hosts.alerts.stop())
  hosts.bulkJobs.start()
  shutdown.add(() => hosts.bulkJobs.stop())
  const operations = await open(hosts.operations, config.adminHost, config.adminPort)
  return { address, replay, stream, operations }
}
