import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { BarScale } from '../../../src/imports/daily/bar-scale.ts'
import { importDaily } from '../../../src/imports/daily/import-daily.ts'
import { JobError, readJob } from '../../../src/jobs/job.ts'
import { MAX_BARS } from '../../../src/market/bar.ts'
import { session, tradingDays } from '../../../src/market/calendar.ts'
import type { Split } from '../../../src/market/split.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { closeToClose, usableBars } from '../../../src/volatility/realized/realized.ts'
import { memoryStore } from '../../support/memory-store.ts'
import { folderWith, noParquet, take } from '../take.ts'

const day = (date: string) => date as IsoDate
const nvda = 'NVDA' as Ticker
const withSplit = readFileSync(join(import.meta.dirname, '../field-cases/10_NVDA_bars_with_split.csv'), 'utf8')
const tenToOne: Split = { date: day('2024-06-10'), ratio: 10 }

/** Imports a table of bars into an archive that knows these splits. */
async function imported(
  text: string,
  splits: readonly Split[],
  {
    scale,
    store = memoryStore(),
    accept
  }: { scale?: BarScale; store?: ReturnType<typeof memoryStore>; accept?: boolean } = {}
) {
  await store.writeSplits(nvda, splits)
  const archive = { ...store, writeTableText: noParquet }
  const path = join(folderWith({ 'NVDA.csv': text }), 'NVDA.csv')
  const taken = await take((writer) =>
    importDaily([path], { columns: undefined, symbol: undefined, scale, accept, archive }, writer)
  )
  await store.writeBars(
    nvda,
    taken.bars.map(([, bar]) => bar),
    'imported'
  )
  const barsAt = (date: string) => store.bars(nvda, session(day(date))!.close, MAX_BARS)
  return { ...taken, store, barsAt, rv30: async (date: string) => closeToClose(usableBars(await barsAt(date)), 30) }
}

/** The same table with all bars before the split divided by ten, as a vendor adjusts them. */
const adjusted = withSplit
  .trim()
  .split('\n')
  .map((line, k) => {
    const [date, ...cells] = line.split(',')
    if (k === 0 || date >= tenToOne.date) return line
    const [open, high, low, close, volume] = cells.map(Number)
    const prices = [open, high, low, close].map((price) => (price / 10).toFixed(3))
    return [date, ...prices, volume * 10].join(',')
  })
  .join('\n')

/** Bars that move little, divided by `ratio` from `date` on. */
function madeUp(from: string, to: string, date: string, ratio: number): string {
  const rows = tradingDays(day(from), day(to)).map((on, k) => {
    const close = (100 + Math.sin(k)) / (on >= date ? ratio : 1)
    return [on, close, close * 1.004, close * 0.996, close, 1000].map(String).join(',')
  })
  return `date,open,high,low,close,volume\n${rows.join('\n')}\n`
}

