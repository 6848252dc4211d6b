import type { DailyBar } from './bar.ts'
import type { DailyRecord } from './daily-record.ts'
import type { IsoDate } from './units.ts'

/** A split of a share, as known by its date alone. */
export interface Split {
  /** The first day on which the share trades at the new scale. */
  readonly date: IsoDate
  /** New shares for one old share: 4 after a split of 4 to 1, 0.1 after a reverse one of 1 for 10. 1 cancels a split. */
  readonly ratio: number
}

/**
 * New shares on the day `to` for one share on the day `from`: the product of the ratios of all splits after `from` up to
 * and including `to`. Prices of `from` divided by it are of the scale of `to`. If `to` comes first, it is the inverse.
 */
export function sharesForOne(splits: readonly Split[], from: IsoDate, to: IsoDate): number {
  if (to < from) return 1 / sharesForOne(splits, to, from)
  return splits.reduce((shares, { date, ratio }) => (date > from && date <= to ? shares * ratio : shares), 1)
}

/** A bar in the scale of shares of which `shares` stand for one of its own. */
export function splitBar(bar: DailyBar, shares: number): DailyBar {
  if (shares === 1) return bar
  const { date, open, high, low, close, volume } = bar
  const [o, h, l, c] = [open, high, low, close].map((price) => rounded(price / shares))
  return { date, open: o, high: h, low: l, close: c, volume: rounded(volume * shares) }
}

const pricesOfRecord = ['close', 'straddle', 'gammaFlip', 'callWall', 'putWall'] as const

/** Daily records, each in the scale of its own day, with their prices in the scale of the day `to`. */
export function recordsAsOf(
  records: readonly DailyRecord[],
  splits: readonly Split[],
  to: IsoDate
): readonly DailyRecord[] {
  if (splits.length === 0) return records
  return records.map((record) => splitRecord(record, sharesForOne(splits, record.date, to)))
}

function splitRecord(record: DailyRecord, shares: number): DailyRecord {
  if (shares === 1) return record
  const prices = pricesOfRecord.flatMap((name) => {
    const price = record[name]
    return price === undefined ? [] : [[name, rounded(price / shares)]]
  })
  return { ...record, ...Object.fromEntries(prices) }
}

/** Removes the error of dividing decimal numbers: 705.4 / 10 is 70.54. */
const rounded = (value: number) => (Number.isFinite(value) ? Number(value.toPrecision(12)) : value)
