import { exchangePreamble } from './exchange-preamble.ts'
import { atClose, type VendorTable } from './vendor-layout.ts'

/**
 * Columns of Cboe DataShop's "Option EOD Summary", with or without calculated columns. The table holds two snapshots a
 * day, at 15:45 and at the end of the day, because index quotes at 16:15 do not match the index close at 16:00. Option
 * quotes and underlying prices must be taken from the same snapshot. Files of before 2018 have no delivery_code.
 */
function datashop(snapshot: 'eod' | '1545'): VendorTable['columns'] {
  return {
    symbol: ['underlying_symbol'],
    date: ['quote_date'],
    root: ['root'],
    expiration: ['expiration'],
    strike: ['strike'],
    right: ['option_type'],
    bid: [`bid_${snapshot}`],
    ask: [`ask_${snapshot}`],
    bid_size: [`bid_size_${snapshot}`],
    ask_size: [`ask_size_${snapshot}`],
    underlying_bid: [`underlying_bid_${snapshot}`],
    underlying_ask: [`underlying_ask_${snapshot}`],
    open_interest: ['open_interest']
  }
}

export const datashopTables: readonly VendorTable[] = [
  {
    name: 'datashop',
    columns: { ...datashop('eod'), volume: ['trade_volume'] },
    optional: { adjusted: ['delivery_code'] },
    dates: 'mdy',
    beforeClose: 0,
    rootsOfSymbol: true
  },
  // Has no volume: the column holds the whole day's volume, which was not known at 15:45.
  {
    name: 'datashop-1545',
    columns: datashop('1545'),
    optional: { adjusted: ['delivery_code'] },
    dates: 'mdy',
    beforeClose: 15,
    rootsOfSymbol: true
  },
  // Has no volume: the column holds the volume of one interval, not of the session so far.
  {
    name: 'datashop-intervals',
    columns: {
      symbol: ['underlying_symbol'],
      date: ['quote_datetime'],
      root: ['root'],
      expiration: ['expiration'],
      strike: ['strike'],
      right: ['option_type'],
      bid: ['bid'],
      ask: ['ask'],
      bid_size: ['bid_size'],
      ask_size: ['ask_size'],
      underlying_bid: ['underlying_bid'],
      underlying_ask: ['underlying_ask']
    },
    optional: { open_interest: ['open_interest'] },
    dates: 'mdy',
    beforeClose: 0,
    rootsOfSymbol: true
  }
]

/** Figures of the exchange's quote table: the first column of a name is of the call, the second of the put. */
function exchangeColumns(volume: string, openInterest: string): VendorTable['columns'] {
  return {
    call_last: ['Last Sale#1'],
    call_bid: ['Bid#1'],
    call_ask: ['Ask#1'],
    call_volume: [`${volume}#1`],
    call_open_interest: [`${openInterest}#1`],
    put_last: ['Last Sale#2'],
    put_bid: ['Bid#2'],
    put_ask: ['Ask#2'],
    put_volume: [`${volume}#2`],
    put_open_interest: [`${openInterest}#2`]
  }
}

/** Quote tables that the exchange offers for download: calls left, puts right, spot and moment above the heading. */
export const exchangeTables: readonly VendorTable[] = [
  {
    name: 'exchange',
    columns: { occ: ['Calls'], ...exchangeColumns('Volume', 'Open Interest') },
    telling: ['Expiration Date', 'Strike', 'Puts'],
    preamble: exchangePreamble,
    ...atClose
  },
  {
    name: 'exchange-2018',
    columns: { occ: ['Calls'], ...exchangeColumns('Vol', 'Open Int') },
    telling: ['Expiration Date', 'Strike', 'Puts'],
    preamble: exchangePreamble,
    ...atClose
  },
  {
    name: 'exchange-2017',
    columns: { occ: ['Calls'], ...exchangeColumns('Vol', 'Open Int') },
    telling: ['Puts'],
    preamble: exchangePreamble,
    ...atClose
  }
]
