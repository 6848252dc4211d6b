import { expect, test, vi } from 'vitest'
import { SnapshotEncoder } from '../../src/archive/codec/encode-snapshot.ts'
import { TabSeparatedBytes } from '../../src/archive/codec/tab-separated-bytes.ts'
import type { HistoryStore } from '../../src/archive/history-store.ts'
import { type RecorderOptions, type RecorderState, SnapshotRecorder } from '../../src/archive/snapshot-recorder.ts'
import type { Chain } from '../../src/market/chain.ts'
import { easternDateTime } from '../../src/market/eastern.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { eastern, ladder, sketched } from '../support/hand-made.ts'
import { priced } from '../support/markets.ts'
import { memoryStore } from '../support/memory-store.ts'

const day = '2026-07-29'
const test1 = 'TEST' as Ticker
const minute = 60_000

function chainAt(time: string, symbol = 'TEST'): Chain {
  const series = [{ date: '2026-08-28', strikes: ladder(90, 110, 5), oi: 10 }]
  return sketched({ symbol, date: day, time, spot: 100, series })
}

/** A recorder over an archive in memory that can be made to refuse writes. */
function recording({ every = minute, maxWaitingBytes = 1e9 } = {}) {
  const store = memoryStore()
  const disk = { full: false, writes: 0 }
  const changes: RecorderState[] = []
  const gate =
    <Given extends readonly unknown[]>(write: (...given: Given) => Promise<void>) =>
    async (...given: Given) => {
      if (disk.full) throw new Error('no space left on device')
      disk.writes++
      await write(...given)
    }
  const gated: Pick<HistoryStore, 'writeSnapshots' | 'writeGap'> = {
    // Encodes first, like the archive, which finds a faulty snapshot before it writes those behind it.
    writeSnapshots: gate(async (snapshots) => {
      for (const snapshot of snapshots) new SnapshotEncoder().encode(snapshot, new TabSeparatedBytes())
      await store.writeSnapshots(snapshots)
    }),
    writeGap: gate(store.writeGap)
  }
  const onChange = (state: RecorderState) => changes.push(state)
  const unwritable: string[] = []
  const onUnwritable: RecorderOptions['onUnwritable'] = ({ symbol, asOf }, { message }) =>
    unwritable.push(`${symbol} ${easternDateTime(asOf).slice(11)} ${message}`)
  const recorder = new SnapshotRecorder({ store: gated, every, maxWaitingBytes, onChange, onUnwritable })
  const written = async (time: string) => (await store.snapshot(test1, eastern(day, time)))?.asOf
  const gaps = () => store.gaps(test1, 0, Number.POSITIVE_INFINITY)
  return { recorder, store, disk, changes, unwritable, written, gaps }
}

test('keeps the first snapshot of each minute and every newer one once the session is over', async () => {
  const { recorder, written } = recording()
  for (const time of ['10:00:01', '10:00:31', '10:01:02', '15:59:10', '15:59:58', '16:00', '16:00', '16:05']) {
    recorder.record(chainAt(time))
  }
  await recorder.close()
  expect(recorder.state).toMatchObject({ written: 5, waiting: 0, waitingBytes: 0, lost: 0 })
  expect(await written('10:00:59')).toBe(eastern(day, '10:00:01'))
  expect(await written('10:01:59')).toBe(eastern(day, '10:01:02'))
  expect(await written('15:59:59')).toBe(eastern(day, '15:59:10'))
  expect(await written('16:00')).toBe(eastern(day, '16:00'))
  expect(await written('17:00')).toBe(eastern(day, '16:05'))
})

test('keeps the close of an earlier day that is seen later, once', async () => {
  const { recorder, store } = recording()
  const series = [{ date: '2026-08-28', strikes: [100] }]
  const before = sketched({ symbol: 'TEST', date: '2026-07-28', time: '16:00', spot: 99, series })
  recorder.record(chainAt('10:00'))
  recorder.record(before)
  recorder.record(before)
  await recorder.close()
  expect(recorder.state.written).toBe(2)
  expect((await store.closingSnapshot(test1, '2026-07-28' as IsoDate))?.asOf).toBe(before.asOf)
  expect(await store.gaps(test1, 0, Number.POSITIVE_INFINITY)).toEqual([])
})

test('writes what was observed and leaves behind what was computed from it', async () => {
  const { recorder, store } = recording()
  const observed = chainAt('10:00')
  recorder.record(priced(observed))
  await recorder.close()
  const snapshot = await store.snapshot(test1, eastern(day, '10:00'))
  expect(snapshot?.packed).toEqual(observed)
  expect(snapshot?.fidelity).toBe('recorded')
})

test('gathers snapshots and writes them together', async () => {
  const { recorder, disk } = recording()
  for (let k = 0; k < 30; k++) recorder.record(chainAt('10:00', `SYM${k}`))
  await recorder.flush()
  expect(disk.writes).toBe(1)
  await recorder.close()
})

test('keeps what the archive refuses, in order, and writes it when it can', async () => {
  const { recorder, disk, changes, written, gaps } = recording()
  disk.full = true
  for (const time of ['10:00', '10:01', '10:02']) recorder.record(chainAt(time))
  await recorder.flush()
  expect(recorder.state).toMatchObject({ waiting: 3, written: 0 })
  expect(changes.map(({ failure }) => failure?.message)).toEqual(['no space left on device'])
  disk.full = false
  recorder.record(chainAt('10:03'))
  await recorder.flush()
  expect(recorder.state).toMatchObject({ waiting: 0, written: 4, lost: 0, failure: undefined })
  expect(changes).toHaveLength(2)
  expect(await written('10:01:30')).toBe(eastern(day, '10:01'))
  expect(await gaps()).toEqual([])
  await recorder.close()
})

