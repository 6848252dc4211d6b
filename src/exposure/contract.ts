import { CONTRACT_SIZE } from '../market/chain.ts'
import { carriesExposure, expirationOfSlots, type Scope } from './scope.ts'

/**
 * What the position of a book in one contract exposes, in USD. A contract without a position or without greeks exposes 0.
 * The sign of gamma, vanna and charm is that of the position. Delta and theta are those of holders, so they take the size
 * of the position and keep the sign of the option. Sources: docs/methods/exposure.md.
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
  return gammaDollars(chain.gamma[i], book.position[i], underlyingOf(held, i))
}

/** The same of a position of so many contracts with this gamma. */
export function gammaDollars(gamma: number, position: number, underlying: number): number {
  return gamma * position * CONTRACT_SIZE * underlying * underlying * 0.01
}

/** Delta exposure: USD delta of the option holders. Calls >= 0, puts <= 0. */
export function deltaExposure(held: Held, i: number): number {
  if (!carriesExposure(held, i)) return 0
  const { chain, book } = held
  return greekDollars(chain.delta[i], Math.abs(book.position[i]), underlyingOf(held, i))
}

/** What a position of so many contracts with a delta, vanna or charm exposes. */
export function greekDollars(greek: number, position: number, underlying: number): number {
  return greek * position * CONTRACT_SIZE * underlying
}

/** Vanna exposure: USD of delta gained per +1.00 of volatility; divide by 100 for one vol point. */
export function vannaExposure(held: Held, i: number): number {
  if (!carriesExposure(held, i)) return 0
  const { chain, book } = held
  return greekDollars(chain.vanna[i], book.position[i], underlyingOf(held, i))
}

/** Charm exposure: USD of delta gained per calendar day passing. */
export function charmExposure(held: Held, i: number): number {
  if (!carriesExposure(held, i)) return 0
  const { chain, book } = held
  return greekDollars(chain.charm[i], book.position[i], underlyingOf(held, i))
}

/** Weight of a contract in delta-adjusted gamma exposure (DAG, USD per +1 % of spot): |delta|, 0 without greeks. */
export function deltaWeight(held: Held, i: number): number {
  return carriesExposure(held, i) ? Math.abs(held.chain.delta[i]) : 0
}

/** Theta of the position: USD the holders lose per calendar day passing, normally negative. */
export function thetaDollars(held: Held, i: number): number {
  if (!carriesExposure(held, i)) return 0
  return held.chain.theta[i] * Math.abs(held.book.position[i]) * CONTRACT_SIZE
}
