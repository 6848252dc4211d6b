import { describe, expect, test } from 'vitest'
import { answer } from '../../../src/api/answer.ts'
import { CALL, PUT } from '../../../src/market/chain.ts'
import { aggressors, BUY, MID, SELL } from '../../../src/market/print.ts'
import { stockSeries } from '../../../src/market/series.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { endpointAt, type Query, textOf } from '../../support/asking.ts'
import { eastern } from '../../support/hand-made.ts'
import { type Grouped, groupsOf, listedAt, positionsOf, tapeHeader, traded } from '../../support/made-up-flow.ts'
import { handMade, type Market } from '../../support/markets.ts'
import type { FlowSignals, FlowSignalsSummary } from './answers.ts'

const feed = '/v1/flow/signals/{symbol}'
const market = handMade('several expirations on a day of expiry')
const { chain } = market
const slotOf = (date: string, strike: number, right: number) => {
  const { start, end } = chain.expirations.find((listed) => listed.date === date)!
  for (let i = start; i < end; i++) if (chain.strike[i] === strike && chain.right[i] === right) return i
  throw new Error('not listed')
}

function asked<Answer = FlowSignals>(of: Market, query: Query = {}, path = feed): Answer {
  const result = textOf(endpointAt(path), of, query)
  if ('code' in result) throw new Error(result.code)
  return JSON.parse(result.text)
}

const call = slotOf('2026-08-28', 110, CALL)
const put = slotOf('2026-07-29', 95, PUT)
const positions = positionsOf(tapeHeader(chain), [
  { series: listedAt(chain, call), bought: 900, sold: 100 },
  { series: listedAt(chain, put), bought: 100, sold: 900 },
  { series: { ...listedAt(chain, call), strike: 110.5 }, bought: 500, sold: 0 }
])
const micros = (time: string) => 1000 * eastern('2026-07-29', time)
const atAsk = aggressors.map((label) => (label === 'at_ask' ? 100 : 0))
const group = (instrument: number, time: string, more: Partial<Grouped> = {}): Grouped => ({
  instrument,
  first: micros(time),
  sequence: 1,
  side: BUY,
  prints: 1,
  money: 100 * 20_000,
  sizes: atAsk,
  ...more
})
const having = (...grouped: readonly Grouped[]): Market => ({
  ...market,
  positions,
  groups: [groupsOf(positions, positions.series, grouped)]
})

describe('a signal', () => {
  test('tells its series, what was paid and what it is taken to mean', () => {
    const [signal] = asked(having(group(0, '10:30'))).signals
    expect(signal).toMatchObject({
      ts: '2026-07-29T14:30:00.000Z',
      expiry: '2026-08-28',
      strike: 110,
      right: 'C',
      side: 'buy',
      price: 2,
      size: 100,
      premium: 20_000,
      dte: 30,
      structure: 'block',
      aggressor: 'at_ask',
      open_close_bias: 'opening_bias',
      open_close_confidence: 0.43,
      contract_net_oi_delta: 344,
      intent: 'bullish',
      tags: ['block', 'opening']
    })
  })

  test.each([
    [0, BUY, 'bullish'],
    [0, SELL, 'bearish'],
    [0, MID, 'neutral'],
    [1, SELL, 'neutral'], // its series leans to closing
    [1, BUY, 'neutral']
  ])('in series %d on side %d is %s', (instrument, side, intent) => {
    expect(asked(having(group(instrument, '10:30', { side }))).signals[0].intent).toBe(intent)
  })

  test('of several prints is a sweep unless they are one order', () => {
    const tags = (oneOrder: boolean) => asked(having(group(0, '10:30', { prints: 3, oneOrder }))).signals[0].tags[0]
    expect([false, true].map(tags)).toEqual(['sweep', 'block'])
  })

  test('is seen beside the settled chain: its own greeks, and none where it is not listed or has expired', () => {
    const [listed] = asked(having(group(0, '10:30'))).signals
    expect(listed.enrichment).toMatchObject({
      iv: Math.round(1e6 * chain.sigma[call]) / 1e6,
      moneyness: 'OTM'
    })
    expect(listed.enrichment.iv_vs_atm).not.toBeNull()
    const nothing = {
      iv: null,
      delta: null,
      gamma: null,
      iv_vs_atm: null,
      moneyness: 'unknown',
      estimated_delta_notional: null,
      hypothetical_gex_impact_if_opening: null
    }
    expect(asked(having(group(2, '10:30'))).signals[0].enrichment).toEqual(nothing)
    const closed = handMade('after the close')
    const expired = asked({ ...closed, positions, groups: having(group(1, '15:30')).groups! }).signals[0]
    expect(expired).toMatchObject({ dte: 0, enrichment: nothing })
    expect(expired.tags).toContain('0dte')
  })
})

