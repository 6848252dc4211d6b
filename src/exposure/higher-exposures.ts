import { CALL, CONTRACT_SIZE } from '../market/chain.ts'
import { memoize } from '../market/memoize.ts'
import { type HigherGreeks, higherGreeks } from '../pricing/higher-greeks.ts'
import { strikesOf } from './by-strike.ts'
import { underlyingOf } from './contract-exposure.ts'
import { carriesExposure, type Scope } from './scope.ts'

export const higherMeasures = ['speed', 'zomma', 'vomma'] as const satisfies readonly (keyof HigherGreeks)[]
export type HigherMeasure = (typeof higherMeasures)[number]

/** Exposure of a strike by measure, calls and puts apart, USD. */
export interface HigherRow {
  readonly strike: number
  readonly call: Readonly<Record<HigherMeasure, number>>
  readonly put: Readonly<Record<HigherMeasure, number>>
}

/**
 * Factors from a greek per share to USD of one contract held, at a price S of the underlying.
 *
 *     speed   gamma exposure gained if the underlying rises by 1 %:         100 S³ 0.01²
 *     zomma   gamma exposure gained if volatility rises by 1 point:         100 S² 0.01 × 0.01
 *     vomma   vega of a point gained if volatility rises by another point:  100 × 0.01²
 *
 * Gamma exposure is USD of delta per 1 % move. Its change with the price by speed leaves out that S itself grows.
 */
const factors: Readonly<Record<HigherMeasure, (underlying: number) => number>> = {
  speed: (underlying) => CONTRACT_SIZE * underlying ** 3 * 1e-4,
  zomma: (underlying) => CONTRACT_SIZE * underlying ** 2 * 1e-4,
  vomma: () => CONTRACT_SIZE * 1e-4
}

/** Speed, zomma and vomma of what dealers hold by strike, ascending; only strikes at which they hold priced contracts. */
export const higherByStrike = memoize((scope: Scope): readonly HigherRow[] => {
  const { chain, slots, book } = scope
  const greeks = higherGreeks(chain)
  const { strikes, of } = strikesOf(chain)
  const rows = new Map<number, HigherRow & { readonly call: MutableSums; readonly put: MutableSums }>()
  for (const i of slots) {
    if (!carriesExposure(scope, i)) continue
    const strike = strikes[of[i]]
    let row = rows.get(strike)
    if (row === undefined) rows.set(strike, (row = { strike, call: noSums(), put: noSums() }))
    const sums = chain.right[i] === CALL ? row.call : row.put
    const underlying = underlyingOf(scope, i)
    for (const measure of higherMeasures) {
      const greek = greeks[measure][i]
      // A contract priced without time value moves like its underlying: it has none of these.
      if (!Number.isNaN(greek)) sums[measure] += greek * book.position[i] * factors[measure](underlying)
    }
  }
  return [...rows.values()].sort((a, b) => a.strike - b.strike)
})

type MutableSums = Record<HigherMeasure, number>
const noSums = (): MutableSums => ({ speed: 0, zomma: 0, vomma: 0 })

/** Sum of a measure over the strikes of a scope, USD. */
export function netHigher(scope: Scope, measure: HigherMeasure): number {
  return higherByStrike(scope).reduce((sum, { call, put }) => sum + call[measure] + put[measure], 0)
}
