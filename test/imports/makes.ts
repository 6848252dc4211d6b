import type { ChainTableOptions } from '../../src/imports/chains/import-chains.ts'
import { chainColumnsFrom } from '../../src/imports/chains/vendor-table.ts'

// Tables of several makes with the contracts of some closes, as cells that can be written in any form: the tests of
// properties change the order, the dialect and the forms of all of them.

/** Content of a cell: a text, a number, or a date that is written in the form of the table. */
export type Cell = string | number | { readonly date: string }

export interface Make {
  /** Name of the file without its end. */
  readonly name: string
  readonly above?: readonly (readonly string[])[]
  readonly heading: readonly string[] | undefined
  /** One row for each contract, or for each strike, by moment. */
  readonly rows: readonly (readonly Cell[])[]
  readonly below?: readonly (readonly string[])[]
  /** Rows of one moment, which follow each other. */
  readonly every: number
  readonly moments: number
  readonly options: Partial<ChainTableOptions>
}

export const symbols = ['KO', 'PEP'] as const
const days = ['2024-03-04', '2024-03-05', '2024-03-06', '2024-03-07', '2024-03-13'] as const
const strikes = [1180, 1185, 1190, 1195, 1200, 1205, 1210, 1215, 1220] as const
const SPOT = 1200.25
const expiration = '2024-04-19'

interface Side {
  readonly bid: number
  readonly ask: number
  readonly last: number
  readonly volume: number
  readonly interest: number
}

const sideOf = (strike: number, right: 'C' | 'P'): Side => {
  const worth = 4 + Math.max(0, right === 'C' ? SPOT - strike : strike - SPOT)
  const cents = (value: number) => Number(value.toFixed(2))
  return {
    bid: cents(worth),
    ask: cents(worth + 0.3),
    last: cents(worth + 0.15),
    volume: strike + (right === 'C' ? 1 : 2),
    interest: 3 * strike + (right === 'C' ? 0 : 1)
  }
}

const rights = ['C', 'P'] as const
const each = (row: (symbol: string, day: string, strike: number) => readonly (readonly Cell[])[]) =>
  days.flatMap((day) => symbols.flatMap((symbol) => strikes.flatMap((strike) => row(symbol, day, strike))))
const occ = (symbol: string, strike: number, right: string) =>
  `${symbol}240419${right}${String(1000 * strike).padStart(8, '0')}`
