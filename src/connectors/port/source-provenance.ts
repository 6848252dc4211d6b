import { type ServedCapability, servedCapabilities } from './capability.ts'
import type { Connector } from './connector.ts'

/** What is said of the source of a capability: its name, its terms, whether it is made up, and how new it can be. */
export type Provenance = Pick<Connector, 'name' | 'synthetic' | 'terms' | 'pace'>

type Part<Key extends keyof Connector> = Pick<Connector, Key | 'suppliers' | 'alternatives'>

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

/**
 * The same beside chains: where several sources may serve, those that did serve these, each once. Without chains all that
 * may are named, as in `tradier or cboe`.
 */
export function sourceTextOf(
  connector: Part<'name'>,
  chains: readonly { readonly source?: string | undefined }[]
): string {
  const text = sourceText(connector)
  const served = new Set(chains.flatMap(({ source }) => (source === undefined ? [] : [source])))
  return served.size === 0 ? text : text.replace(sourceOf(connector, 'chains').name, [...served].join(' and '))
}

/** The source of a capability, or those that are asked for it in turn. */
function sourcesOf<Key extends keyof Connector>(
  connector: Part<Key>,
  capability: ServedCapability
): readonly Pick<Connector, Key>[] {
  const source: Part<Key> = connector.suppliers?.[capability] ?? connector
  return source.alternatives ?? [source]
}

/** The names of all sources, each once, that of chains first. */
export function sourceNames(connector: Part<'name'>): readonly string[] {
  const sources = suppliedBy(connector).flatMap((capability) => sourcesOf<'name'>(connector, capability))
  return [...new Set(sources.map(({ name }) => name))]
}

/** What each source that counts requests may be asked for, by its name. */
export function budgetsOf(connector: Part<'name' | 'budget'>) {
  const sources = new Set(
    servedCapabilities.flatMap((capability) => sourcesOf<'name' | 'budget'>(connector, capability))
  )
  return [...sources].flatMap(({ name, budget }) => (budget === undefined ? [] : [{ source: name, budget }]))
}

/** What the source of prints streams of what it may, by its name; nothing where it has no stream. */
export function streamsOf(connector: Part<'name' | 'streams'>) {
  const { name, streams } = connector.suppliers?.prints ?? connector
  return streams === undefined ? [] : [{ source: name, streams }]
}

/** The terms of the data; by capability where those differ. */
export function termsOf(connector: Part<'terms'>): string | Readonly<Record<string, string>> {
  const terms = suppliedBy(connector).map((capability) => {
    const texts = new Set(sourcesOf<'terms'>(connector, capability).map(({ terms }) => terms))
    return [capability, [...texts].join(' ')] as const
  })
  const [[, first]] = terms
  return terms.every(([, text]) => text === first) ? first : Object.fromEntries(terms)
}
