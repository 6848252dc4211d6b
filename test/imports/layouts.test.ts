import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { importChains } from '../../src/imports/chains/import-chains.ts'
import type { SaidFacts } from '../../src/imports/chains/stated-facts.ts'
import type { SaidForms } from '../../src/imports/tables/written-forms.ts'
import type { Ticker } from '../../src/market/units.ts'
import { folderWith, iso, noParquet, take } from './take.ts'
import { zipOf } from './zip-file.ts'

interface Said {
  readonly forms?: SaidForms
  readonly facts?: SaidFacts
  readonly symbol?: string
}

function imported(name: string, content: string | Uint8Array, { forms, facts, symbol }: Said = {}) {
  const archive = { bars: async () => [], writeTableText: noParquet }
  const options = { columns: undefined, symbol: symbol as Ticker | undefined, forms, facts, archive }
  return take((writer) => importChains([folderWith({ [name]: content })], options, writer))
}

/** Symbol, moment, spot, root, expiration, and of the first contract strike, bid, ask and open interest. */
async function shownOf(...asked: Parameters<typeof imported>) {
  const { snapshots, rejections } = await imported(...asked)
  const shown = snapshots.map(({ chain }) => {
    const [{ root, date }] = chain.expirations
    const first = [chain.strike[0], chain.bid[0], chain.ask[0], chain.openInterest[0]]
    return [chain.symbol, iso(chain.asOf).slice(0, 16), chain.spot, root, date, ...first].join(' ')
  })
  return [...shown, ...rejections.map(({ line, reason }) => `${line}: ${reason}`)]
}

const occ = 'SPY   240419C00500000'

