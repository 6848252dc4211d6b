import { beforeAll, describe, expect, test } from 'vitest'
import type { ChainSnapshot } from '../../src/archive/history-store.ts'
import { figureRow } from '../../src/endpoints/series/row.ts'
import { strikeSums } from '../../src/exposure/by-strike.ts'
import { lastOfBuckets, type StrikeRequest } from '../../src/market/strike-sums.ts'
import { type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../../src/market/units.ts'
import { ArchiveReader } from '../../src/replay/archive-reader.ts'
import { parseMoment } from '../../src/replay/replay-moment.ts'
import { engineWith } from '../support/engine-with.ts'
import { type MemoryStore, memoryStore } from '../support/memory-store.ts'
import { recordedDay } from '../support/recorded-days.ts'
import { restored, summedBy } from '../support/replay.ts'

const date = '2026-07-29' as IsoDate
const at = (time: string) => parseMoment(`${date}T${time}`)!
const request = (more: Partial<StrikeRequest> = {}): StrikeRequest => {
  return { symbol: 'KO' as Ticker, date, figure: 'gex', every: 5 * MILLISECONDS_PER_MINUTE, ...more }
}

let snapshots: readonly ChainSnapshot[]
beforeAll(async () => {
  snapshots = (await recordedDay(date)).snapshots.filter(({ chain }) => chain.symbol === 'KO')
})

function reader() {
  const summed: string[] = []
  const sum = summedBy(restored)
  const engine = engineWith({
    sumStrikes: (asked) => {
      summed.push(new Date(asked.snapshot.asOf).toISOString().slice(11, 19))
      return sum(asked)
    }
  })
  const store = memoryStore({ snapshots, bars: [], records: [] })
  return { archive: new ArchiveReader(store, engine), store, summed }
}

/** Writes the rows of some snapshots, as a recorder does. */
async function writeRows(store: MemoryStore, chosen: readonly ChainSnapshot[]): Promise<void> {
  const rows = await Promise.all(
    chosen.map(async ({ chain }) => {
      const stored = { symbol: chain.symbol, asOf: chain.asOf, fidelity: 'recorded', packed: chain } as const
      return figureRow(await restored(stored), undefined)
    })
  )
  await store.writeFigures(rows, await store.clock())
}

const timesOf = (columns: readonly { readonly asOf: number }[]) =>
  columns.map(({ asOf }) => new Date(asOf).toISOString().slice(11, 19))

describe('the strikes of a recorded session', () => {
  test('are those of the last snapshot of each bucket since the open, none of them later than the moment', async () => {
    const { archive } = reader()
    const columns = (time: string, more?: Partial<StrikeRequest>) => archive.strikes.columns(request(more), at(time))
    expect(timesOf(await columns('09:31:59'))).toEqual(['13:31:00'])
    expect(timesOf(await columns('12:00:00'))).toEqual(['13:32:00', '15:59:00', '16:00:00'])
    expect(timesOf(await columns('23:59:00'))).toEqual([
      '13:32:00',
      '15:59:00',
      '16:01:00',
      '16:59:00',
      '17:00:00',
      '19:59:31',
      '20:00:00'
    ])
    const minutes = await columns('12:01:00', { every: MILLISECONDS_PER_MINUTE })
    expect(timesOf(minutes)).toEqual(['13:30:00', '13:31:00', '13:32:00', '15:59:00', '16:00:00', '16:01:00'])
    expect(await columns('09:29:59')).toEqual([])
    expect(await columns('12:00:00', { symbol: 'NOPE' as Ticker })).toEqual([])
    expect(timesOf(await columns('12:00:00', { date: '2026-07-28' as IsoDate }))).toEqual(['20:00:00'])
  })

  test('of several sessions are those of each, one after the other, and none later than the moment', async () => {
    const { archive } = reader()
    const from = '2026-07-28' as IsoDate
    const columns = await archive.strikes.columns(request({ from }), at('12:00:00'))
    const each = [
      await archive.strikes.columns(request({ date: from }), at('12:00:00')),
      await archive.strikes.columns(request(), at('12:00:00'))
    ]
    expect(each.every((some) => some.length > 0)).toBe(true)
    expect(columns).toEqual(each.flat())
    expect(Math.max(...columns.map(({ asOf }) => asOf))).toBeLessThanOrEqual(at('12:00:00'))
  })

  test('hold what the chain of that moment adds up to', async () => {
    const { archive } = reader()
    for (const figure of ['gex', 'dex', 'vex', 'chex', 'oi'] as const) {
      for (const { asOf, strikes, values } of await archive.strikes.columns(request({ figure }), at('12:00:00'))) {
        const { chain } = snapshots.find((one) => one.chain.asOf === asOf)!
        const stored = { symbol: chain.symbol, asOf, fidelity: 'recorded', packed: chain } as const
        const sums = strikeSums(await restored(stored))
        expect(Array.from(strikes)).toEqual(Array.from(sums.strikes))
        expect(Array.from(values)).toEqual(Array.from(sums[figure]))
      }
    }
  })

  test('are added up once, however often and for whatever figure they are read', async () => {
    const { archive, summed } = reader()
    await Promise.all([
      archive.strikes.columns(request(), at('12:00:00')),
      archive.strikes.columns(request({ figure: 'oi' }), at('12:00:00'))
    ])
    expect([...summed].sort()).toEqual(['13:32:00', '15:59:00', '16:00:00'])
    await archive.strikes.columns(request(), at('12:01:30'))
    expect(summed.slice(3)).toEqual(['16:01:00'])
  })
})

describe('strikes that are kept beside snapshots', () => {
  test('are answered without pricing anything, to whole cents; the others are added up', async () => {
    const { archive, store, summed } = reader()
    const minutes = { every: MILLISECONDS_PER_MINUTE }
    const added = await reader().archive.strikes.columns(request(minutes), at('12:01:30'))
    await writeRows(store, snapshots.slice(0, -1))
    const kept = await archive.strikes.columns(request(minutes), at('12:01:30'))
    expect(summed).toEqual([])
    expect(timesOf(kept)).toEqual(timesOf(added))
    for (const [k, { strikes, values }] of kept.entries()) {
      expect(strikes).toEqual(added[k].strikes)
      expect(values).toEqual(added[k].values.map((value) => Math.round(100 * value) / 100))
    }
    await store.writeSnapshots([snapshots.find(({ chain }) => chain.asOf === at('12:00:00'))!])
    await archive.strikes.columns(request(minutes), at('12:01:30'))
    expect(summed).toEqual(['16:00:00'])
  })

  test('are those of no later moment', async () => {
    const { archive, store } = reader()
    await writeRows(store, snapshots)
    expect(timesOf(await archive.strikes.columns(request(), at('09:31:59')))).toEqual(['13:31:00'])
  })
})

test('buckets are counted from the open of a session', () => {
  const held = ['09:29:59', '09:30:00', '09:34:59', '09:35:00'].map((time) => ({ asOf: at(time) }))
  expect(lastOfBuckets(held, date, 5 * MILLISECONDS_PER_MINUTE)).toEqual([held[0], held[2], held[3]])
  expect(lastOfBuckets(held, '2026-08-01' as IsoDate, 5 * MILLISECONDS_PER_MINUTE)).toEqual([])
})
