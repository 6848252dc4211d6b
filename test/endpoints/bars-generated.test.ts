import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import { session } from '../../src/market/calendar.ts'
import { easternDateTime } from '../../src/market/eastern.ts'
import type { MinutePrices } from '../../src/market/minute-prices.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import { GeneratedPrices } from '../../src/replay/generated-prices.ts'
import { memoryStore } from '../support/memory-store.ts'
import { recordedDay } from '../support/recorded-days.ts'
import { type ReplayService, replayService } from '../support/replay.ts'

const [before, date] = ['2026-07-28', '2026-07-29'] as IsoDate[]
const { open, close } = session(date)!
const minute = 60_000
const market = createSynthetic({ seed: 1 })
const asked: { readonly session: IsoDate; readonly minutes: number }[] = []
const engine = {
  run: async (_: string, { symbol, session, minutes }: { symbol: Ticker; session: IsoDate; minutes: number }) => {
    asked.push({ session, minutes })
    return market.minutePrices!(symbol, session, minutes)
  }
}

let service: ReplayService
beforeAll(async () => {
  const generated = new GeneratedPrices(engine as never)
  service = replayService({ history: memoryStore(await recordedDay(date)), generated })
})
afterAll(() => service.close())

const bars = async (symbol: string, query: string, at: Instant) => {
  const answer = await service.past(`/v1/bars/${symbol}?${query}&at=${easternDateTime(at)}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}
const minutesOf = (symbol: string, session: IsoDate) =>
  market.minutePrices!(symbol as Ticker, session, 390) as Promise<MinutePrices>

describe('bars of a market that makes its prices up', () => {
  test.each([
    ['1m', 1],
    ['15m', 15],
    ['1h', 60]
  ])('of %s are there for every session, recorded or not', async (every, minutes) => {
    const answer = await bars('KO', `every=${every}&from=${before}`, close)
    expect(answer.made_of.map(([, , word]: readonly string[]) => word)).toEqual(['generated'])
    const expected = (await Promise.all([before, date].map((day) => minutesOf('KO', day)))).flatMap((day) =>
      Array.from({ length: Math.ceil(390 / minutes) }, (_, k) => {
        const part = (column: Float64Array) => [...column.slice(k * minutes, (k + 1) * minutes)]
        return [day.open[k * minutes], Math.max(...part(day.high)), Math.min(...part(day.low)), part(day.close).at(-1)]
      })
    )
    expect([answer.volume_of, answer.v.some((v: number | null) => v === null)]).toEqual(['shares', false])
    expect(answer.o.map((o: number, k: number) => [o, answer.h[k], answer.l[k], answer.c[k]])).toEqual(expected)
  })

  test('hold the minutes that were complete by the moment and ask for no later one', async () => {
    asked.length = 0
    const at = open + 151 * minute + 20_000 // recorded at 12:01
    const answer = await bars('KO', 'every=15m', at)
    const { open: o, close: c } = await minutesOf('KO', date)
    const starts = Array.from({ length: 11 }, (_, k) => 15 * k)
    expect(answer.o).toEqual(starts.map((k) => o[k]))
    expect(answer.c).toEqual(starts.map((k) => c[Math.min(150, k + 14)]))
    expect(asked).toEqual([{ session: date, minutes: 151 }])
    expect(answer.made_of).toEqual([[open / 1000, open / 1000 + 151 * 60, 'generated']])
  })

  test('fill a day of which the daily bar is not known yet', async () => {
    const answer = await bars('KO', `every=1d&from=${date}`, open + 151 * minute)
    const { open: o, close: c } = await minutesOf('KO', date)
    expect([answer.o, answer.c]).toEqual([[o[0]], [c[150]]])
  })
})