describe('a table is recognised by its heading', () => {
  test.each<readonly [string, string, string, Said, string]>([
    [
      'datashop-intervals',
      'a.csv',
      `underlying_symbol,quote_datetime,root,expiration,strike,option_type,open,high,low,close,trade_volume,bid_size,bid,ask_size,ask,underlying_bid,underlying_ask,open_interest\n^SPX,2024-03-05 10:00:00,SPXW,2024-04-19,5000.000,C,0,0,0,0,3,10,190.1,12,190.9,5099,5101,77`,
      {},
      'SPX 2024-03-05T15:00 5100 SPXW 2024-04-19 5000 190.1 190.9 77'
    ],
    [
      'exchange of 2017',
      'QuoteData.dat',
      `IBM (INTL BUSINESS MACHINES),185.08,-0.27,\nDec 27 2013 @ 15:06 ET,Bid,185.00,Ask,185.24,Size,1x2,Vol,3382117,\nCalls,Last Sale,Net,Bid,Ask,Vol,Open Int,Puts,Last Sale,Net,Bid,Ask,Vol,Open Int,\n14 Jan 185.00 (IBM1417A185),2.2,0.0,2.1,2.3,15,4000,14 Jan 185.00 (IBM1417M185),1.9,0.0,1.8,2.0,3,1100,\n`,
      {},
      'IBM 2013-12-27T20:06 185.08 IBM 2014-01-17 185 2.1 2.3 4000'
    ],
    [
      'gammawall',
      'a.csv',
      `symbol,ts,session,expiration,root,settlement,strike,right,bid,ask,last,bid_size,ask_size,volume,open_interest,spot,fidelity\nSPY,2024-03-05 21:00:00.000,2024-03-05,2024-04-19,SPY,pm,500,C,15.1,15.2,15,1,2,3,4,507.5,recorded`,
      {},
      'SPY 2024-03-05T21:00 507.5 SPY 2024-04-19 500 15.1 15.2 4'
    ],
    [
      'yfinance with a stated moment',
      'calls.csv',
      `,contractSymbol,lastTradeDate,strike,lastPrice,bid,ask,change,percentChange,volume,openInterest\n0,SPY240419C00500000,2024-03-05 20:59:58+00:00,500.0,15.1,15.0,15.2,-1.0,-6.2,1200.0,5000`,
      { facts: { date: '2024-03-05 15:30', underlyingPrice: 507.5 } },
      'SPY 2024-03-05T20:30 507.5 SPY 2024-04-19 500 15 15.2 5000'
    ],
    [
      'ivolatility',
      'a.csv',
      `symbol,exchange,date,adjusted close,option symbol,expiration,strike,call/put,style,ask,bid,mean price,iv,volume,open interest,stock price for iv,*,delta,vega,gamma,theta,rho\nSPX,CBOE,03/05/2024,5078.65,SPXW  240412C05000000,04/12/2024,5000,C,E,151,150,150.5,0.13,10,20,5078.65,,0.6,1,0,0,0`,
      {},
      'SPX 2024-03-05T21:00 5078.65 SPXW 2024-04-12 5000 150 151 20'
    ],
    [
      'orats',
      'a.csv',
      `ticker,tradeDate,expirDate,dte,strike,stockPrice,callVolume,callOpenInterest,callBidSize,callAskSize,putVolume,putOpenInterest,putBidSize,putAskSize,callBidPrice,callValue,callAskPrice,putBidPrice,putValue,putAskPrice\nSPY,2024-03-05,2024-04-19,45,500,507.5,1,2,3,4,5,6,7,8,15.1,15.15,15.2,6.1,6.15,6.2`,
      {},
      'SPY 2024-03-05T20:46 507.5 SPY 2024-04-19 500 15.1 15.2 2'
    ],
    [
      'barchart',
      'spy-options-exp-2024-04-19-monthly-show-all-stacked-03-05-2024.csv',
      `Strike,Moneyness,Bid,Mid,Ask,Last,Change,%Chg,Volume,"Open Int","OI Chg",IV,Delta,Type,Time\n500.00,+1.48%,15.10,15.15,15.20,15.12,-1.2,-7.3%,"1,200","5,678",12,13.5%,0.64,Call,03/05/24\n"Downloaded from Barchart.com as of 03-05-2024 05:01pm CST"\n`,
      { facts: { underlyingPrice: 507.5 } },
      'SPY 2024-03-05T21:00 507.5 SPY 2024-04-19 500 15.1 15.2 5678'
    ],
    [
      'databento',
      'a.csv',
      `ts_recv,ts_event,publisher_id,instrument_id,price,size,bid_px_00,ask_px_00,bid_sz_00,ask_sz_00,bid_pb_00,ask_pb_00,symbol\n1709652600000000000,,30,1,,0,15.1,15.2,3,4,0,0,${occ}`,
      { facts: { underlyingPrice: 507.5 } },
      'SPY 2024-03-05T15:30 507.5 SPY 2024-04-19 500 15.1 15.2 -1'
    ],
    [
      'databento in billionths of a USD',
      'a.csv',
      `ts_recv,ts_event,publisher_id,instrument_id,price,size,bid_px_00,ask_px_00,bid_sz_00,ask_sz_00,bid_pb_00,ask_pb_00,symbol\n1709652600000000000,,30,1,9223372036854775807,0,15100000000,9223372036854775807,3,0,0,0,${occ}`,
      { facts: { underlyingPrice: 507.5 } },
      'SPY 2024-03-05T15:30 507.5 SPY 2024-04-19 500 15.1 NaN -1'
    ],
    [
      'massive',
      'a.csv',
      `ticker,volume,open,close,high,low,window_start,transactions\nO:SPY240419C00500000,200,15,15.1,16,14,1709614800000000000,62`,
      { facts: { underlyingPrice: 507.5 } },
      'SPY 2024-03-05T21:00 507.5 SPY 2024-04-19 500 NaN NaN -1'
    ],
    [
      'thetadata',
      'a.csv',
      `symbol,expiration,strike,right,created,last_trade,open,high,low,close,volume,count,bid_size,bid_exchange,bid,bid_condition,ask_size,ask_exchange,ask,ask_condition\nSPY,2024-04-19,500.000,CALL,2024-03-05T17:16:56.205,2024-03-05T15:48:12.005,15,15,15,15.1,10,3,70,60,15.1,50,15,47,15.2,50`,
      { facts: { underlyingPrice: 507.5 } },
      'SPY 2024-03-05T21:00 507.5 SPY 2024-04-19 500 15.1 15.2 -1'
    ],
    [
      'thetadata of the second version',
      'a.csv',
      `root,expiration,strike,right,ms_of_day,ms_of_day2,open,high,low,close,volume,count,bid_size,bid_exchange,bid,bid_condition,ask_size,ask_exchange,ask,ask_condition,date\nSPY,20240419,500000,C,62216205,57600000,15,15,15,15.1,10,3,70,60,15.1,50,15,47,15.2,50,20240305`,
      { facts: { underlyingPrice: 507.5 } },
      'SPY 2024-03-05T21:00 507.5 SPY 2024-04-19 500 15.1 15.2 -1'
    ],
    [
      'yfinance with the time at which it was fetched',
      'a.csv',
      `contractSymbol,lastTradeDate,strike,lastPrice,bid,ask,change,volume,openInterest,fetched_at,spot\nSPY240419C00500000,2024-03-05 20:29:58+00:00,500,15.1,15.1,15.2,0,12,5000,2024-03-05T20:30:00.123456+00:00,507.5`,
      {},
      'SPY 2024-03-05T20:30 507.5 SPY 2024-04-19 500 15.1 15.2 5000'
    ],
    [
      'alphavantage',
      'a.csv',
      `contractID,symbol,expiration,strike,type,last,mark,bid,bid_size,ask,ask_size,volume,open_interest,date,implied_volatility,delta\nSPY240419C00500000,SPY,2024-04-19,500.00,call,15.12,15.15,15.10,5,15.20,6,7,8,2024-03-05,0.13,0.6`,
      { facts: { underlyingPrice: 507.5 } },
      'SPY 2024-03-05T21:00 507.5 SPY 2024-04-19 500 15.1 15.2 8'
    ],
    [
      'optionmetrics',
      'a.csv',
      `secid,date,symbol,symbol_flag,exdate,last_date,cp_flag,strike_price,best_bid,best_offer,volume,open_interest,impl_volatility\n108105,05MAR2024,SPXW 240412C5000000,1,12APR2024,.,C,5000000,150,151,10,20,.`,
      { symbol: 'SPX', facts: { underlyingPrice: 5078.65 } },
      'SPX 2024-03-05T21:00 5078.65 SPXW 2024-04-12 5000 150 151 20'
    ],
    [
      'marketdata as columns of JSON',
      'a.json',
      `{"s":"ok","optionSymbol":["SPY240419C00500000"],"underlying":["SPY"],"updated":[1709672400],"bid":[15.1],"bidSize":[1],"ask":[15.2],"askSize":[2],"last":[15.12],"openInterest":[8],"volume":[7],"underlyingPrice":[507.5]}`,
      {},
      'SPY 2024-03-05T21:00 507.5 SPY 2024-04-19 500 15.1 15.2 8'
    ],
    [
      'dolthub',
      'a.csv',
      `date,act_symbol,expiration,strike,call_put,bid,ask,vol,delta,gamma,theta,vega,rho\n2024-03-05,SPY,2024-04-19,500.00,Call,15.10,15.20,0.13,0.6,0,0,0,0`,
      { facts: { underlyingPrice: 507.5 } },
      'SPY 2024-03-05T21:00 507.5 SPY 2024-04-19 500 15.1 15.2 -1'
    ]
  ])('%s', async (_, name, text, said, expected) => {
    expect(await shownOf(name, text, said)).toEqual([expected])
  })
})

