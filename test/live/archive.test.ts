import { describe, expect, test } from 'vitest'
import type { HistoryStore } from '../../src/archive/history-store.ts'
import type { DailyBar } from '../../src/market/bar.ts'
import type { ChainHeader } from '../../src/market/chain.ts'
import { isMarketOpen } from '../../src/market/clock.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { eastern, ladder, sketched } from '../support/hand-made.ts'
import { recordOf } from '../support/made-up-records.ts'
import { memoryStore } from '../support/memory-store.ts'
import { barsOfCloses } from '../volatility/made-up-bars.ts'
import { alpha, minute, settled, standing, ticker } from './standing-market.ts'

const AAPL = ticker('AAPL')
const yesterday = '2026-07-28' as IsoDate
const today = '2026-07-29' as IsoDate

function closeAt(time: string, spot = 100, date: string = yesterday) {
  const series = [{ date: '2026-08-28', strikes: ladder(90, 110, 2.5) }]
  return sketched({ symbol: 'AAPL', date, time, spot, series })
}

/** Bars of three trading days. */
const old = [...barsOfCloses([90, 91, 92])].map(
  (bar, k): DailyBar => ({ ...bar, date: `2019-03-0${k + 4}` as IsoDate })
)

/** A live market before an archive, noting what it has for a recorder. */
async function archived(fill: (store: HistoryStore) => Promise<void> = async () => {}, holdsPast = true) {
  const archive = memoryStore()
  await fill(archive)
  const stood = standing([], { archive })
  const lines: string[] = []
  const tell = ({ symbol, asOf }: ChainHeader) => lines.push(`chain ${symbol} ${new Date(asOf).toISOString()}`)
  stood.events.on('chainSwapped', tell)
  stood.events.on('closeLearned', tell)
  stood.events.on('barsLearned', ({ symbol, bars }) => lines.push(`bars ${symbol} ${bars.length}`))
  stood.events.on('recordsLearned', ({ symbol, records }) => {
    lines.push(`records ${symbol} ${records.map(({ date }) => date)}`)
  })
  Object.assign(stood.source, { holdsPast })
  return { ...stood, archive, lines }
}

const snapshot = (chain: ReturnType<typeof closeAt>) => ({ chain, fidelity: 'recorded', missing: [] }) as const

describe('a recorder hears of', () => {
  test('every chain that is loaded, and every close the source lends', async () => {
    const { live, lines } = await archived()
    await live.chain(AAPL, alpha)
    await live.closing(AAPL, yesterday)
    expect(lines).toEqual(['chain AAPL 2026-07-29T15:00:00.000Z', 'chain AAPL 2026-07-28T20:00:00.000Z'])
  })

  test('bars and records that the archive does not have yet', async () => {
    const { live, source, archive, lines } = await archived()
    source.dailyBars = async () => old
    const bars = await live.bars(AAPL)
    await live.records(AAPL, today, 2)
    expect(lines).toEqual(['bars AAPL 3', 'records AAPL 2026-07-27,2026-07-28'])
    await archive.writeBars(AAPL, bars, 'recorded')
    await archive.writeRecords(AAPL, await live.records(AAPL, today, 2))
    const again = standing([], { archive })
    again.source.dailyBars = async () => old
    await again.live.bars(AAPL)
    await again.live.records(AAPL, today, 2)
    expect(again.emitted).toEqual([])
  })
})

describe('a close', () => {
  test('is the recorded one, and the source is not asked', async () => {
    const { live, source, lines } = await archived((store) => store.writeSnapshots([snapshot(closeAt('16:00', 123))]))
    expect((await live.closing(AAPL, yesterday))?.spot).toBe(123)
    expect([source.closes, lines]).toEqual([[], []])
  })

  test('finds the market closed, though its snapshot was taken in the last minutes of the session', async () => {
    const { live, source } = await archived((store) => store.writeSnapshots([snapshot(closeAt('15:57:30', 123))]))
    const closing = await live.closing(AAPL, yesterday)
    expect([closing?.spot, source.closes]).toEqual([123, []])
    expect(closing?.asOf).toBe(eastern(yesterday, '16:00'))
    expect(isMarketOpen(closing!.asOf)).toBe(false)
  })

  test('is asked of the source where the recording ended before it', async () => {
    const { live, source } = await archived((store) => store.writeSnapshots([snapshot(closeAt('15:54', 123))]))
    expect((await live.closing(AAPL, yesterday))?.asOf).toBe(eastern(yesterday, '16:00'))
    expect(source.closes).toEqual(['AAPL 2026-07-28'])
  })

  test('is asked of the source where the archive fails', async () => {
    const { live, archive, source } = await archived()
    archive.closingSnapshot = async () => {
      throw new Error('the disk is gone')
    }
    expect((await live.closing(AAPL, yesterday))?.asOf).toBe(eastern(yesterday, '16:00'))
    expect(source.closes).toHaveLength(1)
  })
})

