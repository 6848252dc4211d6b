/** Prices between which the underlying lies with a chance of about 68 %, USD. */
export interface DeviationBounds {
  readonly lower: number
  readonly upper: number
}

/**
 * Prices one standard deviation of the logarithm below and above spot: S e^(-s) and S e^s. `deviation` is s, the
 * volatility times the root of the years. As prices are lognormal, the lower bound is never below 0, and lies nearer
 * to spot than the upper one.
 */
export function deviationBounds(spot: number, deviation: number): DeviationBounds {
  return { lower: spot * Math.exp(-deviation), upper: spot * Math.exp(deviation) }
}