const heading = ['symbol', 'date', 'expiration', 'strike', 'right', 'bid', 'ask', 'open_interest', 'underlying_price']
const row = (date: string, expiration: string, bid: string, interest: string, call = 'C') => [
  'SPY',
  date,
  expiration,
  '500',
  call,
  bid,
  '15.2',
  interest,
  '507.5'
]
const plain = `${heading}\n${row('2024-03-05', '2024-04-19', '15.1', '1500')}\n`
const right = 'SPY 2024-03-05T21:00 507.5 SPY 2024-04-19 500 15.1 15.2 1500'

test('any delimiter, line end, encoding, form of date, number and right gives the same rows', async () => {
  const dates = [
    ['2024-03-05', '2024-04-19'],
    ['20240305', '20240419'],
    ['3/5/24', '4/19/24'],
    ['03/05/2024 0:00:00', '04/19/2024 0:00:00'],
    ['2024/03/05', '2024/04/19'],
    ['5.3.2024', '19.4.2024'],
    ['05-Mar-24', '19-Apr-24'],
    ['Tue Mar 05 2024', 'Fri Apr 19 2024'],
    ['05MAR24', '19APR24'],
    ['March 5 2024', 'April 19 2024'],
    ['2024-03-05T21:00:00Z', '2024-04-19T00:00:00+00:00'],
    ['1709672400', '1713484800'],
    ['1709672400000', '1713484800000'],
    ['1709672400000000000', '1713484800000000000']
  ] as const
  const forms = fc.record({
    dates: fc.constantFrom(...dates),
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    end: fc.constantFrom('\n', '\r\n', '\r'),
    encoding: fc.constantFrom('utf8', 'mark', 'utf16'),
    comma: fc.boolean(),
    interest: fc.constantFrom('1500', '"1,500"', '1.5K', '1500.0'),
    bid: fc.constantFrom('15.1', '$15.10', '15.1000'),
    call: fc.constantFrom('C', 'c', 'Call', 'CALL', 'calls', '1'),
    padded: fc.boolean(),
    above: fc.constantFrom('', 'Some report\n\n'),
    below: fc.constantFrom('', 'Source: some vendor of data\n')
  })
  await fc.assert(
    fc.asyncProperty(forms, async ({ dates: [date, expiration], delimiter, end, encoding, padded, ...more }) => {
      const { interest, call, above, below } = more
      const comma = more.comma && delimiter !== ','
      const figure = (text: string) => (comma ? text.replaceAll(/[.,]/g, (sign) => (sign === '.' ? ',' : '.')) : text)
      const fields = row(date, expiration, more.bid, interest, call)
      const cells = fields.map((text, k) => (k >= 5 ? figure(text) : text))
      const line = (texts: readonly string[]) => texts.map((text) => (padded ? ` ${text} ` : text)).join(delimiter)
      const text = `${above}${line(heading)}\n${line(cells)}\n${below}`.replaceAll('\n', end)
      const mark = encoding === 'mark' ? '\ufeff' : ''
      const bytes = encoding === 'utf16' ? Buffer.from(`\ufeff${text}`, 'utf16le') : Buffer.from(mark + text)
      expect(await shownOf('a.txt', bytes), text).toEqual([right])
    }),
    { numRuns: 150 }
  )
})

