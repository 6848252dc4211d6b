import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { barSlots, slotCount } from '../../src/endpoints/bars/slots.ts'
import { addDays, session } from '../../src/market/calendar.ts'
import { easternDate, easternDateTime } from '../../src/market/eastern.ts'
import type { Instant, IsoDate } from '../../src/market/units.ts'
import type { ArchiveRows } from '../support/archive-rows.ts'
import { memoryStore } from '../support/memory-store.ts'
import { movingFigures, recordedDay } from '../support/recorded-days.ts'
import { type ReplayService, replayService } from '../support/replay.ts'

interface Bars {
  readonly as_of: string
  readonly t0: number | null
  readonly dt: readonly number[]
  readonly o: readonly (number | null)[]
  readonly h: readonly (number | null)[]
  readonly l: readonly (number | null)[]
  readonly c: readonly (number | null)[]
  readonly v: readonly (number | null)[]
  readonly volume_of: string | null
  readonly made_of: readonly (readonly [number, number, string])[]
  readonly columns: Readonly<Record<string, readonly (number | null)[]>>
  readonly recorded: readonly (readonly [number, number, string])[]
}

const date = '2026-07-29' as IsoDate
const { open, close } = session(date)!
const minute = 60_000

let rows: ArchiveRows
let service: ReplayService
beforeAll(async () => {
  const found = await recordedDay(date)
  const withVolume = found.snapshots.map((snapshot) => {
    const row = movingFigures(snapshot)
    const calls = Math.floor((row.asOf - open) / 1000)
    return { ...row, figures: { ...row.figures, total_call_volume: calls, total_put_volume: 7 } }
  })
  rows = { ...found, figures: withVolume }
  service = replayService({ history: memoryStore(rows) })
})
afterAll(() => service.close())

