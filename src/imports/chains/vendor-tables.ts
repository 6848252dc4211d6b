import { datashopTables, exchangeTables } from './exchange-tables.ts'
import { feedTables } from './feed-tables.ts'
import { atClose, type VendorTable } from './vendor-layout.ts'

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
  },
  ...feedTables
]