describe('what could be read in several ways is asked for', () => {
  const ambiguous = plain.replace('2024-03-05', '3/5/24').replace('2024-04-19', '4/9/24')
  test('day and month', async () => {
    expect(await shownOf('a.csv', ambiguous)).toEqual([
      '1: 3/5/24 may be 2024-03-05 or 2024-05-03: say --dates mdy or --dates dmy'
    ])
    const asked = (dates: string) => shownOf('a.csv', ambiguous, { forms: { dates } })
    expect(await asked('mdy')).toEqual(['SPY 2024-03-05T21:00 507.5 SPY 2024-04-09 500 15.1 15.2 1500'])
    const european = await shownOf('a.csv', ambiguous.replace('4/9/24', '9/5/24'), { forms: { dates: 'dmy' } })
    expect(european).toEqual([right.replace('2024-03-05T21', '2024-05-03T20').replace('2024-04-19', '2024-05-09')])
    expect(await asked('ymd')).toEqual(['1: --dates must be one of mdy, dmy, excel'])
  })

  test('dates that contradict each other, or what was said', async () => {
    const both = plain.replace('2024-03-05', '13/3/24').replace('2024-04-19', '4/19/24')
    expect((await shownOf('a.csv', both))[0]).toContain('its dates contradict each other')
    const said = await shownOf('a.csv', plain.replace('2024-04-19', '4/19/24'), { forms: { dates: 'dmy' } })
    expect(said).toEqual(['1: its dates are mdy, not dmy'])
  })

  test('day numbers of a spreadsheet', async () => {
    const serial = plain.replace('2024-03-05', '45356').replace('2024-04-19', '45401')
    expect(await shownOf('a.csv', serial)).toEqual([
      '1: 45356 may be a day number of a spreadsheet, 2024-03-05: say --dates excel'
    ])
    expect(await shownOf('a.csv', serial, { forms: { dates: 'excel' } })).toEqual([right])
    const noon = await shownOf('a.csv', serial.replace('45356', '45356.5'), { forms: { dates: 'excel' } })
    expect(noon).toEqual([right.replace('T21:00', 'T17:00')])
  })

  test('decimal signs', async () => {
    const whole = plain.replaceAll(',', ';').replace('15.1;15.2;1500;507.5', '15;16;1,500;507')
    expect(await shownOf('a.csv', whole)).toEqual(['1: 1,500 may be 1500 or 1.500: say --decimal point or comma'])
    expect((await shownOf('a.csv', whole, { forms: { decimal: 'point' } }))[0]).toMatch(/ 15 16 1500$/)
  })

  test('a column that comes twice', async () => {
    expect(await shownOf('a.csv', plain.replace('underlying_price', 'bid'))).toEqual([
      '1: the column bid comes twice: write bid#1 or bid#2 in --map'
    ])
  })
})

