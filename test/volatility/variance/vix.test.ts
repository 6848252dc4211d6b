import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { outOfTheMoneyValue } from '../../../src/volatility/variance/variance-swap.ts'
import { type StrikeQuotes, type VixTerm, vix, vixVariance } from '../../../src/volatility/variance/vix.ts'
import { type StrikeRow, strikeColumns } from '../strike-columns.ts'

const folder = new URL('../../../../shared/data/reference/', import.meta.url)
const recorded = existsSync(folder)
if (!recorded) console.log('skipped: the example of the VIX white paper needs ../shared/data beside the project')

function readQuotes(file: string): StrikeQuotes {
  const lines = readFileSync(new URL(file, folder), 'utf8').trim().split('\n')
  const rows = lines.map((line) => {
    const [strike, callBid, callAsk, putBid, putAsk] = line.trim().split(/\s+/).map(Number)
    return { strike, callBid, callAsk, putBid, putAsk }
  })
  return strikeColumns(rows)
}

test.skipIf(!recorded)('the example of the white paper is 13.69', () => {
  const near = { minutes: 35_924, rate: 0.000305, quotes: readQuotes('cboe_vix_whitepaper_nearterm.dat') }
  const next = { minutes: 46_394, rate: 0.000286, quotes: readQuotes('cboe_vix_whitepaper_nextterm.dat') }
  const [first, second] = [vixVariance(near)!, vixVariance(next)!]
  expect(first.t).toBeCloseTo(0.0683486, 7)
  expect(first.forward).toBeCloseTo(1962.89996, 5)
  expect(first).toMatchObject({ boundary: 1960, strikes: 146 })
  expect(first.variance).toBeCloseTo(0.018462924, 8)
  expect(second.t).toBeCloseTo(0.0882686, 7)
  expect(second.forward).toBeCloseTo(1962.40006, 5)
  expect(second).toMatchObject({ boundary: 1960, strikes: 122 })
  expect(second.variance).toBeCloseTo(0.018821008, 8)
  expect(vix(near, next)).toBeCloseTo(13.68582, 5)
})

describe('a flat smile of 20 %', () => {
  const strikes = Array.from({ length: 401 }, (_, i) => 40 + i / 2)
  const term = (minutes: number, change: (quote: StrikeRow) => StrikeRow = (quote) => quote): VixTerm => {
    const quotes = strikes.map((strike) => {
      const value = 100 * outOfTheMoneyValue(Math.log(strike / 100), (0.04 * minutes) / 525_600)
      const [call, put] = [value + Math.max(0, 100 - strike), value + Math.max(0, strike - 100)]
      return change({ strike, callBid: call, callAsk: call, putBid: put, putAsk: put })
    })
    return { minutes, rate: 0, quotes: strikeColumns(quotes) }
  }

  test('has a VIX of 20', () => {
    expect(vix(term(35_000), term(46_000))).toBeCloseTo(20, 1)
  })

  test('loses what lies behind two strikes without a bid', () => {
    const gone = [90, 89.5]
    const cut = term(35_000, (quote) => (gone.includes(quote.strike) ? { ...quote, putBid: 0 } : quote))
    expect(vixVariance(cut)!.strikes).toBe(
      vixVariance(term(35_000, (q) => (q.strike < 90.5 ? { ...q, putBid: 0 } : q)))!.strikes
    )
  })

  test('has no VIX without quotes, or with both expirations on one day', () => {
    expect(vix({ minutes: 35_000, rate: 0, quotes: strikeColumns([]) }, term(46_000))).toBeUndefined()
    expect(vix(term(35_000), term(35_000))).toBeUndefined()
    expect(vixVariance(term(35_000, (quote) => ({ ...quote, callBid: 0 })))).toBeUndefined()
  })
})
