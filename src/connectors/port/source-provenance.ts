import { type ServedCapability, servedCapabilities } from './capability.ts'
import type { Connector } from './connector.ts'

/**
 * Facts about a source that our responses to users state: name, terms, whether it is made up, and how often it can be
 * requested.
 */
export type Provenance = Pick<Connector, 'name' | 'synthetic' | 'terms' | 'pace'>

type Part<Key extends keyof Connector> = Pick<Connector, Key | 'suppliers' | 'alternatives'>

/** Connector that supplies a capability: the connector itself, or the supplier that it names. */
export function sourceOf<Key extends keyof Provenance>(
  connector: Part<Key>,
  capability: ServedCapability
): Pick<Provenance, Key> {
  return connector.suppliers?.[capability] ?? connector
}

function suppliedBy({ suppliers }: Pick<Connector, 'suppliers'>): readonly ServedCapability[] {
  return servedCapabilities.filter((capability) => suppliers?.[capability].provides.includes(capability) ?? true)
}

/**
 * Source names for headers and logs, e.g. `tradier, bars cboe`: the source of chains, then each capability with a
 * different source.
 */
export function sourceText(connector: Part<'name'>): string {
  const { name } = sourceOf(connector, 'chains')
  const others = suppliedBy(connector)
    .map((capability) => ({ capability, other: sourceOf(connector, capability).name }))
    .filter(({ other }) => other !== name)
  return [name, ...others.map(({ capability, other }) => `${capability} ${other}`)].join(', ')
}

/**
 * Source names for a response that was computed from `chains`, e.g. `tradier`. Without chains, all possible sources are
 * named, e.g. `tradier or cboe`.
 */
export function sourceTextOf(
  connector: Part<'name'>,
  chains: readonly { readonly source?: string | undefined }[]
): string {
  const text = sourceText(connector)
  const served = new Set(chains.flatMap(({ source }) => (source === undefined ? [] : [source])))
  return served.size === 0 ? text : text.replace(sourceOf(connector, 'chains').name, [...served].join(' and '))
}

function sourcesOf<Key extends keyof Connector>(
  connector: Part<Key>,
  capability: ServedCapability
): readonly Pick<Connector, Key>[] {
  const source: Part<Key> = connector.suppliers?.[capability] ?? connector
  return source.alternatives ?? [source]
}

export function sourceNames(connector: Part<'name'>): readonly string[] {
  const sources = suppliedBy(connector).flatMap((capability) => sourcesOf<'name'>(connector, capability))
  return [...new Set(sources.map(({ name }) => name))]
}

export function budgetsOf(connector: Part<'name' | 'budget'>) {
  const sources = new Set(
    servedCapabilities.flatMap((capability) => sourcesOf<'name' | 'budget'>(connector, capability))
  )
  return [...sources].flatMap(({ name, budget }) => (budget === undefined ? [] : [{ source: name, budget }]))
}

/** Stream limits of the source of prints; empty if the source has no stream. */
export function streamsOf(connector: Part<'name' | 'streams'>) {
  const { name, streams } = connector.suppliers?.prints ?? connector
  return streams === undefined ? [] : [{ source: name, streams }]
}

/** Terms of the data: one text if all capabilities have the same terms, otherwise one text per capability. */
export function termsOf(connector: Part<'terms'>): string | Readonly<Record<string, string>> {
  const terms = suppliedBy(connector).map((capability) => {
    const texts = new Set(sourcesOf<'terms'>(connector, capability).map(({ terms }) => terms))
    return [capability, [...texts].join(' ')] as const
  })
  const [[, first]] = terms
  return terms.every(([, text]) => text === first) ? first : Object.fromEntries(terms)
}
