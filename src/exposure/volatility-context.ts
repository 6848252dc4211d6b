import { atTheMoney } from './at-the-money.ts'
import { sevenDayScope } from './decay.ts'
import type { Scope } from './scope.ts'

/** Volatility at the money of a scope beside that of the seven-day expiration, annual fractions. */
export interface VolatilityContext {
  readonly here: number | undefined
  readonly week: number | undefined
  /** here / week. */
  readonly ratio: number | undefined
}

/** How a scope's volatility compares with the week's. Undefined where none can be inverted from the quotes. */
export function volatilityContext(scope: Scope): VolatilityContext {
  const seven = sevenDayScope(scope.chain)
  const here = atTheMoney(scope)?.sigma
  const week = seven && atTheMoney(seven)?.sigma
  return { here, week, ratio: here && week && here / week }
}
