import type { NetExposures } from './net.ts'
import { type ExpirationExposure, expiryBuckets, totalOf } from './term-structure.ts'

/** What the expirations of one bucket expose together. */
export interface ExpiryBucketExposure {
  readonly bucket: (typeof expiryBuckets)[number]['bucket']
  /** Days to expiry, both ends included. */
  readonly range: readonly [first: number, last: number]
  /** Net exposures, and contracts with open interest. */
  readonly total: NetExposures & { readonly contracts: number }
}

/** Expirations added up by days to expiry; buckets without one are left out. */
export function exposureByBucket(expirations: readonly ExpirationExposure[]): readonly ExpiryBucketExposure[] {
  return expiryBuckets.flatMap(({ bucket, range }) => {
    const [first, last] = range
    const inside = expirations.filter(({ days }) => days >= first && days <= last)
    return inside.length === 0 ? [] : [{ bucket, range, total: totalOf(inside) }]
  })
}
