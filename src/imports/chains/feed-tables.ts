import { atClose, type VendorTable } from './vendor-layout.ts'

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
  }
]
