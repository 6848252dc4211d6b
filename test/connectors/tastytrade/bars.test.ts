import { describe, expect, test } from 'vitest'
import { SourceError } from '../../../src/connectors/port/source-error.ts'
import { readCandles } from '../../../src/connectors/tastytrade/bars/tastytrade-candles.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { jsonMutations } from '../../support/mutations.ts'
import { expectSameOrNamed } from '../../support/same-or-named.ts'
import { candle, noCandle, noon, QUOTE_TOKEN, tastytradeOver } from './vendor.ts'

const SPY = 'SPY' as Ticker
const { signal } = new AbortController()
/** Days begin at midnight of UTC. */
const day = (date: string) => Date.parse(`${date}T00:00:00Z`)
const [BEGINS, ENDS, CUT, PENDING, REMOVED] = [4, 8, 16, 1, 2]

/** Daily candles, newest first as the vendor sends them: today's, which is unfinished, and three earlier ones. */
const past = [
  candle(day('2026-07-29'), { eventFlags: BEGINS, close: 601 }),
  candle(day('2026-07-28'), { open: 597, high: 603.5, low: 596.25, close: 602.75, volume: 61_234_567 }),
  candle(day('2026-07-27'), { close: 598 }),
  candle(day('2026-07-24'), { eventFlags: ENDS, close: 595 })
]

describe('daily bars', () => {
  test('are the completed days that the stream tells since a moment, ascending', async () => {
    const { tastytrade, link } = await tastytradeOver()
    link.market = () => past
    const bars = await tastytrade.dailyBars(SPY, noon, signal)
    expect(bars.map(({ date, close }) => [date, close])).toEqual([
      ['2026-07-24', 595],
      ['2026-07-27', 598],
      ['2026-07-28', 602.75]
    ])
    expect(bars[2]).toEqual({
      ...{ date: '2026-07-28', open: 597, high: 603.5, low: 596.25, close: 602.75, volume: 61_234_567 }
    })
    const [commands] = link.received
    expect(commands.find(({ type }) => type === 'CHANNEL_REQUEST')).toMatchObject({
      parameters: { contract: 'HISTORY' }
    })
    const [asked] = commands.flatMap(({ add = [] }) => add)
    expect(asked).toMatchObject({ type: 'Candle', symbol: 'SPY{=d,tho=true}' })
    // 1,100 sessions are some 4.4 years.
    expect(new Date(asked.fromTime!).toISOString().slice(0, 7)).toBe('2022-03')
    await expect.poll(() => link.clients.length).toBe(0)
  })

  test('come in several frames, some told twice, some before the past begins, and end with the past', async () => {
    const { tastytrade, link } = await tastytradeOver()
    link.market = () => undefined
    const bars = tastytrade.dailyBars(SPY, noon, signal)
    await expect.poll(() => link.subscribed('Candle')).toEqual(['SPY{=d,tho=true}'])
    link.tell('Candle', candle(day('2026-07-20'), { close: 1 }))
    link.tell('Candle', past[0], past[2], past[1])
    link.tell('Candle', past[1], candle(day('2026-07-27'), { close: 598.5 }))
    link.tell('Candle', { ...past[3], eventFlags: ENDS | PENDING })
    link.tell('Candle', candle(day('2026-07-23'), { close: 590 }), candle(day('2026-07-22'), { close: 2 }))
    expect((await bars).map(({ date, close }) => [date, close])).toEqual([
      ['2026-07-23', 590],
      ['2026-07-24', 595],
      ['2026-07-27', 598.5],
      ['2026-07-28', 602.75]
    ])
  })

  test('of a symbol without any are none', async () => {
    const { tastytrade, link } = await tastytradeOver()
    link.market = (_, symbol) => noCandle(symbol)
    expect(await tastytrade.dailyBars(SPY, noon, signal)).toEqual([])
  })

  test('of several symbols are asked for one after the other, each on a connection of its own', async () => {
    const { tastytrade, link } = await tastytradeOver()
    let most = 0
    link.market = (_, symbol) => {
      most = Math.max(most, link.clients.length)
      return past.map((each) => ({ ...each, eventSymbol: symbol }))
    }
    const symbols = ['SPY', 'BRK.B', 'QQQ'] as Ticker[]
    const lists = await Promise.all(symbols.map((symbol) => tastytrade.dailyBars(symbol, noon, signal)))
    expect(lists.map(({ length }) => length)).toEqual([3, 3, 3])
    expect(
      link.received.map((commands) => commands.flatMap(({ add = [] }) => add.map(({ symbol }) => symbol)))
    ).toEqual([['SPY{=d,tho=true}'], ['BRK/B{=d,tho=true}'], ['QQQ{=d,tho=true}']])
    expect(most).toBeLessThanOrEqual(2) // the one before may be saying goodbye
  })

  test('that break off are a timeout, and a failure holds nobody up', async () => {
    const { tastytrade, link } = await tastytradeOver({}, { limits: { bars: 150 } })
    link.market = (_, symbol) =>
      symbol.startsWith('SPY') ? past.slice(0, 2) : past.map((each) => ({ ...each, eventSymbol: symbol }))
    const [broken, whole] = await Promise.allSettled(
      [SPY, 'QQQ' as Ticker].map((symbol) => tastytrade.dailyBars(symbol, noon, signal))
    )
    expect(broken).toMatchObject({
      reason: { fault: 'timeout', message: 'the stream of tastytrade did not tell all candles of SPY' }
    })
    expect(whole).toMatchObject({ value: { length: 3 } })
  })

  test('are given up with their caller, and an access that is refused is not used again', async () => {
    const { tastytrade, link } = await tastytradeOver()
    link.market = () => undefined
    const stop = new AbortController()
    const bars = tastytrade.dailyBars(SPY, noon, stop.signal)
    await expect.poll(() => link.clients.length).toBe(1)
    stop.abort(new Error('nobody waits'))
    await expect(bars).rejects.toThrow('nobody waits')
    let given = 0
    const other = await tastytradeOver({
      '/api-quote-tokens': () => ({
        body: { data: { token: given++ === 0 ? 'old' : QUOTE_TOKEN, 'dxlink-url': other.link.url } }
      })
    })
    other.link.market = () => past
    await expect(other.tastytrade.dailyBars(SPY, noon, signal)).rejects.toMatchObject({ fault: 'refused' })
    expect(await other.tastytrade.dailyBars(SPY, noon, signal)).toHaveLength(3)
  })
})

