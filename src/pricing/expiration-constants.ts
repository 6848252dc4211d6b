import type { GreekUnits, SpotTerms } from './greeks.ts'

/** What the greeks of the options of one expiration share. */
export interface ExpirationConstants extends SpotTerms {
  readonly rootT: number
  /** e^(-qt), e^(-rt) and S e^((r-q)t). */
  readonly carried: number
  readonly discount: number
  readonly forward: number
  /** The part of a year that theta and charm, and of 1.00 that vega and rho, are given per. */
  readonly timeUnit: number
  readonly pointUnit: number
}

export function expirationConstants(
  { spot, t, rate, dividendYield }: SpotTerms,
  units: GreekUnits
): ExpirationConstants {
  return {
    spot,
    t,
    rate,
    dividendYield,
    rootT: t > 0 ? Math.sqrt(t) : Number.NaN,
    carried: Math.exp(-dividendYield * t),
    discount: Math.exp(-rate * t),
    forward: spot * Math.exp((rate - dividendYield) * t),
    timeUnit: units === 'desk' ? 1 / 365 : 1,
    pointUnit: units === 'desk' ? 0.01 : 1
  }
}
