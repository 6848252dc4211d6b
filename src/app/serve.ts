import type { Config } from '../config/config.ts'
import { packageVersion } from '../config/version.ts'
import type { Connector } from '../connectors/port/connector.ts'
import { sourceText, termsOf } from '../connectors/port/provenance.ts'
import { newToken, writeServiceFile } from '../jobs/service-file.ts'
import { isoInstant } from '../market/units.ts'
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
    const { connector, live, sourceState } = market
    await Promise.race([sourceState.heardOf, endOfPatience()])
    const { demoKeys, log } = foundations
    const shown = {
      ...addresses,
      version,
      source: connector,
      data: config.data,
      demoKeys,
      silence: sourceState.silence?.reason
    }
    process.stdout.write(startupBanner({ ...shown, moment: isoInstant(live.now()), example: exampleSymbol(connector) }))
    log.info({ address: addresses.address, source: sourceText(connector), terms: termsOf(connector) }, 'started')
  } catch (error) {
    await shutdown.run()
    throw error
  }
  return { stop: () => shutdown.run() }
}

/** How long the banner waits to be able to say whether the source answers, milliseconds. */
const MAX_WAIT_FOR_SOURCE = 1500

function endOfPatience(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, MAX_WAIT_FOR_SOURCE).unref())
}

/** SPY where the source has it: the symbol a newcomer knows. */
function exampleSymbol({ universe }: Connector): string {
  return universe.find(({ symbol }) => symbol === 'SPY')?.symbol ?? universe[0]?.symbol ?? 'SPY'
}
