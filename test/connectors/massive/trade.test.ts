import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { massiveName, occOfMassive } from '../../../src/connectors/massive/massive-symbols.ts'
import { type MassiveEventSink, readMassiveFrame } from '../../../src/connectors/massive/prints/massive-frame.ts'
import { type MassiveTrade, readMassiveTrade } from '../../../src/connectors/massive/prints/massive-trade.ts'
import { QuoteSubscriptions } from '../../../src/connectors/port/streams/quote-subscriptions.ts'
import { StreamBudget } from '../../../src/connectors/port/streams/stream-budget.ts'
import {
  CROSS,
  EXTENDED,
  INTERMARKET_SWEEP,
  LATE,
  MARKED,
  MULTI_LEG,
  NOT_ELIGIBLE,
  STOCK_TIED
} from '../../../src/market/print.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { noon, SPY } from './listening.ts'
import { tradeEvent } from './vendor.ts'

const trade: MassiveTrade = {
  contract: 'SPY260731C00600000',
  time: noon,
  price: 1.5,
  size: 10,
  exchange: 302,
  conditions: [],
  sequence: 1
}
const read = (more: Partial<MassiveTrade>) => readMassiveTrade({ ...trade, ...more }, SPY)
const flagsOf = (...conditions: readonly number[]) => {
  const found = read({ conditions })
  return 'message' in found && 'print' in found.message ? found.message.print.flags : found
}

describe('sale conditions', () => {
  test('say what a print is', () => {
    for (const regular of [[], [209], [210], [227], [231]]) expect(flagsOf(...regular)).toBe(0)
    for (const sweep of [219, 228]) expect(flagsOf(sweep)).toBe(INTERMARKET_SWEEP)
    for (const cross of [229, 230]) expect(flagsOf(cross)).toBe(CROSS)
    for (const late of [202, 204, 206, 208]) expect(flagsOf(late)).toBe(LATE)
    for (const legs of [232, 233, 234, 235, 236, 238, 239, 246]) expect(flagsOf(legs)).toBe(MULTI_LEG)
    for (const tied of [237, 240, 241, 242, 243, 244, 245]) expect(flagsOf(tied)).toBe(STOCK_TIED)
    expect(flagsOf(248)).toBe(EXTENDED)
    expect(flagsOf(219, 232)).toBe(INTERMARKET_SWEEP | MULTI_LEG)
  })

  test('take a print back, by its figures', () => {
    for (const cancel of [201, 203, 205, 207]) {
      const { contract, price, size, time } = trade
      const named = { symbol: SPY, contract, price, size, time, exchange: 202, sequence: undefined }
      expect(read({ conditions: [cancel, 209] })).toEqual({ message: { cancel: named } })
    }
  })

  test('that are none, or of a compression, are refused by name', () => {
    expect(read({ conditions: [247] })).toEqual({ refused: 'a compression at closing prices' })
    expect(read({ conditions: [209, 250] })).toEqual({ refused: 'the unknown sale condition 250' })
    // The numbers of another vendor are not this one's.
    for (const foreign of [0, 18, 95, 130]) expect(read({ conditions: [foreign] })).toHaveProperty('refused')
    expect(read({ conditions: [-1] })).toEqual(read({ conditions: [1e9] }))
  })

  const table = resolve(import.meta.dirname, '../../../../shared/data/vendor-samples/opra/trade-conditions.csv')
  const hasTable = existsSync(table)
  if (!hasTable) console.log('skipped: the table of sale conditions lies in ../shared/data, which is not there')

  test.skipIf(!hasTable)('mean what the table of the exchanges says', () => {
    const isOf: Readonly<Record<string, (found: ReturnType<typeof flagsOf>) => boolean>> = {
      cancel: (found) => typeof found === 'object' && 'message' in found && 'cancel' in found.message,
      exclude: (found) => typeof found === 'object' && 'refused' in found,
      late: (found) => found === LATE,
      single: (found) => found === 0 || found === CROSS, // no side is read off a cross
      sweep: (found) => found === INTERMARKET_SWEEP || found === CROSS,
      floor: (found) => found === 0,
      multi: (found) => found === MULTI_LEG,
      stock: (found) => found === STOCK_TIED,
      extended: (found) => found === EXTENDED
    }
    const [, ...lines] = readFileSync(table, 'utf8').trim().split('\n')
    expect(lines).toHaveLength(33)
    for (const line of lines) {
      const [letter, , id] = line.split(',')
      const group = line.slice(line.lastIndexOf(',') + 1).trim()
      const found = flagsOf(Number(id))
      expect(isOf[group](found), line).toBe(true)
      expect(Number(id), line).toBe(letter.charCodeAt(0) + (letter < 'a' ? 136 : 130))
      const isClassified = ['single', 'sweep', 'floor'].includes(group) && found !== CROSS
      if (typeof found === 'number') expect((found & (MARKED | NOT_ELIGIBLE)) === 0, line).toBe(isClassified)
    }
  })
})

