import type { KnownLayout } from '../tables/known-layout.ts'
import type { ChainField } from './chain-table.ts'
import { exchangePreamble, type PreambleReader } from './exchange-preamble.ts'

export interface VendorTable extends KnownLayout<ChainField> {
  /** Number of minutes before the close at which the quotes were taken. */
  readonly beforeClose: number
  /** True if an option root other than the symbol marks an adjusted contract, which does not deliver 100 shares. */
  readonly rootsOfSymbol: boolean
  /** Columns whose prices may be whole numbers of billionths of a USD. */
  readonly billionths?: readonly ChainField[]
  /** Reads what the lines before the heading state about all rows. */
  readonly preamble?: PreambleReader
  /** Matches the name of a file that states `symbol`, `date` or `expiration` of all rows, by groups of these names. */
  readonly inName?: RegExp
}

const atClose = { beforeClose: 0, rootsOfSymbol: false } as const

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

const datashopTables: readonly VendorTable[] = [
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
const exchangeTables: readonly VendorTable[] = [
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

/** Tables of vendors. In all of them, a row's open interest was published on the morning of its date. */
export const vendorTables: readonly VendorTable[] = [
  ...datashopTables,
  ...exchangeTables,
  {
    name: 'historicaloptiondata',
    columns: {
      symbol: ['UnderlyingSymbol', 'underlying'],
      underlying_price: ['UnderlyingPrice', 'underlying_last'],
      occ: ['OptionSymbol', 'optionroot'],
      date: ['DataDate', 'quotedate'],
      last: ['Last'],
      bid: ['Bid'],
      ask: ['Ask'],
      volume: ['Volume'],
      open_interest: ['OpenInterest']
    },
    dates: 'mdy',
    ...atClose
  },
  {
    name: 'optionsdx',
    columns: {
      date: ['[QUOTE_DATE]'],
      time: ['[QUOTE_UNIXTIME]'],
      underlying_price: ['[UNDERLYING_LAST]'],
      expiration: ['[EXPIRE_DATE]'],
      strike: ['[STRIKE]'],
      call_bid: ['[C_BID]'],
      call_ask: ['[C_ASK]'],
      call_last: ['[C_LAST]'],
      call_sizes: ['[C_SIZE]'],
      call_volume: ['[C_VOLUME]'],
      put_bid: ['[P_BID]'],
      put_ask: ['[P_ASK]'],
      put_last: ['[P_LAST]'],
      put_sizes: ['[P_SIZE]'],
      put_volume: ['[P_VOLUME]']
    },
    inName: /^(?<symbol>[a-z]{1,5})_(?:eod|\d+x|\d+min)_\d{4,6}/i,
    ...atClose
  },
  {
    name: 'gammawall',
    columns: {
      symbol: ['symbol'],
      date: ['session'],
      time: ['ts'],
      root: ['root'],
      expiration: ['expiration'],
      strike: ['strike'],
      right: ['right'],
      bid: ['bid'],
      ask: ['ask'],
      last: ['last'],
      bid_size: ['bid_size'],
      ask_size: ['ask_size'],
      volume: ['volume'],
      open_interest: ['open_interest'],
      underlying_price: ['spot']
    },
    zone: 'UTC',
    ...atClose
  },
  {
    name: 'yfinance',
    columns: {
      occ: ['contractSymbol'],
      last: ['lastPrice'],
      bid: ['bid'],
      ask: ['ask'],
      volume: ['volume'],
      open_interest: ['openInterest']
    },
    optional: {
      date: ['date', 'quote_date', 'quotedate', 'snapshot_date', 'asof', 'timestamp', 'fetched_at', 'retrieved_at'],
      underlying_price: ['underlying_price', 'underlyingPrice', 'spot', 'stock_price', 'regularMarketPrice']
    },
    telling: ['lastTradeDate'],
    ...atClose
  },
  {
    name: 'ivolatility',
    columns: {
      symbol: ['symbol'],
      date: ['date'],
      root: ['option symbol'],
      expiration: ['expiration', 'option expiration'],
      strike: ['strike'],
      right: ['call/put'],
      bid: ['bid'],
      ask: ['ask'],
      volume: ['volume'],
      open_interest: ['open interest'],
      underlying_price: ['stock price for iv', 'stock price', 'adjusted stock close price', 'adjusted close']
    },
    dates: 'mdy',
    ...atClose
  },
  // Its quotes are taken 14 minutes before the close.
  {
    name: 'orats',
    columns: {
      symbol: ['ticker'],
      date: ['trade_date', 'tradeDate'],
      expiration: ['expirDate'],
      strike: ['strike'],
      underlying_price: ['stkPx', 'stockPrice'],
      call_bid: ['cBidPx', 'callBidPrice'],
      call_ask: ['cAskPx', 'callAskPrice'],
      call_volume: ['cVolu', 'callVolume'],
      call_open_interest: ['cOi', 'callOpenInterest'],
      put_bid: ['pBidPx', 'putBidPrice'],
      put_ask: ['pAskPx', 'putAskPrice'],
      put_volume: ['pVolu', 'putVolume'],
      put_open_interest: ['pOi', 'putOpenInterest']
    },
    optional: {
      call_bid_size: ['callBidSize'],
      call_ask_size: ['callAskSize'],
      put_bid_size: ['putBidSize'],
      put_ask_size: ['putAskSize']
    },
    dates: 'mdy',
    beforeClose: 14,
    rootsOfSymbol: false
  },
  {
    name: 'barchart',
    columns: {
      strike: ['Strike'],
      right: ['Type'],
      bid: ['Bid'],
      ask: ['Ask'],
      last: ['Last', 'Latest'],
      volume: ['Volume'],
      open_interest: ['Open Int', 'Open Interest']
    },
    optional: {
      symbol: ['Symbol'],
      expiration: ['Exp Date', 'Expiration Date', 'Expires'],
      underlying_price: ['Price~', 'Base Last Price']
    },
    telling: ['Moneyness'],
    dates: 'mdy',
    inName:
      /^\$?(?<symbol>[a-z.]{1,6})-options-(?:exp-)?(?<expiration>\d{4}-\d{2}-\d{2}).*?(?<date>\d{2}-\d{2}-\d{4})/i,
    ...atClose
  },
  {
    name: 'databento',
    columns: {
      occ: ['symbol'],
      date: ['ts_recv'],
      bid: ['bid_px_00'],
      ask: ['ask_px_00'],
      bid_size: ['bid_sz_00'],
      ask_size: ['ask_sz_00']
    },
    telling: ['bid_pb_00', 'ask_pb_00'],
    billionths: ['bid', 'ask'],
    zone: 'UTC',
    ...atClose
  },
  {
    name: 'massive',
    columns: { occ: ['ticker'], date: ['window_start'], last: ['close'], volume: ['volume'] },
    telling: ['transactions', 'open', 'high', 'low'],
    ...atClose
  },
  // The second version wrote strikes in thousandths of a USD.
  {
    name: 'thetadata-v2',
    columns: {
      symbol: ['root'],
      date: ['date'],
      expiration: ['expiration'],
      strike: ['strike/1000'],
      right: ['right'],
      bid: ['bid'],
      ask: ['ask'],
      bid_size: ['bid_size'],
      ask_size: ['ask_size']
    },
    optional: { last: ['close'], volume: ['volume'], underlying_price: ['underlying_price'] },
    telling: ['ms_of_day', 'bid_exchange', 'ask_condition'],
    ...atClose
  },
  {
    name: 'thetadata',
    columns: {
      symbol: ['symbol', 'root'],
      date: ['created', 'timestamp', 'date'],
      expiration: ['expiration'],
      strike: ['strike'],
      right: ['right'],
      bid: ['bid'],
      ask: ['ask'],
      bid_size: ['bid_size'],
      ask_size: ['ask_size']
    },
    optional: { last: ['close'], volume: ['volume'], underlying_price: ['underlying_price'] },
    telling: ['bid_exchange', 'ask_condition'],
    ...atClose
  },
  {
    name: 'alphavantage',
    columns: {
      occ: ['contractID', 'contract_id'],
      symbol: ['symbol'],
      date: ['date'],
      last: ['last'],
      bid: ['bid'],
      ask: ['ask'],
      bid_size: ['bid_size'],
      ask_size: ['ask_size'],
      volume: ['volume'],
      open_interest: ['open_interest']
    },
    telling: ['mark', 'type'],
    ...atClose
  },
  {
    name: 'optionmetrics',
    columns: {
      date: ['date'],
      root: ['symbol'],
      expiration: ['exdate'],
      strike: ['strike_price/1000'],
      right: ['cp_flag'],
      bid: ['best_bid'],
      ask: ['best_offer'],
      volume: ['volume'],
      open_interest: ['open_interest']
    },
    optional: { symbol: ['ticker'], underlying_price: ['underlying_price', 'spot_price'], adjusted: ['ss_flag'] },
    ...atClose
  },
  {
    name: 'marketdata',
    columns: {
      occ: ['optionSymbol'],
      symbol: ['underlying'],
      date: ['updated'],
      bid: ['bid'],
      ask: ['ask'],
      bid_size: ['bidSize'],
      ask_size: ['askSize'],
      last: ['last'],
      volume: ['volume'],
      open_interest: ['openInterest'],
      underlying_price: ['underlyingPrice']
    },
    ...atClose
  },
  {
    name: 'dolthub',
    columns: {
      symbol: ['act_symbol'],
      date: ['date'],
      expiration: ['expiration'],
      strike: ['strike'],
      right: ['call_put'],
      bid: ['bid'],
      ask: ['ask']
    },
    ...atClose
  }
]
