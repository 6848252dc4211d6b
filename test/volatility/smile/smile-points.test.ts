import { describe, expect, test } from 'vitest'
import { CALL, PUT } from '../../../src/market/chain.ts'
import { smilePoints } from '../../../src/volatility/smile/smile-points.ts'
import { ladder } from '../../support/hand-made.ts'
import { chainOf, leaning, quotedWhere, series } from '../chains.ts'

const month = '2026-08-28'
const only = (chain: ReturnType<typeof chainOf>) => smilePoints(chain, 0)

describe('the smile points', () => {
  const chain = chainOf([series(month)])
  const points = only(chain)
  const { forward, t } = chain.carries[0]

  test('ascend in k, one for each strike, with the volatility they were quoted at', () => {
    expect(points.size).toBeGreaterThan(20)
    for (let i = 0; i < points.size; i++) {
      expect(points.k[i]).toBeCloseTo(Math.log(points.strike[i] / forward), 14)
      expect(points.iv[i]).toBeCloseTo(leaning(points.strike[i]), 2)
      if (i > 0) expect(points.k[i]).toBeGreaterThan(points.k[i - 1])
    }
  })

  test('have as half spread what the volatility moves from bid to mid', () => {
    const wide = chainOf([series(month, { spread: 0.1 })])
    const [mid, higher] = [only(wide), only(chainOf([series(month, { sigma: (k) => leaning(k) + 1e-4 })]))]
    const at = mid.strike.indexOf(105)
    const i = Array.from(wide.strike).findIndex((strike, s) => strike === 105 && wide.right[s] === CALL)
    const price = (wide.bid[i] + wide.ask[i]) / 2
    const vega = (wide.vega[i] * 100 * (higher.iv[higher.strike.indexOf(105)] - mid.iv[at])) / 1e-4
    expect(mid.halfSpread[at]).toBeCloseTo((wide.ask[i] - wide.bid[i]) / (2 * vega), 4)
    expect(price).toBeGreaterThan(0)
  })

  test('reach five deviations of the point nearest the forward', () => {
    const far = only(
      chainOf([
        series(month, {
          strikes: ladder(20, 300, 1),
          spread: 0.0001,
          sigma: 0.4,
          quote: (strike, right) => (strike > 100 === (right === CALL) ? [0.04, 0.04] : undefined)
        })
      ])
    )
    expect(far.scale).toBeGreaterThan(0)
    const reach = Math.min(1, Math.max(0.06, 5 * far.scale!))
    expect(Math.max(...far.k.map(Math.abs))).toBeLessThanOrEqual(reach)
    expect(points.scale).toBeCloseTo(leaning(100) * Math.sqrt(t), 2)
  })

  test('are puts below the forward and calls above it', () => {
    const puts = only(chainOf([series(month, { rights: [PUT] })]))
    expect(puts.k.every((k) => k <= 0)).toBe(true)
    const calls = only(chainOf([series(month, { rights: [CALL] })]))
    expect(calls.k.every((k) => k >= 0)).toBe(true)
  })
})

test.each([
  ['one-sided', [Number.NaN, 1.2]],
  ['without a bid', [0, 1.2]],
  ['crossed', [1.3, 1.1]],
  ['wider than 60 % of the mid', [0.8, 1.6]],
  ['below a mid of 0.03', [0.02, 0.03]]
])('a quote %s is no point', (_, quote) => {
  const bad = (strike: number) => (strike === 104 || strike === 96 ? (quote as [number, number]) : undefined)
  const points = only(chainOf([series(month, { quote: bad })]))
  expect(points.strike.includes(104)).toBe(false)
  expect(points.strike.includes(96)).toBe(false)
  expect(points.strike.includes(105)).toBe(true)
})

test('both sides of a strike at the forward are one point, their mean', () => {
  // The expiration day takes its forward from spot, so a strike can be made to stand exactly there.
  const spot = 100
  const first = chainOf([series('2026-07-29')], { spot })
  const { forward } = first.carries[0]
  const quote = (strike: number, right: number) =>
    strike === forward ? ([right === CALL ? 0.2 : 0.3, right === CALL ? 0.22 : 0.32] as const) : undefined
  const strikes = [...ladder(98, 102, 0.5).filter((strike) => strike !== 100), forward].sort((a, b) => a - b)
  const chain = chainOf([series('2026-07-29', { strikes, quote })], { spot })
  const points = only(chain)
  const at = points.strike.indexOf(forward)
  const own = Array.from(chain.sigma).filter((_, i) => chain.strike[i] === forward)
  expect(points.k[at]).toBe(0)
  expect(own[0]).not.toBeCloseTo(own[1], 2)
  expect(points.iv[at]).toBeCloseTo((own[0] + own[1]) / 2, 12)
  expect(points.strike.filter((strike) => strike === forward)).toHaveLength(1)
})

test('a listing without quotes has no points and no scale', () => {
  expect(only(chainOf([series(month, { quote: quotedWhere(() => false) })]))).toMatchObject({
    size: 0,
    scale: undefined
  })
})
