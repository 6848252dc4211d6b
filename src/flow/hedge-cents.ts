import { CONTRACT_SIZE } from '../market/chain.ts'

const CENTS = 100
const ONE_PERCENT = 0.01

// Cents that one print adds to hedge flow. `contracts` is positive if the customer bought and negative if they sold; greeks are
// per share and `spot` is the mid price of the underlying at the print, USD. Each result is rounded to whole cents, so that
// sums agree exactly however they are added up.

/** Delta that dealers buy to stay hedged. */
export const deltaCents = (contracts: number, spot: number, delta: number): number =>
  wholeCents(contracts * CONTRACT_SIZE * spot * delta)

/** Gamma that customers bought, per move of 1 %. */
export const gammaCents = (contracts: number, spot: number, gamma: number): number =>
  wholeCents(contracts * CONTRACT_SIZE * spot * gamma * spot * ONE_PERCENT)

/** Vega that customers bought, per point of volatility. */
export const vegaCents = (contracts: number, vega: number): number => wholeCents(contracts * CONTRACT_SIZE * vega)

/** Rounds half away from zero, without a branch: the side of prints is as good as random. */
function wholeCents(dollars: number): number {
  const cents = dollars * CENTS
  const whole = Math.trunc(cents)
  return whole + Math.trunc(2 * (cents - whole))
}
