import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type DailyTableOptions, importDaily } from '../../../src/imports/daily/import-daily.ts'
import { splitGaps, volumeStep } from '../../../src/imports/daily/judge-bars.ts'
import type { DailyBar } from '../../../src/market/bar.ts'
import { tradingDays } from '../../../src/market/calendar.ts'
import type { Dividend } from '../../../src/market/dividend.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { folderWith, noParquet, take } from '../take.ts'

const days = tradingDays('2024-01-02' as IsoDate, '2024-03-28' as IsoDate)
const heading = 'date,open,high,low,close,volume'

/** Bars that move a little each day, divided by `factor` from day `at` on. */
function quiet(at: number, factor: number, { volume = 1000, units = 1 } = {}): readonly DailyBar[] {
  return days.map((date, k) => {
    const close = (100 + Math.sin(k)) / (k < at ? 1 : factor)
    const traded = (volume + k) * (k < at ? 1 : units)
    return { date, open: close * 0.999, high: close * 1.01, low: close * 0.99, close, volume: traded }
  })
}

const lineOf = (bar: DailyBar) => [bar.date, bar.open, bar.high, bar.low, bar.close, bar.volume].join(',')
const tableOf = (bars: readonly DailyBar[]) => `${[heading, ...bars.map(lineOf)].join('\n')}\n`

function imported(path: string, symbol: string, more: Partial<DailyTableOptions> = {}) {
  const options = { columns: undefined, symbol: symbol as Ticker, archive: { writeTableText: noParquet }, ...more }
  return take((writer) => importDaily([path], options, writer))
}
const ofBars = (bars: readonly DailyBar[], symbol = 'KO', more: Partial<DailyTableOptions> = {}) =>
  imported(join(folderWith({ 'bars.csv': tableOf(bars) }), 'bars.csv'), symbol, more)
const fieldCase = (name: string) => join(import.meta.dirname, '../field-cases', name)

describe('a date that comes more than once', () => {
  test('with other figures is set aside: minute bars are no daily bars', async () => {
    const { bars, rejections, tally } = await imported(fieldCase('27_minute_bars_as_daily.csv'), 'MINB')
    expect([bars, tally.doubted]).toEqual([[], 3])
    expect(rejections[0].reason).toContain('2024-03-05 comes 3 times with other figures')
  })

  test('with the same figures counts once, in whatever file', async () => {
    const [first, second] = quiet(99, 1)
    const folder = folderWith({ 'KO.csv': tableOf([second, first, first]), 'ko.csv': tableOf([first]) })
    const { bars, rejections, tally } = await imported(folder, 'KO')
    expect([bars.map(([, { date }]) => date), rejections, tally.leftOut]).toEqual([[first.date, second.date], [], 2])
  })

  test('leaves the other dates alone', async () => {
    const all = quiet(99, 1)
    const { bars, tally } = await ofBars([...all, { ...all[5], close: all[5].close + 0.1 }])
    expect([bars.length, tally.doubted]).toEqual([all.length - 1, 2])
  })
})

test('bars of days still to come are set aside', async () => {
  const all = quiet(99, 1)
  const { bars, rejections, tally } = await ofBars(all, 'KO', { wallNow: Date.parse('2024-03-26T22:00Z') })
  expect([bars.at(-1)![1].date, tally.doubted]).toEqual(['2024-03-26', 2])
  expect(rejections[0].reason).toContain('2 bars are of days still to come, the first of 2024-03-27')
})

