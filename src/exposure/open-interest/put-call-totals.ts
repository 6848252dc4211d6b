import { CALL, CONTRACT_SIZE, known } from '../../market/chain.ts'
import { percentOf, ratio } from '../../math/optional.ts'
import { mid } from '../../pricing/parity.ts'
import { byStrike, sumOf, totalVolume } from '../by-strike.ts'
import type { Scope } from '../scope.ts'

/** Open interest and volume of both sides, contracts, and puts over calls. */
export interface PutCallTotals {
  readonly callOi: number
  readonly putOi: number
  readonly callVolume: number
  readonly putVolume: number
  /** Undefined without a call. */
  readonly oiRatio: number | undefined
  readonly volumeRatio: number | undefined
}

/** The totals of a scope. */
export function putCallTotals(scope: Scope): PutCallTotals {
  const rows = byStrike(scope)
  return withRatios({
    callOi: sumOf(rows, (row) => row.callOi),
    putOi: sumOf(rows, (row) => row.putOi),
    callVolume: sumOf(rows, (row) => row.callVolume),
    putVolume: sumOf(rows, (row) => row.putVolume)
  })
}

/** Open interest and volume of both sides with puts over calls. */
export function withRatios<Row extends Omit<PutCallTotals, 'oiRatio' | 'volumeRatio'>>(row: Row) {
  return { ...row, oiRatio: ratio(row.putOi, row.callOi), volumeRatio: ratio(row.putVolume, row.callVolume) }
}

/** Where a scope's volume trades, percent of it. Undefined without volume. */
export interface VolumeConcentration {
  /** At strikes within half a percent of spot. */
  readonly atTheMoney: number | undefined
  /** At the three busiest strikes. */
  readonly busiestThree: number | undefined
}

/** Strikes this close to spot, as a fraction of it, count as at the money in volume shares. */
const NEAR_REACH = 0.005

/** How much of the volume is at the money and at the busiest strikes. */
export function volumeConcentration(scope: Scope): VolumeConcentration {
  const rows = byStrike(scope)
  const { spot } = scope.chain
  const total = sumOf(rows, totalVolume)
  const near = rows.filter(({ strike }) => Math.abs(strike - spot) <= NEAR_REACH * spot)
  const busiest = rows.map(totalVolume).sort((a, b) => b - a)
  const topThree = sumOf(busiest.slice(0, 3), (volume) => volume)
  return { atTheMoney: percentOf(sumOf(near, totalVolume), total), busiestThree: percentOf(topThree, total) }
}

/** What the volume of a session is worth at the mids of now, USD. */
export interface TradedPremium {
  readonly calls: number
  readonly puts: number
}

/** Volume times mid of a scope by side; a contract without a two-sided quote adds nothing. Source: the wire contract. */
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
