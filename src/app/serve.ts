import { type Config, ConfigError } from '../config/config.ts'
import { packageVersion } from '../config/package.ts'
import type { Connector } from '../connectors/port/connector.ts'
import { sourceText, termsOf } from '../connectors/port/source-provenance.ts'
import { backUpByCommand, DailyBackup } from '../jobs/daily-backup.ts'
import { type Instant, isoInstant } from '../market/units.ts'
import { checkPorts } from '../server/http/listen.ts'
import { Drain } from '../server/http/open-connections.ts'
import type { Log } from '../server/operations/log.ts'
import type { StreamServerOptions } from '../stream/session/stream-server.ts'
import { runBeforeOthers } from '../workers/priority.ts'
import type { Begun } from './begin.ts'
import { readDashboard, readDocs } from './dashboard-pages.ts'
import { type Foundations, openFoundations } from './foundations.ts'
import { HistorySeed, seeds } from './history-seed.ts'
import { beginRecording } from './opening-recording.ts'
import type { SettingsReload } from './settings-reload.ts'
import { Shutdown } from './shutdown.ts'
import { clockStandsAt } from './source-choice.ts'
import { closedNote, startupBanner } from './startup-banner.ts'

export interface Running {
  /** Stops the service cleanly. With `draining` it first keeps handling requests for the configured time. */
  stop(how: { readonly draining: boolean }): Promise<void>
}

/**
 * Builds all parts of the service and begins to listen. Resolves once requests are handled. A stop finishes requests in
 * progress, writes counts and closes files.
 */
export async function serve(config: Config, started: Begun): Promise<Running> {
  let begun = started
  const shutdown = new Shutdown()
  const drain = new Drain()
  shutdown.add(async () => void (await Promise.all(begun.threads.map((thread) => thread.close()))))
  try {
    const foundations = await openFoundations(config, shutdown)
    await checkPorts(placesOf(config))
    const { shared } = begun.source
    if (shared?.collects) {
      const { turnToCollect } = await import('./collector-turn.ts')
      const fence = await turnToCollect(config, foundations, drain, shutdown)
      if (fence === undefined) return { stop: () => shutdown.run() }
      begun = { ...begun, source: { ...begun.source, shared: { ...shared, fence } } }
    }
    const recording = await beginRecording(config, begun, foundations, shutdown)
    // Loads the rest of the program while the worker threads load theirs and the archive opens.
    const [{ exampleSymbol, startMarket }, { createHosts, openHosts }] = await Promise.all([
      import('./running-market.ts'),
      import('./running-hosts.ts')
    ])
    const market = await startMarket(config, begun, foundations, recording, shutdown)
    const pages = readDashboard(config, (sentence) => foundations.log.info(sentence))
    const version = packageVersion()
    const { claim } = foundations
    const hosts = createHosts(config, foundations, market, {
      version,
      token: claim.token,
      drain,
      pages,
      docs: readDocs(),
      sharedUsage: await sharedUsage(config, foundations)
    })
    await market.ready
    const addresses = await openHosts(config, hosts, drain, shutdown)
    runBeforeOthers()
    const { store } = market.recording
    // Commands that use the archive in this data folder must send their work to this service.
    const hasArchive = store !== undefined && config.history === 'embedded'
    const { address: rest, replay, stream, operations } = addresses
    claim.tell({ rest, replay, stream, address: hasArchive ? operations : undefined })
    const { connector, live, sourceState } = market
    await Promise.race([sourceState.firstOutcome, endOfPatience()])
    market.startBacklog()
    if (market.recording.watch !== undefined && seeds(config, connector)) {
      const seed = new HistorySeed({ config, connector, log: foundations.log, ...hosts, onFirst: market.loadAll })
      market.events.on('pastAsked', ({ symbol }) => seed.want(symbol))
      seed.start()
    }
    const { demoKeys, log } = foundations
    const once = hosts.openLink?.issue()
    const shown = {
      ...addresses,
      dashboard: pages && `${addresses.address}/${once === undefined ? '' : `?open=${once}`}`,
      version,
      source: connector,
      data: config.data,
      demoKeys,
      silence: sourceState.silence?.reason,
      moment: isoInstant(live.now()),
      closed: closedNow(config, connector, live.now()),
      example: exampleSymbol(connector),
      serves: config.member.serves
    }
    startBackups(config, log, shutdown)
    reloadOnSignal(hosts.reload, log, shutdown)
    process.stdout.write(startupBanner(shown))
    log.info({ address: addresses.address, source: sourceText(connector), terms: termsOf(connector) }, 'started')
    return {
      async stop({ draining }) {
        // The stream asks its clients to reconnect to another service, while the other hosts still handle requests.
        await Promise.all([drain.run(draining ? config.drain : 0), hosts.stream.stop()])
        await shutdown.run()
      }
    }
  } catch (error) {
    await shutdown.run()
    throw error
  }
}

/** Counts streams of bundles together with the other services of the database, if there are any. */
async function sharedUsage(
  { member }: Config,
  { database: { sharing }, log }: Pick<Foundations, 'database' | 'log'>
): Promise<StreamServerOptions['shared']> {
  if (sharing === undefined || !member.serves) return undefined
  const { SharedUsage } = await import('../stream/session/shared-usage.ts')
  return (service) =>
    new SharedUsage({
      ...service,
      sharing: sharing.streams,
      onSilent: (error) =>
        log.warn({ err: error }, 'bundles cannot be counted with other services: no connection is admitted'),
      onFound: () => log.info('bundles are counted with other services again')
    })
}

function startBackups({ data, backups, backupsKept }: Config, log: Log, shutdown: Shutdown): void {
  if (backups === undefined) return
  const daily = new DailyBackup({
    folder: backups,
    kept: backupsKept,
    now: Date.now,
    backUp: backUpByCommand(data),
    onMade: (target) => log.info({ target }, 'the data folder was copied'),
    onError: (error) =>
      log.error({ err: error }, 'the data folder could not be copied; it is tried again in ten minutes')
  })
  daily.start()
  shutdown.add(() => daily.stop())
}

/** Addresses to listen on, in the order in which the banner shows them. */
function placesOf({ host, port, replayPort, streamPort, adminHost, adminPort, member }: Config) {
  const open = member.serves ? [port, replayPort, streamPort].map((port) => ({ host, port })) : []
  return [...open, { host: adminHost, port: adminPort }]
}

/** How long the startup banner waits for the source's first response or failure, milliseconds. */
const MAX_WAIT_FOR_SOURCE = 1500

function endOfPatience(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, MAX_WAIT_FOR_SOURCE).unref())
}

/**
 * Lines that say why figures do not change at the moment. Undefined if the market is open, or if the operator asked for
 * a fixed time or the demo clock.
 */
function closedNow(config: Config, connector: Connector, now: Instant) {
  const stands = clockStandsAt(config, connector) !== undefined
  return !stands && config.clock === 'wall' ? closedNote(now, connector.synthetic) : undefined
}

/** Reads settings again at each SIGHUP. A file with a mistake changes nothing and is logged. */
function reloadOnSignal(reload: SettingsReload, log: Log, shutdown: Shutdown): void {
  const onSignal = async () => {
    try {
      await reload('SIGHUP')
    } catch (error) {
      const reasons = error instanceof ConfigError ? { problems: error.problems } : { err: error }
      log.error(reasons, 'settings were not read anew; nothing changed')
    }
  }
  process.on('SIGHUP', onSignal)
  shutdown.add(() => process.off('SIGHUP', onSignal))
}
