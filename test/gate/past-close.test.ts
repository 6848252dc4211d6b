import { describe, expect, test } from 'vitest'
import { createCboeFiles } from '../../src/connectors/cboe/cboe-files.ts'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import { judgeClose } from '../../src/gate/past-close.ts'
import type { Chain } from '../../src/market/chain.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { recordedPayloads } from '../support/cboe-payload.ts'
import { eastern } from '../support/hand-made.ts'
import { ofSeries, series } from './candidates.ts'

const yesterday = '2026-07-28' as IsoDate
const current = ofSeries(series, 101)
const settled = series.map((one) => ({
  ...one,
  oi: (strike: number, right: number) => 5 + ((strike * 7 + right) % 800)
}))
const closeOf = (some = settled, spot = 100) => ofSeries(some, spot, { date: yesterday, time: '16:00' })
const close = closeOf()
const changed = (change: Partial<Chain>): Chain => ({ ...close, ...change })

test('a close that the current chain can follow is taken, and one alone that is sound', () => {
  expect(judgeClose(close, yesterday, { ...current, openInterest: close.openInterest })).toEqual({ kind: 'taken' })
  expect(judgeClose(close, yesterday, undefined)).toEqual({ kind: 'taken' })
})

describe('a close is held back', () => {
  const same = { ...current, openInterest: close.openInterest }
  test.each<[string, Chain]>([
    ['without open interest', changed({ openInterest: close.openInterest.map(() => 0) })],
    ['with ten times the open interest', changed({ openInterest: close.openInterest.map((open) => 10 * open) })],
    ['with a spot that its options contradict', changed({ spot: 130 })],
    [
      'with options at ten times their prices',
      changed({ bid: close.bid.map((bid) => 10 * bid), ask: close.ask.map((ask) => 10 * ask) })
    ],
    ['with crossed quotes', changed({ bid: close.ask.map((ask) => ask + 1) })]
  ])('%s', (_, wrong) => {
    expect(judgeClose(wrong, yesterday, same)).toMatchObject({ kind: 'doubted', reason: 'past_close' })
  })

  test('of another day, or without a price', () => {
    expect(judgeClose(close, '2026-07-27' as IsoDate, same).kind).toBe('refused')
    expect(judgeClose(changed({ spot: Number.NaN }), yesterday, same).kind).toBe('refused')
  })
})

test('closes of the synthetic market raise no doubt', async () => {
  const source = createSynthetic({ seed: 3 })
  const { signal } = new AbortController()
  const doubted: unknown[] = []
  for (const { symbol } of source.universe.filter((_, k) => k % 12 === 0)) {
    for (const now of [
      eastern('2026-07-20', '09:31'),
      eastern('2026-07-21', '12:00'),
      eastern('2026-07-25', '12:00')
    ]) {
      const chain = await source.chain(symbol, now, signal)
      for (const session of ['2026-07-15', '2026-07-17', '2026-07-20'] as IsoDate[]) {
        if (eastern(session, '16:00') > now) continue
        const verdict = judgeClose((await source.closingChain(symbol, session, signal))!, session, chain)
        if (verdict.kind !== 'taken') doubted.push([symbol, session, new Date(now).toISOString(), verdict])
      }
    }
  }
  expect(doubted).toEqual([])
})

const folder = recordedPayloads()
test.skipIf(folder === undefined)('closes of recorded sessions raise no doubt beside any later chain', async () => {
  const files = await createCboeFiles({ path: folder!, asOf: undefined })
  const { signal } = new AbortController()
  const doubted: unknown[] = []
  let judged = 0
  for (const [symbol, sessions] of [
    ['SPY', ['2026-07-22', '2026-07-28', '2026-07-29', '2026-07-30', '2026-07-31', '2026-08-03', '2026-08-04']],
    ['SPX', ['2026-07-30', '2026-07-31']]
  ] as const) {
    const chains: Chain[] = []
    for (const session of sessions) {
      const chain = await files.closingChain(symbol as Ticker, session as IsoDate, signal)
      if (chain !== undefined) chains.push(chain)
    }
    for (const [k, chain] of chains.entries()) {
      const session = new Date(chain.asOf).toISOString().slice(0, 10) as IsoDate
      for (const later of [undefined, ...chains.slice(k + 1)]) {
        const verdict = judgeClose(chain, session, later)
        judged++
        if (verdict.kind !== 'taken') doubted.push([symbol, session, later?.asOf, verdict])
      }
    }
  }
  expect(doubted).toEqual([])
  expect(judged).toBeGreaterThan(12)
})
