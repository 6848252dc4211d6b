import { CONTRACT_SIZE } from '../market/chain.ts'
import { carriesExposure, expirationOfSlots, isOpenAndPriced, type Scope } from './scope.ts'

/**
 * What a book holds of one contract exposes, in USD. A contract without a position or without greeks exposes 0. The sign
 * of gamma, vanna and charm is that of the position. Delta and theta are those of all open options whoever holds them, so
 * they take the open interest and keep the sign of the option. Sources: docs/methods/exposure.md.
 */
type Held = Pick<Scope, 'chain' | 'book'>

/** The underlying that exposure in contract i is counted in, USD: the spot, or the forward that stands for it. */
export function underlyingOf({ chain }: Held, i: number): number {
  return chain.onForward ? chain.carries[expirationOfSlots(chain)[i]].exposureSpot : chain.spot
}

/** Gamma exposure: USD of delta gained per +1 % of spot. */
export function gammaExposure(held: Held, i: number): number {
  if (!carriesExposure(held, i)) return 0
  const { chain, book } = held
  const underlying = underlyingOf(held, i)
  return chain.gamma[i] * book.position[i] * CONTRACT_SIZE * underlying * underlying * 0.01
}

/** Delta exposure: USD delta of the option holders. Calls >= 0, puts <= 0. */
export function deltaExposure(held: Held, i: number): number {
  if (!isOpenAndPriced(held, i)) return 0
  const { chain, book } = held
  return chain.delta[i] * book.openInterest[i] * CONTRACT_SIZE * underlyingOf(held, i)
}

/** Vanna exposure: USD of delta gained per +1.00 of volatility; divide by 100 for one vol point. */
export function vannaExposure(held: Held, i: number): number {
  if (!carriesExposure(held, i)) return 0
  const { chain, book } = held
  return chain.vanna[i] * book.position[i] * CONTRACT_SIZE * underlyingOf(held, i)
}

/** Charm exposure: USD of delta gained per calendar day passing. */
export function charmExposure(held: Held, i: number): number {
  if (!carriesExposure(held, i)) return 0
  const { chain, book } = held
  return chain.charm[i] * book.position[i] * CONTRACT_SIZE * underlyingOf(held, i)
}

/** Weight of a contract in delta-adjusted gamma exposure (DAG, USD per +1 % of spot): |delta|, 0 without greeks. */
export function deltaWeight(held: Held, i: number): number {
  return carriesExposure(held, i) ? Math.abs(held.chain.delta[i]) : 0
}

/** Theta of the open interest: USD the holders lose per calendar day passing, normally negative. */
export function thetaDollars(held: Held, i: number): number {
  if (!isOpenAndPriced(held, i)) return 0
  return held.chain.theta[i] * held.book.openInterest[i] * CONTRACT_SIZE
}