test('exchanges keep numbers of their own', () => {
  const numbers = [1, 65, 199, 300, 302, 322, 355].map((exchange) => {
    const found = read({ exchange })
    return 'message' in found && 'print' in found.message ? found.message.print.exchange : undefined
  })
  expect(numbers).toEqual([1, 65, 199, 200, 202, 222, 255])
  expect(read({ exchange: 4711 })).toMatchObject({ message: { print: { exchange: 0 } } })
})

test('options and underlyings have names of their own', () => {
  const tail = '260731C00600000'
  expect(occOfMassive(`O:SPY${tail}`)).toBe(`SPY${tail}`)
  for (const name of ['SPY', 'I:SPX', 'O:', `O:${tail}`, `SPY${tail}`]) expect(occOfMassive(name)).toBeUndefined()
  expect(['SPX', '^GSPC', 'SPY', 'BRK.B'].map((symbol) => massiveName(symbol as Ticker))).toEqual([
    'I:SPX',
    'I:GSPC',
    'SPY',
    'BRK.B'
  ])
})

test('quotes go to contracts that trade, and come to others once they rest', () => {
  const budget = new StreamBudget({ connections: 1, prints: undefined, quotes: 2 })
  const subscriptions = new QuoteSubscriptions(budget)
  for (const contract of ['a', 'b', 'c', 'a']) subscriptions.traded(contract, 0)
  expect(subscriptions.changes(0)).toEqual({ begin: ['a', 'b'], end: [] })
  subscriptions.traded('a', 100_000)
  expect(subscriptions.changes(119_999)).toEqual({ begin: [], end: [] })
  expect(subscriptions.changes(120_000)).toEqual({ begin: [], end: ['b'] })
  subscriptions.traded('c', 120_000)
  expect(subscriptions.changes(120_000)).toEqual({ begin: ['c'], end: [] })
  subscriptions.clear()
  expect(subscriptions.changes(500_000)).toEqual({ begin: [], end: [] })
})

describe('a frame', () => {
  interface Seen {
    readonly trades: MassiveTrade[]
    readonly quotes: object[]
    readonly statuses: string[]
    readonly refused: string[]
  }
  function seen(text: string): Seen {
    const all: Seen = { trades: [], quotes: [], statuses: [], refused: [] }
    const sink: MassiveEventSink = {
      status: (status) => all.statuses.push(status),
      trade: (each) => all.trades.push(each),
      quote: (each) => all.quotes.push(each),
      refused: (reason) => all.refused.push(reason)
    }
    readMassiveFrame(text, () => true, sink)
    return all
  }
  const reasons = new Set([
    'a frame that is no list',
    'an unknown event (ev)',
    'an event of no option (sym)',
    'a status without a name (status)',
    'a trade without a price (p)',
    'a trade without a size (s)',
    'a trade without its time (t)',
    'a trade without its exchange (x)',
    'a trade without its number (q)',
    'a trade with unreadable conditions (c)',
    'a quote without prices (bp, ap)',
    'a quote without its time (t)'
  ])

  test('of anything at all is read or refused for one of few reasons, and throws nothing', () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json({ maxDepth: 1 }).map((json) => `[${json}]`)
    )
    fc.assert(
      fc.property(text, (garbage) => {
        for (const reason of seen(garbage).refused) expect(reasons).toContain(reason)
      }),
      { numRuns: 2000 }
    )
  })

  test('with one field that is something else is the same trade, or none', () => {
    const whole = tradeEvent()
    const [expected] = seen(JSON.stringify([whole])).trades
    const field = fc.constantFrom(...Object.keys(whole))
    const change = fc.oneof(
      fc.constant(undefined),
      fc.jsonValue().filter((value) => typeof value !== 'number' && !Array.isArray(value)),
      fc.constantFrom(-1, 0, 1e300, 0.5, 1e20)
    )
    fc.assert(
      fc.property(field, change, (name, value) => {
        const { trades, refused } = seen(JSON.stringify([{ ...whole, [name]: value }]))
        if (trades.length === 0) return
        expect(refused).toEqual([])
        const [{ price, size, time, contract, ...beside }] = trades
        const changed = { sym: contract, p: price, s: size, t: time }[name]
        if (changed !== undefined && changed !== (whole as Record<string, unknown>)[name]) {
          expect([name, changed === value || `O:${changed}` === value || name === 'sym']).toEqual([name, true])
        }
        expect(expected).toMatchObject({ exchange: 302, conditions: [209], sequence: 1 })
        if (['p', 's', 't', 'sym', 'ev'].includes(name))
          expect(beside).toEqual({ exchange: 302, conditions: [209], sequence: 1 })
      }),
      { numRuns: 1000 }
    )
  })

  test('that is cut off has no trade', () => {
    const text = JSON.stringify([tradeEvent(), tradeEvent({ q: 2 })])
    for (let length = 0; length < text.length; length++) {
      expect(seen(text.slice(0, length))).toMatchObject({ trades: [], refused: ['a frame that is no list'] })
    }
  })
})
