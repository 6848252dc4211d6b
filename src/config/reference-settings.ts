import { namesIn, type SettingValues } from '../connectors/port/declaration.ts'
import { type ReferenceCapability, referenceCapabilities } from '../connectors/port/reference.ts'
import type { Setting } from '../connectors/port/setting.ts'
import { type ReferenceSettings, references } from '../connectors/reference-registry.ts'
import { listedNames, readNames, readText } from './given-text.ts'
import { type GivenTexts, idleLabel, readValues } from './setting-values.ts'

const about: Readonly<Record<ReferenceCapability, string>> = {
  rates: 'sources of the rate curve, in place of what options imply, separated by commas',
  macro: 'sources of rates, spreads and volatility indexes of the wider market',
  earnings: 'sources of company earnings reports',
  dividends: 'sources of dividends for the universe'
}

const namesWith = (capability: ReferenceCapability) =>
  references.filter(({ provides }) => provides.includes(capability)).map(({ name }) => name)

export const referenceChoices: Readonly<Record<string, Setting>> = Object.fromEntries(
  referenceCapabilities.map((capability) => [
    capability,
    { value: 'names', help: `${about[capability]}: ${namesWith(capability).join(', ')} (default: none)` }
  ])
)

/** Connectors whose account settings (such as an API key) a chosen reference source uses too. */
export function accountsOfReferences(given: GivenTexts): readonly string[] {
  const named = referenceCapabilities.flatMap((capability) => namesIn(given.get(capability)?.text ?? ''))
  return references.filter(({ name, account }) => account !== undefined && named.includes(name)).map(({ name }) => name)
}

/**
 * Reads which reference sources are chosen, and their settings. If the chains are synthetic (`madeUp`), no real
 * reference source may be chosen. `values` holds the settings of connectors, whose accounts a reference source may use.
 */
export function readReferences(
  given: GivenTexts,
  { chains, madeUp, values }: { readonly chains: string; readonly madeUp: boolean; readonly values: SettingValues },
  problems: string[]
): Omit<ReferenceSettings, 'capture'> {
  const sources = Object.fromEntries(
    referenceCapabilities.map((capability) => {
      const choice = given.get(capability)
      const names = namesWith(capability)
      const found = readText(
        choice,
        (text) => readNames(text, names),
        `${listedNames(names)}, several by commas`,
        problems
      )
      if (found !== undefined && madeUp) {
        problems.push(
          `${choice!.label} cannot be ${choice!.text} where the chains are from ${chains}: real ${capability} beside made-up chains make figures that look real and are not`
        )
      }
      return [capability, found ?? []]
    })
  ) as Readonly<Record<ReferenceCapability, readonly string[]>>
  if (problems.length === 0) problems.push(...idleProblems(sources, given))
  return { sources, values: { ...values, ...readValues(given, references, problems) } }
}

/** Problems with settings that the user gave to reference sources that are not in use, one sentence for each. */
function idleProblems(sources: ReferenceSettings['sources'], given: GivenTexts): readonly string[] {
  const inUse = Object.values(sources).flat()
  return references.flatMap(({ name: owner, provides, settings }) =>
    inUse.includes(owner)
      ? []
      : Object.entries(settings).flatMap(([name, setting]) => {
          const label = idleLabel(given, name, setting)
          return label === undefined ? [] : [`${label} has no effect without --${provides[0]} ${owner}`]
        })
  )
}
