import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { alpacaReader } from '../../../src/connectors/alpaca/alpaca-fields.ts'
import { readAlpacaBars } from '../../../src/connectors/alpaca/chains/alpaca-bars.ts'
import { mapAlpacaChain, momentOfAlpacaChain } from '../../../src/connectors/alpaca/chains/alpaca-chain.ts'
import { readAlpacaContracts } from '../../../src/connectors/alpaca/chains/alpaca-contracts.ts'
import { readSnapshots } from '../../../src/connectors/alpaca/chains/alpaca-snapshot.ts'
import { alpacaUnderlyingAt, readShare } from '../../../src/connectors/alpaca/chains/alpaca-underlying.ts'
import { alpacaTradeFrom, readAlpacaTrade } from '../../../src/connectors/alpaca/prints/alpaca-trade.ts'
import { SourceError } from '../../../src/connectors/port/source-error.ts'
import { MULTI_LEG } from '../../../src/market/print.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { jsonMutations } from '../../support/mutations.ts'
import { expectSameOrNamed } from '../../support/same-or-named.ts'

// Examples of the vendor's own client libraries, with real figures of 2024.

const folder = resolve(import.meta.dirname, '../../../../shared/data/vendor-samples/alpaca')
const isThere = existsSync(folder)
if (!isThere) console.log('skipped: samples of Alpaca lie in ../shared/data, which is not there')
const sample = (name: string) => (isThere ? readFileSync(resolve(folder, name), 'utf8') : '{}')
const body = (text: string) => alpacaReader.body(Buffer.from(text))

/** The share in a session of a sample, of which there is none: 100 USD at its last trade. */
const shareAt = (time: string) => readShare({ latestTrade: { p: 100, t: time }, dailyBar: { t: time, c: 100 } })

/** The chain of a sample at the close of its session. */
function chainOf(text: string, symbol: string, date: string, listed = '{"option_contracts":[]}') {
  const share = shareAt(`${date}T20:00:00Z`)
  const rows = readSnapshots(body(text))
  const terms = new Map(readAlpacaContracts(body(listed)))
  const fetched = { symbol: symbol as Ticker, rows, terms, share, fetched: Date.parse(`${date}T23:00:00Z`) }
  const moment = momentOfAlpacaChain(fetched)
  const { chain, leftOut } = mapAlpacaChain(fetched, moment, alpacaUnderlyingAt(share, moment, false)!)
  const { expirations, strike, right, bid, ask, last, bidSize, askSize, volume, openInterest } = chain
  const columns = [strike, right, bid, ask, last, bidSize, askSize, volume, openInterest].map((column) => [...column])
  return { series: expirations.map(({ root, date }) => `${root} ${date}`), columns, leftOut }
}

const none = Number.NaN
const nothing = { adjusted: 0, expired: 0, unreadable: 0 }

