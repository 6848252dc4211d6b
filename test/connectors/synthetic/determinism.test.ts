import { expect, test } from 'vitest'
import { createSynthetic } from '../../../src/connectors/synthetic/synthetic-connector.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { fingerprint, market, ticker } from './ask.ts'

const asked = [
  ['SPX', '2026-11-18', '11:15:07'],
  ['GOOG', '2026-11-18', '09:30'],
  ['GOOGL', '2019-05-02', '15:59:59'],
  ['VIX', '2024-08-05', '10:00'],
  ['SPY', '2026-11-18', '16:00'],
  ['HYG', '2017-01-04', '12:00']
] as const

test('one seed gives one market, whatever was asked before', async () => {
  const answers = async (world: ReturnType<typeof market>, questions: readonly (typeof asked)[number][]) => {
    const found = new Map<string, string>()
    for (const [symbol, date, time] of questions) {
      found.set(`${symbol} ${date} ${time}`, fingerprint(await world.chain(symbol, date, time)))
    }
    return found
  }
  const used = market(7)
  const forward = await answers(used, asked)
  const backward = await answers(market(7), [...asked].reverse())
  const again = await answers(used, asked)
  for (const [question, answer] of forward) {
    expect([question, backward.get(question), again.get(question)]).toEqual([question, answer, answer])
  }
})

test('bars do not depend on what was asked before', async () => {
  const fresh = await market(7).bars('GOOG', '2026-11-18')
  const used = market(7)
  await used.chain('GOOGL', '2026-11-18', '12:00')
  await used.bars('QQQ', '2026-11-18')
  expect(await used.bars('GOOG', '2026-11-18')).toEqual(fresh)
})

test('another seed is another market', async () => {
  const [one, other] = [await market(1).close('AAPL', '2026-11-18'), await market(2).close('AAPL', '2026-11-18')]
  expect(one.spot).not.toBe(other.spot)
  expect([...one.openInterest.slice(0, 200)]).not.toEqual([...other.openInterest.slice(0, 200)])
})

test('a seed beyond 32 bits counts in full', async () => {
  const low = await market(5, createSynthetic({ seed: 5 })).close('SPX', '2026-11-18')
  const high = await market(5, createSynthetic({ seed: 5 + 2 ** 32 })).close('SPX', '2026-11-18')
  expect(high.spot).not.toBe(low.spot)
})

test('a value that fell out of the caches comes back the same', async () => {
  const { chain, connector } = market(3)
  const before = fingerprint(await chain('MSFT', '2026-11-18', '12:00'))
  for (const date of ['2026-11-09', '2026-11-10', '2026-11-11']) {
    for (const { symbol } of connector.universe) await chain(symbol, date, '12:00')
  }
  expect(fingerprint(await chain('MSFT', '2026-11-18', '12:00'))).toBe(before)
})

test('a book is the closing chain without volumes and last prices, and leaves what is kept alone', async () => {
  const { connector, close } = market(7)
  for (const symbol of ['AAPL', 'VIX9D']) {
    const book = (await connector.closingQuotes!(
      ticker(symbol),
      '2026-11-18' as IsoDate,
      new AbortController().signal
    ))!
    const { volume, last, ...chain } = await close(symbol, '2026-11-18')
    expect(book).toEqual({ ...chain, volume: volume.map(() => -1), last: last.map(() => Number.NaN) })
  }
})
