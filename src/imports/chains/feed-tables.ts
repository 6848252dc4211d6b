import { atClose, type VendorTable } from './vendor-layout.ts'

/** Columns of ThetaData's tables of quotes. */
const thetadata = {
  symbol: ['symbol', 'root'],
  expiration: ['expiration'],
  strike: ['strike'],
  right: ['right'],
  bid: ['bid'],
  ask: ['ask']
} as const
const sized = { ...thetadata, bid_size: ['bid_size'], ask_size: ['ask_size'] } as const
const traded = { last: ['close'], volume: ['volume'], underlying_price: ['underlying_price'] } as const
/** The second version wrote strikes in thousandths of a USD, and times as milliseconds since midnight. */
const second = { ...sized, strike: ['strike/1000'], date: ['date'] } as const

const thetadataTables: readonly VendorTable[] = [
  {
    name: 'thetadata-v2',
    columns: second,
    optional: traded,
    telling: ['ms_of_day', 'ms_of_day2', 'bid_exchange', 'ask_condition'],
    ...atClose
  },
  {
    name: 'thetadata-v2-quotes',
    columns: { ...second, time: ['ms_of_day'] },
    optional: traded,
    telling: ['bid_exchange', 'ask_condition'],
    ...atClose
  },
  // Its `timestamp` is the time of the last trade of each contract.
  {
    name: 'thetadata-greeks-eod',
    columns: { ...thetadata, date: ['underlying_timestamp'] },
    optional: { ...traded, bid_size: ['bid_size'], ask_size: ['ask_size'] },
    telling: ['timestamp', 'iv_error', 'open', 'close'],
    ...atClose
  },
  {
    name: 'thetadata-greeks',
    columns: { ...thetadata, date: ['timestamp'], underlying_price: ['underlying_price'] },
    telling: ['iv_error', 'underlying_timestamp'],
    ...atClose
  },
  {
    name: 'thetadata',
    columns: { ...sized, date: ['created', 'timestamp', 'date'] },
    optional: traded,
    telling: ['bid_exchange', 'ask_condition'],
    ...atClose
  }
]

/** Tables that data feeds and brokers send. */
export const feedTables: readonly VendorTable[] = [
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
  // Days of contracts: last prices and volumes, without quotes.
  {
    name: 'databento-ohlcv',
    columns: { occ: ['symbol'], date: ['ts_event'], last: ['close'], volume: ['volume'] },
    telling: ['rtype', 'publisher_id', 'open', 'high', 'low'],
    billionths: ['last'],
    zone: 'UTC',
    ...atClose
  },
  {
    name: 'massive',
    columns: { occ: ['ticker'], date: ['window_start'], last: ['close'], volume: ['volume'] },
    telling: ['transactions', 'open', 'high', 'low'],
    ...atClose
  },
  ...thetadataTables,
  // The answer of the chain snapshot. Each contract has a time of its own, and all have that of the underlying.
  {
    name: 'massive-snapshot',
    columns: {
      occ: ['details.ticker'],
      volume: ['day.volume'],
      open_interest: ['open_interest']
    },
    optional: {
      date: ['underlying_asset.last_updated'],
      last: ['last_trade.price', 'day.close'],
      bid: ['last_quote.bid'],
      ask: ['last_quote.ask'],
      bid_size: ['last_quote.bid_size'],
      ask_size: ['last_quote.ask_size'],
      underlying_price: ['underlying_asset.price']
    },
    ...atClose
  },
  {
    name: 'tradier',
    columns: {
      occ: ['symbol'],
      symbol: ['underlying'],
      bid: ['bid'],
      ask: ['ask'],
      last: ['last'],
      bid_size: ['bidsize'],
      ask_size: ['asksize'],
      volume: ['volume'],
      open_interest: ['open_interest']
    },
    telling: ['root_symbol', 'option_type', 'prevclose'],
    ...atClose
  },
  // Schwab, and TD Ameritrade before it.
  {
    name: 'schwab',
    columns: {
      occ: ['symbol'],
      bid: ['bid'],
      ask: ['ask'],
      last: ['last'],
      bid_size: ['bidSize'],
      ask_size: ['askSize'],
      volume: ['totalVolume'],
      open_interest: ['openInterest']
    },
    optional: { underlying_price: ['underlyingPrice'], date: ['underlying.quoteTime'] },
    telling: ['putCall', 'strikePrice'],
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
  // The price and the day of the underlying stand above its expirations.
  {
    name: 'eodhd',
    columns: {
      occ: ['contractName'],
      bid: ['bid'],
      ask: ['ask'],
      last: ['lastPrice'],
      volume: ['volume'],
      open_interest: ['openInterest']
    },
    optional: { symbol: ['code'], date: ['lastTradeDate'], underlying_price: ['lastTradePrice'] },
    telling: ['contractPeriod', 'inTheMoney'],
    ...atClose
  },
  {
    name: 'eodhd-contracts',
    columns: {
      occ: ['contract'],
      symbol: ['underlying_symbol'],
      date: ['tradetime'],
      bid: ['bid'],
      ask: ['ask'],
      last: ['last'],
      volume: ['volume'],
      open_interest: ['open_interest']
    },
    optional: { bid_size: ['bid_size'], ask_size: ['ask_size'] },
    telling: ['exp_date', 'expiration_type'],
    ...atClose
  },
  {
    name: 'intrinio',
    columns: {
      expiration: ['option.expiration'],
      strike: ['option.strike'],
      right: ['option.type'],
      date: ['prices.date', 'price.date'],
      bid: ['prices.close_bid', 'price.close_bid'],
      ask: ['prices.close_ask', 'price.close_ask']
    },
    optional: {
      symbol: ['option.ticker'],
      last: ['prices.close', 'price.close'],
      bid_size: ['prices.close_bid_size', 'price.close_bid_size'],
      ask_size: ['prices.close_ask_size', 'price.close_ask_size'],
      volume: ['prices.volume', 'price.volume'],
      open_interest: ['prices.open_interest', 'price.open_interest']
    },
    ...atClose
  },
  // Calls and puts of a strike side by side, below a row with their expiration.
  {
    name: 'nasdaq',
    columns: {
      expiration: ['expirygroup'],
      strike: ['strike'],
      call_bid: ['c_Bid'],
      call_ask: ['c_Ask'],
      call_last: ['c_Last'],
      call_volume: ['c_Volume'],
      call_open_interest: ['c_Openinterest'],
      put_bid: ['p_Bid'],
      put_ask: ['p_Ask'],
      put_last: ['p_Last'],
      put_volume: ['p_Volume'],
      put_open_interest: ['p_Openinterest']
    },
    ...atClose
  }
]
