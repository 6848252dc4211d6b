import { describe, expect, test } from 'vitest'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import { liveScope } from '../../src/exposure/scope.ts'
import { gammaFlip } from '../../src/exposure/spot-ladder/gamma-flip.ts'
import { CALL, CONTRACT_SIZE } from '../../src/market/chain.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { dailyRecord } from '../../src/signals/daily-record-measures.ts'
import { referenceSmile } from '../../src/volatility/term/reference-slice.ts'
import { handMade, priced } from '../support/markets.ts'
import { slowCharm } from '../support/slow-charm.ts'
import { barsOfCloses } from '../volatility/made-up-bars.ts'

const { signal } = new AbortController()
const synthetic = createSynthetic({ seed: 7 })
const KO = 'KO' as Ticker
const session = '2026-06-10' as IsoDate
const closing = priced((await synthetic.closingChain(KO, session, signal))!)
const bars = await synthetic.dailyBars(KO, Date.parse('2026-06-20T15:00:00Z'), signal)
const record = dailyRecord(closing, bars)

describe('the record of a session', () => {
  test('has the close of its bar and the volatility of the returns up to it', () => {
    const at = bars.findIndex(({ date }) => date === session)
    expect([record.date, record.close]).toEqual([session, bars[at].close])
    for (const [n, rv] of [
      [5, record.rv5],
      [10, record.rv10],
      [20, record.rv20],
      [30, record.rv30]
    ] as const) {
      const returns = Array.from({ length: n }, (_, k) => Math.log(bars[at - k].close / bars[at - k - 1].close))
      const centre = returns.reduce((sum, r) => sum + r) / n
      const variance = returns.reduce((sum, r) => sum + (r - centre) ** 2, 0) / (n - 1)
      expect(rv).toBeCloseTo(100 * Math.sqrt(252 * variance), 9)
    }
  })

  test('has the straddle nearest to spot and a volatility at the money that prices it', () => {
    const { spot, strike, right, expirations, bid, ask } = closing
    const at = expirations.findIndex(({ date }) => date === referenceSmile(closing)!.date)
    const { start, end } = expirations[at]
    const mids = new Map<number, number>()
    for (let i = start; i < end; i++) mids.set(strike[i], (mids.get(strike[i]) ?? 0) + (bid[i] + ask[i]) / 2)
    const nearest = [...mids.keys()].sort((a, b) => Math.abs(a - spot) - Math.abs(b - spot))[0]
    expect(record.straddle).toBeCloseTo(mids.get(nearest)!, 10)
    const beside = Array.from({ length: end - start }, (_, k) => start + k).find(
      (i) => strike[i] === nearest && right[i] === CALL
    )!
    expect(Math.abs(record.atmIv! - 100 * closing.sigma[beside])).toBeLessThan(1.5)
  })

  test('has the exposures of the full chain, added up anew', () => {
    const { spot } = closing
    let [gex, dex, vex, chex] = [0, 0, 0, 0]
    const walls = { call: new Map<number, number>(), put: new Map<number, number>() }
    for (const i of liveScope(closing).slots) {
      const held = closing.openInterest[i] * CONTRACT_SIZE
      if (!(held > 0) || Number.isNaN(closing.sigma[i])) continue
      const isCall = closing.right[i] === CALL
      const gamma = closing.gamma[i] * held * spot ** 2 * 0.01
      gex += isCall ? gamma : -gamma
      dex += closing.delta[i] * held * spot
      vex += (isCall ? 1 : -1) * closing.vanna[i] * held * spot
      chex += (isCall ? 1 : -1) * slowCharm(closing, i) * held * spot
      const wall = isCall ? walls.call : walls.put
      wall.set(closing.strike[i], (wall.get(closing.strike[i]) ?? 0) + gamma)
    }
    const highest = (wall: Map<number, number>) => [...wall].sort((a, b) => b[1] - a[1])[0][0]
    expect(record.netGex! / gex).toBeCloseTo(1, 9)
    expect(record.netDex! / dex).toBeCloseTo(1, 9)
    expect(record.netVex! / vex).toBeCloseTo(1, 9)
    expect(record.netChex! / chex).toBeCloseTo(1, 9)
    expect([record.callWall, record.putWall]).toEqual([highest(walls.call), highest(walls.put)])
    expect(record.gammaFlip).toBe(gammaFlip(liveScope(closing)))
  })

  test('knows nothing of later bars', () => {
    const until = bars.filter(({ date }) => date <= session)
    expect(bars.length).toBeGreaterThan(until.length)
    expect(dailyRecord(closing, until)).toEqual(record)
  })

  test('is the same from a book that leaves out volumes, sizes and last prices', async () => {
    const book = (await synthetic.closingQuotes!(KO, session, signal))!
    expect(dailyRecord(priced(book), bars)).toEqual(record)
    expect([...new Set(book.volume)]).toEqual([-1])
  })
})

describe('what a session lacks', () => {
  const nothing = { netGex: undefined, netDex: undefined, netVex: undefined, netChex: undefined }

  test('is absent from its record, and the spot of the chain stands for a close without a bar', () => {
    const { chain } = handMade('no quotes')
    const empty = dailyRecord(chain, barsOfCloses([1, 2, 3]))
    expect(empty).toMatchObject({
      close: chain.spot,
      atmIv: undefined,
      atmIv30: undefined,
      rv5: undefined,
      straddle: undefined,
      ...nothing
    })
  })

  test('is not made up from bars that end before it', () => {
    const until = bars.filter(({ date }) => date < session)
    const found = dailyRecord(closing, until)
    expect([found.rv5, found.rv10, found.rv20, found.rv30]).toEqual([undefined, undefined, undefined, undefined])
    expect(found).toMatchObject({ close: closing.spot, atmIv: record.atmIv })
  })

  test('is nothing realized where its bars state closes alone, but the close is that of its bar', () => {
    const closes = bars.map((bar) => ({ ...bar, open: Number.NaN, high: Number.NaN, low: Number.NaN }))
    expect(dailyRecord(closing, closes)).toMatchObject({ close: record.close, rv5: undefined })
  })

  test('leaves exposures absent rather than 0 where no open interest is known', () => {
    const found = dailyRecord(handMade('open interest unknown').chain, [])
    expect(found).toMatchObject({ ...nothing, gammaFlip: undefined, callWall: undefined, putWall: undefined })
    expect(found.atmIv).toBeGreaterThan(0)
  })
})
