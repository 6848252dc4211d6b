import { describe, expect, test } from 'vitest'
import { createCboeIndexes, indexSymbols, readIndexHistory } from '../../../src/connectors/cboe/indexes/cboe-indexes.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { RestVendor } from '../../support/rest-vendor.ts'
import { expectSameOrNamed } from '../../support/same-or-named.ts'
import { csvMutations, hasSamples, sample } from './samples.ts'

const [VIX, SKEW] = ['VIX', 'SKEW'] as readonly string[] as readonly Ticker[]
const later = Date.parse('2026-07-23T12:00:00Z')
const { signal } = new AbortController()

describe.skipIf(!hasSamples)('the history of an index', () => {
  test('is bars with a range, and without a volume', () => {
    const bars = readIndexHistory(sample('macro/cboe-vix-history.csv'), VIX, later)
    expect(bars).toHaveLength(5)
    expect(bars.at(-1)).toEqual({ date: '2026-07-22', open: 17.42, high: 19.49, low: 16.64, close: 16.64, volume: 0 })
    expect(bars[0].date).toBe('1990-01-02')
  })

  test('that has one value a day has no range', () => {
    const bars = readIndexHistory(sample('macro/cboe-skew-history.csv'), SKEW, later)
    const none = Number.NaN
    expect(bars.at(-1)).toEqual({ date: '2026-07-22', open: none, high: none, low: none, close: 150.19, volume: 0 })
  })

  test('ends with the last session that was over', () => {
    const before = Date.parse('2026-07-22T19:00:00Z')
    expect(readIndexHistory(sample('macro/cboe-vix-history.csv'), VIX, before).at(-1)?.date).toBe('2026-07-21')
  })

  test.each([
    ['macro/cboe-vix-history.csv', VIX],
    ['macro/cboe-vix9d-history.csv', VIX],
    ['macro/cboe-skew-history.csv', SKEW]
  ])('of %s, mutated, is the same figures or a fault with the name of the column', (name, symbol) => {
    const figures = (text: string) => readIndexHistory(Buffer.from(text), symbol, later)
    const whole = String(sample(name))
    expectSameOrNamed(csvMutations(whole), figures(whole), figures)
  })
})

test('every index is asked for once, and only the wanted days of it are stated', async () => {
  const vendor = await RestVendor.start(({ path }) => {
    const name = path.slice(1, -'_History.csv'.length)
    const rows = ['07/20/2026', '07/21/2026']
    const isStated = name === 'SKEW' || name === 'VVIX'
    const body = isStated
      ? [`DATE,${name}`, ...rows.map((date) => `${date},90.5`)]
      : ['DATE,OPEN,HIGH,LOW,CLOSE', ...rows.map((date) => `${date},17,18,16,17.5`)]
    return { body: body.join('\r\n') }
  })
  const source = createCboeIndexes({ url: vendor.url })
  const found: string[] = []
  for await (const stated of source.read({ now: later, from: '2026-07-21' as IsoDate, symbols: [] }, signal)) {
    if ('bars' in stated) found.push(`${stated.symbol} ${stated.bars.map(({ date, close }) => `${date} ${close}`)}`)
  }
  expect(found).toEqual([
    ...['VIX', 'VIX9D', 'VIX3M', 'VIX6M'].map((name) => `${name} 2026-07-21 17.5`),
    ...['VVIX', 'SKEW'].map((name) => `${name} 2026-07-21 90.5`)
  ])
  expect(vendor.asked.map(({ path }) => path)).toEqual(indexSymbols.map((name) => `/${name}_History.csv`))
})