describe('times', () => {
  const timed = (time: string, said: Said = {}) =>
    shownOf('a.csv', `${plain.replace('date', 'date,time').replace('2024-03-05', `2024-03-05,${time}`)}`, said)

  test.each([
    ['10:30', '15:30'],
    ['10:30:00 AM', '15:30'],
    ['3:30 pm', '20:30'],
    ['2024-03-05 16:30:00+01:00', '15:30'],
    ['2024-03-05T15:30:00.000Z', '15:30'],
    ['2024-03-05 10:30 EST', '15:30'],
    ['2024-03-05 09:30 CST', '15:30'],
    ['20240305 103000', '15:30'],
    ['2024-03-05T10:30:00-05:00[America/New_York]', '15:30']
  ])('%s is %s in UTC', async (text, moment) => {
    expect(await timed(text)).toEqual([right.replace('21:00', moment)])
  })

  test('without a zone are of the zone that was said', async () => {
    expect(await timed('15:30', { forms: { zone: 'UTC' } })).toEqual([right.replace('21:00', '15:30')])
    expect(await timed('2024-03-05 16:30', { forms: { zone: 'Europe/Berlin' } })).toEqual([
      right.replace('21:00', '15:30')
    ])
    expect(await timed('10:30', { forms: { zone: 'Mars' } })).toEqual([
      '1: there is no time zone Mars: zones are called UTC, America/Chicago or Europe/Berlin'
    ])
  })

  test('at midnight are dates, whatever their zone', async () => {
    for (const text of ['2024-03-05T00:00:00Z', '2024-03-05 00:00:00+01:00', '2024-03-05 00:00:00.000', '1709596800']) {
      expect(await shownOf('a.csv', plain.replace('2024-03-05', text)), text).toEqual([right])
    }
  })
})

describe('packed files', () => {
  test('are recognised by what they hold', async () => {
    expect(await shownOf('a.txt', gzipSync(plain))).toEqual([right])
    expect(await shownOf('a.csv', zipOf({ 'x.tsv': plain.replaceAll(',', '\t') }))).toEqual([right])
  })

  test('inside a zip are named', async () => {
    const zip = zipOf({ 'inner.zip': 'PK', 'b.parquet': 'PAR1', '__MACOSX/._a.csv': '\0', 'a.csv': plain })
    expect(await shownOf('a.zip', zip)).toEqual([
      right,
      'undefined: it lies packed inside a zip: unpack it first',
      'undefined: it lies packed inside a zip: unpack it first'
    ])
  })
})

