/** What a source of market data can supply. */
export type Capability = 'chains' | 'quotes' | 'bars' | 'prints' | 'earnings' | 'dividends' | 'rates' | 'macro'

/** What a connector is asked for by now, in the order in which headers and logs name it. Chains come first. */
export const servedCapabilities = ['chains', 'bars', 'prints'] as const satisfies readonly Capability[]

export type ServedCapability = (typeof servedCapabilities)[number]
