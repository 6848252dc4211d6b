import Type from 'typebox'
import { block } from '../../../api/block.ts'
import { Contracts, Count, Nullable, Ratio } from '../../../api/quantity.ts'
import { putCallByExpiration } from '../../../exposure/open-interest/open-interest-profile.ts'
import { putCallTotals } from '../../../exposure/open-interest/put-call-totals.ts'
import type { Scope } from '../../../exposure/scope.ts'

export const flowBlock = block(
  Type.Object(
    {
      total_call_oi: Contracts(),
      total_put_oi: Contracts(),
      total_call_volume: Contracts(),
      total_put_volume: Contracts(),
      pc_ratio_oi: Nullable(Ratio('puts over calls')),
      pc_ratio_volume: Nullable(Ratio('puts over calls')),
      active_expirations: Count('dates with a live contract')
    },
    { title: 'SummaryFlow' }
  ),
  (scope: Scope) => {
    const { callOi, putOi, callVolume, putVolume, oiRatio, volumeRatio } = putCallTotals(scope)
    return {
      total_call_oi: callOi,
      total_put_oi: putOi,
      total_call_volume: callVolume,
      total_put_volume: putVolume,
      pc_ratio_oi: oiRatio,
      pc_ratio_volume: volumeRatio,
      active_expirations: putCallByExpiration(scope).length
    }
  }
)
