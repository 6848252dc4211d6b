import type { Config } from '../config/config.ts'
import { packageVersion } from '../config/version.ts'
import type { Connector } from '../connectors/port/connector.ts'
import { sourceText, termsOf } from '../connectors/port/provenance.ts'
import { newToken, writeServiceFile } from '../jobs/service-file.ts'
import { type Instant, isoInstant } from '../market/units.ts'
import { closedNote } from './closed-market.ts'
import { openFoundations } from './foundations.ts'
import { createHosts, openHosts } from './hosts.ts'
import { startMarket } from './market.ts'
import { Shutdown } from './shutdown.ts'
import { startupBanner } from './startup-banner.ts'

/**
 * Builds the parts of the service, hands them to each other and starts to listen. Resolves once it answers; what it
 * returns stops everything in order: requests in flight are finished, counts are written, files are closed.
 */
export async function serve(config: Config): Promise<{ stop(): Promise<void> }> {
  const shutdown = new Shutdown()
  try {
    const foundations = openFoundations(config, shutdown)
    const market = await startMarket(config, foundations, shutdown)
    const version = packageVersion()
    const token = newToken()
    const hosts = createHosts(config, foundations, market, { version, token })
    const addresses = await openHosts(config, hosts, shutdown)
    const { store } = market.recording
    // A command that works on the archive in this folder has to ask this service.
    if (store !== undefined && config.history === 'embedded') {
      shutdown.add(writeServiceFile(config.data, { pid: process.pid, address: addresses.operations, token }))
    }
    const { connector, live } = market
    const { demoKeys, log } = foundations
    const shown = { ...addresses, version, source: connector, data: config.data, demoKeys }
    const moment = isoInstant(live.now())
    process.stdout.write(
      startupBanner({
        ...shown,
        moment,
        closed: closedNow(config, connector, live.now()),
        example: exampleSymbol(connector)
      })
    )
    log.info({ address: addresses.address, source: sourceText(connector), terms: termsOf(connector) }, 'started')
  } catch (error) {
    await shutdown.run()
    throw error
  }
  return { stop: () => shutdown.run() }
}

/** Why nothing moves; undefined where it does, or where the market stands at a moment by request. */
function closedNow({ asOf, clock }: Config, { fixedAt, synthetic }: Connector, now: Instant) {
  return asOf === undefined && fixedAt === undefined && clock === 'wall' ? closedNote(now, synthetic) : undefined
}

/** SPY where the source has it: the symbol a newcomer knows. */
function exampleSymbol({ universe }: Connector): string {
  return universe.find(({ symbol }) => symbol === 'SPY')?.symbol ?? universe[0]?.symbol ?? 'SPY'
}
