import { expect, test } from 'vitest'
import type { ChainImage } from '../../src/history/store.ts'
import { createIntake, type Note } from '../../src/imports/intake.ts'
import type { DailyBar } from '../../src/market/bar.ts'
import { buildChain } from '../../src/market/chain.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'

const quote = { bid: undefined, ask: undefined, last: 1, time: 0 }
const imageAt = (asOf: number): ChainImage => ({
  chain: buildChain({ symbol: 'VIX' as Ticker, asOf, delay: 0, spot: 1, quote }, []),
  fidelity: 'imported',
  missing: []
})

test('images are written in the order in which they were read, one batch at a time', async () => {
  const written: number[] = []
  let writing = 0
  const store = {
    async writeImages(images: readonly ChainImage[]) {
      expect(++writing).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      for (const { chain } of images) written.push(chain.asOf)
      writing--
    },
    writeBars: async () => {}
  }
  const intake = createIntake({ store, tell: () => {}, signal: new AbortController().signal })
  for (let at = 0; at < 3500; at++) await intake.image(imageAt(at))
  const tally = await intake.finish()
  expect(written).toEqual(Array.from({ length: 3500 }, (_, at) => at))
  expect(tally).toEqual({ images: 3500, rows: 0, bars: 0, rejected: 0, leftOut: 0 })
})

/** An image as heavy as so many contract rows. */
const heavy = (asOf: number, size: number): ChainImage => {
  const image = imageAt(asOf)
  return { ...image, chain: { ...image.chain, size } }
}

test('while the archive writes, what is read waits and is then written at once', async () => {
  const batches: number[] = []
  const finished: (() => void)[] = []
  const store = {
    writeImages(images: readonly ChainImage[]) {
      batches.push(images.length)
      return new Promise<void>((resolve) => finished.push(resolve))
    },
    writeBars: async () => {}
  }
  const intake = createIntake({ store, tell: () => {}, signal: new AbortController().signal })
  for (let at = 0; at < 2; at++) await intake.image(heavy(at, 60_000))
  expect(batches).toEqual([2]) // an archive with nothing to do is not kept waiting
  for (let at = 2; at < 5; at++) await intake.image(heavy(at, 60_000))
  expect(batches).toEqual([2])
  const last = intake.finish()
  finished[0]()
  await new Promise((resolve) => setImmediate(resolve))
  expect(batches).toEqual([2, 3])
  finished[1]()
  expect(await last).toMatchObject({ images: 5 })
})

test('no more than two batches are in memory: reading waits for an archive that is slower', async () => {
  let finish = () => {}
  const store = {
    writeImages: () => new Promise<void>((resolve) => void (finish = resolve)),
    writeBars: async () => {}
  }
  const intake = createIntake({ store, tell: () => {}, signal: new AbortController().signal })
  await intake.image(heavy(0, 240_000))
  await intake.image(heavy(1, 240_000))
  let taken = false
  const third = intake.image(heavy(2, 240_000)).then(() => void (taken = true))
  await new Promise((resolve) => setImmediate(resolve))
  expect(taken).toBe(false)
  finish()
  await third
  expect(taken).toBe(true)
})

test('bars of a symbol are written together, however its images are batched, and none is left behind', async () => {
  const written: [string, number][] = []
  const store = {
    writeImages: async () => {},
    writeBars: async (symbol: string, bars: readonly DailyBar[]) => void written.push([symbol, bars.length])
  }
  const intake = createIntake({ store, tell: () => {}, signal: new AbortController().signal })
  const bar: DailyBar = { date: '2026-07-29' as IsoDate, open: 1, high: 1, low: 1, close: 1, volume: 0 }
  for (let at = 0; at < 6; at++) {
    await intake.image(heavy(at, 120_000))
    await intake.bars((at % 2 === 0 ? 'SPX' : 'VIX') as Ticker, [bar], 'imported')
  }
  expect(written).toEqual([])
  await intake.settle()
  expect(written).toEqual([
    ['SPX', 3],
    ['VIX', 3]
  ])
  for (let k = 0; k < 30; k++) await intake.bars('SPX' as Ticker, Array(1000).fill(bar), 'imported')
  expect((await intake.finish()).bars).toBe(30_006)
  expect(written.slice(2)).toEqual([
    ['SPX', 25_000],
    ['SPX', 5000]
  ])
})

test('a listener that is slow to hear of progress slows reading down, by one message', async () => {
  const heard: (() => void)[] = []
  const tell = () => new Promise<void>((resolve) => heard.push(resolve))
  const store = { writeImages: async () => {}, writeBars: async () => {} }
  const intake = createIntake({ store, tell, signal: new AbortController().signal })
  await intake.progress('a', 1, 3)
  const second = intake.progress('b', 2, 3)
  await new Promise((resolve) => setImmediate(resolve))
  expect(heard).toHaveLength(1)
  heard[0]()
  await second
  expect(heard).toHaveLength(2)
  heard[1]()
  await intake.finish()
})

test('a listener is told no rejections while it still hears of progress', async () => {
  const heard: string[] = []
  const hearing: (() => void)[] = []
  const tell = ({ kind }: Note) => {
    heard.push(kind)
    return new Promise<void>((resolve) => hearing.push(resolve))
  }
  const store = { writeImages: async () => {}, writeBars: async () => {} }
  const intake = createIntake({ store, tell, signal: new AbortController().signal })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  await intake.progress('a', 1, 3)
  for (let line = 1; line <= 500; line++) intake.reject('a.csv', line, 'no')
  const second = intake.progress('b', 2, 3)
  await settled()
  expect(heard).toEqual(['progress'])
  hearing[0]()
  await settled()
  expect(heard).toEqual(['progress', 'rejected'])
  hearing[1]()
  await second
  expect(heard).toEqual(['progress', 'rejected', 'progress'])
  hearing[2]()
  await intake.finish()
})

test('a listener that is gone ends the import', async () => {
  const store = { writeImages: async () => {}, writeBars: async () => {} }
  const tell = () => Promise.reject(new Error('nobody listens'))
  const intake = createIntake({ store, tell, signal: new AbortController().signal })
  await intake.progress('a', 1, 3)
  await expect(intake.finish()).rejects.toThrow('nobody listens')
})

test('an archive that fails ends the import with its own words', async () => {
  const store = { writeImages: () => Promise.reject(new Error('the disk is full')), writeBars: async () => {} }
  const intake = createIntake({ store, tell: () => {}, signal: new AbortController().signal })
  await intake.image(imageAt(1))
  await expect(intake.finish()).rejects.toThrow('the disk is full')
})

test('every rejection is told, however many there are', async () => {
  const notes: Note[] = []
  const store = { writeImages: async () => {}, writeBars: async () => {} }
  const intake = createIntake({ store, tell: (note) => void notes.push(note), signal: new AbortController().signal })
  for (let line = 1; line <= 1234; line++) {
    intake.reject('a.csv', line, 'no')
    if (line % 100 === 0) await intake.progress('a.csv', line, 1234)
  }
  expect((await intake.finish()).rejected).toBe(1234)
  const lines = notes.flatMap((note) => (note.kind === 'rejected' ? note.rejections.map(({ line }) => line) : []))
  expect(lines).toEqual(Array.from({ length: 1234 }, (_, i) => i + 1))
})