describe('a gap of the size of a split', () => {
  test('that nothing states sets aside the bars before it, and names its ratio', async () => {
    const { bars, rejections, tally, doubted } = await imported(fieldCase('10_NVDA_bars_with_split.csv'), 'NVDA')
    expect([bars.length, bars[0][1].date, tally.doubted]).toEqual([21, '2024-06-10', 49])
    expect(rejections.map(({ outcome }) => outcome)).toEqual(['set aside'])
    expect(rejections[0].reason).toMatch(/on 2024-06-10, as after a split of 10 to 1 \(ratio 10\)/)
    const again = folderWith({ 'doubted.csv': doubted[0] })
    const accepted = await imported(join(again, 'doubted.csv'), 'NVDA', { accept: true })
    expect([accepted.bars.length, accepted.rejections]).toEqual([49, []])
  })

  test.each([
    ['2 to 1', 2, 2],
    ['3 to 2', 1.5, 1.5],
    ['1 to 10', 0.1, 0.1],
    ['1 to 4', 0.25, 0.25]
  ])('is found at a split of %s', (_, factor, ratio) => {
    expect(splitGaps(quiet(20, factor)).map((gap) => [gap.after.date, gap.ratio])).toEqual([[days[20], ratio]])
  })

  test('is none in a market that moves as much within a day', () => {
    const wild = quiet(20, 2).map((bar) => ({ ...bar, high: bar.close * 1.3, low: bar.close * 0.8 }))
    expect(splitGaps(wild)).toEqual([])
  })

  test('is none where a dividend of that day explains it', async () => {
    const dividend: Dividend = { exDate: days[20], amount: 48, knownFrom: 0 }
    const archive = { dividends: async () => [dividend], writeTableText: noParquet }
    expect((await ofBars(quiet(20, 2), 'KO', { archive })).rejections).toEqual([])
    expect((await ofBars(quiet(20, 2), 'KO')).tally.doubted).toBe(20)
  })

  test('to the bars of the history sets all of them aside', async () => {
    const [held, stated] = [quiet(20, 2).slice(0, 20), quiet(20, 2).slice(20)]
    const archive = { bars: async () => held, writeTableText: noParquet }
    const { bars, rejections } = await ofBars(stated, 'KO', { archive })
    expect(bars).toEqual([])
    expect(rejections[0].reason).toContain('one of them in the history')
  })

  test('of an index is its own affair', async () => {
    expect((await ofBars(quiet(20, 0.25), 'VIX')).rejections).toEqual([])
  })
})

test('a high below the low, and a close outside both, are set aside', async () => {
  const all = [...quiet(99, 1)]
  all[3] = { ...all[3], high: all[3].low, low: all[3].high }
  all[4] = { ...all[4], close: all[4].high * 1.05 }
  const { bars, rejections, tally } = await ofBars(all)
  expect([bars.length, tally.doubted]).toEqual([all.length - 2, 2])
  expect(rejections[0].reason).toContain('its prices do not fit together, first on 2024-01-05')
})

test('volumes in another unit from a day on are reported and written', async () => {
  const step = quiet(30, 1, { units: 100 })
  expect(volumeStep(step)?.date).toBe(days[30])
  expect(volumeStep(quiet(30, 1, { units: 4 }))).toBeUndefined()
  const { bars, rejections, tally } = await ofBars(step)
  expect([bars.length, tally.marked, rejections[0].outcome]).toEqual([step.length, 1, 'written'])
})

test('a dry run tells what is understood and writes nothing', async () => {
  const { bars, notes } = await ofBars(quiet(20, 2), 'KO', { dryRun: true })
  expect(bars).toEqual([])
  const [text] = notes.flatMap((note) => (note.kind === 'understood' ? [note.text] : []))
  expect(text).toMatch(/^KO: 41 daily bars, 2024-01-31 to 2024-03-28, /)
  expect(text).toContain('doubted: 20 bars: its close goes from')
})

test('of bars of one date that the operator accepts the one whose row comes last counts', async () => {
  const rows = ['2024-03-05,100,101,99,100.5,10', '2024-03-05,100,101,99,100.7,20', '2024-03-06,100,101,99,100.2,30']
  const folder = folderWith({ 'MINB.csv': `${[heading, ...rows].join('\n')}\n` })
  const { bars } = await imported(join(folder, 'MINB.csv'), 'MINB', { accept: true })
  expect(bars.map(([, { date, close, volume }]) => [date, close, volume])).toEqual([
    ['2024-03-05', 100.7, 20],
    ['2024-03-06', 100.2, 30]
  ])
})