describe('JSON', () => {
  const record = {
    symbol: 'SPY',
    date: '2024-03-05',
    expiration: '2024-04-19',
    strike: 500,
    right: 'C',
    bid: 15.1,
    ask: '15.2',
    open_interest: 1500,
    underlying_price: 507.5
  }

  test('is read by lines, as a list, in an object and as columns', async () => {
    const columns = Object.fromEntries(Object.entries(record).map(([name, value]) => [name, [value]]))
    const texts = [
      `${JSON.stringify(record)}\n`,
      JSON.stringify([record], undefined, 2),
      JSON.stringify({ message: 'success', data: [record] }),
      JSON.stringify(columns)
    ]
    for (const text of texts) expect(await shownOf('a.jsonl', text), text).toEqual([right])
  })

  test('of calls and puts apart is one table, and other lists are named', async () => {
    const put = { ...record, right: 'P' }
    const { snapshots, rejections } = await imported('a.json', JSON.stringify({ calls: [record], puts: [put] }))
    expect([snapshots[0].chain.size, rejections]).toEqual([2, []])
    expect(await shownOf('a.json', JSON.stringify({ calls: [record], trades: [{ price: 1 }] }))).toEqual([
      'undefined: its JSON holds several tables: calls, trades'
    ])
  })

  test('with NaN names the field and the line', async () => {
    const text = `${JSON.stringify(record)}\n${JSON.stringify(record).replace('15.1', 'NaN')}\n`
    expect(await shownOf('a.jsonl', text)).toEqual([
      'undefined: it is no JSON: bid is NaN in line 2, which JSON does not know: write null'
    ])
  })

  test.each([
    ['a line of over a megabyte', (row: string) => `${row}\n${row}\n${'x'.repeat(3_000_000)}`],
    ['more than 8 others', (row: string) => `${row}\n${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}\n`]
  ])('with %s is refused by these words', async (words, write) => {
    expect((await shownOf('a.jsonl', write(JSON.stringify(record)))).join('\n')).toContain(words)
  })
})

test('a contract that OptionMetrics marks as adjusted is left out', async () => {
  const heading = 'secid,date,symbol,exdate,cp_flag,strike_price,best_bid,best_offer,volume,open_interest,ss_flag'
  const row = (flag: number, bid: number) => `1,2024-03-05,SPY,2024-04-19,C,500000,${bid},15.2,1,1500,${flag}`
  const text = `${heading}\n${row(0, 15.1)}\n${row(1, 3)}\n`
  const { snapshots, rejections, tally } = await imported('a.csv', text, {
    symbol: 'SPY',
    facts: { underlyingPrice: 507.5 }
  })
  expect([snapshots[0].chain.bid[0], snapshots[0].chain.size, rejections, tally.leftOut]).toEqual([15.1, 1, [], 1])
})

test('a heading alone is no table', async () => {
  expect(await shownOf('a.csv', `${plain.split('\n')[0]}\n`)).toEqual(['undefined: it has no row below its heading'])
})

test('a stated price of the underlying is of one moment', async () => {
  const [first, second] = plain.replaceAll(/,[^,\n]*\n/g, '\n').split('\n')
  const text = `${first}\n${second}\n${second.replace('2024-03-05', '2024-03-06')}\n`
  expect(await shownOf('a.csv', text, { facts: { underlyingPrice: 507.5 } })).toEqual([
    'undefined: the price of the underlying that was stated is of one moment, and its rows are of several: a column must state it',
    '2: SPY on 2024-03-05: it is not complete: the file breaks off'
  ])
})

test('a heading that is repeated, blank rows and a remark are no rows', async () => {
  const [first, second] = plain.split('\n')
  const text = `${first}\n${second}\n${','.repeat(8)}\n${first}\n${second.replace(',C,', ',P,')}\nSource: a vendor,,,,,,,,\n`
  const { snapshots, rejections } = await imported('a.csv', text)
  expect(rejections).toEqual([])
  expect(snapshots.map(({ chain }) => chain.size)).toEqual([2])
})

test('a symbol that ends in a digit is no adjusted contract, and a weekly root is its index', async () => {
  expect(await shownOf('a.csv', plain.replace('SPY', 'AB1'))).toEqual([right.replaceAll('SPY', 'AB1')])
  const weekly = await shownOf('a.csv', plain.replace('SPY', 'SPXW'))
  expect(weekly).toEqual([right.replace('SPY', 'SPX').replace(' SPY ', ' SPXW ')])
  const { tally } = await imported('a.csv', plain.replace('symbol,', 'symbol,root,').replace('SPY,', 'SPY,SPY1,'))
  expect(tally.leftOut).toBe(1)
})
