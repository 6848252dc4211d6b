import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  interestOf,
  mapThetaDataClosing,
  mapThetaDataSnapshot,
  momentOfThetaDataSnapshot
} from '../../../src/connectors/thetadata/chains/thetadata-chain.ts'
import { readThetaDataFrame } from '../../../src/connectors/thetadata/prints/thetadata-frame.ts'
import { readThetaDataTrade } from '../../../src/connectors/thetadata/prints/thetadata-trade.ts'
import {
  contractQuotes,
  contractReports,
  contractVolumes,
  indexPrices,
  openInterest,
  readThetaDataAnswer,
  stockReports,
  type ThetaDataAnswer,
  tradeQuotes
} from '../../../src/connectors/thetadata/thetadata-answers.ts'
import type { Chain } from '../../../src/market/chain.ts'
import { easternDateTime } from '../../../src/market/eastern.ts'
import { momentOf } from '../../../src/market/payload-moment.ts'
import { CROSS, EXTENDED, INTERMARKET_SWEEP, LATE, MULTI_LEG, STOCK_TIED } from '../../../src/market/print.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { csvMutations } from '../../support/mutations.ts'
import { expectSameOrNamed } from '../../support/same-or-named.ts'

// Answers of the vendor's description, and some that a client recorded, with times in epoch milliseconds: here they are written
// as the REST interface writes them, the clock of New York without a zone.

const folder = resolve(import.meta.dirname, '../../../../shared/data/vendor-samples')
const isThere = existsSync(resolve(folder, 'thetadata'))
if (!isThere) console.log('skipped: samples of ThetaData lie in ../shared/data, which is not there')
const sample = (name: string) => {
  const text = isThere ? readFileSync(resolve(folder, 'thetadata', name), 'utf8') : ''
  return text.replace(/\b1\d{12}\b/g, (milliseconds) => easternDateTime(Number(milliseconds)))
}

const read = <Read>(answer: ThetaDataAnswer<Read>, text: string, symbol = 'AAPL'): readonly Read[] => [
  ...readThetaDataAnswer(answer, Buffer.from(text), symbol)
]

const columnsOf = ({ strike, right, bid, ask, last, bidSize, askSize, volume, openInterest }: Chain) =>
  [strike, right, bid, ask, last, bidSize, askSize, volume, openInterest].map((column) => [...column])

const AAPL = 'AAPL' as Ticker
/** Two seconds after the close of 2025-08-20. */
const fetched = Date.parse('2025-08-20T20:00:02Z')

function snapshotOf(quotes: string, interest: string) {
  const snapshot = {
    symbol: AAPL,
    quotes: [read(contractQuotes, quotes)],
    volumes: [],
    interest: interestOf(read(openInterest, interest), '2025-08-20' as IsoDate),
    underlying: { bid: 225.7, ask: 225.8, price: 225.75, time: fetched - 3000 },
    fetched
  }
  return mapThetaDataSnapshot(snapshot, momentOfThetaDataSnapshot(snapshot)!, undefined).chain
}

function closingOf(reports: string) {
  const close = Date.parse('2024-11-04T21:00:00Z')
  const moment = momentOf({ fetched: close, newestTrade: close })
  return mapThetaDataClosing({
    symbol: AAPL,
    reports: read(contractReports, reports),
    interest: new Map(),
    close: 222,
    moment
  }).chain
}

