import { type ServedCapability, servedCapabilities } from '../connectors/port/capability.ts'
import {
  type ConnectorDeclaration,
  namesIn,
  type SettingValues,
  type SourceSettings
} from '../connectors/port/declaration.ts'
import type { Setting } from '../connectors/port/setting.ts'
import { listedNames, readNames, readText } from './given-text.ts'
import { type GivenTexts, idleLabel, readValues } from './setting-values.ts'

/** For each kind of data, the name of the setting that chooses its source. */
const choices = { chains: 'source', bars: 'bars', prints: 'prints' } as const satisfies Record<ServedCapability, string>

type Sources = SourceSettings['sources']

export function sourceChoices(declared: readonly ConnectorDeclaration[]): Readonly<Record<string, Setting>> {
  const prints = listedNames(namesWith('prints', declared))
  return {
    [choices.chains]: {
      value: 'names',
      help: `market data: ${listedNames(namesWith('chains', declared))}; of several, separated by commas, the first that answers serves`,
      fallback: declared[0].name
    },
    [choices.bars]: {
      value: 'names',
      help: 'sources of daily bars (default: the source of market data); made-up and real data cannot be mixed'
    },
    [choices.prints]: {
      value: 'name',
      help: `source of prints: ${prints} (default: the source of market data; if it has none, prints are inferred from its chains)`
    }
  }
}

/**
 * Reads which source is chosen for each kind of data, and the settings of all connectors. `accounts` names connectors
 * that are not chosen, but whose account settings a reference source uses.
 */
export function readSources(
  given: GivenTexts,
  declared: readonly ConnectorDeclaration[],
  problems: string[],
  accounts: readonly string[] = []
): { readonly sources: Sources; readonly values: SettingValues } {
  const wrong: string[] = []
  const chains = readChoice('chains', given, declared, wrong) ?? declared[0].name
  const bars = readChoice('bars', given, declared, wrong) ?? chains
  const withPrints = namesWith('prints', declared)
  const ownPrints = namesIn(chains).find((name) => withPrints.includes(name)) ?? chains
  const prints = readChoice('prints', given, declared, wrong) ?? ownPrints
  const sources = { chains, bars, prints }
  // If a source's name is misspelled, nobody can tell which settings belong to it.
  if (wrong.length === 0)
    wrong.push(...mixtureProblems(sources, given, declared), ...idleProblems(sources, accounts, given, declared))
  problems.push(...wrong)
  return { sources, values: readValues(given, declared, problems) }
}

function readChoice(
  capability: ServedCapability,
  given: GivenTexts,
  declared: readonly ConnectorDeclaration[],
  problems: string[]
): string | undefined {
  const choice = given.get(choices[capability])
  if (choice === undefined) return undefined
  const names = namesWith(capability, declared)
  const asked = namesIn(choice.text).map((name) => name.trim())
  const other = asked.find((wanted) => !names.includes(wanted) && declared.some(({ name }) => name === wanted))
  if (other !== undefined) {
    problems.push(`${choice.label} cannot be ${other}, which provides no ${capability}: choose ${listedNames(names)}`)
    return undefined
  }
  if (asked.length > 1 && capability === 'prints') {
    problems.push(`${choice.label} takes one name: prints of two sources make no tape`)
    return undefined
  }
  const madeUp = asked.find((wanted) => declared.some(({ name, synthetic }) => synthetic && name === wanted))
  if (asked.length > 1 && madeUp !== undefined) {
    problems.push(`${choice.label} cannot name ${madeUp} beside others: made-up figures are not mixed with real ones`)
    return undefined
  }
  return readText(choice, (text) => readNames(text, names)?.join(), listedNames(names), problems)
}

/**
 * Problems with a mix of synthetic and real data. Such a mix is refused: its figures would look real, but describe no
 * market.
 */
function mixtureProblems(
  { chains, ...others }: Sources,
  given: GivenTexts,
  declared: readonly ConnectorDeclaration[]
): readonly string[] {
  // Only a single name can be synthetic; a list of fallback sources never is.
  const isMadeUp = (wanted: string) => declared.some(({ name, synthetic }) => name === wanted && synthetic)
  return (['bars', 'prints'] as const).flatMap((capability) => {
    const other = others[capability]
    if (isMadeUp(chains) === isMadeUp(other)) return []
    const label = given.get(choices[capability])?.label
    const [under, over] = isMadeUp(other) ? ['made-up', 'real'] : ['real', 'made-up']
    return [
      `${label} cannot be ${other} where the chains are from ${chains}: ${under} ${capability} under ${over} chains make figures that look real and are not`
    ]
  })
}

const isServed = (capability: string): capability is ServedCapability =>
  servedCapabilities.some((served) => served === capability)

/** Problems with settings that the user gave to connectors that are not in use, one sentence for each. */
function idleProblems(
  sources: Sources,
  accounts: readonly string[],
  given: GivenTexts,
  declared: readonly ConnectorDeclaration[]
): readonly string[] {
  const inUse = [...Object.values(sources).flatMap(namesIn), ...accounts]
  const idle = declared.filter(({ name }) => !inUse.includes(name))
  return idle.flatMap(({ name, provides, settings }) => {
    const choice = choices[provides.find((capability) => isServed(capability))!]
    return Object.entries(settings).flatMap(([setting, declaration]) => {
      const label = idleLabel(given, setting, declaration)
      return label === undefined || declaration.sharedWithCommands
        ? []
        : [`${label} has no effect without --${choice} ${name}`]
    })
  })
}

function namesWith(capability: ServedCapability, declared: readonly ConnectorDeclaration[]): readonly string[] {
  return declared.filter(({ provides }) => provides.includes(capability)).map(({ name }) => name)
}
