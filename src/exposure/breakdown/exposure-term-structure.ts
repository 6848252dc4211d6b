import { memoize } from '../../market/memoize.ts'
import type { IsoDate } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { type Book, signConvention } from '../book.ts'
import { charmExposure, deltaExposure, gammaExposure, vannaExposure } from '../contract-exposure.ts'
import type { NetExposures } from '../net.ts'
import { expirationOfSlots, liveScope, type Scope, withBook } from '../scope.ts'

export interface ExpirationExposure extends NetExposures {
  readonly date: IsoDate
  readonly days: number
  readonly contracts: number
}

/**
 * Net exposures of each unexpired date that has open interest, ascending by date. AM- and PM-settled options of a date
 * are added together.
 */
export function exposureByExpiration(
  chain: PricedChain,
  book: Book = signConvention(chain)
): readonly ExpirationExposure[] {
  return byExpiration(withBook(liveScope(chain), book))
}

const byExpiration = memoize((scope: Scope): readonly ExpirationExposure[] => {
  const { chain, slots, book } = scope
  const expirationOf = expirationOfSlots(chain)
  const rows = new Map<IsoDate, { -readonly [Key in keyof ExpirationExposure]: ExpirationExposure[Key] }>()
  for (const i of slots) {
    if (book.openInterest[i] <= 0) continue
    const at = expirationOf[i]
    const { date } = chain.expirations[at]
    let row = rows.get(date)
    if (row === undefined) {
      rows.set(date, (row = { date, days: chain.carries[at].days, contracts: 0, gex: 0, dex: 0, vex: 0, chex: 0 }))
    }
    row.contracts++
    row.gex += gammaExposure(scope, i)
    row.dex += deltaExposure(scope, i)
    row.vex += vannaExposure(scope, i)
    row.chex += charmExposure(scope, i)
  }
  return [...rows.values()]
})

/** Groups of expirations by days to expiry. `range` holds the first and the last day of a group, both included. */
export const expiryBuckets = [
  { bucket: '0-7d', range: [0, 7] },
  { bucket: '8-30d', range: [8, 30] },
  { bucket: '31-60d', range: [31, 60] },
  { bucket: '61-180d', range: [61, 180] },
  { bucket: '180d+', range: [181, 2_147_483_647] }
] as const

export function totalOf(rows: readonly ExpirationExposure[]): NetExposures & { readonly contracts: number } {
  const total = { gex: 0, dex: 0, vex: 0, chex: 0, contracts: 0 }
  for (const row of rows) {
    total.gex += row.gex
    total.dex += row.dex
    total.vex += row.vex
    total.chex += row.chex
    total.contracts += row.contracts
  }
  return total
}

export interface ExpiryBucketExposure {
  readonly bucket: (typeof expiryBuckets)[number]['bucket']
  /** First and last days to expiry of the group, both included. */
  readonly range: readonly [first: number, last: number]
  readonly total: NetExposures & { readonly contracts: number }
}

/**
 * Sums the net exposures of expirations in the groups of `expiryBuckets`. Groups without an expiration are left out.
 */
export function exposureByBucket(expirations: readonly ExpirationExposure[]): readonly ExpiryBucketExposure[] {
  return expiryBuckets.flatMap(({ bucket, range }) => {
    const [first, last] = range
    const inside = expirations.filter(({ days }) => days >= first && days <= last)
    return inside.length === 0 ? [] : [{ bucket, range, total: totalOf(inside) }]
  })
}
