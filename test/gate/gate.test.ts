import { describe, expect, test } from 'vitest'
import { judge, sayTheSame } from '../../src/gate/gate.ts'
import type { PayloadRows } from '../../src/market/payload-rows.ts'
import { eastern, ladder, sketched } from '../support/hand-made.ts'
import { candidateOf, dates, held, moment, ofSeries, outcomeOf, series, verdictOn } from './candidates.ts'

const wellRead: PayloadRows = { rows: 100, unreadable: 0, unusable: 0, unusableLiquid: 0 }
const minute = 60_000

test('a chain like the one that is held is taken, and so is the first of a symbol', () => {
  expect(outcomeOf(held, { reading: wellRead })).toBe('taken')
  expect(outcomeOf(held, { held: undefined })).toBe('taken')
  expect(outcomeOf(ofSeries([]), { held: undefined })).toBe('taken')
})

describe('time', () => {
  const at = (milliseconds: number) => ({ ...held, asOf: held.asOf + milliseconds })

  test('never goes backwards, whatever the source', () => {
    expect(outcomeOf(at(-1), { now: held.asOf })).toBe('older')
    expect(outcomeOf({ ...at(-1), source: 'another' }, { now: held.asOf })).toBe('older')
    expect(outcomeOf(at(0), { now: held.asOf })).toBe('taken')
  })

  test('goes back where the held chain lies in the future of a clock that is trusted', () => {
    expect(outcomeOf(at(-120_000), { now: held.asOf - 120_000 })).toBe('older')
    expect(outcomeOf(at(-120_001), { now: held.asOf - 120_001 })).toBe('taken')
    expect(outcomeOf(at(-60 * minute), { now: held.asOf - 60 * minute, clockIsTrusted: false })).toBe('older')
  })

  test('that lies in the future is refused past two minutes, unless the clock is known to be behind', () => {
    expect(outcomeOf(held, { now: held.asOf - 120_000 })).toBe('taken')
    expect(outcomeOf(held, { held: undefined, now: held.asOf - 120_001 })).toBe('from_the_future')
    expect(outcomeOf(held, { now: held.asOf - 600_000, clockIsTrusted: false })).toBe('taken')
  })

  test('ahead of the clock of the server that states it is refused, however wrong our own clock is', () => {
    const [now, clockIsTrusted] = [held.asOf - 600_000, false]
    expect(outcomeOf(held, { now, clockIsTrusted, servedAt: held.asOf + 900_000 })).toBe('taken')
    expect(outcomeOf(held, { now, clockIsTrusted, servedAt: held.asOf - 120_001 })).toBe('from_the_future')
    // A server that is behind is no reason to refuse what our own clock believes.
    expect(outcomeOf(held, { servedAt: held.asOf - 600_000 })).toBe('taken')
  })

  test('that is missing is refused', () => expect(outcomeOf(at(Number.NaN), { now: held.asOf })).toBe('malformed'))
})

describe('a list that cannot be read', () => {
  test('is refused where it is empty, whatever was doubted before', () => {
    const doubt = { reason: 'contracts', message: '', session: '2026-07-01' } as never
    expect(outcomeOf(ofSeries([]), { doubt })).toBe('malformed')
  })

  test('is refused with under half of its rows readable', () => {
    expect(outcomeOf(held, { reading: { ...wellRead, unreadable: 51 } })).toBe('malformed')
    expect(outcomeOf(held, { reading: { ...wellRead, unreadable: 50 } })).toBe('taken')
  })

  test.each(['repeated', 'impossibleInterest'] as const)('is refused where over a hundredth is %s', (name) => {
    expect(outcomeOf(held, { held: undefined, reading: { ...wellRead, [name]: 2 } })).toBe('malformed')
    expect(outcomeOf(held, { held: undefined, reading: { ...wellRead, [name]: 1 } })).toBe('taken')
  })

  test.each([0, -1, Number.NaN, Infinity])('is refused with a spot of %s', (spot) => {
    expect(outcomeOf({ ...held, spot })).toBe('malformed')
  })
})