describe('daily bars', () => {
  test('of the archive go before those of the source', async () => {
    const { live } = await archived((store) => store.writeBars(AAPL, old, 'imported'))
    const bars = await live.bars(AAPL)
    expect(bars.slice(0, 3)).toEqual(old)
    const dates = bars.map(({ date }) => date)
    expect(dates).toEqual([...dates].sort())
    expect(bars.length).toBeGreaterThan(3)
  })

  test('of the archive serve alone where the source has none', async () => {
    const { live, source } = await archived((store) => store.writeBars(AAPL, old, 'imported'))
    source.dailyBars = async () => []
    expect(await live.bars(AAPL)).toEqual(old)
  })
})

describe('daily records', () => {
  test('are made of recorded closes where the source cannot describe its past', async () => {
    const { live, source, lines } = await archived(async (store) => {
      await store.writeSnapshots([snapshot(closeAt('16:00', 123)), snapshot(closeAt('12:00', 77, '2026-07-27'))])
    }, false)
    source.dailyBars = async () => []
    const records = await live.records(AAPL, today, 5)
    expect(records.map(({ date, close }) => [date, close])).toEqual([[yesterday, 123]])
    expect(lines.filter((line) => line.startsWith('records'))).toEqual(['records AAPL 2026-07-28'])
  })

  test('of the archive are not made again', async () => {
    const kept = recordOf(yesterday, { close: 4321 })
    const { live, lines } = await archived((store) => store.writeRecords(AAPL, [kept]))
    const records = await live.records(AAPL, today, 1)
    expect(records).toEqual([kept])
    expect(lines).toEqual([])
  })
})

test('a watched symbol is loaded once in every stretch of time, asked for or not', async () => {
  const watch = { symbols: new Set<Ticker>([AAPL]), every: minute }
  const { live, source, clock, poll } = standing(
    [
      { symbol: AAPL, tier: 1 },
      { symbol: ticker('KO'), tier: 1 }
    ],
    { watch }
  )
  live.start()
  await settled()
  live.stop()
  for (let second = 0; second < 180; second += 5) {
    clock.pass(5000)
    await poll()
  }
  expect([source.count('AAPL'), source.count('KO')]).toEqual([4, 1])
})

describe('days that an import writes while the market lives', () => {
  test('are seen by the next who asks, and those of other symbols stay as they are', async () => {
    const { live, source, archive, events } = await archived(async () => {}, false)
    source.dailyBars = async () => []
    const KO = ticker('KO')
    expect([await live.bars(AAPL), await live.records(AAPL, today, 5)]).toEqual([[], []])
    const others = await live.records(KO, today, 5)
    await archive.writeBars(AAPL, old, 'imported')
    await archive.writeRecords(AAPL, [recordOf(yesterday, { close: 4321 })])
    expect(await live.records(AAPL, today, 5)).toEqual([])
    events.emit('daysWritten', { symbol: AAPL, written: 'bars' })
    expect(await live.bars(AAPL)).toEqual(old)
    expect((await live.records(AAPL, today, 5)).map(({ close }) => close)).toEqual([4321])
    expect(await live.records(KO, today, 5)).toBe(others)
  })

  test('take the place of what was held of the same dates', async () => {
    const { live, archive, events } = await archived((store) =>
      store.writeRecords(AAPL, [recordOf(yesterday, { close: 1 })])
    )
    const before = await live.records(AAPL, today, 1)
    await archive.writeRecords(AAPL, [recordOf(yesterday, { close: 2 })])
    events.emit('daysWritten', { symbol: AAPL, written: 'records' })
    expect([before, await live.records(AAPL, today, 1)].map(([{ close }]) => close)).toEqual([1, 2])
  })

  test('leave the bars as they are where they are records alone, and the source is not asked for them', async () => {
    const { live, source, archive, events } = await archived()
    const bars = await live.bars(AAPL)
    await archive.writeRecords(AAPL, [recordOf(yesterday, { close: 2 })])
    source.dailyBars = () => Promise.reject(new Error('asked again'))
    events.emit('daysWritten', { symbol: AAPL, written: 'records' })
    expect((await live.records(AAPL, today, 1))[0].close).toBe(2)
    expect(await live.bars(AAPL)).toBe(bars)
  })
})
