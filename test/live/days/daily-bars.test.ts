import { describe, expect, test } from 'vitest'
import { RETRY_WHEN_ABSENT } from '../../../src/facts/freshness.ts'
import type { DailyBar } from '../../../src/market/bar.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { memoryStore } from '../../support/memory-store.ts'
import { datedBefore, walk } from '../../volatility/made-up-bars.ts'
import { alpha, settled, standing, ticker } from '../standing-market.ts'

const AAPL = ticker('AAPL')
const today = '2026-07-29' as IsoDate
const bars = datedBefore(walk(9, 80), today)
const times = (factor: number) =>
  bars.map((bar): DailyBar => {
    const { open, high, low, close } = bar
    return { ...bar, open: open * factor, high: high * factor, low: low * factor, close: close * factor }
  })

/** A market whose source has stated good bars once, without the newest day; then it states others. */
async function known() {
  const archive = memoryStore()
  const all = standing([], { archive })
  const refused: string[] = []
  const learned: number[] = []
  all.events.on('payloadRefused', ({ reason }) => refused.push(reason))
  all.events.on('barsLearned', (event) => {
    learned.push(event.bars.length)
    void archive.writeBars(event.symbol, event.bars, 'recorded')
  })
  all.source.dailyBars = async () => bars.slice(0, -1)
  await all.live.chain(AAPL, alpha)
  const first = await all.live.bars(AAPL)
  const states = async (stated: readonly DailyBar[]) => {
    all.source.dailyBars = async () => stated
    all.clock.pass(RETRY_WHEN_ABSENT)
    const found = await all.live.bars(AAPL)
    await settled()
    return found
  }
  return { ...all, first, refused, learned, states }
}

describe('bars of a source that errs', () => {
  test.each<[string, readonly DailyBar[], string[]]>([
    ['none', [], []],
    ['those of the day before', bars.slice(0, -5), []],
    ['zeros', times(0), ['malformed']],
    ['negative ones', times(-1), ['malformed']],
    ['no numbers', times(Number.NaN), ['malformed']],
    ['ten times as high', times(10), ['daily_bars']],
    [
      'of another symbol',
      datedBefore(walk(70, 80, { session: 0.05 }), today).map((bar) => ({ ...bar, close: 4 * bar.close })),
      ['daily_bars']
    ]
  ])('%s: the known ones stay, nothing is recorded, and it is told', async (_, stated, reasons) => {
    const { first, refused, learned, states, live } = await known()
    expect(await states(stated)).toBe(first)
    expect([refused.slice(0, 1), learned]).toEqual([reasons, [bars.length - 1]])
    expect(live.doubts.map(({ reason }) => reason)).toEqual(reasons.filter((reason) => reason === 'daily_bars'))
    expect((await states(bars)).at(-1)).toEqual(bars.at(-1))
    expect(live.doubts).toEqual([])
  })

  test('are taken if the operator says that they are right', async () => {
    const { states, live } = await known()
    await states(times(10))
    expect(live.accept(AAPL)).toMatchObject({ reason: 'daily_bars' })
    await settled()
    expect((await live.bars(AAPL)).at(-1)?.close).toBeCloseTo(10 * bars.at(-1)!.close, 9)
  })
})
