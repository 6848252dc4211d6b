import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { doubtOfCents, doubtOfSlips } from '../../../src/imports/daily/bar-slips.ts'
import { importDaily } from '../../../src/imports/daily/import-daily.ts'
import type { BarRow } from '../../../src/imports/daily/judge-bars.ts'
import { tradingDays } from '../../../src/market/calendar.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { folderWith, noParquet, take } from '../take.ts'

const days = tradingDays('2024-03-04' as IsoDate, '2024-03-28' as IsoDate)

function barsOf(closes: readonly number[]): readonly BarRow[] {
  return closes.map((close, k) => {
    const prices = { open: close * 0.999, high: close * 1.01, low: close * 0.99, close }
    return { date: days[k], ...prices, volume: 1000 + k, time: Number.NaN, table: 0, line: k + 2 }
  })
}

async function imported(bars: readonly BarRow[], symbol = 'KO') {
  const rows = bars.map(({ date, open, high, low, close, volume }) => [date, open, high, low, close, volume].join(','))
  const text = ['date,open,high,low,close,volume', ...rows, ''].join('\n')
  const options = { columns: undefined, symbol: symbol as Ticker, archive: { writeTableText: noParquet } }
  const taken = await take((writer) =>
    importDaily([join(folderWith({ 'bars.csv': text }), 'bars.csv')], options, writer)
  )
  return { written: taken.bars.map(([, { close }]) => close), reasons: taken.rejections.map(({ reason }) => reason) }
}

describe('a close many times that of the days beside it', () => {
  test.each<readonly [string, readonly number[], number]>([
    ['ten times, in a file of five', [60, 60.5, 610, 60.2, 60.9], 610],
    ['ten times, in a file of three', [60, 610, 60.4], 610],
    ['a tenth', [60, 60.5, 6.1, 60.2, 60.9, 61], 6.1],
    ['a hundredth, in a long file', [60, 60.5, 61, 61.4, 0.612, 60.2, 60.9, 61, 60.8, 60.1], 0.612]
  ])('is set aside alone: %s', async (_, closes, slip) => {
    const { written, reasons } = await imported(barsOf(closes))
    expect(written).toEqual(closes.filter((close) => close !== slip))
    expect(reasons).toEqual([expect.stringContaining('many times that of the days beside it')])
  })

  test.each<readonly [string, readonly number[]]>([
    ['a squeeze that ends elsewhere', [65, 148, 347, 193, 325, 225]],
    ['a crash', [60, 61, 12, 11.5, 11.8]],
    ['a day of doubling', [10, 20.5, 10.4, 10.1]]
  ])('is none: %s', (_, closes) => {
    expect(doubtOfSlips(barsOf(closes))).toBeUndefined()
  })

  test('of an index is its own affair', async () => {
    expect((await imported(barsOf([15, 16, 52, 16, 15.5]), 'VIX')).reasons).toEqual([])
  })
})

describe('prices in cents', () => {
  const cents = barsOf([6012, 6054, 6033, 6101, 6077]).map((bar) => {
    const [open, high, low] = [bar.open, bar.high, bar.low].map(Math.round)
    return { ...bar, open, high, low }
  })

  test('are set aside though nothing is there to compare with', async () => {
    const { written, reasons } = await imported(cents)
    expect(written).toEqual([])
    expect(reasons).toEqual([expect.stringContaining('they may be in cents')])
  })

  test('without opening prices are doubted as well', () => {
    expect(doubtOfCents(cents.map((bar) => ({ ...bar, open: Number.NaN })))?.kind).toBe('cents')
  })

  test('are none where one price has a fraction, prices are as low as dollars, or three days tell little', () => {
    expect(doubtOfCents([...cents.slice(1), { ...cents[0], low: 5990.5 }])).toBeUndefined()
    expect(doubtOfCents(cents.map((bar) => ({ ...bar, open: 60, high: 61, low: 59, close: 60 })))).toBeUndefined()
    expect(doubtOfCents(cents.slice(0, 3))).toBeUndefined()
  })
})
