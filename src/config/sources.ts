import { type ServedCapability, servedCapabilities } from '../connectors/port/capability.ts'
import type { ConnectorDeclaration, SettingValues, SourceSettings } from '../connectors/port/declaration.ts'
import type { ConnectorSetting, Setting } from '../connectors/port/setting.ts'
import { type GivenText, readText } from './given-text.ts'
import { fileNameOf, fileSettingOf, readSecret } from './secret.ts'

/** The setting that names the source of a capability. */
const choices = { chains: 'source', bars: 'bars', prints: 'prints' } as const satisfies Record<ServedCapability, string>

type Sources = SourceSettings['sources']

/** The settings that choose the sources, and those of the connectors, in the order of the help text. */
export function settingsOfSources(declared: readonly ConnectorDeclaration[]): Readonly<Record<string, Setting>> {
  return {
    [choices.chains]: {
      value: 'name',
      help: `market data: ${listed(namesWith('chains', declared))}`,
      fallback: declared[0].name
    },
    [choices.bars]: { value: 'name', help: 'where daily bars come from (default: the source of market data)' },
    [choices.prints]: {
      value: 'name',
      help: `where prints come from: ${listed(namesWith('prints', declared))} (default: the source of market data; where it has none they are inferred from its chains)`
    },
    ...Object.fromEntries(declared.flatMap(({ settings }) => Object.entries(settings).flatMap(withFile)))
  }
}

/** A secret may lie in a file. */
function withFile([name, setting]: [string, ConnectorSetting]): [string, Setting][] {
  return setting.secret === undefined ? [[name, setting]] : [[name, setting], fileSettingOf(name, setting)]
}

/** Which source was chosen for each capability, and what the settings of the connectors are. */
export function readSources(
  given: GivenTexts,
  declared: readonly ConnectorDeclaration[],
  problems: string[]
): { readonly sources: Sources; readonly values: SettingValues } {
  const wrong: string[] = []
  const chains = readChoice('chains', given, declared, wrong) ?? declared[0].name
  const bars = readChoice('bars', given, declared, wrong) ?? chains
  const prints = readChoice('prints', given, declared, wrong) ?? chains
  const sources = { chains, bars, prints }
  // Which settings go with a misspelt source is unknown.
  if (wrong.length === 0)
    wrong.push(...mixtureProblems(sources, given, declared), ...idleProblems(sources, given, declared))
  problems.push(...wrong)
  return { sources, values: readValues(given, declared, problems) }
}

type GivenTexts = ReadonlyMap<string, GivenText>

function readChoice(
  capability: ServedCapability,
  given: GivenTexts,
  declared: readonly ConnectorDeclaration[],
  problems: string[]
): string | undefined {
  const choice = given.get(choices[capability])
  if (choice === undefined) return undefined
  const names = namesWith(capability, declared)
  if (declared.some(({ name }) => name === choice.text) && !names.includes(choice.text)) {
    problems.push(`${choice.label} cannot be ${choice.text}, which provides no ${capability}: choose ${listed(names)}`)
    return undefined
  }
  return readText(choice, (text) => names.find((name) => name === text), listed(names), problems)
}

/** All figures are of one market: one made from two would be of none, and look real. */
function mixtureProblems(
  { chains, ...others }: Sources,
  given: GivenTexts,
  declared: readonly ConnectorDeclaration[]
): readonly string[] {
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

/** A sentence for each setting that was given to a connector which supplies nothing. */
function idleProblems(
  sources: Sources,
  given: GivenTexts,
  declared: readonly ConnectorDeclaration[]
): readonly string[] {
  const inUse: readonly string[] = Object.values(sources)
  const idle = declared.filter(({ name }) => !inUse.includes(name))
  return idle.flatMap(({ name, provides, settings }) => {
    const choice = choices[provides.find((capability) => isServed(capability))!]
    return Object.entries(settings).flatMap(([setting, { sharedWithCommands = false, secret = false }]) => {
      // The variable of a secret is part of an environment that several commands share.
      const label = given.get(secret ? fileNameOf(setting) : setting)?.label
      return label === undefined || sharedWithCommands ? [] : [`${label} has no effect without --${choice} ${name}`]
    })
  })
}

function readValues(given: GivenTexts, declared: readonly ConnectorDeclaration[], problems: string[]): SettingValues {
  const values = declared.flatMap(({ settings }) =>
    Object.entries<ConnectorSetting>(settings).map(([name, { parse, expected, fallback, secret = false }]) => {
      const value = secret
        ? readSecret(given.get(name), given.get(fileNameOf(name)), parse, expected, problems)
        : readText(given.get(name), parse, expected, problems)
      return [name, value ?? (fallback === undefined ? undefined : parse(fallback))] as const
    })
  )
  return Object.fromEntries(values)
}

function namesWith(capability: ServedCapability, declared: readonly ConnectorDeclaration[]): readonly string[] {
  return declared.filter(({ provides }) => provides.includes(capability)).map(({ name }) => name)
}

/** As a sentence lists them: `synthetic or cboe`, `a, b or c`. */
function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
