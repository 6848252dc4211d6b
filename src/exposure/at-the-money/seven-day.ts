import type { PricedChain } from '../../pricing/price-chain.ts'
import { expiringScope, liveScope, type Scope } from '../scope.ts'
import { atTheMoney, spotVolatility } from './at-the-money.ts'

/**
 * Contracts of the unexpired expiration that is nearest to seven days away, among those 4 to 14 days away. In a tie,
 * the later one.
 */
export function sevenDayScope(chain: PricedChain): Scope | undefined {
  const near = liveScope(chain)
    .expirations.map((at) => ({ date: chain.expirations[at].date, days: chain.carries[at].days }))
    .filter(({ days }) => days >= 4 && days <= 14)
    .sort((a, b) => Math.abs(a.days - 7) - Math.abs(b.days - 7) || b.days - a.days)
  return near.length === 0 ? undefined : expiringScope(chain, near[0].date)
}

/**
 * At-the-money gamma of a scope divided by the at-the-money gamma of the seven-day expiration. It says how much faster
 * hedges have to be adjusted.
 */
export function gammaAcceleration(scope: Scope): number | undefined {
  const seven = sevenDayScope(scope.chain)
  const here = atTheMoney(scope)?.gamma
  const there = seven && atTheMoney(seven)?.gamma
  return here === undefined || there === undefined || there === 0 ? undefined : here / there
}

/** At-the-money volatility of a scope and of the seven-day expiration, annual fractions. */
export interface VolatilityContext {
  readonly here: number | undefined
  readonly week: number | undefined
  /** At-the-money volatility of the scope divided by that of the seven-day expiration. */
  readonly ratio: number | undefined
}

/**
 * Compares the at-the-money volatility of a scope with the one of the seven-day expiration. A volatility is undefined
 * if no quote implies it.
 */
export function volatilityContext(scope: Scope): VolatilityContext {
  const seven = sevenDayScope(scope.chain)
  const here = spotVolatility(scope)
  const week = seven && spotVolatility(seven)
  return { here, week, ratio: here && week && here / week }
}
