import { expect, test } from 'vitest'
import { alpacaReader } from '../../src/connectors/alpaca/alpaca-fields.ts'
import { type AlpacaShare, readShare } from '../../src/connectors/alpaca/chains/alpaca-underlying.ts'
import { readMassiveBar } from '../../src/connectors/massive/chains/massive-bars.ts'
import { massiveReader } from '../../src/connectors/massive/chains/massive-snapshot.ts'
import { readTradierHistory } from '../../src/connectors/tradier/tradier-connector.ts'
import { jsonMutations } from '../support/mutations.ts'
import { expectSameOrNamed } from '../support/same-or-named.ts'

// Mappers of which no vendor's sample is at hand: payloads written by hand in its shape. Those of the others are mutated where
// their samples are read.

test('mutated daily bars of Tradier are the same bars or a fault with the name of the field', () => {
  const days = ['2026-07-28', '2026-07-29'].map((date) => ({ date, open: 1, high: 4, low: 0.5, close: 2, volume: 7 }))
  const text = JSON.stringify({ history: { day: days } })
  const figures = (changed: string) => readTradierHistory(Buffer.from(changed), Date.parse('2026-07-31T12:00:00Z'))
  expect(figures(text)).toHaveLength(2)
  expectSameOrNamed(jsonMutations(text), figures(text), figures)
})

test('a mutated daily bar of Massive is the same bar or a fault with the name of the field', () => {
  const text = JSON.stringify({ t: Date.parse('2026-07-28T04:00:00Z'), o: 1, h: 4, l: 0.5, c: 2, v: 7 })
  const figures = (changed: string) => readMassiveBar(massiveReader.body(Buffer.from(changed)), 'etf')
  expectSameOrNamed(jsonMutations(text), figures(text), figures)
})

test('a mutated share of Alpaca is the same, without a part, or a fault with the name of the field', () => {
  const [t, day] = ['2026-07-29T16:00:00.123456789Z', '2026-07-28T04:00:00Z']
  const share = {
    latestTrade: { p: 5, t },
    latestQuote: { bp: 4, ap: 6, t },
    dailyBar: { c: 5, t },
    prevDailyBar: { c: 3, t: day }
  }
  const text = JSON.stringify(share)
  const figures = (changed: string) => readShare(alpacaReader.body(Buffer.from(changed)))
  const whole = figures(text)
  const same = ({ trade, quote, days }: AlpacaShare, label: string) => {
    if (trade !== undefined) expect(trade, label).toEqual(whole.trade)
    if (quote !== undefined) expect(quote, label).toEqual(whole.quote)
    for (const day of days) expect(whole.days, label).toContainEqual(day)
  }
  expectSameOrNamed(jsonMutations(text), whole, figures, same)
})
