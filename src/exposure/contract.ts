import { CALL, CONTRACT_SIZE } from '../market/chain.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { carriesExposure } from './scope.ts'

/**
 * What one contract's open interest exposes, in USD. A contract without open interest or without greeks exposes 0.
 * Calls count positive and puts negative (`side`), the convention under which positive net gamma means that dealers
 * sell rallies and buy dips; delta carries the sign of the option itself. Sources: docs/methods/exposure.md.
 */
const side = (chain: PricedChain, i: number) => (chain.right[i] === CALL ? 1 : -1)

/** Gamma exposure: USD of delta gained per +1 % of spot. Calls >= 0, puts <= 0. */
export function gammaExposure(chain: PricedChain, i: number): number {
  if (!carriesExposure(chain, i)) return 0
  return side(chain, i) * chain.gamma[i] * chain.openInterest[i] * CONTRACT_SIZE * chain.spot * chain.spot * 0.01
}

/** Delta exposure: USD delta of the option holders. Calls >= 0, puts <= 0. */
export function deltaExposure(chain: PricedChain, i: number): number {
  if (!carriesExposure(chain, i)) return 0
  return chain.delta[i] * chain.openInterest[i] * CONTRACT_SIZE * chain.spot
}

/** Vanna exposure: USD of delta gained per +1.00 of volatility; divide by 100 for one vol point. */
export function vannaExposure(chain: PricedChain, i: number): number {
  if (!carriesExposure(chain, i)) return 0
  return side(chain, i) * chain.vanna[i] * chain.openInterest[i] * CONTRACT_SIZE * chain.spot
}

/** Charm exposure: USD of delta gained per calendar day passing. */
export function charmExposure(chain: PricedChain, i: number): number {
  if (!carriesExposure(chain, i)) return 0
  return side(chain, i) * chain.charm[i] * chain.openInterest[i] * CONTRACT_SIZE * chain.spot
}

/** Weight of a contract in delta-adjusted gamma exposure (DAG, USD per +1 % of spot): |delta|, 0 without greeks. */
export function deltaWeight(chain: PricedChain, i: number): number {
  return carriesExposure(chain, i) ? Math.abs(chain.delta[i]) : 0
}

/** Theta of the open interest: USD the holders lose per calendar day passing, normally negative. */
export function thetaDollars(chain: PricedChain, i: number): number {
  if (!carriesExposure(chain, i)) return 0
  return chain.theta[i] * chain.openInterest[i] * CONTRACT_SIZE
}
