import { describe, expect, test } from 'vitest'
import { ApiError, apiError } from '../../../src/api/error.ts'
import { loadInputs, readInputs } from '../../../src/api/inputs/load.ts'
import type { MarketSource } from '../../../src/api/market-source.ts'
import type { DailyBar } from '../../../src/market/bar.ts'
import { addDays } from '../../../src/market/calendar.ts'
import { headerOf } from '../../../src/market/chain.ts'
import { easternDate, instantOfEastern } from '../../../src/market/eastern.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { endpointAt } from '../../support/asking.ts'
import { handMade } from '../../support/markets.ts'
import { walk } from '../../volatility/made-up-bars.ts'

const { chain } = handMade('several expirations on a day of expiry')
const symbol = chain.symbol

/** Noon of the day so many days after the last of these bars. */
const noonAfter = (bars: readonly DailyBar[], days: number) =>
  instantOfEastern(addDays(bars.at(-1)?.date ?? easternDate(chain.asOf), days), 12 * 60)

/** A source that holds one chain, for all symbols but NOBODY, and tells what it was asked, soon after the last bar. */
function holding(bars: readonly DailyBar[], days = 1) {
  const asked: string[] = []
  const source = {
    now: () => noonAfter(bars, days),
    chain: (wanted: Ticker) => {
      asked.push(`chain ${wanted}`)
      return wanted === 'NOBODY' ? undefined : chain
    },
    bars: (wanted: Ticker) => {
      asked.push(`bars ${wanted}`)
      return bars
    }
  } as unknown as MarketSource
  const from = (path: string, wanted = symbol as string) =>
    readInputs(endpointAt(path), { symbol: wanted }, { source, maxAge: 0, keyless: false })
  return { asked, from }
}

const realized = '/v1/volatility/realized/{symbol}'

describe('what an answer is made from', () => {
  test('is daily bars alone where it needs no more, as many as it declares', () => {
    const bars = walk(1, 400)
    const { asked, from } = holding(bars)
    const { inputs, chains } = from(realized)!
    expect(inputs).toEqual({ bars: bars.slice(-90) })
    expect(chains).toEqual([])
    expect(asked).toEqual([`bars ${symbol}`])
  })

  test('is what is known of the underlying, and no chain, where prints are all that counts', () => {
    const totals = { source: 'recorded' }
    const source = { now: () => chain.asOf, underlying: () => chain, view: () => totals } as unknown as MarketSource
    const { inputs, chains } = readInputs(
      endpointAt('/v1/flow/options/{symbol}/summary'),
      { symbol },
      { source, maxAge: 0, keyless: false }
    )!
    expect(inputs).toEqual({ tapeSubject: headerOf(chain), optionTotals: totals })
    expect(chains).toEqual([chain])
  })

  test('has no bars where they end longer ago than the exchange was ever closed', () => {
    const bars = walk(1, 400)
    const count = (days: number) => holding(bars, days).from(realized)!.inputs.bars?.length
    expect([7, 8].map(count)).toEqual([90, 0])
  })

  test('tells a symbol without bars from one that nobody knows', () => {
    const { from } = holding([])
    expect(from(realized)).toMatchObject({ inputs: { bars: [] } })
    const refused = () => from(realized, 'NOBODY')
    expect(refused).toThrow(ApiError)
    expect(refused).toThrow(expect.objectContaining({ code: 'symbol_not_found' }))
  })

  test('has one version for the same bars and another for new ones', () => {
    const bars = walk(1, 400)
    const path = '/v1/volatility/{symbol}'
    const [one, again] = [holding(bars).from(path)!, holding(bars).from(path)!]
    expect(again.version).toBe(one.version)
    expect(again.inputs.bars).toBe(one.inputs.bars)
    const later = holding([...bars]).from(path)!
    expect(later.version).not.toBe(one.version)
  })

  test('is the quote of the VIX and the bars of SPX for the state of the VIX', () => {
    const { asked, from } = holding(walk(1, 400))
    const { inputs, chains } = from('/v1/macro/vix-state')!
    const { asOf, delay, spot, quote } = chain
    expect(inputs.vixQuote).toEqual({ symbol, asOf, delay, spot, quote })
    expect(chains).toEqual([chain])
    expect(asked.sort()).toEqual(['bars SPX', 'chain VIX'])
  })
})

describe('a source that does not answer', () => {
  const fault = apiError('source_unavailable', 'TEST cannot be loaded: no route; try again shortly', {}, 7)
  const asked = (path: string, chain: () => unknown) => {
    const source = { now: () => noonAfter([], 1), chain, view: () => undefined } as unknown as MarketSource
    return [endpointAt(path), { symbol }, { source, maxAge: 0, keyless: false }] as const
  }
  const from = (path: string, chain: () => unknown) => readInputs(...asked(path, chain))
  const loading = (path: string, chain: () => unknown) => loadInputs(...asked(path, chain))
  const throwing = () => {
    throw fault
  }
  const upstream = expect.objectContaining({
    code: 'upstream_unavailable',
    status: 502,
    retryAfter: 7,
    message: expect.stringContaining('temporarily unavailable')
  })

  test('is source_unavailable as a rule', () => {
    expect(() => from('/v1/exposure/gex/{symbol}', throwing)).toThrow(fault)
  })
  test('is upstream_unavailable where flow is asked for, thrown or rejected', async () => {
    expect(() => from('/v1/flow/levels/{symbol}', throwing)).toThrow(upstream)
    await expect(loading('/v1/flow/levels/{symbol}', () => Promise.reject(fault))).rejects.toEqual(upstream)
  })
  test('is no name for any other failure', async () => {
    const other = new Error('broken')
    await expect(loading('/v1/flow/levels/{symbol}', () => Promise.reject(other))).rejects.toBe(other)
  })
})
