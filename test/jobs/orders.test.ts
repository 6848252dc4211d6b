import { expect, test } from 'vitest'
import { orders } from '../../src/jobs/orders.ts'
import type { JobStore, Workplace } from '../../src/jobs/perform.ts'
import { defaultAssumptions } from '../../src/pricing/carry.ts'
import { memoryStore } from '../support/memory-store.ts'

const store: JobStore = { ...memoryStore(), exportQuotes: async () => {} }
const tally = { images: 0, rows: 0, bars: 0, rejected: 0, leftOut: 0 }
const listener = { tell: () => {}, signal: new AbortController().signal }
const backfill = { work: 'backfill', days: 1, symbols: ['SPY'], every: 60_000 }

function given(workplaces: Workplace[], more: { synthetic?: boolean; off?: boolean } = {}) {
  return orders({
    perform: async (_job, workplace) => {
      workplaces.push(workplace)
      return { complete: true, tally, bytes: undefined }
    },
    history: more.off ? { store: undefined, reason: 'history is switched off' } : { store },
    synthetic: more.synthetic ?? true,
    seed: 7,
    assumptions: defaultAssumptions,
    now: () => 42
  })
}

test('a job is done with the archive and the market of the service', async () => {
  const workplaces: Workplace[] = []
  await given(workplaces)(backfill)(listener)
  expect(workplaces).toEqual([{ store, seed: 7, assumptions: defaultAssumptions, now: 42 }])
})

test('a service without history says why', () => {
  expect(() => given([], { off: true })(backfill)).toThrow('the service keeps no history: history is switched off')
})

test('made-up days are not put among real ones', () => {
  expect(() => given([], { synthetic: false })(backfill)).toThrow('made-up ones do not belong among them')
  expect(() => given([], { synthetic: false })({ work: 'import', format: 'cboe', paths: ['/a'] })).not.toThrow()
})

test('an order that is none is refused', () => {
  expect(() => given([])({ work: 'dance' })).toThrow('work must be import, backfill or export')
})
