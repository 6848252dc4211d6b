/** The greeks of one option per share, written from the contract's formulas with nothing of `src/`. */
export interface ScalarGreeks {
  readonly price: number
  readonly delta: number
  readonly gamma: number
  readonly theta: number
  readonly vega: number
  readonly rho: number
  readonly vanna: number
  readonly charm: number
}

export interface ScalarOption {
  readonly call: boolean
  readonly spot: number
  readonly strike: number
  readonly t: number
  readonly rate: number
  readonly dividendYield: number
  readonly sigma: number
}

/** The normal density. */
export const phi = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)

/** The normal distribution: Marsaglia's series in the middle, a continued fraction in the tails. */
export function normal(x: number): number {
  if (x > 4) return 1 - normal(-x)
  if (x < -4) {
    let fraction = -x
    for (let k = 200; k >= 1; k--) fraction = -x + k / fraction
    return phi(x) / fraction
  }
  let sum = x
  let term = x
  for (let k = 1; Math.abs(term) > 1e-18; k++) {
    term *= (x * x) / (2 * k + 1)
    sum += term
  }
  return 0.5 + sum * phi(x)
}

/** Black-Scholes-Merton in the desk units of the contract: theta and charm per day, vega and rho per 0.01. */
export function scalarGreeks({ call, spot, strike, t, rate, dividendYield, sigma }: ScalarOption): ScalarGreeks {
  const s = call ? 1 : -1
  const root = sigma * Math.sqrt(t)
  const d1 = (Math.log(spot / strike) + (rate - dividendYield + (sigma * sigma) / 2) * t) / root
  const d2 = d1 - root
  const carried = Math.exp(-dividendYield * t)
  const discount = Math.exp(-rate * t)
  const drift = (carried * phi(d1) * (2 * (rate - dividendYield) * t - d2 * root)) / (2 * t * root)
  return {
    price: s * (spot * carried * normal(s * d1) - strike * discount * normal(s * d2)),
    delta: s * carried * normal(s * d1),
    gamma: (carried * phi(d1)) / (spot * root),
    theta:
      ((-spot * carried * phi(d1) * sigma) / (2 * Math.sqrt(t)) -
        s * rate * strike * discount * normal(s * d2) +
        s * dividendYield * spot * carried * normal(s * d1)) /
      365,
    vega: (spot * carried * phi(d1) * Math.sqrt(t)) / 100,
    rho: (s * strike * t * discount * normal(s * d2)) / 100,
    vanna: (-carried * phi(d1) * d2) / sigma,
    charm: (s * dividendYield * carried * normal(s * d1) - drift) / 365
  }
}
