import Type from 'typebox'
import {
  Contracts,
  Notional,
  Nullable,
  Percent,
  Price,
  Ratio,
  Score,
  Seconds,
  Share,
  Usd
} from '../../../api/quantity.ts'
import { byStrike, type StrikeRow, sumOf, totalOi } from '../../../exposure/by-strike.ts'
import { gammaFlip } from '../../../exposure/gamma-flip.ts'
import { keyLevels } from '../../../exposure/levels.ts'
import { liquidity, volatilityStep } from '../../../exposure/liquidity.ts'
import { maxPain } from '../../../exposure/max-pain.ts'
import type { Scope } from '../../../exposure/scope.ts'
import { median } from '../../../math/statistics.ts'
import { NO_SIGMA } from '../../../pricing/price-chain.ts'
import { volatilitiesOf } from '../../../pricing/quote-volatility.ts'
import { block } from './block.ts'
import { moveOf } from './dealers.ts'

const volumeOf = (row: StrikeRow) => row.callVolume + row.putVolume
const over = (part: number, whole: number) => (whole === 0 ? undefined : part / whole)
const percentOver = (part: number, whole: number) => (whole === 0 ? undefined : (100 * part) / whole)

/** Strikes this close to spot, as a fraction of it, count as at the money in volume shares. */
const AT_THE_MONEY_REACH = 0.005

export const flowBlock = block(
  Type.Object({
    total_volume: Contracts(),
    call_volume: Contracts(),
    put_volume: Contracts(),
    net_call_minus_put_volume: Contracts(),
    total_oi: Contracts(),
    call_oi: Contracts(),
    put_oi: Contracts(),
    pc_ratio_volume: Nullable(Ratio()),
    pc_ratio_oi: Nullable(Ratio()),
    volume_to_oi_ratio: Nullable(Ratio()),
    atm_volume_share_pct: Nullable(Percent('share of volume within half a percent of spot')),
    top3_strike_volume_pct: Nullable(Percent('share of the three busiest strikes'))
  }),
  (scope) => {
    const rows = byStrike(scope)
    const { spot } = scope.chain
    const calls = sumOf(rows, (row) => row.callVolume)
    const puts = sumOf(rows, (row) => row.putVolume)
    const callOi = sumOf(rows, (row) => row.callOi)
    const putOi = sumOf(rows, (row) => row.putOi)
    const near = rows.filter(({ strike }) => Math.abs(strike - spot) <= AT_THE_MONEY_REACH * spot)
    const busiest = rows.map(volumeOf).sort((a, b) => b - a)
    return {
      total_volume: calls + puts,
      call_volume: calls,
      put_volume: puts,
      net_call_minus_put_volume: calls - puts,
      total_oi: callOi + putOi,
      call_oi: callOi,
      put_oi: putOi,
      pc_ratio_volume: over(puts, calls),
      pc_ratio_oi: over(putOi, callOi),
      volume_to_oi_ratio: over(calls + puts, callOi + putOi),
      atm_volume_share_pct: percentOver(sumOf(near, volumeOf), calls + puts),
      top3_strike_volume_pct: percentOver(
        sumOf(busiest.slice(0, 3), (volume) => volume),
        calls + puts
      )
    }
  }
)

