import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CALL, type Chain } from '../../../src/market/chain.ts'
import { type ListedStrip, modelFreeVolatility } from '../../../src/volatility/variance/model-free.ts'
import { recordedPayloads } from '../../support/cboe-payload.ts'
import { eastern, ladder } from '../../support/hand-made.ts'
import { priced, recordedChain } from '../../support/markets.ts'
import { chainOf, quotedWhere, type series as Series, series } from '../chains.ts'

interface Option {
  readonly strike: number
  readonly call: readonly [bid: number, ask: number]
  readonly put: readonly [bid: number, ask: number]
}

/** Annual variance of one expiration by the published method, following its paper step by step on rows. */
function publishedVariance(options: readonly Option[], rate: number, years: number) {
  const mid = ([bid, ask]: readonly [number, number]) => (bid + ask) / 2
  const both = options.filter(({ call, put }) => call[0] > 0 && put[0] > 0)
  const gap = ({ call, put }: Option) => Math.abs(mid(call) - mid(put))
  const closest = both.toSorted((a, b) => gap(a) - gap(b) || a.strike - b.strike)[0]
  const growth = Math.exp(rate * years)
  const forward = closest.strike + growth * (mid(closest.call) - mid(closest.put))
  const k0 = both.filter(({ strike }) => strike <= forward).at(-1)!
  const selected: [strike: number, price: number][] = [[k0.strike, (mid(k0.call) + mid(k0.put)) / 2]]
  const walk = (side: 'call' | 'put', list: readonly Option[]) => {
    let zeros = 0
    for (const option of list) {
      if (option[side][0] > 0) selected.push([option.strike, mid(option[side])])
      zeros = option[side][0] > 0 ? 0 : zeros + 1
      if (zeros === 2) return
    }
  }
  walk('put', options.filter(({ strike }) => strike < k0.strike).toReversed())
  walk(
    'call',
    options.filter(({ strike }) => strike > k0.strike)
  )
  selected.sort(([a], [b]) => a - b)
  const sum = selected.reduce((total, [strike, price], i) => {
    const [before, after] = [selected[i - 1]?.[0], selected[i + 1]?.[0]]
    const width = before === undefined ? after - strike : after === undefined ? strike - before : (after - before) / 2
    return total + (width / strike ** 2) * growth * price
  }, 0)
  const variance = (2 / years) * sum - (1 / years) * (forward / k0.strike - 1) ** 2
  return { variance, strikes: selected.length }
}

/** The options of one listing of a chain. */
function optionsOf({ expirations, strike, right, bid, ask }: Chain, root: string, date: string): readonly Option[] {
  const { start, end } = expirations.find((listing) => listing.root === root && listing.date === date)!
  const rows = new Map<number, { strike: number; call: [number, number]; put: [number, number] }>()
  for (let i = start; i < end; i++) {
    const row = rows.get(strike[i]) ?? { strike: strike[i], call: [0, 0], put: [0, 0] }
    row[right[i] === CALL ? 'call' : 'put'] = [bid[i] || 0, ask[i] || 0]
    rows.set(strike[i], row)
  }
  return [...rows.values()].sort((a, b) => a.strike - b.strike)
}

/** Volatility of 30 days from two strips, by the paper's last formula. */
function publishedMonth(near: { total: number; minutes: number }, next: { total: number; minutes: number }): number {
  const [n30, n365] = [43_200, 525_600]
  const first = near.total * ((next.minutes - n30) / (next.minutes - near.minutes))
  const second = next.total * ((n30 - near.minutes) / (next.minutes - near.minutes))
  return 100 * Math.sqrt((first + second) * (n365 / n30))
}

const folder = recordedPayloads()
// The published close, where it is known, and what independent code makes of the same quotes.
const sessions = [
  ['more', '2026-07-22', 16.644, ['SPX 2026-08-21', 'SPXW 2026-08-28']],
  ['json', '2026-07-31', 15.997, ['SPXW 2026-08-28', 'SPXW 2026-09-04']]
] as const

describe.skipIf(folder === undefined)('the quoted strips of SPX', () => {
  test.each(sessions)('%s %s come to what the index was: %f', async (part, date, index, terms) => {
    const path = join(folder!, '..', part)
    const chain = priced(await recordedChain(path, 'SPX', date))
    const { strips, month } = modelFreeVolatility(chain)
    expect(strips.length).toBeGreaterThan(50)
    for (const { root, date, minutes, strikes, volatility } of strips) {
      const at = chain.expirations.findIndex((listing) => listing.root === root && listing.date === date)
      const again = publishedVariance(optionsOf(chain, root, date), chain.carries[at].rate, minutes / 525_600)
      expect(strikes).toBe(again.strikes)
      if (volatility !== undefined) expect(volatility ** 2 / 1e4 / again.variance).toBeCloseTo(1, 11)
    }
    const [near, next] = terms.map((name) => strips.find(({ root, date }) => `${root} ${date}` === name) as Term)
    expect(month).toBeCloseTo(publishedMonth(near, next), 10)
    console.log(`SPX ${date}: model-free volatility of 30 days ${month!.toFixed(3)}, independent code ${index}`)
    expect(Math.abs(month! - index)).toBeLessThan(0.05)
  })

  test('of 2026-07-22 meet the published close of the VIX, 16.64', async () => {
    const history = join(folder!, '../../indices/VIX_History.csv')
    const close = Number(/^07\/22\/2026,.*,([\d.]+)$/m.exec(readFileSync(history, 'utf8'))![1])
    expect(close).toBe(16.64)
    const { month } = modelFreeVolatility(priced(await recordedChain(join(folder!, '../more'), 'SPX', '2026-07-22')))
    expect(Math.abs(month! - close)).toBeLessThan(0.05)
  })
})

