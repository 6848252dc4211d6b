import { describe, expect, test } from 'vitest'
import { pricedCrush } from '../../src/earnings/crush.ts'
import { eventDecomposition, expirationThrough } from '../../src/earnings/event-decomposition.ts'
import { eventRecord } from '../../src/earnings/event-record.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { atmVolatility } from '../../src/volatility/smile/smile-volatility.ts'
import type { ChainSketch } from '../support/hand-made.ts'
import { chainOf, quotedWhere, series, sliceOn } from '../volatility/chains.ts'

const before = '2026-08-03' as IsoDate // of a report after the close of that Monday, or before the open of Tuesday
const everyday = 0.25
const jump = 0.06
const dates = ['2026-07-31', '2026-08-07', '2026-08-14', '2026-08-21', '2026-09-18']

/** A chain whose total variance is everyday² T, and jump² more from the report on. */
function chainWith(listed = dates, { sigma = everyday, move = jump } = {}, change: Partial<ChainSketch> = {}) {
  const blank = chainOf(
    listed.map((date) => series(date)),
    change
  )
  return chainOf(
    listed.map((date) => {
      const { t } = sliceOn(blank, date)
      const variance = sigma ** 2 * t + (date > before ? move ** 2 : 0)
      return series(date, { sigma: () => Math.sqrt(variance / t) })
    }),
    change
  )
}

/** The decomposition by the words of the contract, from volatilities and times alone. */
function byTheContract(chain: ReturnType<typeof chainWith>, first: string, second: string) {
  const [one, two] = [first, second].map((date) => sliceOn(chain, date))
  const [s1, s2] = [atmVolatility(one)!, atmVolatility(two)!]
  const [w1, w2] = [s1 * s1 * one.t, s2 * s2 * two.t]
  const variance = (w2 - w1) / (two.t - one.t)
  return { s1, s2, w1, everyday: Math.sqrt(variance), jump: Math.sqrt(w1 - variance * one.t) }
}

describe('a chain built with a known jump', () => {
  const chain = chainWith()
  const split = eventDecomposition(chain, before)!

  test('gives back the jump and the everyday volatility to a hundredth of themselves', () => {
    const { w1 } = byTheContract(chain, '2026-08-07', '2026-08-14')
    const unit = split.straddle / (100 * Math.sqrt(w1))
    expect(unit).toBeCloseTo(Math.sqrt(2 / Math.PI), 2)
    expect(Math.abs(split.jump / (100 * unit) / jump - 1)).toBeLessThan(0.01)
    expect(Math.abs(split.everydayIv / (100 * everyday) - 1)).toBeLessThan(0.01)
  })

  test('agrees with the words of the contract', () => {
    const twin = byTheContract(chain, '2026-08-07', '2026-08-14')
    const unit = split.straddle / (100 * Math.sqrt(twin.w1))
    expect(split.expiration).toBe('2026-08-07')
    expect(split.preIv).toBeCloseTo(100 * twin.s1, 10)
    expect(split.postIv).toBeCloseTo(100 * twin.s2, 10)
    expect(split.everydayIv).toBeCloseTo(100 * twin.everyday, 10)
    expect(split.jump).toBeCloseTo(100 * unit * twin.jump, 10)
    expect(split.straddle ** 2).toBeCloseTo(split.jump ** 2 + split.drift ** 2, 8)
    const crush = pricedCrush(split)
    expect(crush.expected).toBeCloseTo((100 * (twin.s1 - twin.s2)) / twin.s1, 10)
    expect(crush.modelled).toBeCloseTo((100 * (twin.s1 - twin.everyday)) / twin.s1, 10)
  })

  test.each([0, 0.02, 0.04, 0.08, 0.12])('a jump of %s is found, and no other', (move) => {
    const found = eventDecomposition(chainWith(dates, { move }), before)!
    const unit = found.jump === 0 ? 1 : found.straddle / found.preIv / Math.sqrt(sliceOn(chain, found.expiration).t)
    expect(Math.abs(found.jump / (100 * unit) - move)).toBeLessThan(move === 0 ? 0.006 : 0.01 * move + 0.0005)
  })

  test('the expiration behind is the next at least five days later, else the last there is', () => {
    const near = chainWith(['2026-08-07', '2026-08-10', '2026-08-12'])
    expect(eventDecomposition(near, before)!.postIv).toBeCloseTo(100 * atmVolatility(sliceOn(near, '2026-08-12'))!, 10)
    const nearer = chainWith(['2026-08-07', '2026-08-10', '2026-08-11'])
    expect(eventDecomposition(nearer, before)!.postIv).toBeCloseTo(
      100 * atmVolatility(sliceOn(nearer, '2026-08-11'))!,
      10
    )
  })

  test('an expiration on the day of a report after the close does not live through it, the next day does', () => {
    expect(expirationThrough(chain, '2026-08-07' as IsoDate)).toBe('2026-08-14')
    expect(expirationThrough(chain, '2026-08-06' as IsoDate)).toBe('2026-08-07')
    expect(expirationThrough(chain, '2026-09-18' as IsoDate)).toBeUndefined()
  })
})