export const levelsBlock = block(
  Type.Object({
    call_wall: Nullable(Price()),
    call_wall_gex: Nullable(Notional()),
    call_wall_strength: Nullable(Share('of all call gamma')),
    distance_to_call_wall_pct: Nullable(Percent('signed, 100 (wall - spot) / spot')),
    put_wall: Nullable(Price()),
    put_wall_gex: Nullable(Notional('0 or less')),
    put_wall_strength: Nullable(Share('of all put gamma')),
    distance_to_put_wall_pct: Nullable(Percent('signed')),
    distance_to_magnet_dollars: Nullable(Usd()),
    highest_oi_strike: Nullable(Price()),
    highest_oi_total: Nullable(Contracts()),
    max_positive_gamma: Nullable(Price()),
    max_negative_gamma: Nullable(Price()),
    level_cluster_score: Nullable(Score('how closely the levels agree, in moves of a day'))
  }),
  (scope) => {
    const rows = byStrike(scope)
    const { spot } = scope.chain
    const levels = keyLevels(scope)
    const { callWall, putWall, magnet, highestOi } = levels
    const away = (row: StrikeRow | undefined) => row && (100 * (row.strike - spot)) / spot
    return {
      call_wall: callWall?.strike,
      call_wall_gex: callWall?.callGex,
      call_wall_strength:
        callWall &&
        over(
          callWall.callGex,
          sumOf(rows, (row) => row.callGex)
        ),
      distance_to_call_wall_pct: away(callWall),
      put_wall: putWall?.strike,
      put_wall_gex: putWall?.putGex,
      put_wall_strength:
        putWall &&
        over(
          putWall.putGex,
          sumOf(rows, (row) => row.putGex)
        ),
      distance_to_put_wall_pct: away(putWall),
      distance_to_magnet_dollars: magnet && Math.abs(spot - magnet.strike),
      highest_oi_strike: highestOi?.strike,
      highest_oi_total: highestOi && totalOi(highestOi),
      max_positive_gamma: levels.maxPositiveGamma?.strike,
      max_negative_gamma: levels.maxNegativeGamma?.strike,
      level_cluster_score: clusterScore(scope)
    }
  }
)

/** 100 when all levels lie on one strike, 0 when they lie a day's move apart on average. */
function clusterScore(scope: Scope): number | undefined {
  const { callWall, putWall, magnet, highestOi } = keyLevels(scope)
  const levels = [
    gammaFlip(scope),
    magnet?.strike,
    maxPain(scope),
    highestOi?.strike,
    callWall?.strike,
    putWall?.strike
  ].filter((level) => level !== undefined)
  const day = moveOf(scope)?.fullDay
  if (levels.length < 3 || !day) return undefined
  const middle = median(levels)!
  const spread = sumOf(levels, (level) => Math.abs(level - middle)) / levels.length
  return 100 * Math.max(0, 1 - spread / day)
}

export const liquidityBlock = block(
  Type.Object({
    atm_spread_pct: Nullable(Percent()),
    weighted_spread_pct: Nullable(Percent('by open interest, within strike_range')),
    execution_score: Nullable(Score())
  }),
  (scope, window: number) => {
    const { atmSpread, weightedSpread, executionScore } = liquidity(scope, window)
    return { atm_spread_pct: atmSpread, weighted_spread_pct: weightedSpread, execution_score: executionScore }
  }
)

/** A snapshot this old, in seconds, has lost the whole of its mark for age. */
const MAX_AGE = 300

export const metadataBlock = block(
  Type.Object({
    snapshot_age_seconds: Nullable(Seconds('how far the source runs behind the market')),
    chain_contract_count: Contracts(),
    data_quality_score: Nullable(Score()),
    greek_smoothness_score: Nullable(Score())
  }),
  (scope, window: number) => {
    const { chain, slots } = scope
    const withoutGreeks = slots.filter((i) => chain.sigmaSource[i] === NO_SIGMA).length / slots.length
    const withoutVolatility = unquoted(scope) / slots.length
    const step = volatilityStep(scope, window)
    return {
      snapshot_age_seconds: chain.delay,
      chain_contract_count: slots.length,
      data_quality_score: 100 - 40 * withoutGreeks - 40 * withoutVolatility - 20 * Math.min(1, chain.delay / MAX_AGE),
      greek_smoothness_score: step === undefined ? undefined : 100 * Math.max(0, 1 - step / 5)
    }
  }
)

/** Contracts of a scope whose own quote says nothing about volatility. */
function unquoted({ chain, expirations }: Scope): number {
  return expirations.reduce((sum, at) => sum + volatilitiesOf(chain, at, 'mid').filter(Number.isNaN).length, 0)
}