type Term = ListedStrip & { readonly total: number }

const wide = (date: string, change: Parameters<typeof Series>[1] = {}) =>
  series(date, { strikes: ladder(60, 160, 0.5), sigma: 0.2, ...change })

// A Wednesday at 11:00; August 28th is a Friday, 30 days and five hours away at its close.
describe('a chain of one volatility', () => {
  const chain = chainOf([wide('2026-08-21'), wide('2026-08-26'), wide('2026-08-28'), wide('2026-09-04')])
  const { strips, month } = modelFreeVolatility(chain)

  test('has it in every strip, on the clock of calendar minutes', () => {
    expect(strips).toHaveLength(4)
    chain.expirations.forEach(({ date }, at) => {
      const strip = strips.find((one) => one.date === date)!
      expect(strip.minutes).toBe((eastern(date, '16:00') - chain.asOf) / 60_000)
      const years = strip.minutes / 525_600
      expect(strip.volatility! / (20 * Math.sqrt(chain.carries[at].t / years))).toBeCloseTo(1, 2)
    })
  })

  test("has its month between the Fridays around it, not the Wednesday's strip", () => {
    const on = (date: string) => strips.find((strip) => strip.date === date) as Term
    expect(month).toBeCloseTo(publishedMonth(on('2026-08-21'), on('2026-08-28')), 12)
    const same = modelFreeVolatility(chainOf([wide('2026-08-21'), wide('2026-08-28'), wide('2026-09-04')]))
    expect(same.month).toBe(month)
  })
})

test('where both are listed, the AM strip is the term, and both strips are shown', () => {
  const am = wide('2026-08-21', { root: 'SPX', settlement: 'am', sigma: 0.3 })
  const pm = wide('2026-08-21', { root: 'SPXW' })
  const { strips, month } = modelFreeVolatility(chainOf([am, pm, wide('2026-08-28')]))
  expect(strips.map(({ root, settlement }) => [root, settlement])).toEqual([
    ['SPX', 'am'],
    ['SPXW', 'pm'],
    ['TEST', 'pm']
  ])
  expect(month).toBeCloseTo(publishedMonth(strips[0] as Term, strips[2] as Term), 12)
})

test('a chain without Fridays has its other dates as terms', () => {
  const { strips, month } = modelFreeVolatility(chainOf([wide('2026-08-19'), wide('2026-09-16')]))
  expect(month).toBeCloseTo(publishedMonth(strips[0] as Term, strips[1] as Term), 12)
})

test('fewer than eight strikes have no volatility, and one side of the month has none', () => {
  const few = (strike: number) => strike >= 98.5 && strike <= 101.5
  const { strips, month } = modelFreeVolatility(
    chainOf([wide('2026-08-21', { quote: quotedWhere(few) }), wide('2026-09-04')])
  )
  expect(strips[0]).toMatchObject({ strikes: 7, volatility: undefined, total: undefined })
  expect(strips[1].volatility).toBeGreaterThan(15)
  expect(month).toBeUndefined()
})

test('what has expired, or is not quoted, has no strip', () => {
  const { strips } = modelFreeVolatility(
    chainOf([wide('2026-07-29'), wide('2026-08-21', { quote: quotedWhere(() => false) })], { time: '16:30' })
  )
  expect(strips).toEqual([])
})

const paper = new URL('../../../../shared/data/reference/cboe_vix_whitepaper_2009_options.csv', import.meta.url)
test.skipIf(!existsSync(paper))('the method as written here gives the older paper its 61.22', () => {
  const rows = readFileSync(paper, 'utf8').trim().split('\n').slice(1)
  const term = (days: number) =>
    rows
      .map((line) => line.split(',').map(Number))
      .filter((row) => row[1] === days)
      .map(([, , strike, callBid, callAsk, putBid, putAsk]): Option => {
        return { strike, call: [callBid, callAsk], put: [putBid, putAsk] }
      })
  const of = (days: number) => {
    const minutes = 1440 * days
    return { minutes, total: publishedVariance(term(days), 0.0038, minutes / 525_600).variance * (minutes / 525_600) }
  }
  expect(publishedMonth(of(9), of(37))).toBeCloseTo(61.22, 2)
})
