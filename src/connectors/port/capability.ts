export type Capability = 'chains' | 'quotes' | 'bars' | 'prints' | 'earnings' | 'dividends' | 'rates' | 'macro'

/** Kinds of data that are requested from connectors, in the order in which headers and logs name them. */
export const servedCapabilities = ['chains', 'bars', 'prints'] as const satisfies readonly Capability[]

export type ServedCapability = (typeof servedCapabilities)[number]