describe('contracts that are gone', () => {
  const less = ofSeries(series.slice(2))

  test('are doubted, and last for no evidence within the session', () => {
    expect(verdictOn(less)).toMatchObject({ reason: 'contracts', message: 'it lists 2 of the 4 live expirations' })
    const doubt = { reason: 'contracts', message: '', session: moment.date as never } as const
    for (const time of ['11:05', '13:00', '15:59']) {
      expect(outcomeOf(ofSeries(series.slice(2), 100, { time }), { doubt })).toBe('contracts')
    }
  })

  test('are believed to be gone where they still are in the next session, and not at its first sight', () => {
    const next = ofSeries(series.slice(2), 100, { date: '2026-07-30' })
    expect(outcomeOf(next)).toBe('contracts')
    const doubt = { reason: 'contracts', message: '', session: '2026-07-29' as never } as const
    expect(outcomeOf(next, { doubt })).toBe('taken')
    expect(outcomeOf(next, { doubt: { ...doubt, reason: 'open_interest' } })).toBe('contracts')
  })

  test('are doubted below 90 % of the live contracts', () => {
    const cut = (from: number) => ofSeries(series.map((one) => ({ ...one, strikes: ladder(from, 124, 4) })))
    expect(outcomeOf(cut(88))).toBe('contracts') // 10 of 12 strikes
    expect(outcomeOf(cut(84))).toBe('taken') // 11 of 12
  })

  test('are doubted where others stand in their place, as in the chain of another symbol', () => {
    expect(outcomeOf(ofSeries(series.map((one) => ({ ...one, strikes: ladder(81, 125, 4) }))))).toBe('contracts')
  })

  test('may be some at another source, which lists others', () => {
    const other = { ...ofSeries(series.slice(0, 3)), source: 'another' }
    expect(outcomeOf(other)).toBe('taken')
    expect(outcomeOf(ofSeries(series.slice(0, 3)))).toBe('contracts')
  })

  test('are no fault once the calendar has them expired', () => {
    const both = ['2026-07-29', '2026-12-18'].map((date) => ({ ...series[0], date }))
    const before = ofSeries(both)
    expect(outcomeOf(ofSeries(both.slice(1), 100, { time: '16:05' }), { held: before })).toBe('taken')
    expect(outcomeOf(ofSeries(both.slice(1), 100, { time: '15:59' }), { held: before })).toBe('contracts')
  })

  test('follow a split of the underlying, overnight only', () => {
    const split = series.map((one) => ({ ...one, strikes: one.strikes.map((strike) => strike / 4) }))
    expect(outcomeOf(ofSeries(split, 25.4, { date: '2026-07-30' }))).toBe('taken')
    expect(outcomeOf(ofSeries(split, 25.4, { time: '11:30' }))).toBe('contracts')
    expect(outcomeOf(ofSeries(split, 36, { date: '2026-07-30' }))).toBe('contracts')
  })

  test.each([1000, 0.001])('are doubted at %s times the scale, spot with them or not', (scale) => {
    const scaled = series.map((one) => ({ ...one, strikes: one.strikes.map((strike) => strike * scale) }))
    const chain = ofSeries(scaled, 100 * scale)
    for (const date of ['2026-07-29', '2026-07-30']) {
      const at = ofSeries(scaled, 100 * scale, { date, time: '11:30' })
      expect(outcomeOf(at)).toBe('contracts')
      expect(outcomeOf({ ...at, spot: 100 })).toBe('contracts')
    }
    expect(outcomeOf({ ...chain, spot: 100 }, { held: undefined })).toBe('spot_off_options')
  })
})

describe('quotes of no use', () => {
  const quoted = (quote: (strike: number, right: number) => readonly [number, number] | undefined, time = '11:00') =>
    ofSeries(
      series.map((one) => ({ ...one, quote })),
      100,
      { time }
    )

  test('that are all zero are doubted while the market is open, and are none of its business afterwards', () => {
    expect(outcomeOf(quoted(() => [0, Number.NaN]))).toBe('unusable_quotes')
    expect(outcomeOf(quoted(() => [0, Number.NaN], '16:30'))).toBe('taken')
  })

  test('of up to a fifth of the traded rows leave the chain as it is', () => {
    const some = (count: number) => quoted((strike) => (strike < 80 + 4 * count ? [0, Number.NaN] : undefined))
    expect(outcomeOf(some(2))).toBe('taken') // 2 of 12
    expect(outcomeOf(some(3))).toBe('unusable_quotes') // 3 of 12
  })

  test('that were left out as rows count with them', () => {
    expect(outcomeOf(held, { reading: { ...wellRead, unusable: 24, unusableLiquid: 24 } })).toBe('taken') // of 120
    const more = { ...wellRead, unusable: 25, unusableLiquid: 25 }
    expect(outcomeOf(held, { reading: more })).toBe('unusable_quotes')
  })

  test('that cross on over a tenth of the contracts are doubted', () => {
    const crossing = (strikes: readonly number[]) =>
      quoted((strike, right) => (right === 0 && strikes.includes(strike) ? [9, 8] : undefined))
    expect(outcomeOf(crossing([80, 84]))).toBe('taken') // 8 of 96
    expect(outcomeOf(crossing([80, 84, 88]))).toBe('unusable_quotes') // 12 of 96
  })

  test('without a bid or an offer anywhere are doubted, of a first chain too', () => {
    for (const oneSided of [quoted(() => [0, 5]), quoted(() => [5, Number.NaN])]) {
      expect(outcomeOf(oneSided)).toBe('unusable_quotes')
      expect(outcomeOf(oneSided, { held: undefined })).toBe('unusable_quotes')
    }
  })

  test('that lost a side on two fifths of the contracts are doubted', () => {
    const oneSided = (strikes: number) => quoted((strike) => (strike < 80 + 4 * strikes ? [0, 9] : undefined))
    expect(outcomeOf(oneSided(4))).toBe('taken') // 8 of 12 stay
    expect(outcomeOf(oneSided(5))).toBe('unusable_quotes') // 7 of 12
  })
})

