import type { FactorTerms } from '../prices/factor.ts'

/** The factor shared by the whole market. Its volatility clusters, and rises when the market falls. */
export const marketTerms: FactorTerms = { volatility: 0.14, reversion: 0.8, leverage: -0.8, clustering: 1 }

const volatilities = {
  broad: 0,
  small: 0.09,
  tech: 0.1,
  semis: 0.2,
  software: 0.14,
  communication: 0.08,
  consumer: 0.09,
  staples: 0.07,
  health: 0.09,
  biotech: 0.17,
  financials: 0.09,
  banks: 0.11,
  regional: 0.18,
  industrials: 0.07,
  materials: 0.11,
  energy: 0.2,
  utilities: 0.1,
  estate: 0.11,
  travel: 0.15,
  emerging: 0.11,
  foreign: 0.07,
  china: 0.24,
  rates: 0.125,
  gold: 0.15,
  oil: 0.3,
  crypto: 0.42,
  volatile: 0.3,
  volatility: 0
} as const

/** A group of securities that share a factor of price moves in addition to the market's. */
export type Sector = keyof typeof volatilities

/** Parameters of a sector's factor; undefined if its securities share nothing but the market's. */
export function sectorTerms(sector: Sector): FactorTerms | undefined {
  const volatility = volatilities[sector]
  return volatility === 0 ? undefined : { volatility, reversion: 1.2, leverage: -0.25, clustering: 0.7 }
}

/** Parameters of the factor that moves a single security. `volatility` is an annual fraction. */
export function ownTerms(volatility: number): FactorTerms {
  return { volatility, reversion: 2, leverage: -0.3, clustering: 0.7 }
}
