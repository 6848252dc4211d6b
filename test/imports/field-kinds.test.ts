import { describe, expect, test } from 'vitest'
import { chainTableFields } from '../../src/imports/chains/chain-table.ts'
import { importChains } from '../../src/imports/chains/import-chains.ts'
import type { SaidFacts } from '../../src/imports/chains/stated-facts.ts'
import { importDaily } from '../../src/imports/daily/import-daily.ts'
import { parseColumnMap } from '../../src/imports/tables/column-map.ts'
import type { SaidForms } from '../../src/imports/tables/written-forms.ts'
import type { Ticker } from '../../src/market/units.ts'
import { folderWith, iso, noParquet, take } from './take.ts'

// Files as vendors, brokers and programs write them, with the chain that they hold.

interface Quoted {
  readonly expiration: string
  readonly strike: number
  readonly right: 'C' | 'P'
  readonly bid: number
  readonly ask: number
  readonly volume: number
  readonly interest: number
}

const SPOT = 60
const expirations = ['2024-03-15', '2024-04-19']
/** Calls and puts that fit together at a spot of 60 without interest. */
const quoted: readonly Quoted[] = expirations.flatMap((expiration, month) =>
  Array.from({ length: 11 }, (_, k) => 50 + 2 * k).flatMap((strike) =>
    (['C', 'P'] as const).map((right, side): Quoted => {
      const timeValue = 0.1 + (1 + month) * Math.exp(-(((strike - SPOT) / 6) ** 2))
      const price = Math.max(0, right === 'C' ? SPOT - strike : strike - SPOT) + timeValue
      const [bid, ask] = [price - 0.05, price + 0.05].map((each) => Number(each.toFixed(2)))
      return { expiration, strike, right, bid, ask, volume: strike + side, interest: 10 * strike + side }
    })
  )
)
const sum = (of: (each: Quoted) => number) => quoted.reduce((total, each) => total + of(each), 0)
/** The chain by its moment, spot, contracts, open interest, volume and bids. */
const whole = (moment: string, { interest = true, volume = true, quotes = true, symbol = 'KO' } = {}) =>
  [
    `${symbol} ${moment}`,
    SPOT,
    quoted.length,
    interest ? sum((each) => each.interest) : 0,
    volume ? sum((each) => each.volume) : 0,
    quotes ? sum((each) => each.bid).toFixed(2) : '0.00'
  ].join(' ')
const close = '2024-03-05T21:00:00'

interface Said {
  readonly symbol?: string
  readonly forms?: SaidForms
  readonly facts?: SaidFacts
  readonly hasBar?: boolean
}

async function imported(
  name: string,
  content: string | Uint8Array,
  { symbol, forms, facts, hasBar = false }: Said = {}
) {
  const bar = { date: '2024-03-05', open: 60, high: 61, low: 59, close: SPOT, volume: 1 }
  const archive = { bars: async () => (hasBar ? [bar] : []) as never, writeTableText: noParquet }
  const options = { columns: undefined, symbol: symbol as Ticker | undefined, forms, facts, archive }
  const { snapshots, rejections, tally } = await take((writer) =>
    importChains([folderWith({ [name]: content })], options, writer)
  )
  const chains = snapshots.map(({ chain }) => {
    const known = (column: ArrayLike<number>) =>
      Array.from(column).reduce((total, value) => total + (value > 0 ? value : 0), 0)
    const [interest, volume, bids] = [chain.openInterest, chain.volume, chain.bid].map(known)
    const place = `${chain.symbol} ${iso(chain.asOf).slice(0, 19)}`
    return [place, chain.spot, chain.size, interest, volume, bids.toFixed(2)].join(' ')
  })
  return { chains, reasons: rejections.map(({ reason }) => reason), tally, snapshots }
}

const occ = ({ expiration, right, strike }: Quoted, root = 'KO') =>
  `${root}${expiration.replaceAll('-', '').slice(2)}${right}${String(1000 * strike).padStart(8, '0')}`
const word = ({ right }: Quoted) => (right === 'C' ? 'CALL' : 'PUT')
const table = (heading: string, row: (each: Quoted, at: number) => string) =>
  `${heading}\n${quoted.map((each, at) => `${row(each, at)}\n`).join('')}`
const pairs = quoted.filter(({ right }) => right === 'C').map((call, at) => [call, quoted[2 * at + 1]] as const)

const own = 'symbol,date,expiration,strike,right,bid,ask,volume,open_interest,underlying_price'
const ownRow = (
  { expiration, strike, right, bid, ask, volume, interest }: Quoted,
  symbol = 'KO',
  date = '2024-03-05'
) => `${symbol},${date},${expiration},${strike},${right},${bid},${ask},${volume},${interest},${SPOT}`
const ownTable = (symbol?: string, date?: string) => table(own, (each) => ownRow(each, symbol, date))

const thetaHeading = 'bid_size,bid_exchange,bid,bid_condition,ask_size,ask_exchange,ask,ask_condition'
const thetaQuote = ({ bid, ask }: Quoted) => `5,60,${bid},50,6,60,${ask},50`

/** Our own rows with another line between their halves. */
const again = (line: string) => {
  const [heading, ...rows] = ownTable().trimEnd().split('\n')
  return [heading, ...rows.slice(0, 22), line, ...rows.slice(22), ''].join('\n')
}

/** Names of options at brokers and vendors. */
const optionNames: readonly (readonly [string, (each: Quoted) => string])[] = [
  ['TD Ameritrade', (each) => `KO_${slashed(each).replaceAll('/', '')}${each.right}${each.strike}`],
  ['Schwab', (each) => `KO ${slashed(each).replace(/24$/, '2024')} ${each.strike}.00 ${each.right}`],
  ['IBKR', (each) => `KO ${monthOf(each) === 'MAR' ? 15 : 19}${monthOf(each)}24 ${each.strike} ${each.right}`],
  ['Bloomberg', (each) => `KO US ${slashed(each)} ${each.right}${each.strike} Equity`],
  [
    'a portfolio',
    (each) => `KO ${monthOf(each)} ${monthOf(each) === 'MAR' ? 15 : 19} 2024 ${each.strike} ${word(each)}`
  ],
  ['Fidelity', (each) => `-KO${each.expiration.replaceAll('-', '').slice(2)}${each.right}${each.strike}`]
]
const slashed = ({ expiration }: Quoted) => expiration.replace(/^20(\d\d)-(\d\d)-(\d\d)$/, '$2/$3/$1')
const monthOf = ({ expiration }: Quoted) => (expiration.startsWith('2024-03') ? 'MAR' : 'APR')

