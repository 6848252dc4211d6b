import { createCboeFeed } from './cboe/feed.ts'
import { createCboeFiles } from './cboe/files.ts'
import type { Connector, SourceSettings } from './port/connector.ts'
import { createSynthetic } from './synthetic/connector.ts'

/** The connector that the settings name, ready to be asked. */
export async function createConnector(settings: SourceSettings): Promise<Connector> {
  if (settings.source === 'synthetic') return createSynthetic({ seed: settings.seed })
  return settings.cboePath === undefined
    ? createCboeFeed({ url: settings.cboeUrl })
    : createCboeFiles({ path: settings.cboePath, session: settings.session })
}