describe.skipIf(!isThere)('what the vendor documents', () => {
  test.each([
    [
      'chain.json',
      ['AAPL', '2024-04-25'],
      { series: ['AAPL 2024-05-03'], columns: [[155], [1], [0.32], [0.35], [0.34], [73], [119], [-1], [-1]] }
    ],
    [
      'chain-page-1.json',
      ['AAPL', '2024-04-24'],
      { series: ['AAPL 2024-04-26'], columns: [[152.5], [0], [16.25], [17], [15.87], [80], [91], [-1], [-1]] }
    ],
    [
      'snapshot.json',
      ['AAPL', '2024-01-26'],
      { series: ['AAPL 2024-01-26'], columns: [[50], [1], [none], [none], [0.52], [-1], [-1], [0], [-1]] }
    ]
  ] as const)('%s is a chain', (name, [symbol, date], expected) => {
    // A contract of a sample may have been quoted a week after it expired: its quote is of no session then.
    expect(chainOf(sample(name), symbol, date)).toMatchObject(expected)
  })

  test('chain-with-greeks.json is a chain of two contracts, one of which never traded', () => {
    // Its one trade is of the day after its quotes, which count no more then.
    const { series, columns, leftOut } = chainOf(sample('chain-with-greeks.json'), 'NIO', '2024-03-07')
    expect(series).toEqual(['NIO 2024-04-05', 'NIO 2024-07-19'])
    expect(columns).toEqual([
      [4, 2],
      [1, 1],
      [none, none],
      [none, none],
      [0.05, none],
      [-1, -1],
      [-1, -1],
      [-1, -1],
      [-1, -1]
    ])
    expect(leftOut).toEqual(nothing)
    const before = chainOf(
      sample('chain-with-greeks.json').replace('2024-03-07T15', '2024-03-06T15'),
      'NIO',
      '2024-03-06'
    )
    expect(before.columns.slice(2, 7)).toEqual([
      [0.03, 0.03],
      [0.05, 1.24],
      [0.05, none],
      [1726, 1143],
      [3041, 2183]
    ])
  })

  test('snapshot-quote-only.json is a contract that never traded', () => {
    const [row] = readSnapshots(body(sample('snapshot-quote-only.json')))
    expect(row).toEqual({
      occ: 'AAPL240126P00050000',
      quote: { bid: 0.48, ask: 0.59, bidSize: 396, askSize: 458, time: Date.parse('2024-02-02T20:59:59.731Z') },
      trade: undefined,
      day: undefined
    })
  })

  test('an adjusted contract comes inside the chain, and is left out', () => {
    const text = JSON.stringify({ snapshots: JSON.parse(sample('adjusted-contract.json')) })
    expect(chainOf(text, 'XOM', '2024-11-26')).toMatchObject({ series: [], leftOut: { adjusted: 1, unreadable: 0 } })
  })

  test('contracts have open interest and size as text', () => {
    expect(readAlpacaContracts(body(sample('contract.json')))).toEqual([
      ['AAPL231103C00170000', { openInterest: 0, openInterestDate: '2023-11-03', isStandard: true }]
    ])
  })

  test('bars and trades of options', () => {
    const bars = body(sample('bars.json'))
    expect(readAlpacaBars(bars, 'SPY240426C00550000')).toEqual([
      { begin: Date.parse('2024-03-12T13:00:00Z'), open: 0.37, high: 0.37, low: 0.37, close: 0.37, volume: 1 },
      { begin: Date.parse('2024-03-12T14:00:00Z'), open: 0.41, high: 0.52, low: 0.41, close: 0.51, volume: 16 }
    ])
    expect(readAlpacaBars(bars, 'SPY240426C00555000')).toHaveLength(1)
    expect(readAlpacaBars(bars, 'SPY')).toEqual([])
    expect(tradesIn(sample('trades.json'))).toEqual([
      {
        print: {
          ...named,
          time: Date.parse('2024-03-12T13:34:54.178Z') + 0.322,
          price: 0.24,
          size: 1,
          exchange: 77,
          flags: 0
        }
      },
      {
        print: {
          ...named,
          time: Date.parse('2024-03-12T13:52:22.558Z') + 0.447,
          price: 0.21,
          size: 20,
          exchange: 66,
          flags: MULTI_LEG
        }
      }
    ])
  })
})

const named = {
  ...{ symbol: 'SPY', contract: 'SPY240426C00555000' },
  ...{ sequence: undefined, quote: undefined, spot: undefined }
}

/** The trades of an answer, as messages of a tape. */
function tradesIn(text: string) {
  const trades = alpacaReader.object(body(text), 'trades')
  return Object.keys(trades).flatMap((contract) =>
    (alpacaReader.list(trades, contract) ?? []).map((row) => {
      const trade = alpacaTradeFrom(contract, alpacaReader.element(row, contract))
      if (typeof trade === 'string') throw new SourceError('malformed', trade)
      const found = readAlpacaTrade(trade, 'SPY' as Ticker)
      if ('refused' in found) throw new SourceError('malformed', `${found.refused} (c)`)
      return found.message
    })
  )
}

describe.skipIf(!isThere)('a mutated answer is the same figures or a fault with the name of the field', () => {
  const chain = sample('chain.json')
  const terms = sample('contract.json').replaceAll('231103C00170000', '240503P00155000')
  const map = (text: string, listed = terms) => chainOf(text, 'AAPL', '2024-04-25', listed)
  /** Fields that a vendor omits when it has no value may be absent, but must not become another figure. */
  const sameOrAbsent = (whole: ReturnType<typeof map>) => (figures: ReturnType<typeof map>, label: string) => {
    for (const [k, [figure]] of figures.columns.entries()) {
      if (figure !== undefined && !Number.isNaN(figure) && figure !== -1)
        expect(figure, label).toBe(whole.columns[k][0])
    }
  }

  test('of a chain', () => {
    // The contract itself is the name of a field: under another one it is of no symbol.
    const mutations = [...jsonMutations(chain)].filter(({ field }) => field !== 'AAPL240503P00155000')
    expectSameOrNamed(mutations, map(chain), map, sameOrAbsent(map(chain)))
  })

  test('of contracts', () => {
    const whole = map(chain)
    const figures = (text: string) => map(chain, text)
    const mutations = [...jsonMutations(terms)].filter(({ field, label }) => field !== 'symbol' || !/as "/.test(label))
    expectSameOrNamed(mutations, whole, figures, sameOrAbsent(whole))
  })

  test('of trades', () => {
    const text = sample('trades.json')
    const mutations = [...jsonMutations(text)].filter(({ field }) => field !== 'SPY240426C00555000')
    expectSameOrNamed(mutations, tradesIn(text), tradesIn)
  })

  test('of bars', () => {
    const text = sample('bars.json')
    const figures = (changed: string) => readAlpacaBars(body(changed), 'SPY240426C00550000')
    const mutations = [...jsonMutations(text)].filter(({ field }) => field !== 'SPY240426C00550000')
    expectSameOrNamed(mutations, figures(text), figures)
  })
})