const withoutBars = {
  columns: undefined,
  symbol: undefined,
  archive: { bars: async () => [], writeTableText: noParquet }
}

describe('the chain of a file is that of its source', () => {
  test.each<readonly [string, string, string, Said, string]>([
    [
      'quotes of ThetaData, second version, at the time of their column',
      'a.csv',
      table(
        `root,expiration,strike,right,ms_of_day,${thetaHeading},date`,
        (each) =>
          `KO,${each.expiration.replaceAll('-', '')},${1000 * each.strike},${each.right},36000000,${thetaQuote(each)},20240305`
      ),
      { facts: { underlyingPrice: SPOT } },
      whole('2024-03-05T15:00:00', { interest: false, volume: false })
    ],
    [
      'the end of a day of ThetaData, second version, whose time is that of the report',
      'a.csv',
      table(
        `root,expiration,strike,right,ms_of_day,ms_of_day2,open,high,low,close,volume,count,${thetaHeading},date`,
        (each) =>
          `KO,${each.expiration.replaceAll('-', '')},${1000 * each.strike},${each.right},62104123,57481000,1,1,1,1,${each.volume},3,${thetaQuote(each)},20240305`
      ),
      { hasBar: true },
      whole(close, { interest: false })
    ],
    [
      'greeks of ThetaData at the end of a day, with the time of the last trade of each contract',
      'a.csv',
      table(
        `symbol,expiration,strike,right,timestamp,open,high,low,close,volume,count,${thetaHeading},delta,iv_error,underlying_timestamp,underlying_price`,
        (each, at) =>
          `"KO","${each.expiration}",${each.strike}.000,"${word(each)}",2024-03-05T1${at % 6}:${10 + at}:46,1,1,1,1,${each.volume},3,${thetaQuote(each)},0.5,0,2024-03-05T17:15:18,${SPOT}`
      ),
      {},
      whole(close, { interest: false })
    ],
    [
      'ORATS by minutes, at the time of its column',
      'a.csv',
      `ticker,tradeDate,expirDate,strike,stockPrice,callVolume,callOpenInterest,putVolume,putOpenInterest,callBidPrice,callAskPrice,putBidPrice,putAskPrice,quoteDate,updatedAt,snapShotDate\n${pairs
        .map(
          ([c, p]) =>
            `KO,2024-03-05,${c.expiration},${c.strike},${SPOT},${c.volume},${c.interest},${p.volume},${p.interest},${c.bid},${c.ask},${p.bid},${p.ask},2024-03-05T14:59:50Z,2024-03-05T14:59:51Z,2024-03-05T15:00:01Z\n`
        )
        .join('')}`,
      {},
      whole('2024-03-05T15:00:01')
    ],
    [
      'optionsdx without the brackets of its heading',
      'a.csv',
      `QUOTE_UNIXTIME,QUOTE_READTIME,QUOTE_DATE,QUOTE_TIME_HOURS,UNDERLYING_LAST,EXPIRE_DATE,C_VOLUME,C_LAST,C_SIZE,C_BID,C_ASK,STRIKE,P_BID,P_ASK,P_SIZE,P_LAST,P_VOLUME\n${pairs
        .map(
          ([c, p]) =>
            `1709672400,2024-03-05 16:00,2024-03-05,16.0,${SPOT},${c.expiration},${c.volume},1,1 x 2,${c.bid},${c.ask},${c.strike},${p.bid},${p.ask},1 x 2,1,${p.volume}\n`
        )
        .join('')}`,
      { symbol: 'KO' },
      whole(close, { interest: false })
    ],
    [
      'OptionMetrics with a ticker and no symbols of options',
      'a.csv',
      table(
        'secid,date,exdate,cp_flag,strike_price,best_bid,best_offer,volume,open_interest,ticker',
        (each) =>
          `1,05MAR2024,${each.expiration.replaceAll('-', '')},${each.right},${1000 * each.strike},${each.bid},${each.ask},${each.volume},${each.interest},KO`
      ),
      { hasBar: true },
      whole(close)
    ],
    [
      'days of contracts of Databento, in billionths',
      'a.csv',
      table('ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume,symbol', (each, at) => {
        const price = Math.round(1e9 * each.ask)
        return `2024-03-05T00:00:00.000000000Z,35,30,${at},${price},${price},${price},${price},${each.volume},${occ(each, 'KO    ')}`
      }),
      { hasBar: true },
      whole(close, { interest: false, quotes: false })
    ],
    [
      'rows whose figures are -1 where a broker has none',
      'a.csv',
      table(`${own},last`, (each, at) => `${ownRow(each)},${at % 3 === 0 ? '-1' : '-1.0'}`),
      {},
      whole(close)
    ],
    [
      'hours and minutes without a colon',
      'a.csv',
      table(`${own},time`, (each) => `${ownRow(each)},0945`),
      {},
      whole('2024-03-05T14:45:00')
    ],
    ['years of two digits behind an apostrophe', 'a.csv', ownTable(undefined, "Mar 05 '24"), {}, whole(close)],
    ['a sum below the rows', 'a.csv', `${ownTable()}Total,,,,,,,99,999,\n`, {}, whole(close)],
    ['a count of the rows below them', 'a.csv', `${ownTable()}\n(44 rows affected)\n`, {}, whole(close)],
    ['a count in other words', 'a.csv', `${ownTable()}44 records\n`, {}, whole(close)],
    ['a symbol with the name of its market', 'a.csv', ownTable('KO US Equity'), {}, whole(close)],
    ['a symbol of an exchange', 'a.csv', ownTable('NYSE:KO'), {}, whole(close)],
    ['a symbol of another market', 'a.csv', ownTable('KO.US'), {}, whole(close)],
    ['its heading again in capitals', 'a.csv', again(own.toUpperCase()), {}, whole(close)],
    ...(['US/Eastern', 'America/New_York'] as const).map(
      (zone) =>
        [
          `times of ${zone}`,
          'a.csv',
          ownTable('KO', `2024-03-05 10:00:00 ${zone}`),
          {},
          whole('2024-03-05T15:00:00')
        ] as const
    ),
    ...optionNames.map(
      ([kind, name]) =>
        [
          `options as ${kind} names them`,
          'a.csv',
          table(
            'occ,date,bid,ask,volume,open_interest,underlying_price',
            (each) => `"${name(each)}",2024-03-05,${each.bid},${each.ask},${each.volume},${each.interest},60`
          ),
          {},
          whole(close)
        ] as const
    )
  ])('%s', async (_, name, content, said, right) => {
    expect(await imported(name, content, said)).toMatchObject({ chains: [right], reasons: [] })
  })

  test('both sides of Barchart, by the name of its download', async () => {
    const heading = 'Type,Last,Bid,Ask,Change,Volume,"Open Int",IV,"Last Trade",Strike'
    const side = (each: Quoted) => `1,${each.bid},${each.ask},+0.1,${each.volume},"${each.interest}",20%,03/05/24`
    const rows = pairs.filter(([call]) => call.expiration === expirations[0])
    const content = `${heading},${heading.slice(0, -7)}\n${rows.map(([c, p]) => `Call,${side(c)},${c.strike}.00,Put,${side(p)}\n`).join('')}"Downloaded from Barchart.com as of 03-05-2024 04:12pm CST"\n`
    const name = 'ko-options-exp-2024-03-15-monthly-show-all-side-by-side-03-05-2024.csv'
    const { snapshots, reasons } = await imported(name, content, { facts: { underlyingPrice: SPOT } })
    expect([reasons, snapshots.map(({ chain }) => [chain.symbol, iso(chain.asOf), chain.size])]).toEqual([
      [],
      [['KO', '2024-03-05T21:00:00.000Z', 22]]
    ])
    expect([...snapshots[0].chain.openInterest]).toEqual(
      quoted.filter(({ expiration }) => expiration === expirations[0]).map(({ interest }) => interest)
    )
    const other = await imported('download.csv', content, { facts: { underlyingPrice: SPOT } })
    expect(other).toMatchObject({ chains: [], reasons: [expect.stringContaining('as long as it is called')] })
  })

  test('series of the VIX without roots, by its own rule', async () => {
    const days = ['2024-03-13', '2024-03-20', '2024-03-27', '2024-04-17']
    const rows = days.map((day) => `VIX,2024-03-05,${day},15,C,1,1.1,5,6,14.46\n`)
    const { snapshots } = await imported('a.csv', `${own}\n${rows.join('')}`)
    expect(snapshots[0].chain.expirations.map(({ root, date }) => `${root} ${date}`)).toEqual([
      'VIXW 2024-03-13',
      'VIX 2024-03-20',
      'VIXW 2024-03-27',
      'VIX 2024-04-17'
    ])
  })

  test('the evening before a Monday is of the global trading hours', async () => {
    const rows = ['2024-03-03 20:30', '2024-03-04 03:00', '2024-03-04 16:00'].map((time) =>
      table('', (each) => ownRow(each, 'SPX', time))
    )
    const { snapshots, reasons, tally } = await imported('a.csv', `${own}${rows.join('').replaceAll('\n\n', '\n')}`)
    expect([snapshots.map(({ chain }) => iso(chain.asOf)), reasons, tally.leftOut]).toEqual([
      ['2024-03-04T21:00:00.000Z'],
      [],
      2 * quoted.length
    ])
  })
})

