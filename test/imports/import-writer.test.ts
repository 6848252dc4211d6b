import { expect, test } from 'vitest'
import type { ChainSnapshot } from '../../src/archive/history-store.ts'
import { createImportWriter, type Note } from '../../src/imports/import-writer.ts'
import type { DailyBar } from '../../src/market/bar.ts'
import { buildChain } from '../../src/market/chain.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'

const quote = { bid: undefined, ask: undefined, last: 1, time: 0 }
const snapshotAt = (asOf: number): ChainSnapshot => ({
  chain: buildChain({ symbol: 'VIX' as Ticker, asOf, delay: 0, spot: 1, quote }, []),
  fidelity: 'imported',
  missing: []
})

test('snapshots are written in the order in which they were read, one batch at a time', async () => {
  const written: number[] = []
  let writing = 0
  const store = {
    async writeSnapshots(snapshots: readonly ChainSnapshot[]) {
      expect(++writing).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      for (const { chain } of snapshots) written.push(chain.asOf)
      writing--
    },
    writeBars: async () => {},
    writeDividends: async () => {},
    writeSplits: async () => {},
    writeEarnings: async () => {},
    deleteTape: async () => {},
    writeTapes: async () => {}
  }
  const writer = createImportWriter({ store, onNote: () => {}, signal: new AbortController().signal })
  for (let at = 0; at < 3500; at++) await writer.snapshot(snapshotAt(at))
  const tally = await writer.finish()
  expect(written).toEqual(Array.from({ length: 3500 }, (_, at) => at))
  expect(tally).toEqual({
    snapshots: 3500,
    rows: 0,
    bars: 0,
    dividends: 0,
    splits: 0,
    earnings: 0,
    prints: 0,
    tapes: 0,
    rejected: 0,
    leftOut: 0,
    doubted: 0,
    marked: 0,
    kept: 0
  })
})

/** A snapshot as heavy as so many contract rows. */
const heavy = (asOf: number, size: number): ChainSnapshot => {
  const snapshot = snapshotAt(asOf)
  return { ...snapshot, chain: { ...snapshot.chain, size } }
}

test('while the archive writes, what is read waits and is then written at once', async () => {
  const batches: number[] = []
  const finished: (() => void)[] = []
  const store = {
    writeSnapshots(snapshots: readonly ChainSnapshot[]) {
      batches.push(snapshots.length)
      return new Promise<void>((resolve) => finished.push(resolve))
    },
    writeBars: async () => {},
    writeDividends: async () => {},
    writeSplits: async () => {},
    writeEarnings: async () => {},
    deleteTape: async () => {},
    writeTapes: async () => {}
  }
  const writer = createImportWriter({ store, onNote: () => {}, signal: new AbortController().signal })
  for (let at = 0; at < 2; at++) await writer.snapshot(heavy(at, 30_000))
  expect(batches).toEqual([2]) // an archive with nothing to do is not kept waiting
  for (let at = 2; at < 5; at++) await writer.snapshot(heavy(at, 30_000))
  expect(batches).toEqual([2])
  const last = writer.finish()
  finished[0]()
  await new Promise((resolve) => setImmediate(resolve))
  expect(batches).toEqual([2, 3])
  finished[1]()
  expect(await last).toMatchObject({ snapshots: 5 })
})

test('no more than two batches are in memory: reading waits for an archive that is slower', async () => {
  let finish = () => {}
  const store = {
    writeSnapshots: () => new Promise<void>((resolve) => void (finish = resolve)),
    writeBars: async () => {},
    writeDividends: async () => {},
    writeSplits: async () => {},
    writeEarnings: async () => {},
    deleteTape: async () => {},
    writeTapes: async () => {}
  }
  const writer = createImportWriter({ store, onNote: () => {}, signal: new AbortController().signal })
  await writer.snapshot(heavy(0, 96_000))
  await writer.snapshot(heavy(1, 96_000))
  let taken = false
  const third = writer.snapshot(heavy(2, 96_000)).then(() => void (taken = true))
  await new Promise((resolve) => setImmediate(resolve))
  expect(taken).toBe(false)
  finish()
  await third
  expect(taken).toBe(true)
})

