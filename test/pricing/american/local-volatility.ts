import type { Right } from '../../../src/pricing/bsm.ts'

/** A market whose volatility is a function of spot: v0 (S/S0)^beta, spot 100. */
export interface LocalVolatility {
  readonly t: number
  readonly rate: number
  readonly dividendYield: number
  readonly level: number
  readonly beta: number
}

const SPOT = 100
const NODES = 400
const STEPS = 200
const REACH = 1.6

/**
 * Price of an American option on it: Crank-Nicolson in ln S after four implicit half steps, exercised where that pays at
 * the end of each. Slow and obvious; within 0.01 USD.
 */
export function localVolatilityPrice(market: LocalVolatility, right: Right, strike: number): number {
  const { t, rate, dividendYield, level, beta } = market
  const dx = (2 * REACH) / NODES
  const spot = Float64Array.from({ length: NODES + 1 }, (_, i) => SPOT * Math.exp(-REACH + i * dx))
  const exercise = spot.map((s) => Math.max(right === 'call' ? s - strike : strike - s, 0))
  const value = exercise.slice()
  const low = new Float64Array(NODES + 1)
  const middle = new Float64Array(NODES + 1)
  const high = new Float64Array(NODES + 1)
  for (let i = 1; i < NODES; i++) {
    const variance = (level * (spot[i] / SPOT) ** beta) ** 2
    const drift = rate - dividendYield - variance / 2
    low[i] = variance / 2 / dx ** 2 - drift / 2 / dx
    high[i] = variance / 2 / dx ** 2 + drift / 2 / dx
    middle[i] = -variance / dx ** 2 - rate
  }
  const step = (dt: number, implicit: number) => {
    const up = new Float64Array(NODES + 1)
    const rhs = exercise.slice()
    for (let i = 1; i < NODES; i++) {
      const change = low[i] * value[i - 1] + middle[i] * value[i] + high[i] * value[i + 1]
      const below = -implicit * dt * low[i]
      const here = 1 - implicit * dt * middle[i] - below * up[i - 1]
      up[i] = (-implicit * dt * high[i]) / here
      rhs[i] = (value[i] + (1 - implicit) * dt * change - below * rhs[i - 1]) / here
    }
    for (let i = NODES - 1; i > 0; i--) rhs[i] -= up[i] * rhs[i + 1]
    for (let i = 0; i <= NODES; i++) value[i] = Math.max(rhs[i], exercise[i])
  }
  const dt = t / STEPS
  for (let k = 0; k < 4; k++) step(dt / 2, 1)
  for (let k = 2; k < STEPS; k++) step(dt, 0.5)
  return value[NODES / 2]
}
