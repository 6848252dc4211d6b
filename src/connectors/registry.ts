import { cboe } from './cboe/index.ts'
import { combine } from './combine.ts'
import { massive } from './massive/index.ts'
import { type ServedCapability, servedCapabilities } from './port/capability.ts'
import type { Connector } from './port/connector.ts'
import type { ConnectorDeclaration, SourceSettings } from './port/declaration.ts'
import type { ValuesOf } from './port/setting.ts'
import { synthetic } from './synthetic/index.ts'

/** Every connector there is. The first is used where no source is named. */
export const connectors = [synthetic, cboe, massive] as const

type All<Of> = (Of extends unknown ? (value: Of) => void : never) extends (value: infer Every) => void ? Every : never

/** The values of the settings of every connector. */
export type ConnectorValues = All<ValuesOf<(typeof connectors)[number]['settings']>>

/** One of the connectors that the settings name, with what it will be asked for. */
interface Use {
  readonly declaration: ConnectorDeclaration
  readonly use: Parameters<ConnectorDeclaration['create']>[1]
}

/** Why a source cannot be created from the settings, as a sentence for the operator. Undefined where it can. */
export function sourceRefusal(
  settings: SourceSettings,
  declared: readonly ConnectorDeclaration[] = connectors
): string | undefined {
  return usesOf(settings, declared)
    .map(({ declaration, use }) => declaration.refusal?.(settings.values, use))
    .find((sentence) => sentence !== undefined)
}

/** The source that the settings name, ready to be asked: one connector, or several combined. */
export async function createConnector(
  settings: SourceSettings,
  declared: readonly ConnectorDeclaration[] = connectors
): Promise<Connector> {
  const { sources, values } = settings
  const created = await Promise.all(
    usesOf(settings, declared).map(async ({ declaration, use }) => {
      return [declaration.name, await declaration.create(values, use)] as const
    })
  )
  const byName = new Map(created)
  const of = (capability: ServedCapability) => byName.get(sources[capability])!
  return combine({ chains: of('chains'), bars: of('bars'), prints: of('prints') })
}

function usesOf(settings: SourceSettings, declared: readonly ConnectorDeclaration[]): readonly Use[] {
  const { sources, asOf, plain, scans } = settings
  return [...new Set(Object.values(sources))].map((name) => {
    const declaration = declared.find((connector) => connector.name === name)
    if (declaration === undefined) throw new Error(`there is no connector ${name}`)
    const capabilities = servedCapabilities.filter(
      (capability) => sources[capability] === name && declaration.provides.includes(capability)
    )
    return { declaration, use: { capabilities, asOf, plain, scans } }
  })
}
