import { expect, test } from 'vitest'
import type { ChainImage } from '../../src/history/store.ts'
import { createIntake, type Note } from '../../src/imports/intake.ts'
import { buildChain } from '../../src/market/chain.ts'
import type { Ticker } from '../../src/market/units.ts'

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
