import { describe, expect, test } from 'vitest'
import { macroSeries, seriesBar } from '../../src/market/macro-series.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { memoryStore } from '../support/memory-store.ts'
import { minute, standing, ticker } from './standing-market.ts'

const hour = 60 * minute
const { tenYear, move } = macroSeries
const value = (date: string, close: number) => seriesBar(date as IsoDate, close)

/** A live market on Wednesday 2026-07-29, 11:00 New York, over imported yields of the days before. */
async function withYields() {
  const archive = memoryStore()
  const yields = [value('2026-07-26', 4.1), value('2026-07-27', 4.2), value('2026-07-28', 4.3)]
  await archive.writeBars(tenYear.symbol, yields, 'imported')
  const stood = standing([], { archive })
  const asked: string[] = []
  const { dailyBars } = stood.source
  stood.source.dailyBars = (symbol, ...more) => {
    asked.push(symbol)
    return dailyBars(symbol, ...more)
  }
  const seen = async () => (await stood.live.bars(tenYear.symbol)).at(-1)?.close
  return { ...stood, archive, asked, seen }
}

describe('an imported series of the wider market', () => {
  test('serves the newest value that was published, and the next one from 18:00 on', async () => {
    const { clock, seen } = await withYields()
    expect(await seen()).toBe(4.2)
    clock.pass(7 * hour - 1)
    expect(await seen()).toBe(4.2)
    clock.pass(1)
    expect(await seen()).toBe(4.3)
  })

  test('is never asked of a source that supplies none, which would take it for a symbol', async () => {
    const { asked, seen, live } = await withYields()
    await seen()
    expect(await live.bars(move.symbol)).toEqual([])
    expect(asked).toEqual([])
    await live.bars(ticker('AAPL'))
    expect(asked).toEqual(['AAPL'])
  })

  test('serves what an import adds while the service runs', async () => {
    const { archive, events, seen } = await withYields()
    await seen()
    await archive.writeBars(tenYear.symbol, [value('2026-07-27', 4.25)], 'imported')
    events.emit('daysWritten', { symbol: tenYear.symbol, written: 'bars' })
    expect(await seen()).toBe(4.25)
  })
})

test('a source that supplies the series is asked for them, and the recorder learns them', async () => {
  const { source, live, emitted } = standing()
  Object.assign(source, { provides: ['chains', 'macro'], dailyBars: async () => [value('2026-07-28', 101)] })
  expect(await live.bars(move.symbol)).toEqual([value('2026-07-28', 101)])
  expect(emitted.map(({ name, event }) => [name, event])).toEqual([
    ['barsLearned', { symbol: move.symbol, bars: [value('2026-07-28', 101)] }]
  ])
})