describe.skipIf(!isThere)('what the vendor documents', () => {
  test('is a chain of one contract, at its quote', () => {
    const chain = snapshotOf(sample('snapshot-quote.csv'), sample('snapshot-open-interest.csv'))
    // 15:59:59.805 New York, in the last second of the session.
    expect(chain).toMatchObject({ symbol: 'AAPL', size: 1, spot: 225.75, asOf: 1755719999805 })
    expect(chain.expirations).toMatchObject([{ date: '2026-01-16', root: 'AAPL', settlement: 'pm' }])
    expect(columnsOf(chain)).toEqual([[275], [0], [1.47], [1.5], [Number.NaN], [5], [25], [0], [8066]])
  })

  test('is a chain at a close, with the volume of the day', () => {
    const chain = closingOf(sample('history-eod.csv'))
    expect(chain).toMatchObject({ size: 1, spot: 222, asOf: Date.parse('2024-11-04T21:00:00Z'), delay: 0 })
    expect(columnsOf(chain)).toEqual([[170], [0], [52.05], [52.45], [52.4], [70], [15], [10], [-1]])
  })

  test('is what a contract traded, the price of an index, days of a stock', () => {
    expect(read(contractVolumes, sample('snapshot-ohlc.csv'), 'SPY')).toEqual([
      { occ: 'SPY260515C00500000', last: 211.74, volume: 5, time: 1776782510718 }
    ])
    expect(read(indexPrices, sample('index-price.csv'), 'SPX')).toEqual([
      { price: 6395.78, time: Date.parse('2025-08-20T20:02:06Z') }
    ])
    const days = read(stockReports, sample('stock-eod.csv'))
    expect(days.map((bar) => [bar!.date, bar!.open, bar!.high, bar!.low, bar!.close, bar!.volume])).toEqual([
      ['2024-01-02', 187.03, 188.44, 183.885, 185.64, 80680243],
      ['2024-01-03', 184.2, 185.88, 183.43, 184.25, 58308345],
      ['2024-01-04', 182, 183.0872, 180.88, 181.91, 71197269],
      ['2024-01-05', 181.9, 182.76, 180.17, 181.18, 61949135]
    ])
  })

  test('is eight trades with their quotes', () => {
    const trades = read(tradeQuotes, sample('history-trade-quote.csv'), 'SPY')
    expect(trades.map(({ time, price, size, exchange }) => [time, price, size, exchange])).toEqual([
      [1718373303122, 41.71, 10, 6],
      [1718374419652, 40.48, 1, 5],
      [1718374885683, 41.27, 2, 6],
      [1718375161802, 41.25, 3, 31],
      [1718376536569, 41.07, 1, 5],
      [1718376937799, 41.65, 1, 22],
      [1718380743374, 41.5, 2, 1],
      [1718381440182, 41.93, 1, 43]
    ])
    const prints = trades.map((trade) => readThetaDataTrade(trade, 'SPY' as Ticker))
    expect(prints[0]).toEqual({
      message: {
        print: {
          symbol: 'SPY',
          contract: 'SPY240621C00500000',
          time: 1718373303122,
          price: 41.71,
          size: 10,
          exchange: 6,
          sequence: undefined,
          flags: MULTI_LEG,
          quote: { bid: 41.2, ask: 42.09, time: 1718373299396 },
          spot: undefined
        }
      }
    })
    const flags = prints.map((found) =>
      'message' in found && 'print' in found.message ? found.message.print.flags : -1
    )
    // 130 and 131 are legs of a spread; 125, a single-leg auction, and 18, an electronic trade, are regular.
    expect(flags).toEqual([MULTI_LEG, 0, MULTI_LEG, 0, 0, MULTI_LEG, 0, MULTI_LEG])
    // The trades in the vendor's format without quotes.
    const bare = sample('history-trade.csv')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','))
    expect(bare.map((cells) => [cells[10], cells[11], cells[12], cells[13]].map(Number))).toEqual(
      trades.map(({ condition, size, exchange, price }) => [condition, size, exchange, price])
    )
  })

  test('is the stream saying that it subscribed, and that it is there', () => {
    const statuses: unknown[] = []
    for (const line of sample('stream.ndjson').trim().split('\n')) {
      readThetaDataFrame(line, () => true, {
        status: (isConnected) => statuses.push(isConnected),
        response: (id, response) => statuses.push([id, response]),
        trade: (trade) => statuses.push(trade),
        quote: (quote) => statuses.push(quote),
        refused: (reason) => statuses.push(reason)
      })
    }
    // The first two and the last are what a client says.
    const own = 'a frame without a header'
    expect(statuses).toEqual([own, own, [1, 'SUBSCRIBED'], true, own])
  })
})

describe.skipIf(!isThere)('a mutated answer is the same figures or a fault with the name of the field', () => {
  const quotes = sample('snapshot-quote.csv')
  const interest = sample('snapshot-open-interest.csv')

  test('of quotes', () => {
    const figures = (text: string) => {
      const { asOf, spot, ...chain } = snapshotOf(text, interest)
      return { asOf, spot, columns: columnsOf(chain as Chain), expirations: chain.expirations }
    }
    expectSameOrNamed(csvMutations(quotes), figures(quotes), figures)
  })

  test('of open interest', () => {
    const figures = (text: string) => read(openInterest, text)
    expectSameOrNamed(csvMutations(interest), figures(interest), figures)
  })

  test.each([
    ['volumes', 'snapshot-ohlc.csv', contractVolumes, 'SPY'],
    ['trades', 'history-trade-quote.csv', tradeQuotes, 'SPY'],
    ['the price of an index', 'index-price.csv', indexPrices, 'SPX'],
    ['days of a stock', 'stock-eod.csv', stockReports, 'SPY']
  ] as const)('of %s', (_, name, answer, symbol) => {
    const figures = (text: string) => read<unknown>(answer, text, symbol)
    const text = sample(name)
    expectSameOrNamed(csvMutations(text), figures(text), figures)
  })

  test('of the reports of a day', () => {
    const text = sample('history-eod.csv')
    const figures = (mutated: string) => columnsOf(closingOf(mutated))
    expectSameOrNamed(csvMutations(text), figures(text), figures)
  })
})

describe('sale conditions', () => {
  const trade = {
    contract: 'SPY240621C00500000',
    time: 1718373303122,
    price: 1,
    size: 1,
    exchange: 6,
    sequence: 1,
    quote: undefined
  }
  const flagsOf = (condition: number) => {
    const found = readThetaDataTrade({ ...trade, condition }, 'SPY' as Ticker)
    if ('refused' in found) return found.refused
    return 'print' in found.message ? found.message.print.flags : 'cancel'
  }

  const file = resolve(folder, 'opra/trade-conditions.csv')
  test.skipIf(!existsSync(file))('mean what the table of the exchanges says', () => {
    const expected: Readonly<Record<string, readonly (number | string)[]>> = {
      cancel: ['cancel'],
      exclude: ['a compression at closing prices'],
      late: [LATE],
      single: [0, CROSS],
      sweep: [INTERMARKET_SWEEP, CROSS],
      floor: [0],
      multi: [MULTI_LEG],
      stock: [STOCK_TIED],
      extended: [EXTENDED]
    }
    const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n')
    expect(lines).toHaveLength(33)
    for (const line of lines) {
      const code = Number(line.split(',')[3])
      const group = line.slice(line.lastIndexOf(',') + 1).trim()
      expect(expected[group], line).toContain(flagsOf(code))
    }
  })

  test('that are none are refused by their number', () => {
    expect(flagsOf(146)).toBe('the unknown sale condition 146')
    expect(flagsOf(209)).toBe('the unknown sale condition 209')
    expect(flagsOf(-7)).toBe(flagsOf(1e9))
  })
})
