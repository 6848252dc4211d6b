import type { Config } from './config.ts'
import type { Connector } from './connectors/connector.ts'
import { newToken, writeServiceFile } from './jobs/service-file.ts'
import { isoInstant } from './market/units.ts'
import { welcome } from './server/welcome.ts'
import { Ending } from './service/ending.ts'
import { layGround } from './service/ground.ts'
import { createHosts, openHosts } from './service/hosts.ts'
import { startMarket } from './service/market.ts'
import { packageVersion } from './version.ts'

/**
 * Builds the parts of the service, hands them to each other and starts to listen. Resolves once it answers; what it
 * returns stops everything in order: requests in flight are finished, counts are written, files are closed.
 */
export async function serve(config: Config): Promise<{ stop(): Promise<void> }> {
  const ending = new Ending()
  try {
    const ground = layGround(config, ending)
    const market = await startMarket(config, ground, ending)
    const version = packageVersion()
    const token = newToken()
    const hosts = createHosts(config, ground, market, { version, token })
    const addresses = await openHosts(config, hosts, ending)
    const { store } = market.recording
    // Whoever would work on the archive in this folder has to ask its owner.
    if (store !== undefined && config.history === 'embedded') {
      ending.add(writeServiceFile(config.data, { pid: process.pid, address: addresses.operations, token }))
    }
    const { connector, live } = market
    const { demoKeys, log } = ground
    const shown = { ...addresses, version, source: connector, data: config.data, demoKeys }
    process.stdout.write(welcome({ ...shown, moment: isoInstant(live.now()), example: exampleSymbol(connector) }))
    log.info({ address: addresses.address, source: connector.name, terms: connector.terms }, 'started')
  } catch (error) {
    await ending.run()
    throw error
  }
  return { stop: () => ending.run() }
}

/** SPY where the source has it: the symbol a newcomer knows. */
function exampleSymbol({ universe }: Connector): string {
  return universe.find(({ symbol }) => symbol === 'SPY')?.symbol ?? universe[0]?.symbol ?? 'SPY'
}
