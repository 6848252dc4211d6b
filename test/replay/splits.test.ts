import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FigureReader } from '../../src/archive/figure-reader.ts'
import type { StoredTape, TapeId, WrittenAt } from '../../src/archive/history-store.ts'
import type { MinuteBuckets } from '../../src/flow/tape-views.ts'
import { previousTradingDay, session } from '../../src/market/calendar.ts'
import type { FigureRequest } from '../../src/market/figure-row.ts'
import { emptyPrints, PRICE_UNIT } from '../../src/market/print.ts'
import { SeriesList } from '../../src/market/series.ts'
import type { Split } from '../../src/market/split.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { StrikeReader } from '../../src/replay/strike-reader.ts'
import { TapeReader } from '../../src/replay/tape-reader.ts'
import type { ArchiveRows } from '../support/archive-rows.ts'
import { engineWith } from '../support/engine-with.ts'
import { inferredDate, inferredRows, inferredSymbol } from '../support/inferred-day.ts'
import { memoryStore } from '../support/memory-store.ts'
import { type ReplayService, replayService } from '../support/replay.ts'

// What an answer makes of days before a split of the share.

const before = previousTradingDay(inferredDate)
const close = (date: IsoDate) => session(date)!.close
const split = (date: string, ratio: number): Split => ({ date: date as IsoDate, ratio })

describe('chains of two days that are compared', () => {
  let rows: ArchiveRows
  const services: ReplayService[] = []
  beforeAll(async () => {
    const all = await inferredRows()
    const closes = [close(before), close(inferredDate)]
    rows = { ...all, snapshots: all.snapshots.filter(({ chain }) => closes.includes(chain.asOf)) }
  })
  afterAll(async () => {
    for (const each of services) await each.close()
  })
  async function asked(path: string, ...splits: readonly Split[]) {
    const history = memoryStore(rows)
    for (const each of splits) await history.writeSplits(inferredSymbol, [each])
    const service = replayService({ history })
    services.push(service)
    return service.past(`${path}${path.includes('?') ? '&' : '?'}at=${inferredDate}`)
  }

  test('are not, where the share was split between them', async () => {
    const changes = (await asked('/v1/exposure/oi-diff/KO', split(inferredDate, 2))).json()
    expect(changes).toMatchObject({ prior_snapshot_available: false, top_oi_changes: [] })
    const refused = await asked('/v1/exposure/attribution/KO?since=prior_close', split(inferredDate, 2))
    expect([refused.statusCode, refused.json()]).toMatchObject([404, { error: 'no_snapshot' }])
    expect(refused.json().message).toContain('over a split')
  })

  test.each([
    ['none', []],
    ['one of the day before', [split(before, 2)]],
    ['one of a later day', [split('2026-08-03', 2)]],
    ['one that was cancelled', [split(inferredDate, 2), split(inferredDate, 1)]]
  ])('are with %s', async (_, splits) => {
    expect((await asked('/v1/exposure/oi-diff/KO', ...splits)).json().prior_snapshot_available).toBe(true)
    expect((await asked('/v1/exposure/attribution/KO?since=prior_close', ...splits)).statusCode).toBe(200)
  })
})

describe('figures over time', () => {
  const fields = ['net_gex', 'gamma_flip', 'total_call_oi']
  const request: FigureRequest = {
    symbol: inferredSymbol,
    fields,
    prices: ['underlying_price', 'gamma_flip'],
    from: 0,
    to: close(inferredDate),
    until: close(inferredDate),
    closed: inferredDate,
    every: 'session'
  }
  const stored = {
    t: Float64Array.of(close(before), close(inferredDate)),
    columns: [
      [1e9, 2e9],
      [240, 60.5],
      [1000, 4100]
    ].map((column) => Float64Array.from(column)),
    waiting: []
  }
  const read = async (splits: readonly Split[], more: Partial<FigureRequest> = {}, held = stored) => {
    const reader = new FigureReader({ figures: async () => held, splits: async () => splits })
    return (await reader.read({ ...request, ...more })).columns.map((column) => Array.from(column))
  }

  test('have prices of before in the scale of the moment, and other figures as they were', async () => {
    expect(await read([split(inferredDate, 4)])).toEqual([
      [1e9, 2e9],
      [60, 60.5],
      [1000, 4100]
    ])
    expect(await read([])).toEqual([
      [1e9, 2e9],
      [240, 60.5],
      [1000, 4100]
    ])
  })

  test('know nothing of a split after the moment', async () => {
    expect(await read([split('2026-08-03', 4)])).toEqual(await read([]))
  })

  test('have the prices of bars in that scale too', async () => {
    const sampled = [240, 244, 236, 242, 26, 1].map((value) => Float64Array.of(value, value))
    const held = { ...stored, columns: [...stored.columns, ...sampled] }
    const found = await read([split(inferredDate, 4)], { sampled: true }, held)
    expect(found.slice(3).map(([first]) => first)).toEqual([60, 61, 59, 60.5, 26, 1])
    expect(found.slice(3).map(([, last]) => last)).toEqual([240, 244, 236, 242, 26, 1])
  })
})

test('stock prints of earlier sessions are in the scale of the moment, of this one as they were', async () => {
  const archive = {
    ...memoryStore(),
    tape: async (id: TapeId): Promise<StoredTape> => {
      const packed = { rows: [], end: 0, series: new Uint8Array() }
      return { ...id, source: 'recorded', unit: PRICE_UNIT, written: 1 as WrittenAt, packed }
    },
    splits: async () => [split(inferredDate, 4), split('2026-08-03', 2)]
  }
  const tape = { prints: emptyPrints(0), series: new SeriesList().columns, end: 0 }
  const engine = engineWith({
    restoreTape: async () => tape,
    viewTape: async ({ moment }) => moment as unknown as MinuteBuckets
  })
  const reader = new TapeReader(archive, engine, { confidence: undefined, today: () => inferredDate })
  const request = { symbol: inferredSymbol, kind: 'stock', view: 'minutes' } as const
  const [past] = await reader.pastViews(request, close(before), close(inferredDate))
  const present = await reader.view(request, close(inferredDate))
  expect([past.session, past.unit, present?.unit]).toEqual([before, PRICE_UNIT / 4, PRICE_UNIT])
})

test('strikes of sessions before a split are in the scale of the last session', async () => {
  const column = (date: IsoDate, strikes: readonly number[]) => ({
    asOf: close(date),
    fidelity: 'imported' as const,
    sums: { strikes: Float64Array.from(strikes), values: Float64Array.of(1, 2) }
  })
  const held = { [before]: column(before, [200, 240]), [inferredDate]: column(inferredDate, [50, 60]) }
  const history = {
    ...memoryStore(),
    strikes: async ({ date }: { readonly date: IsoDate }) => [held[date]],
    splits: async () => [split(inferredDate, 4)]
  }
  const reader = new StrikeReader({
    history,
    engine: engineWith({}),
    pricingInputs: async () => ({ known: {}, name: '' })
  })
  const asked = { symbol: 'KO' as Ticker, date: inferredDate, from: before, figure: 'gex', every: 60_000 } as const
  const columns = await reader.columns(asked, close(inferredDate))
  expect(columns.map(({ strikes }) => Array.from(strikes))).toEqual([
    [50, 60],
    [50, 60]
  ])
})
