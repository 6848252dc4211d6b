import { gammaExposure, thetaDollars } from '../contract-exposure.ts'
import { carriesExposure, expirationOfSlots, type Scope } from '../scope.ts'

/** Groups of contracts by days to expiry, each with its last day. */
const tenors = [
  { bucket: '0-7d', last: 7 },
  { bucket: '8-30d', last: 30 },
  { bucket: '31-60d', last: 60 },
  { bucket: '60d+', last: Number.POSITIVE_INFINITY }
] as const

export interface TenorBucket {
  readonly bucket: (typeof tenors)[number]['bucket']
  /** Net gamma exposure, USD per 1 % move of spot. */
  readonly netGex: number
  /** Gain of all option holders as time passes, USD, as `thetaDollars` of each contract. */
  readonly netTheta: number
  /** Number of contracts that have greeks and that dealers hold. */
  readonly contracts: number
}

/** Net gamma and theta of a scope, in four groups by days to expiry. All four are always present, nearest first. */
export function tenorBuckets(scope: Scope): readonly TenorBucket[] {
  const { chain, slots } = scope
  const expirationOf = expirationOfSlots(chain)
  const rows = tenors.map(({ bucket }) => ({ bucket, netGex: 0, netTheta: 0, contracts: 0 }))
  const rowOf = chain.carries.map(({ days }) => rows[tenors.findIndex(({ last }) => days <= last)])
  for (const i of slots) {
    if (!carriesExposure(scope, i)) continue
    const row = rowOf[expirationOf[i]]
    row.netGex += gammaExposure(scope, i)
    row.netTheta += thetaDollars(scope, i)
    row.contracts++
  }
  return rows
}
