import { type ServedCapability, servedCapabilities } from './capability.ts'
import type { Connector } from './connector.ts'

/** What is said of the source of a capability: its name, its terms, whether it is made up, and how new it can be. */
export type Provenance = Pick<Connector, 'name' | 'synthetic' | 'terms' | 'pace'>

type Part<Key extends keyof Provenance> = Pick<Connector, Key | 'suppliers'>

/** The source of a capability: the connector itself unless another one supplies it. */
export function sourceOf<Key extends keyof Provenance>(
  connector: Part<Key>,
  capability: ServedCapability
): Pick<Provenance, Key> {
  return connector.suppliers?.[capability] ?? connector
}

/** What has a source at all. */
function suppliedBy({ suppliers }: Pick<Connector, 'suppliers'>): readonly ServedCapability[] {
  return servedCapabilities.filter((capability) => suppliers?.[capability].provides.includes(capability) ?? true)
}

/**
 * Where the data comes from, for headers and logs: the name of the source of chains, and of each other capability that
 * has another source, as in `tradier, bars cboe`.
 */
export function sourceText(connector: Part<'name'>): string {
  const { name } = sourceOf(connector, 'chains')
  const others = suppliedBy(connector)
    .map((capability) => ({ capability, other: sourceOf(connector, capability).name }))
    .filter(({ other }) => other !== name)
  return [name, ...others.map(({ capability, other }) => `${capability} ${other}`)].join(', ')
}

/** The names of all sources, each once, that of chains first. */
export function sourceNames(connector: Part<'name'>): readonly string[] {
  return [...new Set(suppliedBy(connector).map((capability) => sourceOf(connector, capability).name))]
}

/** What each source that counts requests may be asked for, by its name. */
export function budgetsOf(connector: Pick<Connector, 'name' | 'budget' | 'suppliers'>) {
  const sources = connector.suppliers === undefined ? [connector] : [...new Set(Object.values(connector.suppliers))]
  return sources.flatMap(({ name, budget }) => (budget === undefined ? [] : [{ source: name, budget }]))
}

/** The terms of the data; by capability where those differ. */
export function termsOf(connector: Part<'terms'>): string | Readonly<Record<string, string>> {
  const terms = suppliedBy(connector).map((capability) => [capability, sourceOf(connector, capability).terms] as const)
  const [[, first]] = terms
  return terms.every(([, text]) => text === first) ? first : Object.fromEntries(terms)
}