test('gives up a snapshot that cannot be written, writes its gap down and goes on with the others in order', async () => {
  const { recorder, store, disk, changes, unwritable, written, gaps } = recording()
  recorder.record(chainAt('10:00'))
  const good = chainAt('10:01')
  recorder.record({ ...good, strike: good.strike.slice().reverse() })
  recorder.record(chainAt('10:02'))
  recorder.record(chainAt('10:02', 'OTHER'))
  await recorder.flush()
  expect(recorder.state).toMatchObject({ written: 3, waiting: 0, waitingBytes: 0, lost: 1, failure: undefined })
  expect(unwritable).toEqual([
    expect.stringMatching(/^TEST 10:01:00.* the contracts of TEST 2026-08-28 are not sorted$/)
  ])
  expect(changes).toEqual([])
  expect(await written('10:01:30')).toBe(eastern(day, '10:00'))
  expect(await written('10:02')).toBe(eastern(day, '10:02'))
  expect(await store.symbols()).toEqual(['OTHER', 'TEST'])
  expect((await gaps()).map(({ from, to }) => [from, to])).toEqual([[eastern(day, '10:01'), eastern(day, '10:02')]])
  for (const symbol of ['A', 'B', 'C']) recorder.record(chainAt('10:03', symbol))
  const before = disk.writes
  await recorder.close()
  expect(disk.writes - before).toBe(1)
})

test('keeps apart what cannot be written and what is refused for a while', async () => {
  const { recorder, disk, unwritable, gaps } = recording()
  const good = chainAt('10:00')
  recorder.record({ ...good, asOf: good.asOf + 0.5 })
  recorder.record(chainAt('10:01'))
  disk.full = true
  await recorder.flush()
  expect(recorder.state).toMatchObject({ waiting: 2, lost: 0 })
  disk.full = false
  await recorder.close()
  expect(recorder.state).toMatchObject({ waiting: 0, written: 1, lost: 1, failure: undefined })
  expect(unwritable).toHaveLength(1)
  expect(await gaps()).toHaveLength(1)
})

test('gives up the oldest when there is no room left, and writes the gap down', async () => {
  const { recorder, disk, written, gaps } = recording({ maxWaitingBytes: 4500 })
  disk.full = true
  recorder.record(chainAt('10:00'))
  await recorder.flush()
  for (const time of ['10:01', '10:02', '10:03', '10:04']) recorder.record(chainAt(time))
  expect(recorder.state).toMatchObject({ waiting: 3, lost: 2 })
  disk.full = false
  await recorder.flush()
  expect(await written('10:01:59')).toBeUndefined()
  expect(await written('10:02')).toBe(eastern(day, '10:02'))
  const [gap, ...more] = await gaps()
  expect(more).toEqual([])
  expect(gap).toMatchObject({ symbol: 'TEST', from: eastern(day, '10:00'), to: eastern(day, '10:02') })
  expect(gap.reason).toContain('no space left on device')
  await recorder.close()
})

test('writes a gap down where the source was silent for longer than replay bridges', async () => {
  const { recorder, gaps } = recording()
  for (const time of ['10:00', '10:04', '10:30', '16:00']) recorder.record(chainAt(time))
  await recorder.close()
  expect((await gaps()).map(({ from, to }) => [from, to])).toEqual([
    [eastern(day, '10:04'), eastern(day, '10:30')],
    [eastern(day, '10:30'), eastern(day, '16:00')]
  ])
})

test('writes down where one source took the place of another, however soon', async () => {
  const { recorder, gaps } = recording()
  recorder.record({ ...chainAt('10:00'), source: 'one' })
  recorder.record({ ...chainAt('10:01'), source: 'one' })
  recorder.record({ ...chainAt('10:02'), source: 'other' })
  recorder.record({ ...chainAt('10:03'), source: 'other' })
  await recorder.close()
  const [from, to] = [eastern(day, '10:01'), eastern(day, '10:02')]
  expect(await gaps()).toEqual([{ symbol: test1, from, to, reason: 'from one to other' }])
})

test('keeps the silence of the source and what was given up before it apart', async () => {
  const { recorder, disk, gaps } = recording({ maxWaitingBytes: 4500 })
  disk.full = true
  recorder.record(chainAt('10:00'))
  await recorder.flush()
  for (const time of ['10:01', '10:30', '10:31', '10:32']) recorder.record(chainAt(time))
  expect(recorder.state).toMatchObject({ waiting: 3, lost: 2 })
  disk.full = false
  await recorder.close()
  const lost = (await gaps()).map(({ from, to }) => [from, to])
  expect(lost).toEqual([
    [eastern(day, '10:00'), eastern(day, '10:02')],
    [eastern(day, '10:01'), eastern(day, '10:30')]
  ])
})

test('writes a close that is seen while other rows are being written, though nothing follows it', async () => {
  vi.useFakeTimers()
  try {
    const { recorder, written } = recording()
    let finish = () => {}
    recorder.enqueue(() => new Promise((resolve) => (finish = resolve)))
    await vi.advanceTimersByTimeAsync(3000)
    recorder.record(chainAt('16:00'))
    finish()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await written('16:00')).toBe(eastern(day, '16:00'))
    expect(recorder.state.waiting).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('says what it could not write when it is closed', async () => {
  const { recorder, disk } = recording()
  disk.full = true
  recorder.record(chainAt('10:00'))
  await recorder.close()
  expect(recorder.state).toMatchObject({ waiting: 1, written: 0 })
  recorder.record(chainAt('10:05'))
  expect(recorder.state.waiting).toBe(1)
})
