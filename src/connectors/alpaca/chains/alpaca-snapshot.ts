import { newestOf } from '../../../market/payload-moment.ts'
import type { Instant } from '../../../market/units.ts'
import type { VendorFields } from '../../port/http/vendor-fields.ts'
import { alpacaReader, optional, timeIn } from '../alpaca-fields.ts'

/** One option from a response of `/v1beta1/options/snapshots`. Prices in USD per share. */
export interface AlpacaSnapshotRow {
  /** OCC symbol without spaces. */
  readonly occ: string
  /** Undefined if the contract has no quote. */
  readonly quote: RowQuote | undefined
  /** Last trade; undefined if the contract never traded. */
  readonly trade: { readonly price: number; readonly time: Instant } | undefined
  /** Volume of a daily bar, in contracts, and the bar's time; undefined if absent. */
  readonly day: { readonly volume: number; readonly time: Instant } | undefined
}

interface RowQuote {
  readonly bid: number
  readonly ask: number
  readonly bidSize: number
  readonly askSize: number
  readonly time: Instant
}

export function readSnapshots(page: VendorFields): readonly AlpacaSnapshotRow[] {
  const snapshots = alpacaReader.object(page, 'snapshots')
  return Object.keys(snapshots).map((occ) => {
    const fields = alpacaReader.object(snapshots, occ)
    return {
      occ,
      quote: optional(fields, 'latestQuote', (quote) => ({
        bid: alpacaReader.number(quote, 'bp'),
        ask: alpacaReader.number(quote, 'ap'),
        bidSize: alpacaReader.number(quote, 'bs'),
        askSize: alpacaReader.number(quote, 'as'),
        time: timeIn(quote, 't')
      })),
      trade: optional(fields, 'latestTrade', (trade) => ({
        price: alpacaReader.number(trade, 'p'),
        time: timeIn(trade, 't')
      })),
      day: optional(fields, 'dailyBar', (bar) => ({ volume: alpacaReader.number(bar, 'v'), time: timeIn(bar, 't') }))
    }
  })
}

export const newestInAlpacaRow = ({ quote, trade }: AlpacaSnapshotRow) => newestOf([quote?.time, trade?.time])