const asked = async (query: string, at: Instant = close): Promise<Bars> => {
  const answer = await service.past(`/v1/bars/KO?${query}&at=${easternDateTime(at)}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as Bars
}
const startsOf = ({ t0, dt }: Bars) => dt.map((_, k) => 1000 * (t0! + dt.slice(0, k + 1).reduce((a, b) => a + b, 0)))

/** The snapshots of the day's session before its close, as they were recorded. */
const sampled = (until: Instant) =>
  rows.snapshots
    .filter(({ chain: { symbol, asOf } }) => symbol === 'KO' && asOf >= open && asOf < close && asOf <= until)
    .map(({ chain: { asOf, spot } }) => ({ asOf, spot, gex: 1e5 * ((asOf % 997) - 500) }))
const rounded = (price: number) => Math.round(price * 1e4) / 1e4

describe('bars within a session', () => {
  test.each([
    ['1m', 1, close],
    ['5m', 5, close],
    ['30m', 30, open + 151 * minute],
    ['1h', 60, close]
  ])('of %s are first, highest, lowest and last of the snapshots of each, and the figures of the last', async (every, minutes, at) => {
    const parts = new Map<Instant, ReturnType<typeof sampled>>()
    for (const one of sampled(at)) {
      const start = open + minutes * minute * Math.floor((one.asOf - open) / (minutes * minute))
      parts.set(start, [...(parts.get(start) ?? []), one])
    }
    const answer = await asked(`every=${every}&fields=net_gex`, at)
    expect(startsOf(answer)).toEqual([...parts.keys()])
    const spots = [...parts.values()].map((part) => part.map(({ spot }) => spot))
    expect(answer.o).toEqual(spots.map((part) => rounded(part[0])))
    expect(answer.h).toEqual(spots.map((part) => rounded(Math.max(...part))))
    expect(answer.l).toEqual(spots.map((part) => rounded(Math.min(...part))))
    expect(answer.c).toEqual(spots.map((part) => rounded(part.at(-1)!)))
    expect(answer.columns['net_gex']).toEqual([...parts.values()].map((part) => part.at(-1)!.gex))
    expect(answer.made_of.map(([, , word]) => word)).toEqual(['snapshots'])
    expect(answer.volume_of).toBe('contracts')
  })

  test('count the contracts since the bar before, and none where that bar is missing', async () => {
    const answer = await asked('every=1m')
    const starts = startsOf(answer)
    const expected = starts.map((start, k) => {
      const last = sampled(close).findLast(({ asOf }) => asOf < start + minute)!
      const before = sampled(close).findLast(({ asOf }) => asOf < start)
      if (k === 0) return 7 + Math.floor((last.asOf - open) / 1000)
      return starts[k - 1] === start - minute
        ? Math.floor((last.asOf - open) / 1000) - Math.floor((before!.asOf - open) / 1000)
        : null
    })
    expect(answer.v).toEqual(expected)
    expect(expected).toContain(null)
  })

  test('keep the figures of the last minute before the close, which the close has lost', async () => {
    const { columns, dt } = await asked('every=1h&fields=net_gex')
    const last = rows.snapshots.findLast(({ chain }) => chain.symbol === 'KO' && chain.asOf < close)!
    expect(columns['net_gex']![dt.length - 1]).toBe(1e5 * ((last.chain.asOf % 997) - 500))
    const daily = await asked('every=1d&fields=net_gex')
    expect(daily.columns['net_gex']!.at(-1)).toBe(1e5 * ((last.chain.asOf % 997) - 500))
  })

  test('begin within from and to, both included', async () => {
    const whole = startsOf(await asked('every=1m'))
    const [from, to] = [open + 2 * minute, open + 150 * minute]
    const part = await asked(`every=1m&from=${easternDateTime(from)}&to=${easternDateTime(to)}`)
    expect(startsOf(part)).toEqual(whole.filter((start) => start >= from && start <= to))
    expect(part.dt.length).toBeGreaterThan(1)
  })
})

describe('bars of sessions and weeks', () => {
  test('are the daily bars, and the running session as it was sampled until then', async () => {
    const at = open + 151 * minute
    const answer = await asked('every=1d&from=2026-06-01', at)
    const bars = rows.bars.filter(({ symbol, bar }) => symbol === 'KO' && bar.date >= '2026-06-01' && bar.date < date)
    expect(startsOf(answer).map(easternDate)).toEqual([...bars.map(({ bar }) => bar.date), date])
    const prices = sampled(at).map(({ spot }) => spot)
    expect(answer.o).toEqual([...bars.map(({ bar }) => rounded(bar.open)), rounded(prices[0])])
    expect(answer.h).toEqual([...bars.map(({ bar }) => rounded(bar.high)), rounded(Math.max(...prices))])
    expect(answer.c).toEqual([...bars.map(({ bar }) => rounded(bar.close)), rounded(prices.at(-1)!)])
    expect(answer.v).toEqual([...bars.map(({ bar }) => bar.volume), null])
    expect([answer.volume_of, answer.made_of.map(([, , word]) => word)]).toEqual(['shares', ['daily', 'snapshots']])
    expect(answer.made_of.at(-1)![1]).toBe(Math.floor(at / 1000))
  })

  test('of a week hold its sessions', async () => {
    const daily = await asked('every=1d&from=2026-03-02&to=2026-07-24')
    const weekly = await asked('every=1w&from=2026-03-02&to=2026-07-24')
    const starts = startsOf(daily)
    const weekOf = (at: Instant) => addDays(easternDate(at), 1 - new Date(at).getUTCDay())
    const weeks = [...new Set(starts.map(weekOf))]
    const of = (values: readonly (number | null)[], week: IsoDate) =>
      values.filter((_, k) => weekOf(starts[k]) === week) as number[]
    expect(startsOf(weekly).map(weekOf)).toEqual(weeks)
    expect(weekly.o).toEqual(weeks.map((week) => of(daily.o, week)[0]))
    expect(weekly.h).toEqual(weeks.map((week) => Math.max(...of(daily.h, week))))
    expect(weekly.l).toEqual(weeks.map((week) => Math.min(...of(daily.l, week))))
    expect(weekly.c).toEqual(weeks.map((week) => of(daily.c, week).at(-1)))
    expect(weekly.v).toEqual(weeks.map((week) => of(daily.v, week).reduce((a, b) => a + b, 0)))
  })

  test('say which sessions were recorded, and how', async () => {
    const { recorded } = await asked('every=1d&from=2026-07-20')
    const before = session('2026-07-28' as IsoDate)!
    expect(recorded).toEqual([
      [before.open / 1000, before.close / 1000, 'closes'],
      [open / 1000, close / 1000, 'minutes']
    ])
  })
})

describe('what is asked of bars', () => {
  const refused = async (query: string, plan: 'free' | 'basic' | 'growth') => {
    const answer = await service.ask(`/v1/bars/KO?${query}`, service.keyOn(plan))
    const { error, required_plan } = answer.json() as { readonly error?: string; readonly required_plan?: string }
    return error === 'tier_restricted' ? required_plan : undefined
  }

  test('needs a higher plan within a session, and the plan of the series for figures', async () => {
    expect(await refused('every=1d', 'free')).toBeUndefined()
    expect(await refused('every=1w', 'free')).toBeUndefined()
    expect(await refused('every=5m', 'free')).toBe('Basic')
    expect(await refused('every=5m', 'basic')).toBeUndefined()
    expect(await refused('every=1d&fields=net_gex', 'basic')).toBe('Growth')
    expect(await refused('every=1d&fields=net_gex', 'growth')).toBeUndefined()
  })

  test('is refused with the finest step that fits', async () => {
    const answer = await service.past(`/v1/bars/KO?every=1m&from=2024-01-02&at=${easternDateTime(close)}`)
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      { error: 'invalid_every', message: expect.stringMatching(/5m is the finest/) }
    ])
  })

  test.each(['1m', '1h', '1d', '1w'] as const)('counts slots of %s as it makes them', (every) => {
    for (const [from, to] of [
      [open, close],
      [open + 1, close - 1],
      [open - 9e9, close],
      [open - 9e9 + 1e7, close - 1e7]
    ]) {
      expect(slotCount({ from, to }, every)).toBe(barSlots({ from, to }, every).length)
    }
  })
})

test('as rows for a spreadsheet have a line for each bar', async () => {
  const answer = await service.past(
    `/v1/bars/KO?every=1d&from=2026-07-27&fields=put_wall&at=${easternDateTime(close)}`,
    {
      headers: { accept: 'text/csv' }
    }
  )
  const lines = answer.body.trim().split('\n')
  expect(lines[0]).toBe('t,open,high,low,close,volume,put_wall')
  expect(lines).toHaveLength(4)
  expect(lines[1]).toMatch(/^2026-07-27T13:30:00/)
})
