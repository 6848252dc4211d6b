import { alpaca } from './alpaca/index.ts'
import { cboe } from './cboe/index.ts'
import { combine } from './combine.ts'
import { massive } from './massive/index.ts'
import { type ServedCapability, servedCapabilities } from './port/capability.ts'
import { type AnswerListener, captureInto } from './port/capture/capture.ts'
import type { Connector } from './port/connector.ts'
import { type ConnectorDeclaration, type ConnectorUse, namesIn, type SourceSettings } from './port/declaration.ts'
import { budgetMemory } from './port/http/request-budget.ts'
import type { SettingValuesOf } from './port/setting.ts'
import { withFallback } from './source-fallback.ts'
import { synthetic } from './synthetic/index.ts'
import { tastytrade } from './tastytrade/index.ts'
import { thetadata } from './thetadata/index.ts'
import { tradier } from './tradier/index.ts'

/** All connectors of this build. The first is the default. */
export const connectors = [synthetic, cboe, tradier, massive, thetadata, alpaca, tastytrade] as const

type All<Of> = (Of extends unknown ? (value: Of) => void : never) extends (value: infer Every) => void ? Every : never

export type ConnectorValues = All<SettingValuesOf<(typeof connectors)[number]['settings']>>

/** A connector named by the settings, with the capabilities it is used for. */
interface Use {
  readonly declaration: ConnectorDeclaration
  readonly use: Omit<ConnectorUse, 'onAnswer' | 'onFrame'>
}

/**
 * Checks whether the sources can be created. Returns the reason why one cannot, as a sentence for the operator;
 * undefined if all can.
 */
export function sourceRefusal(
  settings: SourceSettings,
  declared: readonly ConnectorDeclaration[] = connectors
): string | undefined {
  return usesOf(settings, declared)
    .map(({ declaration, use }) => declaration.refusal?.(settings.values, use))
    .find((sentence) => sentence !== undefined)
}

/**
 * Creates the source that the settings name: one connector, or several combined. `listen` receives every raw HTTP
 * response and the name of its source.
 */
export async function createConnector(
  settings: SourceSettings,
  declared: readonly ConnectorDeclaration[] = connectors,
  listen?: (source: string, answer: Parameters<AnswerListener>[0]) => void
): Promise<Connector> {
  const { sources, values, capture, shared } = settings
  if (shared !== undefined) {
    const { withShared } = await import('./shared/with-shared.ts')
    const made = usesOf(settings, declared).every(({ declaration }) => declaration.synthetic)
    const alone = () => createConnector({ ...settings, shared: undefined }, declared, listen)
    return withShared(shared, alone, made)
  }
  const created = await Promise.all(
    usesOf(settings, declared).map(async ({ declaration, use }) => {
      const { name } = declaration
      const keep = capture && captureInto(capture, name)
      const onAnswer: AnswerListener = (answer) => {
        keep?.onAnswer(answer)
        listen?.(name, answer)
      }
      return [name, await declaration.create(values, { ...use, onAnswer, onFrame: keep?.onFrame })] as const
    })
  )
  const byName = new Map(created)
  // Capabilities that name the same sources share one connector.
  const byNames = new Map(
    Object.values(sources).map((text) => {
      const named = namesIn(text).map((name) => byName.get(name)!)
      return [text, named.length === 1 ? named[0] : withFallback(named)] as const
    })
  )
  const of = (capability: ServedCapability) => byNames.get(sources[capability])!
  return combine({ chains: of('chains'), bars: of('bars'), prints: of('prints') })
}

function usesOf(settings: SourceSettings, declared: readonly ConnectorDeclaration[]): readonly Use[] {
  const { sources, asOf, budgets, scans } = settings
  return [...new Set(Object.values(sources).flatMap(namesIn))].map((name) => {
    const declaration = declared.find((connector) => connector.name === name)
    if (declaration === undefined) throw new Error(`there is no connector ${name}`)
    const capabilities = servedCapabilities.filter(
      (capability) => namesIn(sources[capability]).includes(name) && declaration.provides.includes(capability)
    )
    return { declaration, use: { capabilities, asOf, budget: budgets?.[name] ?? budgetMemory(), scans } }
  })
}