describe('bars over a known split', () => {
  test('as traded give the volatility of adjusted ones', async () => {
    const raw = await imported(withSplit, [tenToOne])
    const smooth = await imported(`${adjusted}\n`, [tenToOne])
    expect([raw.rejections, raw.bars.length]).toEqual([[], 70])
    expect(await raw.rv30('2024-07-09')).toBeCloseTo((await smooth.rv30('2024-07-09'))!, 9)
    expect(await raw.rv30('2024-07-09')).toBeLessThan(60)
    expect(await raw.barsAt('2024-07-09')).toEqual(await smooth.barsAt('2024-07-09'))
  })

  test('are as they were traded on every day before it', async () => {
    const { barsAt } = await imported(`${adjusted}\n`, [tenToOne])
    expect((await barsAt('2024-06-07')).at(-1)).toMatchObject({ close: 705.4, volume: 1_000_000 })
    expect((await barsAt('2024-06-07'))[0]).toMatchObject({ date: '2024-04-01', close: 901.7 })
    expect((await barsAt('2024-06-10')).at(-2)).toMatchObject({ close: 70.54, volume: 10_000_000 })
  })

  test('are told as such before they are written', async () => {
    const { notes } = await imported(withSplit, [tenToOne])
    const texts = notes.flatMap((note) => (note.kind === 'understood' ? note.text : []))
    expect(texts.join()).toContain('bars before 2024-06-10 are adjusted for the split of 10 to 1')
  })

  test.each([
    ['a reverse one', madeUp('2024-03-01', '2024-05-31', '2024-04-15', 0.1), { date: day('2024-04-15'), ratio: 0.1 }],
    ['three for two', madeUp('2024-03-01', '2024-05-31', '2024-04-15', 1.5), { date: day('2024-04-15'), ratio: 1.5 }],
    [
      'of a day without a session',
      madeUp('2024-03-01', '2024-05-31', '2024-04-15', 4),
      { date: day('2024-04-13'), ratio: 4 }
    ],
    [
      'one that is no usual ratio',
      madeUp('2024-03-01', '2024-05-31', '2024-04-15', 1.67),
      { date: day('2024-04-15'), ratio: 1.67 }
    ]
  ])('are adjusted for %s', async (_, text, split) => {
    const { barsAt, rejections } = await imported(text, [split])
    const bars = await barsAt('2024-05-31')
    const moves = bars.slice(1).map(({ close }, k) => Math.abs(Math.log(close / bars[k].close)))
    expect([rejections, Math.max(...moves) < 0.02]).toEqual([[], true])
  })

  test('without the split are set aside, and the reason names the command that states it', async () => {
    const { rejections } = await imported(withSplit, [])
    expect(rejections[0].reason).toContain('state the split by `import splits`, or give bars that are adjusted for it')
  })

  test('that end before it are asked about, unless the bars after it are known', async () => {
    const until = `${withSplit
      .split('\n')
      .filter((line) => !(line >= '2024-06-10' && line < '3'))
      .join('\n')
      .trim()}\n`
    const asked = await imported(until, [tenToOne])
    expect(asked.bars).toEqual([])
    expect(asked.rejections[0].reason).toContain('give --bars unadjusted or --bars adjusted')
    const told = await imported(until, [tenToOne], { scale: 'unadjusted' })
    expect((await told.barsAt('2024-06-07')).at(-1)?.close).toBe(705.4)
    expect((await told.barsAt('2024-06-10')).at(-1)?.close).toBe(70.54)
    const { store } = await imported(withSplit, [tenToOne])
    const beside = await imported(until, [tenToOne], { store })
    expect([beside.rejections, (await beside.barsAt('2024-06-07')).at(-1)?.close]).toEqual([[], 705.4])
  })

  test('that move as far as neither allows are asked about', async () => {
    const wild = madeUp('2024-03-01', '2024-05-31', '2024-04-15', 1.2)
    const { rejections, bars } = await imported(wild, [{ date: day('2024-04-15'), ratio: 1.5 }])
    expect(bars[0][1].date).toBe('2024-04-15')
    expect(rejections.map(({ outcome }) => outcome)).toEqual(['set aside'])
    expect(rejections[0].reason).toContain('before 2024-04-15 are adjusted for the split of 1.5 to 1')
  })

  test('as the operator said, whatever they look like', async () => {
    const said = await imported(withSplit, [tenToOne], { scale: 'adjusted' })
    expect(said.rejections[0].reason).toContain('its close goes from 705.4 to 69 on 2024-06-10')
  })
})

test('bars that were written before a split is known follow it', async () => {
  const { store, barsAt } = await imported(madeUp('2024-03-01', '2024-05-31', '2025-01-01', 1), [])
  await store.writeSplits(nvda, [{ date: day('2024-04-15'), ratio: 2 }])
  const closes = (await barsAt('2024-04-12')).map(({ close }) => close)
  expect(closes.at(-1)! / (await barsAt('2024-04-15')).at(-2)!.close).toBeCloseTo(2, 9)
})

test('only daily bars stand to splits, in one of two ways', () => {
  const job = (format: string, scale: string) => () => readJob({ work: 'import', format, paths: ['/x'], scale })
  expect(job('csv', 'adjusted')).toThrow(new JobError('csv files hold no daily bars'))
  expect(job('daily', 'raw')).toThrow(new JobError('bars must be unadjusted or adjusted'))
  expect(job('daily', 'unadjusted')()).toMatchObject({ scale: 'unadjusted' })
})
