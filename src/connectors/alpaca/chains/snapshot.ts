import { newestOf } from '../../../market/payload-moment.ts'
import type { Instant } from '../../../market/units.ts'
import type { Fields } from '../../port/http/vendor-fields.ts'
import { optional, reader, timeIn } from '../fields.ts'

/** An option in an answer of `/v1beta1/options/snapshots`. Prices in USD per share. */
export interface SnapshotRow {
  /** OCC symbol without spaces. */
  readonly occ: string
  /** Undefined: nobody quotes it. */
  readonly quote: RowQuote | undefined
  /** The last one; undefined: it never traded. */
  readonly trade: { readonly price: number; readonly time: Instant } | undefined
  /** Contracts traded on the date of the bar; undefined: not told. */
  readonly day: { readonly volume: number; readonly time: Instant } | undefined
}

interface RowQuote {
  readonly bid: number
  readonly ask: number
  readonly bidSize: number
  readonly askSize: number
  readonly time: Instant
}

/** The options of one page. Volatilities and greeks in it are not read: they are left out where they are not solved. */
export function readSnapshots(page: Fields): readonly SnapshotRow[] {
  const snapshots = reader.object(page, 'snapshots')
  return Object.keys(snapshots).map((occ) => {
    const fields = reader.object(snapshots, occ)
    return {
      occ,
      quote: optional(fields, 'latestQuote', (quote) => ({
        bid: reader.number(quote, 'bp'),
        ask: reader.number(quote, 'ap'),
        bidSize: reader.number(quote, 'bs'),
        askSize: reader.number(quote, 'as'),
        time: timeIn(quote, 't')
      })),
      trade: optional(fields, 'latestTrade', (trade) => ({
        price: reader.number(trade, 'p'),
        time: timeIn(trade, 't')
      })),
      day: optional(fields, 'dailyBar', (bar) => ({ volume: reader.number(bar, 'v'), time: timeIn(bar, 't') }))
    }
  })
}

/** The newest time in a row. */
export const newestIn = ({ quote, trade }: SnapshotRow) => newestOf([quote?.time, trade?.time])