describe('the feed', () => {
  const several = having(
    group(0, '10:00', { money: 4e6 }),
    group(0, '10:01', { money: 4e6, sequence: 5 }),
    group(0, '10:01', { money: 4e6, sequence: 9 }),
    group(0, '10:30', { money: 9e7 }),
    group(1, '10:40'),
    group(0, '06:59:59')
  )

  test('stands by score, premium, time and sequence, all descending', () => {
    const { signals } = asked(several, { expiry: '2026-08-28' })
    expect(signals.map(({ ts, premium }) => `${ts.slice(11, 16)} ${premium}`)).toEqual([
      '14:30 900000',
      '14:01 40000',
      '14:01 40000',
      '14:00 40000'
    ])
  })

  test('begins whole minutes before the minute of now, and a first print at that instant is in it', () => {
    const window = (windowMinutes: string) => asked(several, { windowMinutes }).count
    // The current time is 11:00.
    expect([60, 59, 30, 29, 20, 19].map((minutes) => window(`${minutes}`))).toEqual([5, 4, 2, 1, 1, 0])
    expect(window('241')).toBe(6)
    expect(window('99999')).toBe(6)
  })

  test('has nothing of an expiration without contracts, and nothing single', () => {
    expect(asked(several, { expiry: '2026-08-29' })).toMatchObject({ count: 0, signals: [], expiry: '2026-08-29' })
    expect(asked(several, { structure: 'single' }).count).toBe(0)
  })

  test('names the best tenth golden where their conviction is high', () => {
    const many = having(
      ...Array.from({ length: 21 }, (_, k) => group(0, '10:30', { money: 2e8 + k, sequence: k, prints: 4 }))
    )
    const golden = (query: Query) => asked(many, query).signals.filter(({ tags }) => tags.includes('golden')).length
    expect(asked(many).signals[0].score).toBeGreaterThanOrEqual(70)
    expect([golden({}), golden({ limit: '2' }), golden({ minScore: '100' })]).toEqual([3, 2, 0])
  })

  test.each([
    [{ intent: 'up' }, 'invalid_intent'],
    [{ structure: 'spread' }, 'invalid_structure'],
    [{ limit: 'many' }, 'invalid_parameter'],
    [{ minScore: '1.5' }, 'invalid_parameter'],
    [{ expiry: '2026-02-30' }, 'invalid_expiry']
  ])('refuses %j with %s', (query, code) => {
    expect(textOf(endpointAt(feed), several, query as unknown as Query)).toEqual({ code })
  })

  test('adds premium up by what it means', () => {
    const summary = asked<FlowSignalsSummary>(several, { windowMinutes: '60' }, `${feed}/summary`)
    expect(summary).toMatchObject({
      signal_count: 5,
      bullish_premium: 1_020_000,
      bearish_premium: 0,
      net_directional_premium: 1_020_000,
      opening_premium: 1_020_000,
      closing_premium: 20_000
    })
  })
})

describe('signals of an earlier session', () => {
  const header = { ...tapeHeader(chain), session: '2026-07-28' as IsoDate }
  const { series } = positions
  const first = 1000 * eastern('2026-07-28', '15:00')
  const closing = {
    bought: Int32Array.of(10, 900, 0),
    sold: Int32Array.of(210, 0, 0),
    openInterest: Int32Array.of(1000, 100, -1)
  }
  const before = groupsOf(header, series, [{ ...group(0, '10:30'), first }], closing)

  test('rest on how it ended and on its own open interest', () => {
    const { signals } = asked({ ...market, positions, groups: [before] }, { windowMinutes: '2000' })
    expect(signals[0]).toMatchObject({
      dte: 31,
      open_close_bias: 'closing_bias',
      contract_net_oi_delta: -86,
      intent: 'neutral',
      score_breakdown: { size_vs_oi: 10, opening_bias: 0 }
    })
  })

  test('without what it ended with know of no volume', () => {
    const { closing: _, ...open } = before
    const { signals } = asked({ ...market, positions, groups: [open] }, { windowMinutes: '2000' })
    expect(signals[0]).toMatchObject({ open_close_bias: 'unknown', contract_net_oi_delta: 0 })
  })
})

describe('without a settled chain', () => {
  const { groups } = having(group(0, '10:30'))
  const minute = chain.asOf
  const inputs = { anyChain: undefined, groups: groups!, positions, minute }
  const params = { symbol: chain.symbol, windowMinutes: 240, minScore: 0, limit: 50 }
  const bare = (more: object) =>
    JSON.parse(answer(endpointAt(feed), { params, inputs: { ...inputs, ...more }, body: undefined, caller: [] }))

  test('the feed still answers', () => {
    for (const anyChain of [undefined, { ...chain, size: 0, expirations: [] }]) {
      expect(bare({ anyChain })).toMatchObject({
        underlying_price: 0,
        chain: { call_wall: null, put_wall: null, max_pain: null, gamma_flip: null },
        count: 1,
        signals: [{ strike: 110, contract_net_oi_delta: 344, enrichment: { iv: null, moneyness: 'unknown' } }]
      })
    }
  })
  test('and without a print it is of the minute of now', () => {
    const empty = { ...groupsOf({ ...tapeHeader(chain), known: undefined }, stockSeries, []) }
    const { as_of, count } = bare({ groups: [empty], positions: undefined })
    expect({ as_of: Date.parse(as_of), count }).toEqual({ as_of: minute, count: 0 })
  })
})

test('a market without signals answers with none', () => {
  expect(asked(market)).toMatchObject({ count: 0, signals: [] })
  expect(asked(traded(market)).count).toBe(50)
})