test('bars of a symbol are written together, however its snapshots are batched, and none is left behind', async () => {
  const written: [string, number][] = []
  const store = {
    writeSnapshots: async () => {},
    writeBars: async (symbol: string, bars: readonly DailyBar[]) => void written.push([symbol, bars.length]),
    writeDividends: async () => {},
    writeSplits: async () => {},
    writeEarnings: async () => {},
    deleteTape: async () => {},
    writeTapes: async () => {}
  }
  const writer = createImportWriter({ store, onNote: () => {}, signal: new AbortController().signal })
  const bar: DailyBar = { date: '2026-07-29' as IsoDate, open: 1, high: 1, low: 1, close: 1, volume: 0 }
  for (let at = 0; at < 6; at++) {
    await writer.snapshot(heavy(at, 120_000))
    await writer.bars((at % 2 === 0 ? 'SPX' : 'VIX') as Ticker, [bar], 'imported')
  }
  expect(written).toEqual([])
  await writer.drain()
  expect(written).toEqual([
    ['SPX', 3],
    ['VIX', 3]
  ])
  for (let k = 0; k < 30; k++) await writer.bars('SPX' as Ticker, Array(1000).fill(bar), 'imported')
  expect((await writer.finish()).bars).toBe(30_006)
  expect(written.slice(2)).toEqual([
    ['SPX', 25_000],
    ['SPX', 5000]
  ])
})

test('a listener that is slow to hear of progress slows reading down, by one message', async () => {
  const waiting: (() => void)[] = []
  const onNote = () => new Promise<void>((resolve) => waiting.push(resolve))
  const store = {
    writeSnapshots: async () => {},
    writeBars: async () => {},
    writeDividends: async () => {},
    writeSplits: async () => {},
    writeEarnings: async () => {},
    deleteTape: async () => {},
    writeTapes: async () => {}
  }
  const writer = createImportWriter({ store, onNote, signal: new AbortController().signal })
  await writer.progress('a', 1, 3)
  const second = writer.progress('b', 2, 3)
  await new Promise((resolve) => setImmediate(resolve))
  expect(waiting).toHaveLength(1)
  waiting[0]()
  await second
  expect(waiting).toHaveLength(2)
  waiting[1]()
  await writer.finish()
})

test('a listener is told no rejections while it still hears of progress', async () => {
  const received: string[] = []
  const hearing: (() => void)[] = []
  const onNote = ({ kind }: Note) => {
    received.push(kind)
    return new Promise<void>((resolve) => hearing.push(resolve))
  }
  const store = {
    writeSnapshots: async () => {},
    writeBars: async () => {},
    writeDividends: async () => {},
    writeSplits: async () => {},
    writeEarnings: async () => {},
    deleteTape: async () => {},
    writeTapes: async () => {}
  }
  const writer = createImportWriter({ store, onNote, signal: new AbortController().signal })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  await writer.progress('a', 1, 3)
  for (let line = 1; line <= 500; line++) writer.reject('a.csv', line, 'no')
  const second = writer.progress('b', 2, 3)
  await settled()
  expect(received).toEqual(['progress'])
  hearing[0]()
  await settled()
  expect(received).toEqual(['progress', 'rejected'])
  hearing[1]()
  await second
  expect(received).toEqual(['progress', 'rejected', 'progress'])
  hearing[2]()
  await writer.finish()
})

test('a listener that is gone ends the import', async () => {
  const store = {
    writeSnapshots: async () => {},
    writeBars: async () => {},
    writeDividends: async () => {},
    writeSplits: async () => {},
    writeEarnings: async () => {},
    deleteTape: async () => {},
    writeTapes: async () => {}
  }
  const onNote = () => Promise.reject(new Error('nobody listens'))
  const writer = createImportWriter({ store, onNote, signal: new AbortController().signal })
  await writer.progress('a', 1, 3)
  await expect(writer.finish()).rejects.toThrow('nobody listens')
})

test('an archive that fails ends the import with its own words', async () => {
  const store = {
    writeSnapshots: () => Promise.reject(new Error('the disk is full')),
    writeBars: async () => {},
    writeDividends: async () => {},
    writeSplits: async () => {},
    writeEarnings: async () => {},
    deleteTape: async () => {},
    writeTapes: async () => {}
  }
  const writer = createImportWriter({ store, onNote: () => {}, signal: new AbortController().signal })
  await writer.snapshot(snapshotAt(1))
  await expect(writer.finish()).rejects.toThrow('the disk is full')
})

test('every rejection is told, however many there are', async () => {
  const notes: Note[] = []
  const store = {
    writeSnapshots: async () => {},
    writeBars: async () => {},
    writeDividends: async () => {},
    writeSplits: async () => {},
    writeEarnings: async () => {},
    deleteTape: async () => {},
    writeTapes: async () => {}
  }
  const writer = createImportWriter({
    store,
    onNote: (note) => void notes.push(note),
    signal: new AbortController().signal
  })
  for (let line = 1; line <= 1234; line++) {
    writer.reject('a.csv', line, 'no')
    if (line % 100 === 0) await writer.progress('a.csv', line, 1234)
  }
  expect((await writer.finish()).rejected).toBe(1234)
  const lines = notes.flatMap((note) => (note.kind === 'rejected' ? note.rejections.map(({ line }) => line) : []))
  expect(lines).toEqual(Array.from({ length: 1234 }, (_, i) => i + 1))
})
