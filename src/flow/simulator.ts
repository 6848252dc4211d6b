const MILLION = 1e6

/**
 * What the prints of a session are taken to have changed in the open interest of a series, contracts: the share
 * `confidence` of bought less sold contracts, rounded half away from zero, exactly as if it were counted in decimals. Customers'
 * purchases open positions and their sales close them. The confidence is above 0 and at most 1, of at most 6 decimals.
 */
export function openInterestDelta(bought: number, sold: number, confidence: number): number {
  const millionths = Math.round(confidence * MILLION)
  const net = bought - sold
  const rounded = Math.floor((2 * millionths * Math.abs(net) + MILLION) / (2 * MILLION))
  return net < 0 ? 0 - rounded : rounded // so that nothing is 0 and never -0
}

/** Contracts taken to be open now: never fewer than none. */
export function effectiveOpenInterest(official: number, delta: number): number {
  return Math.max(0, official + delta)
}
