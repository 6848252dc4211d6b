import type { ServedCapability } from '../connectors/port/capability.ts'
import type { ConnectorDeclaration, SettingValues, SourceSettings } from '../connectors/port/declaration.ts'
import type { Setting } from '../connectors/port/setting.ts'
import { type GivenText, readText } from './given-text.ts'

/** The setting that names the source of a capability. */
const choices = { chains: 'source', bars: 'bars' } as const satisfies Record<ServedCapability, string>

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
    ...Object.assign({}, ...declared.map(({ settings }) => settings))
  }
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
  const sources = { chains, bars }
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

/** Bars and chains are of one market: a volatility made from both would be of none, and look real. */
function mixtureProblems(
  { chains, bars }: Sources,
  given: GivenTexts,
  declared: readonly ConnectorDeclaration[]
): readonly string[] {
  const isMadeUp = (wanted: string) => declared.some(({ name, synthetic }) => name === wanted && synthetic)
  if (isMadeUp(chains) === isMadeUp(bars)) return []
  const label = given.get(choices.bars)?.label
  const [under, over] = isMadeUp(bars) ? ['made-up', 'real'] : ['real', 'made-up']
  return [
    `${label} cannot be ${bars} where the chains are from ${chains}: ${under} bars under ${over} chains make figures that look real and are not`
  ]
}

/** A sentence for each setting that was given to a connector which supplies nothing. */
function idleProblems(
  sources: Sources,
  given: GivenTexts,
  declared: readonly ConnectorDeclaration[]
): readonly string[] {
  const inUse: readonly string[] = Object.values(sources)
  const idle = declared.filter(({ name }) => !inUse.includes(name))
  return idle.flatMap(({ name, provides, settings }) => {
    const choice = provides.includes('chains') ? choices.chains : choices.bars
    return Object.entries(settings).flatMap(([setting, { sharedWithCommands = false }]) => {
      const label = given.get(setting)?.label
      return label === undefined || sharedWithCommands ? [] : [`${label} has no effect without --${choice} ${name}`]
    })
  })
}

function readValues(given: GivenTexts, declared: readonly ConnectorDeclaration[], problems: string[]): SettingValues {
  const values = declared.flatMap(({ settings }) =>
    Object.entries(settings).map(([name, { parse, expected, fallback }]) => {
      const value = readText(given.get(name), parse, expected, problems)
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