test.each([10, 0.1])('quotes at %s times the price are doubted, whatever parity says', (scale) => {
  const scaled = { ...held, bid: held.bid.map((bid) => bid * scale), ask: held.ask.map((ask) => ask * scale) }
  expect(outcomeOf({ ...scaled, asOf: held.asOf + minute })).toBe('unusable_quotes')
  const dearer = series.map((one) => ({ ...one, sigma: 0.6 })) // three times the volatility
  expect(outcomeOf(ofSeries(dearer))).toBe('taken')
})

test('offers far above the bids are doubted where they lay close before', () => {
  const wider = (factor: number) => ({ ...held, asOf: held.asOf + minute, ask: held.ask.map((ask) => ask * factor) })
  expect(outcomeOf(wider(1.2))).toBe('taken')
  expect(outcomeOf(wider(2))).toBe('unusable_quotes')
  const wideBefore = { ...held, ask: held.ask.map((ask) => ask * 1.3) }
  expect(outcomeOf(wider(2), { held: wideBefore })).toBe('taken')
})

test('a doubt is passed over for the reason that the operator has waived, and for no other', () => {
  const off = { ...held, spot: 107 }
  expect(outcomeOf(off)).toBe('spot_off_options')
  expect(outcomeOf(off, { waived: 'spot_off_options' })).toBe('taken')
  expect(outcomeOf(off, { waived: 'open_interest' })).toBe('spot_off_options')
  expect(outcomeOf({ ...off, asOf: held.asOf - 1 }, { now: held.asOf, waived: 'spot_off_options' })).toBe('older')
})

test('two sources say the same with one spot, one list and one open interest', () => {
  expect(sayTheSame(held, { ...held, source: 'another' })).toBe(true)
  expect(sayTheSame(held, { ...held, spot: 1.02 * held.spot })).toBe(false)
  expect(sayTheSame(held, ofSeries(series.slice(0, 3)))).toBe(false)
  expect(sayTheSame(ofSeries(series.slice(0, 3)), held)).toBe(false)
  expect(sayTheSame(held, { ...held, openInterest: held.openInterest.map((open) => 2 * open) })).toBe(false)
})

test('a chain with nothing but a level is taken the next day, however far it went', () => {
  const level = sketched({ ...moment, spot: 16, series: [] })
  const jumped = { ...level, spot: 24 }
  expect(outcomeOf(jumped, { held: level })).toBe('spot_jump')
  expect(outcomeOf({ ...level, spot: 22 }, { held: level })).toBe('taken') // an index of one-day volatility
  const next = sketched({ ...moment, date: '2026-07-30', spot: 24, series: [] })
  expect(judge(candidateOf(next, { held: level })).kind).toBe('taken')
})

describe('quotes and contracts that fit nothing', () => {
  const one = dates[1]
  const ofOne = (change: (bid: number, ask: number, i: number) => readonly [number, number]) => {
    const [bid, ask] = [held.bid.slice(), held.ask.slice()]
    const { start, end } = held.expirations.find(({ date }) => date === one)!
    for (let i = start; i < end; i++) [bid[i], ask[i]] = change(held.bid[i], held.ask[i], i)
    return { ...held, bid, ask }
  }

  test('of one expiration: calls and puts exchanged, shifted, equal or without quotes', () => {
    const exchanged = ofOne((_bid, _ask, i) => [held.bid[i ^ 1], held.ask[i ^ 1]])
    expect(outcomeOf(exchanged)).toBe('unusable_quotes')
    expect(outcomeOf(exchanged, { held: undefined })).toBe('unusable_quotes')
    expect(outcomeOf(ofOne(() => [1, 1.1]))).toBe('unusable_quotes')
    expect(
      outcomeOf(
        ofOne(() => [Number.NaN, Number.NaN]),
        { held: undefined }
      )
    ).toBe('unusable_quotes')
    expect(outcomeOf(ofOne((bid, ask) => [bid, ask]))).toBe('taken')
  })

  test('beside a chain of long ago nothing is compared but the order of time', () => {
    const strange = { ...held, openInterest: held.openInterest.map((open) => 20 * open) }
    const heldOn = (date: string) => ({ ...held, asOf: eastern(date, '11:00') })
    expect(outcomeOf(strange, { held: heldOn('2026-07-22') })).toBe('open_interest')
    expect(outcomeOf(strange, { held: heldOn('2026-07-21') })).toBe('taken')
    expect(outcomeOf(heldOn('2026-07-21'), { held, now: held.asOf })).toBe('older')
  })

  test('contracts that come with open interest, but not those that come back', () => {
    const { start } = held.expirations.at(-1)!
    const shorter = ofSeries(series.slice(0, -1))
    expect(held.openInterest.slice(start).some((open) => open > 0)).toBe(true)
    expect(outcomeOf(held, { held: shorter })).toBe('open_interest')
    expect(outcomeOf(held, { held: shorter, heldIsShortened: true })).toBe('taken')
    expect(
      outcomeOf(
        { ...held, openInterest: held.openInterest.map((open, i) => (i < start ? open : 0)) },
        { held: shorter }
      )
    ).toBe('taken')
  })
})
