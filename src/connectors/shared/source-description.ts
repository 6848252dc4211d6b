import { type ServedCapability, servedCapabilities } from '../port/capability.ts'
import type { Connector } from '../port/connector.ts'
import type { PrintFeed } from '../port/prints/print-feed.ts'

const plainFields = [
  'name',
  'synthetic',
  'provides',
  'terms',
  'pace',
  'delay',
  'timeLimit',
  'universe',
  'tickers',
  'listsAll',
  'fixedAt',
  'holdsPast'
] as const satisfies readonly (keyof Connector)[]

/** A collector's description of its source, as JSON. */
export interface SourceDescription extends Pick<Connector, (typeof plainFields)[number]> {
  readonly suppliers?: Readonly<Record<ServedCapability, SourceDescription>>
  readonly alternatives?: readonly SourceDescription[]
  /** Calls that not all sources have and this one has. */
  readonly has: readonly OptionalCall[]
  /** Description of the prints; undefined if the source has none. */
  readonly prints?: Pick<PrintFeed, 'delay' | 'stocks'>
}

const optionalCalls = ['closingQuotes', 'earnings'] as const satisfies readonly (keyof Connector)[]
export type OptionalCall = (typeof optionalCalls)[number]

export function describeSource(connector: Connector): SourceDescription {
  const { suppliers, alternatives } = connector
  const plain = Object.fromEntries(plainFields.map((name) => [name, connector[name]]))
  return {
    ...(plain as unknown as Pick<Connector, (typeof plainFields)[number]>),
    ...(suppliers && {
      suppliers: Object.fromEntries(
        servedCapabilities.map((capability) => [capability, describeSource(suppliers[capability])])
      ) as Record<ServedCapability, SourceDescription>
    }),
    ...(alternatives && { alternatives: alternatives.map(describeSource) }),
    has: optionalCalls.filter((call) => connector[call] !== undefined),
    ...(connector.prints && { prints: { delay: connector.prints.delay, stocks: connector.prints.stocks } })
  }
}