describe('the chain of a JSON document is found', () => {
  const rowsBy = <Row extends object>(of: (each: Quoted) => Row) => quoted.map(of)
  const yahoo = (each: Quoted) => ({
    contractSymbol: occ(each),
    lastTradeDate: 1,
    strike: each.strike,
    lastPrice: 1,
    bid: each.bid,
    ask: each.ask,
    volume: each.volume,
    openInterest: each.interest
  })
  const ownRecord = ({ interest, ...each }: Quoted) => ({
    ...each,
    symbol: 'KO',
    date: '2024-03-05',
    open_interest: interest,
    underlying_price: SPOT
  })
  const columnsOf = (rows: readonly object[]) => Object.keys(rows[0])
  const tradier = (each: Quoted) => ({
    symbol: occ(each),
    root_symbol: 'KO',
    underlying: 'KO',
    option_type: word(each).toLowerCase(),
    prevclose: null,
    last: 1,
    bid: each.bid,
    ask: each.ask,
    bidsize: 1,
    asksize: 2,
    volume: each.volume,
    open_interest: each.interest,
    greeks: { delta: 0.5 }
  })
  const massive = (each: Quoted, at: number) => ({
    details: { ticker: `O:${occ(each)}`, strike_price: each.strike },
    day: { close: 1, volume: each.volume },
    ...(at === 3 ? {} : { greeks: { delta: 0.5 } }),
    last_quote: {
      bid: each.bid,
      ask: each.ask,
      bid_size: 1,
      ask_size: 1,
      last_updated: 1709672000000000000n.toString()
    },
    open_interest: each.interest,
    underlying_asset: { ticker: 'KO', price: SPOT, last_updated: 1709672400000 }
  })
  const schwab: Record<string, Record<string, Record<string, object[]>>> = { callExpDateMap: {}, putExpDateMap: {} }
  for (const each of quoted) {
    const side = schwab[each.right === 'C' ? 'callExpDateMap' : 'putExpDateMap']
    side[`${each.expiration}:10`] ??= {}
    side[`${each.expiration}:10`][`${each.strike}.0`] = [
      {
        putCall: word(each),
        symbol: occ(each, 'KO    '),
        bid: each.bid,
        ask: each.ask,
        last: 1,
        bidSize: 1,
        askSize: 2,
        totalVolume: each.volume,
        openInterest: each.interest,
        strikePrice: each.strike
      }
    ]
  }
  const yahooRows = rowsBy(yahoo)
  const of = { facts: { date: '2024-03-05', underlyingPrice: SPOT } }

  const byExpiration = <Part>(part: (of: readonly Quoted[], expiration: string) => Part) =>
    expirations.map((expiration) =>
      part(
        quoted.filter((each) => each.expiration === expiration),
        expiration
      )
    )
  const eodhd = (each: Quoted) => {
    const { contractSymbol: contractName, lastTradeDate: _, ...quote } = yahoo(each)
    const said = { contractPeriod: 'WEEKLY', currency: 'USD', inTheMoney: 'TRUE', expirationDate: each.expiration }
    return { contractName, type: word(each).toUpperCase(), ...said, ...quote }
  }
  const longDate = (date: string) =>
    new Date(date).toLocaleDateString('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

  test.each<readonly [string, unknown, Said, string]>([
    [
      'in the answer of EODHD',
      {
        code: 'KO',
        exchange: 'US',
        lastTradeDate: '2024-03-05',
        lastTradePrice: SPOT,
        data: byExpiration((of, expirationDate) => ({
          expirationDate,
          optionsCount: of.length,
          options: {
            CALL: of.filter(({ right }) => right === 'C').map(eodhd),
            PUT: of.filter(({ right }) => right === 'P').map(eodhd)
          }
        }))
      },
      {},
      whole(close)
    ],
    [
      'in the resources of EODHD',
      {
        meta: { offset: 0, limit: 1000, total: quoted.length },
        data: quoted.map((each) => ({
          id: occ(each),
          type: 'options-eod',
          attributes: {
            contract: occ(each),
            underlying_symbol: 'KO',
            exp_date: each.expiration,
            expiration_type: 'weekly',
            type: word(each).toLowerCase(),
            strike: each.strike,
            tradetime: '2024-03-05',
            last: 1,
            bid: each.bid,
            ask: each.ask,
            volume: each.volume,
            open_interest: each.interest
          }
        })),
        links: { next: '' }
      },
      { facts: { underlyingPrice: SPOT } },
      whole(close)
    ],
    [
      'in the answer of Intrinio',
      {
        chain: quoted.map((each) => ({
          option: { code: occ(each), ticker: 'KO', expiration: each.expiration, strike: each.strike, type: word(each) },
          prices: {
            date: '2024-03-05',
            close: 1,
            close_bid: each.bid,
            close_ask: each.ask,
            volume: each.volume,
            open_interest: each.interest
          }
        }))
      },
      { facts: { underlyingPrice: SPOT } },
      whole(close)
    ],
    [
      'below its expirations, as Nasdaq writes it',
      {
        data: {
          totalRecord: 22,
          lastTrade: 'LAST TRADE: $60 (AS OF MAR 5, 2024)',
          table: {
            headers: { expirygroup: '', strike: 'Strike' },
            rows: byExpiration((of, expiration) => [
              { expirygroup: longDate(expiration), expiryDate: null, strike: null, c_Bid: null, p_Bid: null },
              ...of
                .filter(({ right }) => right === 'C')
                .map((call) => {
                  const put = of.find(({ right, strike }) => right === 'P' && strike === call.strike)!
                  const side = (of: Quoted, name: string) => ({
                    [`${name}_Last`]: '1.00',
                    [`${name}_Bid`]: `${of.bid}`,
                    [`${name}_Ask`]: `${of.ask}`,
                    [`${name}_Volume`]: `${of.volume}`,
                    [`${name}_Openinterest`]: `${of.interest}`
                  })
                  return {
                    expirygroup: '',
                    expiryDate: 'Mar 15',
                    strike: `${call.strike}`,
                    ...side(call, 'c'),
                    ...side(put, 'p')
                  }
                })
            ]).flat()
          }
        },
        message: null,
        status: { rCode: 200 }
      },
      { facts: { date: '2024-03-05', underlyingPrice: SPOT }, symbol: 'KO' },
      whole(close)
    ],
    ['in the answer of Tradier', { options: { option: rowsBy(tradier) } }, of, whole(close)],
    ['in a snapshot of Massive', { results: quoted.map(massive), status: 'OK' }, {}, whole(close)],
    [
      'by expiration and strike, as Schwab writes it',
      { symbol: 'KO', underlyingPrice: SPOT, underlying: { quoteTime: 1709672000000 }, ...schwab },
      {},
      whole('2024-03-05T20:53:20')
    ],
    [
      'in the columns of pandas',
      Object.fromEntries(
        columnsOf(yahooRows).map((name) => [
          name,
          Object.fromEntries(yahooRows.map((row, at) => [at, row[name as keyof typeof row]]))
        ])
      ),
      of,
      whole(close)
    ],
    ['by the index of pandas', Object.fromEntries(yahooRows.map((row, at) => [at, row])), of, whole(close)],
    [
      'split by pandas',
      {
        columns: columnsOf(yahooRows),
        index: yahooRows.map((_, at) => at),
        data: yahooRows.map((row) => Object.values(row))
      },
      of,
      whole(close)
    ],
    [
      'described by pandas',
      { schema: { fields: [{ name: 'strike', type: 'number' }], pandas_version: '1.4.0' }, data: yahooRows },
      of,
      whole(close)
    ],
    [
      'in the answer of Yahoo',
      {
        optionChain: {
          result: [
            {
              underlyingSymbol: 'KO',
              strikes: [50],
              quote: { regularMarketPrice: SPOT, regularMarketTime: 1709672401, currency: 'USD' },
              options: expirations.map((expiration) => ({
                expirationDate: Date.parse(expiration) / 1000,
                calls: quoted.filter((each) => each.expiration === expiration && each.right === 'C').map(yahoo),
                puts: quoted.filter((each) => each.expiration === expiration && each.right === 'P').map(yahoo)
              }))
            }
          ],
          error: null
        }
      },
      {},
      whole(close)
    ],
    ['in the maps of Schwab alone', schwab, of, whole(close)],
    ['in a list of the maps of Schwab', Object.values(schwab), of, whole(close)],
    ['in lists of rows', [yahooRows.slice(0, 22), yahooRows.slice(22)], of, whole(close)],
    [
      'in lists below their names',
      [columnsOf(yahooRows), ...yahooRows.map((row) => Object.values(row))],
      of,
      whole(close)
    ],
    [
      'in columns by expiration',
      Object.fromEntries(
        expirations.map((expiration) => {
          const rows = rowsBy(ownRecord).filter((row) => row.expiration === expiration)
          const column = (name: string) => rows.map((row) => row[name as keyof typeof row])
          return [expiration, Object.fromEntries(columnsOf(rows).map((name) => [name, column(name)]))]
        })
      ),
      {},
      whole(close)
    ],
    [
      'in calls and puts that do not say what they are',
      {
        calls: rowsBy(ownRecord).flatMap(({ right, ...row }) => (right === 'C' ? row : [])),
        puts: rowsBy(ownRecord).flatMap(({ right, ...row }) => (right === 'P' ? row : []))
      },
      {},
      whole(close)
    ],
    ['by symbol', { data: { KO: rowsBy(ownRecord).map(({ symbol: _, ...row }) => row) } }, {}, whole(close)],
    [
      'in calls and puts',
      { calls: yahooRows.filter((_, at) => at % 2 === 0), puts: yahooRows.filter((_, at) => at % 2 > 0) },
      of,
      whole(close)
    ]
  ])('%s', async (_, document, said, right) => {
    for (const text of [JSON.stringify(document), JSON.stringify(document, undefined, 2)]) {
      expect(await imported('a.json', text, said)).toMatchObject({ chains: [right], reasons: [] })
    }
  })

  test('in lines with empty ones between them', async () => {
    const text = rowsBy(ownRecord)
      .map((row) => `${JSON.stringify(row)}\r\n\r\n`)
      .join('')
    expect(await imported('a.jsonl', text)).toMatchObject({ chains: [whole(close)], reasons: [] })
  })

  test('a document that says why it holds none is told', async () => {
    const { reasons } = await imported('a.json', '{"Information": "Thank you, the limit is 25 requests per day."}')
    expect(reasons).toEqual(['its JSON holds no table, but says: Thank you, the limit is 25 requests per day.'])
  })
})

describe('a file that would give another chain is refused or doubted', () => {
  const swapped = (each: Quoted) => ownRow({ ...each, right: each.right === 'C' ? 'P' : 'C' })
  test.each<readonly [string, string, RegExp, number]>([
    [
      'contracts of another company',
      table(`${own},root`, (each) => `${ownRow(each)},PEP`),
      /symbol is KO, and options of it have the root PEP/,
      0
    ],
    [
      'one contract of another company',
      table(`${own},root`, (each, at) => `${ownRow(each)},${at === 7 ? 'PEP' : 'KO'}`),
      /have the root PEP/,
      0
    ],
    [
      'times of last trades',
      table(own, (each, at) => ownRow(each, 'KO', `2024-03-05 1${at % 6}:${10 + at}`)),
      /44 moments of its session list other contracts each/,
      0
    ],
    [
      'figures with commas and without quotes',
      table(
        own.replace(',open_interest,underlying_price', ',underlying_price,open_interest'),
        (each) => `${ownRow(each).replace(/,\d+,60$/, ',60')},1,${each.interest}`
      ),
      /it has 11 fields, and its heading 10/,
      0
    ],
    [
      'rows of which half lack their date',
      table(own, (each, at) => (at % 2 === 0 ? ownRow(each) : ownRow(each, '', ''))),
      /22 of its 44 rows cannot be used/,
      0
    ],
    [
      'contracts that are all adjusted',
      table('symbol,date,occ,bid,ask,underlying_price', (each) => `KO,2024-03-05,${occ(each, 'KO7')},1,2,60`),
      /none of its rows is used: they are contracts with another deliverable/,
      0
    ],
    ['calls and puts exchanged', table(own, swapped), /calls and puts do not fit together/, 1],
    [
      'bids and asks exchanged',
      table(own, (each) => ownRow({ ...each, bid: each.ask, ask: each.bid })),
      /44 of its 44 bids are above their asks/,
      1
    ],
    [
      'open interest in shares',
      table(own, (each) => ownRow({ ...each, interest: 100 * each.interest })),
      /each of its 44 open interests is a whole hundred/,
      1
    ],
    ['an ISIN for a symbol', ownTable('US1912161007'), /"US1912161007", the number of a security/, 0],
    ['a CUSIP for a symbol', ownTable('191216100'), /the number of a security; --symbol gives the symbol/, 0],
    ['a FIGI for a symbol', ownTable('BBG000BMX289'), /the number of a security/, 0],
    ['a SEDOL for a symbol', ownTable('2206657'), /the number of a security/, 0]
  ])('%s', async (_, content, reason, written) => {
    const { chains, reasons } = await imported('a.csv', content)
    expect([chains.length, reasons.some((each) => reason.test(each))], reasons.join('\n')).toEqual([written, true])
  })

  test.each<readonly [string, (each: Quoted, at: number) => number]>([
    ['one that is no hundred', ({ interest }, at) => (at === 7 ? interest : 100 * interest)],
    ['a single number everywhere', () => 500],
    ['few that are known', ({ interest }, at) => (at < 15 ? 100 * interest : 0)]
  ])('open interests in hundreds are those of contracts: %s', async (_, interest) => {
    const rows = table(own, (each, at) => ownRow({ ...each, interest: interest(each, at) }))
    expect((await imported('a.csv', rows)).reasons).toEqual([])
  })

  test('without any price it is written, and told', async () => {
    const rows = table('symbol,date,expiration,strike,right,mid,open_interest,underlying_price', (each) =>
      ['KO', '2024-03-05', each.expiration, each.strike, each.right, each.bid, each.interest, SPOT].join(',')
    )
    const { chains, reasons } = await imported('a.csv', rows)
    expect([chains, reasons]).toEqual([
      [whole(close, { volume: false, quotes: false })],
      [expect.stringContaining('nothing can be priced')]
    ])
  })

  const cells = (of: (cell: string) => string) => table(own, (each) => ownRow(each).split(',').map(of).join(','))
  const lines = (...of: readonly (string | readonly string[])[]) => [...of.flat(), ''].join('\n')
  const rule = own.replaceAll(/[a-z_]+/g, '------').replaceAll(',', '+')
  const barred = (line: string) => `| ${line.replaceAll(',', ' | ')} |`
  const spaced = (line: string) => ` ${line.replaceAll(',', ' | ')} `
  const rows = quoted.map((each) => ownRow(each))
  test.each<readonly [string, string]>([
    ['numbers of numpy', cells((cell) => (/^[\d.]+$/.test(cell) ? `np.float64(${cell})` : cell))],
    ['counts and texts of numpy', cells((cell) => (/^\d+$/.test(cell) ? `np.int64(${cell})` : `"np.str_('${cell}')"`))],
    ['decimals of Python', cells((cell) => (/^\d+\.\d+$/.test(cell) ? `Decimal('${cell}')` : cell))],
    ['times of Python', cells((cell) => cell.replace('2024-03-05', "Timestamp('2024-03-05 00:00:00')"))],
    ['bytes of Python', cells((cell) => cell.replace('KO', "b'KO'"))],
    ['formulas of a spreadsheet', cells((cell) => `"=""${cell}"""`)],
    ['texts of a spreadsheet', cells((cell) => `'${cell}`)],
    ['quotation marks of a text program', cells((cell) => cell.replace('KO', '“KO”'))],
    ['Markdown', lines(barred(own), barred(own.replaceAll(/[a-z_]+/g, '---')), rows.map(barred))],
    ['aligned Markdown', lines(barred(own), barred(own.replaceAll(/[a-z_]+/g, ':--:')), rows.map(barred))],
    ['psql', lines(spaced(own), rule, rows.map(spaced), '(44 rows)')],
    ['MySQL', lines(`+${rule}+`, barred(own), `+${rule}+`, rows.map(barred), `+${rule}+`, '44 rows in set')]
  ])('the cells and lines of a program hold the whole chain: %s', async (_, content) => {
    const { chains, reasons } = await imported('a.csv', content)
    expect([chains, reasons]).toEqual([[whole(close)], []])
  })

  test.each(['KO.N', 'NYSE.KO', 'KO US Equity', 'KO.US', 'KO:US', 'XNYS:KO'])('%s is KO', async (symbol) => {
    const { chains, reasons } = await imported('a.csv', ownTable(symbol))
    expect([chains, reasons]).toEqual([[whole(close)], []])
  })

  test('rows below another heading', async () => {
    const { chains, reasons } = await imported(
      'a.csv',
      again(own.replace('volume,open_interest', 'open_interest,volume'))
    )
    expect([chains, reasons]).toEqual([
      [],
      [
        'another heading begins here: the rows below it belong into a file of their own',
        'KO on 2024-03-05: it is not complete: the file breaks off'
      ]
    ])
  })

  test.each([
    ['UTC', ['14:30', '16:00', '18:00', '19:30', '21:00'], '14:30 to 21:00'],
    ['Berlin', ['15:30', '17:00', '20:00', '22:00'], '15:30 to 22:00']
  ])('a session whose times are those of %s', async (_, times, told) => {
    const rows = times.flatMap((time) => quoted.map((each) => ownRow(each, 'KO', `2024-03-05 ${time}`)))
    const { chains, reasons } = await imported('a.csv', `${own}\n${rows.join('\n')}\n`)
    expect(chains).toEqual([])
    for (const reason of reasons) expect(reason).toContain(`its times go from ${told} New York`)
    const said = await imported('a.csv', `${own}\n${rows.join('\n')}\n`, {
      forms: { zone: told.startsWith('14') ? 'UTC' : 'Europe/Berlin' }
    })
    expect([said.chains.length, said.reasons]).toEqual([times.length, []])
  })

  test('prices in another currency', async () => {
    const { chains, reasons } = await imported(
      'a.csv',
      table(`${own},currency`, (each) => `${ownRow(each)},TWD`)
    )
    expect([chains, reasons]).toEqual([[], ['its prices are in TWD, and only those in USD are read']])
  })

  test('a price of the underlying that was stated and rows of several moments', async () => {
    const rows = quoted.map((each, at) => ownRow(each, 'KO', `2024-03-05 10:${10 + at}`).replace(/,60$/, ''))
    const text = `${own.replace(',underlying_price', '')}\n${rows.join('\n')}\n`
    const { chains, reasons } = await imported('a.csv', text, { facts: { underlyingPrice: SPOT } })
    expect([chains, reasons[0]]).toEqual([[], expect.stringContaining('is of one moment, and its rows are of several')])
  })

  test('a quote table that was downloaded while no session was open', async () => {
    const text = `KO (COCA COLA),Last: 60,Change: 0\n"Date: March 9, 2024 at 10:15 AM EST",Bid: 59.9,Ask: 60.1\nExpiration Date,Calls,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest,Strike,Puts,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest\n${pairs.map(([c, p]) => `Fri Mar 15 2024,${occ(c)},1,0,${c.bid},${c.ask},1,0.2,0.5,0.1,${c.interest},${c.strike}.00,${occ(p)},1,0,${p.bid},${p.ask},1,0.2,0.5,0.1,${p.interest}\n`).join('')}`
    const { reasons } = await imported('quotedata.csv', text)
    expect(reasons).toEqual([
      'it is of 2024-03-09 10:15 New York, when no session was open: say by --date of which session its quotes are'
    ])
    const { snapshots } = await imported('quotedata.csv', text, { facts: { date: '2024-03-08' } })
    expect(snapshots.map(({ chain }) => [iso(chain.asOf), chain.spot, chain.size])).toEqual([
      ['2024-03-08T21:00:00.000Z', 60, 44]
    ])
  })

  test.each<readonly [string, string | Uint8Array, string]>([
    ['a.7z', Buffer.from('7z\xbc\xaf\x27\x1c', 'latin1'), 'packed by 7-Zip'],
    ['a.xls', Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1', 'latin1'), 'spreadsheet'],
    ['a.csv', Buffer.from('\x80\x04\x95\x10', 'latin1'), 'pickle'],
    ['quotedata.csv', '\n<!DOCTYPE html>\n<html><title>Just a moment...</title></html>\n', 'a web page and no table'],
    ['chains.csv', 'SQLite format 3\0', 'database'],
    ['a.tar.gz', 'x', 'tar archive'],
    ['a.csv.bz2', Buffer.from('BZh91AY&SY', 'latin1'), 'packed by bzip2'],
    ['chains.csv', Buffer.from('\xfd7zXZ\0', 'latin1'), 'packed by xz'],
    ['report.xls', '<table border="1"><tr><th>strike</th></tr></table>', 'a web page and no table'],
    ['a.avro', 'Obj\x01', 'Avro']
  ])('%s is told by its kind', async (name, content, kind) => {
    const path = `${folderWith({ [name]: content })}/${name}`
    const { rejections } = await take((writer) => importChains([path], withoutBars, writer))
    expect(rejections.map(({ reason }) => reason)).toEqual([expect.stringContaining(kind)])
  })

  test('and named where it lies in a folder, beside tables and what systems add', async () => {
    const folder = folderWith({
      'b.csv': ownTable(),
      'a.xlsx': 'PK',
      'c.csv.bz2': 'BZh9',
      'Thumbs.db': 'x',
      '~$a.xlsx': 'x',
      'manual.pdf': '%PDF-1.4'
    })
    const { rejections, snapshots } = await take((writer) => importChains([folder], withoutBars, writer))
    expect(snapshots).toHaveLength(1)
    expect(rejections.map(({ file }) => file.slice(folder.length + 1))).toEqual(['a.xlsx', 'c.csv.bz2'])
  })

  test('a column that seems to be the price of the underlying is named, with a map that reads it', async () => {
    const path = `${folderWith({ 'chains.csv': ownTable().replace('underlying_price', 'spot') })}/chains.csv`
    const { notes } = await take((writer) => importChains([path], withoutBars, writer))
    const told = notes.map((note) => ('text' in note ? note.text : '')).join('\n')
    const [, map] = /its column spot is not read: .* use --map "([^"]+)"/.exec(told)!
    const columns = parseColumnMap(map, chainTableFields)
    const { snapshots } = await take((writer) => importChains([path], { ...withoutBars, columns }, writer))
    expect(snapshots.map(({ chain }) => [chain.size, chain.spot])).toEqual([[quoted.length, SPOT]])
  })
})