describe('candles', () => {
  const read = (candles: readonly object[], symbol = SPY) =>
    readCandles(candles as Parameters<typeof readCandles>[0], symbol, noon)

  test('begin at midnight of UTC or of New York, before and after the clocks change', () => {
    const times = [day('2026-01-05'), Date.parse('2026-01-06T05:00:00Z'), Date.parse('2026-07-07T04:00:00Z')]
    expect(read(times.map((time) => candle(time))).map(({ date }) => date)).toEqual([
      '2026-01-05',
      '2026-01-06',
      '2026-07-07'
    ])
  })

  test('of days that are no trading days are left out; where they are many, the days are others than is thought', () => {
    const week = ['13', '14', '15', '16', '17', '20', '21', '22', '23', '24'].map((of) => day(`2026-07-${of}`))
    const holiday = candle(day('2026-07-03'))
    expect(read([...week.map((time) => candle(time)), holiday])).toHaveLength(10)
    // Sunday evenings, as if they were Mondays.
    const early = week.map((time) => candle(time - 2 * 3_600_000))
    expect(() => read(early)).toThrow(/by the field time 2 of 10 candles are of no trading day/)
  })

  test('that are taken back, cut or without a trade are no bars; what the stream does not tell is not known', () => {
    const removed = candle(day('2026-07-27'), { eventFlags: REMOVED })
    expect(read([candle(day('2026-07-27')), removed])).toEqual([])
    expect(read([candle(day('2026-07-27'), { eventFlags: BEGINS | CUT })])).toHaveLength(1)
    const silent = { open: 'NaN', high: 'NaN', low: 'NaN', close: 'NaN', volume: 'NaN' }
    expect(read([candle(day('2026-07-27'), silent)])).toEqual([])
    const [bar] = read([candle(day('2026-07-27'), { open: 'NaN' })])
    expect(bar).toMatchObject({ open: Number.NaN, close: 602 })
  })

  test('have no price that is none, and count no volume that is none', () => {
    const time = day('2026-07-27')
    const endless = Number.POSITIVE_INFINITY
    expect(read([candle(time, { close: endless })])).toEqual([])
    expect(read([candle(time, { high: endless, low: -1 })])).toMatchObject([{ high: Number.NaN, low: Number.NaN }])
    for (const volume of [endless, -1]) expect(() => read([candle(time, { volume })])).toThrow(/the field volume/)
  })

  test('of an index have no volume, of others they need one', () => {
    const index = candle(day('2026-07-27'), { eventSymbol: 'VIX{=d,tho=true}', volume: 'NaN' })
    expect(read([index], 'VIX' as Ticker)).toMatchObject([{ volume: 0 }])
    expect(() => read([candle(day('2026-07-27'), { volume: 'NaN' })])).toThrow(/the field volume/)
  })

  test('that are mutated are the same bars or a fault with the name of the field', () => {
    const text = JSON.stringify({ past })
    const figures = (changed: string) => {
      try {
        return read(JSON.parse(changed)['past'] ?? [{}])
      } catch (error) {
        if (error instanceof SourceError) throw error
        throw new SourceError('malformed', 'it is not JSON, or not all of it')
      }
    }
    const mutations = [...jsonMutations(text)].filter(({ field }) => field !== 'past')
    expectSameOrNamed(mutations, figures(text), figures)
  })
})
