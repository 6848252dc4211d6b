import Type from 'typebox'
import { block } from '../../../api/block.ts'
import {
  Contracts,
  DataScore,
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
import { totalOi } from '../../../exposure/by-strike.ts'
import { keyLevels } from '../../../exposure/levels/key-levels.ts'
import { levelCluster } from '../../../exposure/levels/level-cluster.ts'
import { walls } from '../../../exposure/levels/walls.ts'
import { dataQualityScore, greekSmoothness } from '../../../exposure/liquidity/data-quality.ts'
import { liquidity } from '../../../exposure/liquidity/liquidity.ts'
import { putCallTotals, volumeConcentration } from '../../../exposure/open-interest/put-call-totals.ts'
import { hasExpired, type Scope } from '../../../exposure/scope.ts'
import { ratio } from '../../../math/optional.ts'

export const sameDayFlowBlock = block(
  Type.Object(
    {
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
    },
    { title: 'ZeroDteFlow' }
  ),
  (scope: Scope) => {
    const { callOi, putOi, callVolume, putVolume, oiRatio, volumeRatio } = putCallTotals(scope)
    const { atTheMoney, busiestThree } = volumeConcentration(scope)
    return {
      total_volume: callVolume + putVolume,
      call_volume: callVolume,
      put_volume: putVolume,
      net_call_minus_put_volume: callVolume - putVolume,
      total_oi: callOi + putOi,
      call_oi: callOi,
      put_oi: putOi,
      pc_ratio_volume: volumeRatio,
      pc_ratio_oi: oiRatio,
      volume_to_oi_ratio: ratio(callVolume + putVolume, callOi + putOi),
      atm_volume_share_pct: atTheMoney,
      top3_strike_volume_pct: busiestThree
    }
  }
)

export const levelsBlock = block(
  Type.Object(
    {
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
    },
    { title: 'ZeroDteLevels' }
  ),
  (scope: Scope) => {
    const { call, put } = walls(scope)
    const { magnet, highestOi, maxPositiveGamma, maxNegativeGamma } = keyLevels(scope)
    return {
      call_wall: call?.strike,
      call_wall_gex: call?.gex,
      call_wall_strength: call?.strength,
      distance_to_call_wall_pct: call?.distance,
      put_wall: put?.strike,
      put_wall_gex: put?.gex,
      put_wall_strength: put?.strength,
      distance_to_put_wall_pct: put?.distance,
      distance_to_magnet_dollars: magnet && Math.abs(scope.chain.spot - magnet.strike),
      highest_oi_strike: highestOi?.strike,
      highest_oi_total: highestOi && totalOi(highestOi),
      max_positive_gamma: maxPositiveGamma?.strike,
      max_negative_gamma: maxNegativeGamma?.strike,
      level_cluster_score: levelCluster(scope)
    }
  }
)

export const liquidityBlock = block(
  Type.Object(
    {
      atm_spread_pct: Nullable(Percent()),
      weighted_spread_pct: Nullable(Percent('by open interest, within strike_range')),
      execution_score: Nullable(DataScore())
    },
    { title: 'ZeroDteLiquidity' }
  ),
  (scope: Scope, window: number) => {
    const { atmSpread, weightedSpread, executionScore } = liquidity(scope, window)
    return { atm_spread_pct: atmSpread, weighted_spread_pct: weightedSpread, execution_score: executionScore }
  }
)

export const metadataBlock = block(
  Type.Object(
    {
      snapshot_age_seconds: Nullable(Seconds('how far the source runs behind the market')),
      chain_contract_count: Contracts(),
      data_quality_score: Nullable(DataScore()),
      greek_smoothness_score: Nullable(Score())
    },
    { title: 'ZeroDteMetadata' }
  ),
  (scope: Scope, window: number) => {
    return {
      snapshot_age_seconds: scope.chain.delay,
      chain_contract_count: scope.slots.length,
      data_quality_score: hasExpired(scope) ? undefined : dataQualityScore(scope),
      greek_smoothness_score: greekSmoothness(scope, window)
    }
  }
)