describe('the map that is proposed reads the file', () => {
  test.each<readonly [string, string]>([
    [
      'of the exchange, saved by pandas',
      table(
        ',option,bid,bid_size,ask,ask_size,iv,open_interest,volume,last_trade_price,rid,quote_day',
        (each, at) => `${at},${occ(each)},${each.bid},1,${each.ask},1,0.2,${each.interest},${each.volume},1,7,x`
      )
    ],
    [
      'of OpenBB',
      table(
        'underlying_symbol,underlying_price,contract_symbol,eod_date,expiration,dte,strike,option_type,open_interest,volume,bid,ask',
        (each) =>
          `KO,${SPOT},${occ(each)},2024-03-05,${each.expiration},10,${each.strike},${word(each).toLowerCase()},${each.interest},${each.volume},${each.bid},${each.ask}`
      )
    ],
    [
      'of iVolatility, by its interface',
      table(
        'c_date,option_symbol,stocks_id,expiration_date,call_put,price_strike,volume,openinterest,Bid,Ask,underlying_price',
        (each) =>
          `2024-03-05,${occ(each, 'KO    ')},12,${each.expiration},${each.right},${each.strike},${each.volume},${each.interest},${each.bid},${each.ask},${SPOT}`
      )
    ],
    [
      'with the call and the put of a strike in one row',
      `Bid,Ask,Volume,OI,Exp,Strike,Bid,Ask,Volume,OI\n${pairs.map(([c, p]) => `${c.bid},${c.ask},${c.volume},${c.interest},${c.expiration},${c.strike},${p.bid},${p.ask},${p.volume},${p.interest}\n`).join('')}`
    ]
  ])('%s', async (_, content) => {
    const facts = { date: '2024-03-05', underlyingPrice: SPOT }
    const { reasons } = await imported('a.csv', content, { facts })
    const [, map] = /use --map "([^"]+)"/.exec(reasons[0]) ?? []
    const archive = { bars: async () => [], writeTableText: noParquet }
    const columns = parseColumnMap(map, chainTableFields)
    const symbol = map.includes('=symbol') || map.includes('=occ') ? undefined : ('KO' as Ticker)
    const again = await take((writer) =>
      importChains([folderWith({ 'a.csv': content })], { columns, symbol, facts, archive }, writer)
    )
    expect(again.rejections).toEqual([])
    const [{ chain }] = again.snapshots
    const held = [
      chain.symbol,
      iso(chain.asOf).slice(0, 19),
      chain.size,
      [...chain.openInterest].reduce((a, b) => a + b)
    ]
    expect(held).toEqual(['KO', close, quoted.length, sum(({ interest }) => interest)])
  })

  test('and a first line that is a row, or has a single column, is told', async () => {
    const [, ...rows] = ownTable().split('\n')
    expect((await imported('a.csv', rows.join('\n'))).reasons[0]).toContain('its first line seems to be a row')
    expect((await imported('a.csv', ownTable().replaceAll(',', '   '))).reasons[0]).toContain('it has a single column')
  })
})

