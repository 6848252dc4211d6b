import { CALL, CONTRACT_SIZE, known } from '../../market/chain.ts'
import { percentOf, ratio } from '../../math/optional.ts'
import { mid } from '../../pricing/parity.ts'
import { byStrike, sumOf, totalVolume } from '../by-strike.ts'
import type { Scope } from '../scope.ts'

export interface PutCallTotals {
  readonly callOi: number
  readonly putOi: number
  readonly callVolume: number
  readonly putVolume: number
  /** Open interest of puts divided by open interest of calls. Undefined if no call is open. */
  readonly oiRatio: number | undefined
  readonly volumeRatio: number | undefined
}

export function putCallTotals(scope: Scope): PutCallTotals {
  const rows = byStrike(scope)
  return withRatios({
    callOi: sumOf(rows, (row) => row.callOi),
    putOi: sumOf(rows, (row) => row.putOi),
    callVolume: sumOf(rows, (row) => row.callVolume),
    putVolume: sumOf(rows, (row) => row.putVolume)
  })
}

/** Adds two put/call ratios to a row: of open interest and of volume. A ratio is undefined if the calls have none. */
export function withRatios<Row extends Omit<PutCallTotals, 'oiRatio' | 'volumeRatio'>>(row: Row) {
  return { ...row, oiRatio: ratio(row.putOi, row.callOi), volumeRatio: ratio(row.putVolume, row.callVolume) }
}

/** Concentration of a scope's volume, in percent of its total. Undefined without volume. */
export interface VolumeConcentration {
  /** Percentage of the volume that is at strikes within half a percent of spot. */
  readonly atTheMoney: number | undefined
  readonly busiestThree: number | undefined
}

/** Volume counts as at the money up to this distance of the strike from spot, as a fraction of spot. */
const NEAR_REACH = 0.005

export function volumeConcentration(scope: Scope): VolumeConcentration {
  const rows = byStrike(scope)
  const { spot } = scope.chain
  const total = sumOf(rows, totalVolume)
  const near = rows.filter(({ strike }) => Math.abs(strike - spot) <= NEAR_REACH * spot)
  const busiest = rows.map(totalVolume).sort((a, b) => b - a)
  const topThree = sumOf(busiest.slice(0, 3), (volume) => volume)
  return { atTheMoney: percentOf(sumOf(near, totalVolume), total), busiestThree: percentOf(topThree, total) }
}

export interface TradedPremium {
  readonly calls: number
  readonly puts: number
}

/**
 * Premium traded in calls and in puts of a scope, USD: the sum of volume × mid × contract size. Contracts without both
 * bid and ask add nothing. Source: the published API contract.
 */
export function tradedPremium({ chain, slots }: Scope): TradedPremium {
  let [calls, puts] = [0, 0]
  for (const i of slots) {
    const middle = mid(chain, i)
    if (Number.isNaN(middle)) continue
    const premium = known(chain.volume[i]) * middle * CONTRACT_SIZE
    if (chain.right[i] === CALL) calls += premium
    else puts += premium
  }
  return { calls, puts }
}
