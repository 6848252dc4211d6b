import { CONTRACT_SIZE } from '../market/chain.ts'
import { charmAhead, decayAhead } from './decay-ahead.ts'
import { carriesExposure, expirationOfSlots, isOpenAndPriced, type Scope } from './scope.ts'

/**
 * Exposures of one contract in USD; 0 without greeks. Gamma, vanna and charm describe the dealers' position and take
 * its sign. Delta and theta describe all open options, whoever holds them, so they use open interest and the sign of
 * the option. Sources: docs/methods/exposure.md.
 */
type Held = Pick<Scope, 'chain' | 'book'>

/**
 * Price of the underlying with which the exposures of contract `i` are computed, USD: spot, or the forward if the chain
 * is priced on forwards.
 */
export function underlyingOf({ chain }: Held, i: number): number {
  return chain.onForward ? chain.carries[expirationOfSlots(chain)[i]].exposureSpot : chain.spot
}

/** Gamma exposure of contract `i`: by how many USD the dealers' delta grows if spot rises by 1 %. */
export function gammaExposure(held: Held, i: number): number {
  if (!carriesExposure(held, i)) return 0
  const { chain, book } = held
  return gammaDollars(chain.gamma[i], book.position[i], underlyingOf(held, i))
}

/**
 * Gamma exposure of `position` contracts that have the given gamma: USD of delta gained if the underlying rises by 1 %.
 */
export function gammaDollars(gamma: number, position: number, underlying: number): number {
  return gamma * position * CONTRACT_SIZE * underlying * underlying * 0.01
}

/** Delta exposure of contract `i`: USD of delta that the option holders have. Positive for calls, negative for puts. */
export function deltaExposure(held: Held, i: number): number {
  if (!isOpenAndPriced(held, i)) return 0
  const { chain, book } = held
  return greekDollars(chain.delta[i], book.openInterest[i], underlyingOf(held, i))
}

/** Exposure in USD of `position` contracts that have the given delta, vanna or charm per share. */
export function greekDollars(greek: number, position: number, underlying: number): number {
  return greek * position * CONTRACT_SIZE * underlying
}

/** Vanna exposure of contract `i`: USD of delta gained if volatility rises by 1.00. Divide by 100 for one vol point. */
export function vannaExposure(held: Held, i: number): number {
  if (!carriesExposure(held, i)) return 0
  const { chain, book } = held
  return greekDollars(chain.vanna[i], book.position[i], underlyingOf(held, i))
}

/**
 * Charm exposure of contract `i`: USD of delta gained as time passes, over a calendar day or, if it expires today, until
 * its expiry (`decay-ahead.ts`).
 */
export function charmExposure(held: Held, i: number): number {
  if (!carriesExposure(held, i)) return 0
  const { chain, book } = held
  return greekDollars(charmAhead(chain)[i], book.position[i], underlyingOf(held, i))
}

/**
 * Gain of the open interest of contract `i` as time passes, USD, over a calendar day or, if it expires today, until
 * its expiry. Normally negative, since holders lose it. 0 without a volatility.
 */
export function thetaDollars(held: Held, i: number): number {
  if (!isOpenAndPriced(held, i)) return 0
  const each = decayAhead(held.chain)[i]
  return Number.isNaN(each) ? 0 : each * held.book.openInterest[i] * CONTRACT_SIZE
}
