import type { IsoDate } from '../../market/units.ts'
import type { PrintWindow } from '../tape-views.ts'

export interface PrintFilter {
  readonly expiry?: IsoDate | undefined
  /** Minimum size of a print, contracts or shares. */
  readonly minSize?: number
}

/**
 * Rows of the prints that pass a filter, newest first by their own time; of equal times the later arrival comes first.
 */
export function newestFirst({ prints, series }: PrintWindow, { expiry, minSize = 1 }: PrintFilter): readonly number[] {
  const { length, instrument, size, ts } = prints
  const rows: number[] = []
  for (let row = length - 1; row >= 0; row--) {
    if (size[row] < minSize) continue
    if (expiry !== undefined && series.expirations[series.expiration[instrument[row]]].date !== expiry) continue
    rows.push(row)
  }
  return rows.sort((a, b) => ts[b] - ts[a] || b - a)
}