describe('daily bars', () => {
  async function barsOf(name: string, content: string, symbol?: string) {
    const options = { columns: undefined, symbol: symbol as Ticker | undefined, archive: { writeTableText: noParquet } }
    const { bars, rejections } = await take((writer) => importDaily([folderWith({ [name]: content })], options, writer))
    return [
      ...bars.map(([of, bar]) => `${of} ${bar.date} ${bar.close} ${bar.volume}`),
      ...rejections.map(({ reason }) => reason)
    ]
  }
  const right = ['KO 2024-03-04 59.8 1100', 'KO 2024-03-05 60 1200']

  test.each<readonly [string, string, string]>([
    [
      'of Databento in billionths',
      'a.csv',
      'ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume,symbol\n1709510400000000000,35,2,1,59600000000,60000000000,59300000000,59800000000,1100,KO\n1709596800000000000,35,2,1,59700000000,60100000000,59400000000,60000000000,1200,KO\n'
    ],
    [
      'of Stooq',
      'a.txt',
      '<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>\nKO.US,D,20240304,000000,59.6,60,59.3,59.8,1100,0\nKO.US,D,20240305,000000,59.7,60.1,59.4,60,1200,0\n'
    ],
    [
      'of Barchart, by the name of its file',
      'ko_daily-historical-data-03-06-2024.csv',
      'Time,Open,High,Low,Latest,Change,%Change,Volume\n2024-03-05,59.7,60.1,59.4,60,1,1%,"1,200"\n2024-03-04,59.6,60,59.3,59.8,1,1%,"1,100"\n"Downloaded from Barchart.com as of 03-06-2024 08:09am CST"\n'
    ],
    [
      'of Schwab',
      'a.json',
      JSON.stringify({
        candles: [
          { open: 59.6, high: 60, low: 59.3, close: 59.8, volume: 1100, datetime: 1709532000000 },
          { open: 59.7, high: 60.1, low: 59.4, close: 60, volume: 1200, datetime: 1709618400000 }
        ],
        symbol: 'KO',
        empty: false
      })
    ],
    [
      'of Massive',
      'a.json',
      JSON.stringify({
        ticker: 'KO',
        results: [
          { v: 1100, o: 59.6, c: 59.8, h: 60, l: 59.3, t: 1709528400000 },
          { v: 1200, o: 59.7, c: 60, h: 60.1, l: 59.4, t: 1709614800000 }
        ],
        status: 'OK'
      })
    ],
    [
      'of Alpha Vantage',
      'a.json',
      JSON.stringify({
        'Meta Data': { '2. Symbol': 'KO' },
        'Time Series (Daily)': {
          '2024-03-05': {
            '1. open': '59.7',
            '2. high': '60.1',
            '3. low': '59.4',
            '4. close': '60',
            '5. volume': '1200'
          },
          '2024-03-04': {
            '1. open': '59.6',
            '2. high': '60',
            '3. low': '59.3',
            '4. close': '59.8',
            '5. volume': '1100'
          }
        }
      })
    ]
  ])('%s', async (_, name, content) => {
    expect(await barsOf(name, content)).toEqual(right)
  })

  test('of several symbols, by the column of their tickers', async () => {
    const content =
      'Ticker,Date,Open,High,Low,Close,Volume\nKO,2024-03-04,59.6,60,59.3,59.8,1100\nKO,2024-03-05,59.7,60.1,59.4,60,1200\nPEP,2024-03-04,164,166,163,165,500\n'
    expect(await barsOf('x.csv', content)).toEqual([...right, 'PEP 2024-03-04 165 500'])
  })

  test.each([
    ['weeks', 7],
    ['months', 31]
  ])('of %s are none', async (_, days) => {
    const dates = Array.from({ length: 30 }, (_, k) =>
      new Date(Date.UTC(2023, 0, 6 + k * days)).toISOString().slice(0, 10)
    )
    const rows = dates.map((date) => `${date},60,61,59,60,1000`)
    const found = await barsOf('KO.csv', `Date,Open,High,Low,Close,Volume\n${rows.join('\n')}\n`)
    expect(found.filter((each) => !/no session/.test(each))).toEqual([
      `KO: most of its bars are ${days} days apart: bars of weeks or months are no daily bars`
    ])
  })

  test('in another currency are refused', async () => {
    expect(await barsOf('TSM.csv', 'Date,Close,Currency\n2024-03-04,700,TWD\n')).toEqual([
      'its prices are in TWD, and only those in USD are read'
    ])
  })

  test('of two symbols side by side are those of both', async () => {
    const content =
      'Price,Close,Close,High,High,Low,Low,Open,Open,Volume,Volume\nTicker,KO,PEP,KO,PEP,KO,PEP,KO,PEP,KO,PEP\nDate,,,,,,,,,,\n2024-03-04,59.8,165,60,166,59.3,164,59.6,164.5,1100,500\n2024-03-05,60,,60.1,,59.4,,59.7,,1200,\n'
    expect(await barsOf('a.csv', content)).toEqual([right[0], right[1], 'PEP 2024-03-04 165 500'])
  })

  test('of one date at several times are no daily bars, even if they are equal', async () => {
    const rows = ['09:30', '10:30', '11:30'].map((time) => `2024-03-05 ${time}:00-05:00,60,61,59,60,5\n`)
    expect(await barsOf('KO.csv', `Datetime,Open,High,Low,Close,Volume\n${rows.join('')}`)).toEqual([
      'KO: 2024-03-05 comes 3 times with other figures or times: bars of minutes or hours are no daily bars'
    ])
  })
})
