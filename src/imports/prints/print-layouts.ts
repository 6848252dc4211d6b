import type { KnownLayout } from '../tables/known-layout.ts'
import type { PrintLayout } from './print-table.ts'

/** Tables of prints of vendors, recognized by their headings. */
export const printLayouts: readonly KnownLayout<keyof PrintLayout>[] = [
  {
    name: 'datashop-trades',
    columns: {
      symbol: ['underlying_symbol'],
      time: ['quote_datetime'],
      sequence: ['sequence_number'],
      root: ['root'],
      expiration: ['expiration'],
      strike: ['strike'],
      right: ['option_type'],
      exchange: ['exchange_id'],
      size: ['trade_size'],
      price: ['trade_price'],
      condition: ['trade_condition_id'],
      cancel_code: ['canceled_trade_condition_id'],
      bid: ['best_bid'],
      ask: ['best_ask'],
      underlying_bid: ['underlying_bid'],
      underlying_ask: ['underlying_ask']
    },
    dates: 'mdy'
  },
  {
    name: 'thetadata',
    columns: {
      root: ['symbol', 'root'],
      expiration: ['expiration'],
      strike: ['strike'],
      right: ['right'],
      time: ['trade_timestamp', 'timestamp'],
      sequence: ['sequence'],
      condition: ['condition'],
      size: ['size'],
      exchange: ['exchange'],
      price: ['price']
    },
    optional: { quote_time: ['quote_timestamp'], bid: ['bid'], ask: ['ask'] },
    telling: ['ext_condition1']
  }
]