const shownDate = (day: string) => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(2, 4)}`

const several = { every: 2 * strikes.length, moments: days.length * symbols.length, options: {} }
const paired = { ...several, every: strikes.length }

const sidesMap =
  'Last#1=call_last,Bid#1=call_bid,Ask#1=call_ask,Volume#1=call_volume,Open Int#1=call_open_interest,Strike=strike,' +
  'Last#2=put_last,Bid#2=put_bid,Ask#2=put_ask,Volume#2=put_volume,Open Int#2=put_open_interest,' +
  'Exp Date=expiration,Quote Date=date,Symbol=symbol,Price=underlying_price'

export const makes: Readonly<Record<string, Make>> = {
  'the names of our fields': {
    name: 'chains',
    heading: [
      'symbol',
      'date',
      'expiration',
      'strike',
      'right',
      'bid',
      'ask',
      'last',
      'volume',
      'open_interest',
      'underlying_price'
    ],
    rows: each((symbol, day, strike) =>
      rights.map((right) => {
        const { bid, ask, last, volume, interest } = sideOf(strike, right)
        return [symbol, { date: day }, { date: expiration }, strike, right, bid, ask, last, volume, interest, SPOT]
      })
    ),
    ...several
  },
  'strikes of ORATS': {
    name: 'strikes',
    heading: 'ticker,trade_date,expirDate,strike,stkPx,cBidPx,cAskPx,cVolu,cOi,pBidPx,pAskPx,pVolu,pOi'.split(','),
    rows: each((symbol, day, strike) => {
      const [call, put] = rights.map((right) => sideOf(strike, right))
      const figures = [call, put].flatMap(({ bid, ask, volume, interest }) => [bid, ask, volume, interest])
      return [[symbol, { date: day }, { date: expiration }, strike, SPOT, ...figures]]
    }),
    ...paired
  },
  'names of options, as of yfinance': {
    name: 'options',
    heading:
      'contractSymbol,lastTradeDate,strike,lastPrice,bid,ask,change,percentChange,volume,openInterest,date,spot'.split(
        ','
      ),
    rows: each((symbol, day, strike) =>
      rights.map((right) => {
        const { bid, ask, last, volume, interest } = sideOf(strike, right)
        const name = occ(symbol, strike, right)
        return [name, { date: day }, strike, last, bid, ask, 0.5, 1.5, volume, interest, { date: day }, SPOT]
      })
    ),
    ...several
  },
  "Barchart's sides by a map": {
    name: 'sides',
    heading:
      'Symbol,Quote Date,Exp Date,Price,Type,Last,Bid,Ask,Change,Volume,Open Int,Strike,Type,Last,Bid,Ask,Change,Volume,Open Int'.split(
        ','
      ),
    rows: each((symbol, day, strike) => {
      const cells = (right: 'C' | 'P'): readonly Cell[] => {
        const { bid, ask, last, volume, interest } = sideOf(strike, right)
        return [right === 'C' ? 'Call' : 'Put', last, bid, ask, -0.5, volume, interest]
      }
      return [[symbol, { date: day }, { date: expiration }, SPOT, ...cells('C'), strike, ...cells('P')]]
    }),
    below: [['Downloaded from Barchart.com as of 03-13-2024 05:01pm CST']],
    ...paired,
    options: chainColumnsFrom(sidesMap)
  },
  'a stacked sheet of Barchart': {
    name: 'ko-options-exp-2024-04-19-monthly-show-all-stacked-03-05-2024',
    heading: ['Strike', 'Moneyness', 'Bid', 'Mid', 'Ask', 'Last', 'Volume', 'Open Int', 'IV', 'Type', 'Time'],
    rows: strikes.flatMap((strike) =>
      rights.map((right) => {
        const { bid, ask, last, volume, interest } = sideOf(strike, right)
        const type = right === 'C' ? 'Call' : 'Put'
        return [strike, '+1.48%', bid, last, ask, last, volume, interest, '13.5%', type, shownDate(days[1])]
      })
    ),
    below: [['Downloaded from Barchart.com as of 03-05-2024 05:01pm CST']],
    every: 2 * strikes.length,
    moments: 1,
    options: { facts: { underlyingPrice: SPOT } }
  },
  'fields of Bloomberg': {
    name: 'fields',
    heading:
      'SECURITY,DATE,OPT_UNDL_TICKER,OPT_EXPIRE_DT,OPT_STRIKE_PX,OPT_PUT_CALL,PX_BID,PX_ASK,PX_LAST,PX_VOLUME,OPEN_INT,OPT_UNDL_PX'.split(
        ','
      ),
    rows: each((symbol, day, strike) =>
      rights.map((right) => {
        const { bid, ask, last, volume, interest } = sideOf(strike, right)
        const security = `${symbol} US 04/19/24 ${right}${strike} Equity`
        const type = right === 'C' ? 'Call' : 'Put'
        const terms = [security, { date: day }, `${symbol} US Equity`, { date: expiration }, strike, type]
        return [...terms, bid, ask, last, volume, interest, SPOT]
      })
    ),
    ...several
  }
}

/** How a table is written. */
export interface Writing {
  readonly delimiter: string
  readonly lineEnd: string
  readonly before: string
  readonly isQuoted: boolean
  readonly date: (day: string) => string
  readonly number: (value: number) => string
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const parts = (day: string) => day.split('-').map(Number) as [number, number, number]
const two = (value: number) => String(value).padStart(2, '0')

/** Forms of a date of which none means two days. */
export const dateForms: readonly Writing['date'][] = [
  (day) => day,
  (day) => day.replaceAll('-', '/'),
  (day) => day.replaceAll('-', ''),
  (day) => `${parts(day)[1]}/${parts(day)[2]}/${two(parts(day)[0] % 100)}`,
  (day) => `${two(parts(day)[1])}/${two(parts(day)[2])}/${parts(day)[0]} 0:00:00`,
  (day) => `${parts(day)[2]}/${parts(day)[1]}/${parts(day)[0]}`,
  (day) => `${two(parts(day)[2])}-${months[parts(day)[1] - 1]}-${two(parts(day)[0] % 100)}`,
  (day) => `${two(parts(day)[2])}${months[parts(day)[1] - 1].toUpperCase()}${parts(day)[0]}`,
  (day) => new Date(`${day}T00:00Z`).toUTCString().replace(/^(\w+), (\d+) (\w+) (\d+) .*/, '$1 $3 $2 $4'),
  (day) => String(Date.parse(`${day}T00:00Z`) / 1000),
  (day) => `${Date.parse(`${day}T00:00Z`)}000000`
]

const grouped = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 2 })
/** Forms of a number with a decimal point. */
export const pointForms: readonly Writing['number'][] = [
  String,
  (value) => value.toFixed(4),
  grouped,
  (value) => `$${grouped(value)}`
]
/** Forms of a number with a decimal comma. */
export const commaForms: readonly Writing['number'][] = [
  (value) => value.toFixed(2).replace('.', ','),
  (value) => value.toLocaleString('de-DE', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
]

export const plainWriting: Writing = {
  delimiter: ',',
  lineEnd: '\n',
  before: '',
  isQuoted: false,
  date: (day) => day,
  number: String
}

/** Rows of a make as text, in the order that is given. */
export function textOfMake(make: Make, writing: Writing, rows: Make['rows'] = make.rows): string {
  const { delimiter, lineEnd, before, isQuoted, date, number } = writing
  const text = (cell: Cell) =>
    typeof cell === 'object' ? date(cell.date) : typeof cell === 'number' ? number(cell) : cell
  const field = (cell: Cell) => {
    const written = text(cell)
    return isQuoted || written.includes(delimiter) ? `"${written}"` : written
  }
  const all = [
    ...(make.above ?? []),
    ...(make.heading === undefined ? [] : [make.heading]),
    ...rows,
    ...(make.below ?? [])
  ]
  return `${before}${all.map((row) => row.map(field).join(delimiter) + lineEnd).join('')}`
}