describe('without a usable expiration behind', () => {
  test('everyday volatility is that of the last expiration before the report, and stands for the one behind', () => {
    const chain = chainWith(['2026-07-31', '2026-08-07'])
    const split = eventDecomposition(chain, before)!
    expect(split.everydayIv).toBeCloseTo(100 * atmVolatility(sliceOn(chain, '2026-07-31'))!, 10)
    expect(split.postIv).toBe(split.everydayIv)
  })

  test('it is so where variance falls, too, but the expiration behind keeps its volatility', () => {
    const chain = chainOf([
      series('2026-07-31', { sigma: () => 0.3 }),
      series('2026-08-07', { sigma: () => 0.9 }),
      series('2026-08-14', { sigma: () => 0.4 })
    ])
    const split = eventDecomposition(chain, before)!
    expect(split.everydayIv).toBeCloseTo(30, 1)
    expect(split.postIv).toBeCloseTo(40, 1)
  })

  test('nothing is resolved where there is neither', () => {
    expect(eventDecomposition(chainWith(['2026-08-07']), before)).toBeUndefined()
    expect(eventDecomposition(chainWith(['2026-07-31']), before)).toBeUndefined()
  })
})

test('everyday volatility stays between a quarter and all of that of the first expiration', () => {
  const steep = chainOf([series('2026-08-07', { sigma: () => 0.2 }), series('2026-08-14', { sigma: () => 0.4 })])
  expect(eventDecomposition(steep, before)).toMatchObject({ jump: 0 })
  const falling = chainOf([
    series('2026-07-31', { sigma: () => 0.1 }),
    series('2026-08-07', { sigma: () => 0.9 }),
    series('2026-08-14', { sigma: () => 0.4 })
  ])
  const split = eventDecomposition(falling, before)!
  expect(split.everydayIv / split.preIv).toBeCloseTo(0.25, 10)
})

test('without both mids at the strike nearest to spot the straddle is that of the volatility', () => {
  const listed = dates.map((date) => series(date, { quote: quotedWhere((strike) => strike !== 100) }))
  const chain = chainOf(listed)
  const { t } = sliceOn(chain, '2026-08-07')
  const split = eventDecomposition(chain, before)!
  expect(split.straddle).toBeCloseTo((Math.sqrt(2 / Math.PI) * split.preIv * Math.sqrt(t) * 100) / 100, 10)
})

describe('the record of a past report', () => {
  const around = { before, after: '2026-08-04' as IsoDate }
  const close = (date: string, move: number, spot: number) =>
    chainWith(dates.slice(1), { move }, { date, time: '16:00', spot })

  test('has the implied move and the volatility of one expiration at both closes', () => {
    const [pre, post] = [close('2026-08-03', jump, 100), close('2026-08-04', 0, 94)]
    const record = eventRecord(around, pre, post)
    expect(record.impliedMove).toBe(eventDecomposition(pre, before)!.jump)
    expect(record.preIv).toBeCloseTo(100 * atmVolatility(sliceOn(pre, '2026-08-07'))!, 10)
    expect(record.postIv).toBeCloseTo(100 * atmVolatility(sliceOn(post, '2026-08-07'))!, 10)
    expect(record.postIv).toBeCloseTo(25, 0)
    expect(record.move).toBeCloseTo(-6, 10)
  })

  test('leaves the close after open until it is there', () => {
    const record = eventRecord(around, close('2026-08-03', jump, 100), undefined)
    expect(record).toMatchObject({ postIv: undefined, move: undefined })
    expect(record.impliedMove).toBeGreaterThan(0)
  })
})
