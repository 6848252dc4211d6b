import Type from 'typebox'
import { Contracts, Count, Nullable, Ratio } from '../../../api/quantity.ts'
import { sumOf } from '../../../exposure/by-strike.ts'
import { putCallByExpiration } from '../../../exposure/open-interest-profile.ts'
import type { Scope } from '../../../exposure/scope.ts'

export const optionsFlow = Type.Object({
  total_call_oi: Contracts(),
  total_put_oi: Contracts(),
  total_call_volume: Contracts(),
  total_put_volume: Contracts(),
  pc_ratio_oi: Nullable(Ratio('puts over calls')),
  pc_ratio_volume: Nullable(Ratio('puts over calls')),
  active_expirations: Count('dates with a live contract')
})

const over = (part: number, whole: number) => (whole === 0 ? undefined : part / whole)

export function wireFlow(scope: Scope) {
  const rows = putCallByExpiration(scope)
  const callOi = sumOf(rows, (row) => row.callOi)
  const putOi = sumOf(rows, (row) => row.putOi)
  const callVolume = sumOf(rows, (row) => row.callVolume)
  const putVolume = sumOf(rows, (row) => row.putVolume)
  return {
    total_call_oi: callOi,
    total_put_oi: putOi,
    total_call_volume: callVolume,
    total_put_volume: putVolume,
    pc_ratio_oi: over(putOi, callOi),
    pc_ratio_volume: over(putVolume, callVolume),
    active_expirations: rows.length
  }
}
