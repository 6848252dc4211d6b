import { describe, expect, test } from 'vitest'
import { macroSeriesOf, overnightRate, parYields, publicationOf, seriesBar } from '../../../src/market/macro-series.ts'
import type { Instant, IsoDate, Ticker } from '../../../src/market/units.ts'
import { zeroCurve } from '../../../src/pricing/rates/par-yields.ts'
import { publishedRates } from '../../../src/pricing/rates/published-rates.ts'

type Values = Readonly<Record<string, Readonly<Record<string, number>>>>

/** A store of values by series and day, which at a moment returns nothing of later days. */
const valuesIn = (values: Values) => {
  const reads: Instant[] = []
  const read = async (symbol: Ticker, at: Instant) => {
    reads.push(at)
    const bars = Object.entries(values[symbol] ?? {}).map(([date, value]) => seriesBar(date as IsoDate, value))
    return bars.filter(({ date }) => Date.parse(`${date}T20:00:00Z`) <= at).sort((a, b) => (a.date < b.date ? -1 : 1))
  }
  return { read, reads }
}

const session = (date: string) => date as IsoDate
const month = '^DGS1MO'
const year = '^DGS1'

describe('the rates of a session', () => {
  const days = { '2026-11-16': 4, '2026-11-17': 4.1, '2026-11-18': 4.2, '2026-11-19': 4.3 }
  const values = { [month]: days, [year]: days, '^SOFR': { ...days, '2026-11-18': 9 } }

  test('are those of the newest day that was out at its midnight', async () => {
    const { read, reads } = valuesIn(values)
    // Values of Wednesday the 18th count from the evening of Thursday.
    expect(await publishedRates(session('2026-11-19'), read)).toEqual(
      zeroCurve(
        [
          { months: 1, percent: 4.1 },
          { months: 12, percent: 4.1 }
        ],
        4
      )
    )
    expect(Math.max(...reads)).toBe(Date.parse('2026-11-19T05:00:00Z'))
    expect(await publishedRates(session('2026-11-20'), read)).toEqual(
      zeroCurve(
        [
          { months: 1, percent: 4.2 },
          { months: 12, percent: 4.2 }
        ],
        4.1
      )
    )
  })

  test('are of the newest whole day where a single series is a day ahead', async () => {
    const whole = { '2026-11-16': 4, '2026-11-17': 4.1 }
    const ahead = { ...whole, '2026-11-18': 4.5 }
    const { read } = valuesIn({ [month]: whole, [year]: whole, '^DGS5': whole, '^DGS10': ahead })
    const curve = zeroCurve([1, 12, 60, 120].map((months) => ({ months, percent: 4.1 })))
    expect(await publishedRates(session('2026-11-20'), read)).toEqual(curve)
  })

  test('never rest on what was not published by then', async () => {
    for (const date of ['2026-10-13', '2026-11-12', '2026-11-19', '2026-11-27']) {
      const used: Instant[] = []
      await publishedRates(session(date), async (symbol, at) => {
        const bar = seriesBar(session(date), 4)
        const old = seriesBar(session('2026-10-01'), 4)
        used.push(publicationOf(macroSeriesOf(symbol)!, bar.date) - at)
        return [old, bar]
      })
      expect(used.every((early) => early > 0)).toBe(true) // so a value of the day itself is never taken
    }
  })

  test('are of one day, and none where the newest are old', async () => {
    const gap = { [month]: days, [year]: { '2026-11-16': 4 } }
    expect(await publishedRates(session('2026-11-19'), valuesIn(gap).read)).toEqual(
      zeroCurve([{ months: 1, percent: 4.1 }])
    )
    expect(await publishedRates(session('2026-12-15'), valuesIn(gap).read)).toBeUndefined()
    expect(await publishedRates(session('2026-11-19'), valuesIn({}).read)).toBeUndefined()
  })
})

test('every par yield and the overnight rate are series that files name, too', () => {
  expect(parYields.map(({ series }) => series.id)).toContain('DGS10')
  for (const { symbol } of [overnightRate, ...parYields.map(({ series }) => series)]) {
    expect(macroSeriesOf(symbol)?.symbol).toBe(symbol)
  }
})
