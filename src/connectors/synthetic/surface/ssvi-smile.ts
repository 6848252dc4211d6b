import { drift, keyOf } from '../../../math/random.ts'
import type { Security } from '../securities/securities.ts'
import type { World } from '../world.ts'

export interface SmileShape {
  readonly rho: number
  readonly eta: number
}

/** The smile of one expiration: total variance as a function of k = ln(strike / forward). */
export interface Smile extends SmileShape {
  /** Total variance at the money: volatility squared times years. */
  readonly theta: number
  readonly phi: number
}

const shapes: Partial<Record<Security['sector'], SmileShape>> = {
  volatility: { rho: 0.6, eta: 1 },
  volatile: { rho: 0.5, eta: 0.9 },
  gold: { rho: 0.1, eta: 0.85 },
  oil: { rho: -0.1, eta: 0.9 },
  rates: { rho: -0.15, eta: 0.85 },
  crypto: { rho: -0.05, eta: 0.85 },
  china: { rho: -0.1, eta: 0.9 }
}
const indexShape: SmileShape = { rho: -0.63, eta: 1 }
const stockShape: SmileShape = { rho: -0.32, eta: 0.95 }

/**
 * Shape of a security's volatility surface in session number `n` when the share `s` of the session's variance has
 * passed. It changes over weeks.
 */
export function smileShape(world: World, security: Security, n: number, s: number): SmileShape {
  const usual = shapes[security.sector] ?? (security.kind === 'equity' ? stockShape : indexShape)
  const key = keyOf(world.seed, 'smile', security.returnsOf)
  const lean = security.beta < -0.5 && security.sector !== 'volatile' ? -usual.rho : usual.rho
  const rho = lean * (1 + 0.1 * drift(key, (n + s) / 12))
  const eta = usual.eta * (1 + 0.07 * drift(key + 1, (n + s) / 7))
  return { rho, eta: Math.min(eta, 1.98 / (1 + Math.abs(rho))) }
}

/**
 * Smile of one expiration. With phi = eta / sqrt(theta (1 + theta)) and eta (1 + |rho|) <= 2, no smile allows butterfly
 * arbitrage. Theta rises with time, so no two smiles allow calendar arbitrage. Source: Gatheral and Jacquier,
 * Arbitrage-free SVI volatility surfaces (2014), 4.2 and remark 4.4.
 */
export function smileOf({ rho, eta }: SmileShape, theta: number): Smile {
  return { rho, eta, theta, phi: eta / Math.sqrt(theta * (1 + theta)) }
}

/** Total variance at k = ln(strike / forward). Source: Gatheral and Jacquier (2014), definition 4.1. */
export function ssviVariance({ rho, theta, phi }: Smile, k: number): number {
  const x = phi * k
  return 0.5 * theta * (1 + rho * x + Math.sqrt((x + rho) ** 2 + 1 - rho ** 2))
}

const NODES = 64
/**
 * Lower bound of the sum in `swapVariance`, in standard deviations of k; `MAX_K` is the upper bound. The terms vanish
 * beyond both.
 */
const MIN_K = -26
const MAX_K = 6

/**
 * Total variance of a variance swap under a smile: the mean of the total variance w over a standard normal z = d2,
 * computed as a sum over k. Source: Gatheral, The Volatility Surface (2006), 11.3.
 */
export function swapVariance(smile: Smile): number {
  const { rho, theta, phi } = smile
  const step = (Math.sqrt(theta) * (MAX_K - MIN_K)) / NODES
  let sum = 0
  for (let i = 0; i <= NODES; i++) {
    const k = Math.sqrt(theta) * MIN_K + i * step
    const w = ssviVariance(smile, k)
    const deviation = Math.sqrt(w)
    const x = phi * k + rho
    const slope = 0.5 * theta * phi * (rho + x / Math.sqrt(x ** 2 + 1 - rho ** 2))
    const z = -k / deviation - deviation / 2
    const zSlope = (-1 + slope * (k / (2 * w) - 0.25)) / deviation
    sum -= w * zSlope * Math.exp(-0.5 * z * z)
  }
  return (sum * step) / Math.sqrt(2 * Math.PI)
}
