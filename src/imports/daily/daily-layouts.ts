import type { KnownLayout } from '../tables/known-layout.ts'

type DailyField = 'symbol' | 'date' | 'open' | 'high' | 'low' | 'close' | 'volume'

/** Tables of daily bars whose headings differ from the names of our fields. */
export const dailyLayouts: readonly KnownLayout<DailyField>[] = [
  {
    name: 'nasdaq',
    columns: { date: ['Date'], close: ['Close/Last'], open: ['Open'], high: ['High'], low: ['Low'] },
    optional: { volume: ['Volume'] },
    dates: 'mdy'
  },
  {
    name: 'investing',
    columns: { date: ['Date'], close: ['Price'], open: ['Open'], high: ['High'], low: ['Low'] },
    optional: { volume: ['Vol.'] },
    telling: ['Change %']
  },
  {
    name: 'massive',
    columns: {
      symbol: ['ticker'],
      date: ['window_start'],
      open: ['open'],
      high: ['high'],
      low: ['low'],
      close: ['close'],
      volume: ['volume']
    },
    telling: ['transactions']
  },
  {
    name: 'databento',
    columns: {
      symbol: ['symbol'],
      date: ['ts_event'],
      open: ['open'],
      high: ['high'],
      low: ['low'],
      close: ['close'],
      volume: ['volume']
    },
    billionths: ['open', 'high', 'low', 'close']
  },
  {
    name: 'thetadata',
    columns: { date: ['created'], open: ['open'], high: ['high'], low: ['low'], close: ['close'], volume: ['volume'] },
    telling: ['last_trade']
  },
  {
    name: 'alphavantage',
    columns: { date: ['timestamp'], open: ['open'], high: ['high'], low: ['low'], close: ['close'] },
    optional: { volume: ['volume'], symbol: ['symbol'] }
  },
  // Tables of many symbols, as programs collect them.
  {
    name: 'tickers',
    columns: { symbol: ['ticker', 'tic', 'act_symbol', 'name'], date: ['date', 'datetime'], close: ['close'] },
    optional: { open: ['open'], high: ['high'], low: ['low'], volume: ['volume'] }
  },
  // Answers in JSON of Schwab, Massive and Alpha Vantage, and tables of pandas.
  {
    name: 'candles',
    columns: {
      date: ['datetime', 'index', 't'],
      open: ['open', '1. open', 'o'],
      high: ['high', '2. high', 'h'],
      low: ['low', '3. low', 'l'],
      close: ['close', '4. close', 'c']
    },
    optional: { volume: ['volume', '5. volume', 'v'], symbol: ['symbol', 'ticker', 'Meta Data.2. Symbol'] }
  },
  {
    name: 'stooq',
    columns: {
      symbol: ['<TICKER>'],
      date: ['<DATE>'],
      open: ['<OPEN>'],
      high: ['<HIGH>'],
      low: ['<LOW>'],
      close: ['<CLOSE>'],
      volume: ['<VOL>']
    },
    telling: ['<PER>']
  },
  {
    name: 'barchart',
    columns: { date: ['Time'], open: ['Open'], high: ['High'], low: ['Low'], close: ['Latest', 'Last'] },
    optional: { volume: ['Volume'] },
    dates: 'mdy'
  }
]
