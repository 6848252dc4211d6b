import { datashopTables, exchangeTables } from './exchange-tables.ts'
import { feedTables } from './feed-tables.ts'
import { atClose, type VendorTable } from './vendor-layout.ts'

/** Name of a download of Barchart: ko-options-exp-2024-03-15-weekly-show-all-stacked-03-05-2024.csv. */
const barchartName =
  /^\$?(?<symbol>[a-z.]{1,6})-options-(?:exp-)?(?<expiration>\d{4}-\d{2}-\d{2}).*?(?<date>\d{2}-\d{2}-\d{4})/i

/** Names of a column of optionsdx: as it is downloaded, and without its brackets. */
const bracketed = (name: string) => [`[${name}]`, name]

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
      date: bracketed('QUOTE_DATE'),
      time: bracketed('QUOTE_UNIXTIME'),
      underlying_price: bracketed('UNDERLYING_LAST'),
      expiration: bracketed('EXPIRE_DATE'),
      strike: bracketed('STRIKE'),
      call_bid: bracketed('C_BID'),
      call_ask: bracketed('C_ASK'),
      call_last: bracketed('C_LAST'),
      call_sizes: bracketed('C_SIZE'),
      call_volume: bracketed('C_VOLUME'),
      put_bid: bracketed('P_BID'),
      put_ask: bracketed('P_ASK'),
      put_last: bracketed('P_LAST'),
      put_sizes: bracketed('P_SIZE'),
      put_volume: bracketed('P_VOLUME')
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
      date: [
        'date',
        'quote_date',
        'quotedate',
        'quote_time',
        'snapshot_date',
        'snapshot_time',
        'pull_date',
        'download_date',
        'collected_at',
        'as_of',
        'asof',
        'timestamp',
        'datetime',
        'fetched_at',
        'retrieved_at',
        'optionChain.result.quote.regularMarketTime'
      ],
      underlying_price: [
        'underlying_price',
        'underlyingPrice',
        'spot',
        'stock_price',
        'regularMarketPrice',
        'optionChain.result.quote.regularMarketPrice'
      ]
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
  // Its quotes are taken 14 minutes before the close, unless a column states their time.
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
      time: ['snapShotDate', 'quoteDate'],
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
    name: 'barchart-sides',
    columns: {
      strike: ['Strike'],
      call_bid: ['Bid#1'],
      call_ask: ['Ask#1'],
      call_last: ['Last#1', 'Latest#1'],
      call_volume: ['Volume#1'],
      call_open_interest: ['Open Int#1'],
      put_bid: ['Bid#2'],
      put_ask: ['Ask#2'],
      put_last: ['Last#2', 'Latest#2'],
      put_volume: ['Volume#2'],
      put_open_interest: ['Open Int#2']
    },
    telling: ['Last Trade'],
    dates: 'mdy',
    inName: barchartName,
    ...atClose
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
    inName: barchartName,
    ...atClose
  },
  {
    name: 'optionmetrics',
    columns: {
      date: ['date'],
      expiration: ['exdate'],
      strike: ['strike_price/1000'],
      right: ['cp_flag'],
      bid: ['best_bid'],
      ask: ['best_offer'],
      volume: ['volume'],
      open_interest: ['open_interest']
    },
    optional: {
      root: ['symbol'],
      symbol: ['ticker'],
      underlying_price: ['underlying_price', 'spot_price'],
      adjusted: ['ss_flag']
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
  },
  // Fields of a request for options; symbols are called KO US Equity.
  {
    name: 'bloomberg',
    columns: {
      symbol: ['OPT_UNDL_TICKER'],
      expiration: ['OPT_EXPIRE_DT'],
      strike: ['OPT_STRIKE_PX'],
      right: ['OPT_PUT_CALL'],
      bid: ['PX_BID', 'BID'],
      ask: ['PX_ASK', 'ASK']
    },
    optional: {
      date: ['DATE'],
      last: ['PX_LAST', 'LAST_PRICE'],
      volume: ['PX_VOLUME', 'VOLUME'],
      open_interest: ['OPEN_INT'],
      underlying_price: ['OPT_UNDL_PX']
    },
    ...atClose
  },
  ...feedTables
]
