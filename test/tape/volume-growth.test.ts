import { expect, test } from 'vitest'
import { CALL, type Chain } from '../../src/market/chain.ts'
import {
  AFTER_GAP,
  aggressorOf,
  aggressors,
  INFERRED,
  LATE,
  printColumns,
  SETS_NO_PRICE,
  sideOf,
  sides
} from '../../src/market/print.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { inferredPrints } from '../../src/tape/inferred-prints.ts'
import { Tape } from '../../src/tape/tape.ts'
import { VolumeGrowth } from '../../src/tape/volume-growth.ts'
import { sketched } from '../support/hand-made.ts'

const day = '2026-07-29'

interface Poll {
  readonly time: string
  readonly volume: number
  readonly last: number
  readonly quote: readonly [bid: number, ask: number]
  readonly strikes?: readonly number[]
}

/** The chain of one call at 100, as a poll shows it; beside it strikes that never trade. */
function polled({ time, volume, last, quote, strikes = [90, 100] }: Poll): Chain {
  const isIt = (strike: number, right: number) => strike === 100 && right === CALL
  const chain = sketched({
    date: day,
    time,
    spot: 100,
    series: [
      {
        date: '2026-08-21',
        strikes,
        volume: (strike, right) => (isIt(strike, right) ? volume : 0),
        quote: (strike, right) => (isIt(strike, right) ? quote : undefined)
      }
    ]
  })
  chain.last.fill(Number.NaN)
  chain.last[chain.strike.findIndex((strike, i) => isIt(strike, chain.right[i]))] = last
  return chain
}

/** Rows inferred from polls: side, aggressor and size of each. */
function inferred(...polls: readonly Poll[]) {
  const tape = new Tape('option', day as IsoDate, 1e-4)
  const growth = new VolumeGrowth()
  for (const poll of polls) growth.note(polled(poll), () => tape)
  const { prints, from, to } = tape.rowsFrom(0)
  return Array.from({ length: to - from }, (_, k) => {
    const { judged, size, price, flags, known, ts } = prints
    expect(flags[k]).toBe(INFERRED)
    expect(known[k]).toBe(ts[k])
    return [sides[sideOf(judged[k])], aggressors[aggressorOf(judged[k])], size[k], price[k]]
  })
}

const first: Poll = { time: '11:00', volume: 10, last: 2, quote: [2, 2.1] }

test('what grew at the ask of both polls was bought, at the bid of both sold', () => {
  expect(inferred(first, { time: '11:01', volume: 25, last: 2.1, quote: [2, 2.1] })).toEqual([
    ['buy', 'at_ask', 15, 21_000]
  ])
  expect(inferred(first, { time: '11:01', volume: 25, last: 2, quote: [2, 2.1] })).toEqual([
    ['sell', 'at_bid', 15, 20_000]
  ])
})

test('what the quotes of two polls say differently has no side', () => {
  // At the ask before, at the bid after.
  expect(inferred(first, { time: '11:01', volume: 11, last: 2.1, quote: [2.1, 2.2] })).toEqual([
    ['mid', 'at_bid', 1, 21_000]
  ])
  // At the ask before, in the middle after.
  expect(inferred(first, { time: '11:01', volume: 11, last: 2.1, quote: [2, 2.2] })).toEqual([
    ['mid', 'mid', 1, 21_000]
  ])
})

test('where one poll has no usable quote the other decides', () => {
  const crossed = { ...first, quote: [2.2, 2.1] as const }
  expect(inferred(crossed, { time: '11:01', volume: 11, last: 2.1, quote: [2, 2.1] })).toEqual([
    ['buy', 'at_ask', 1, 21_000]
  ])
  expect(inferred(first, { time: '11:01', volume: 11, last: 2.1, quote: [2.2, 2.1] })).toEqual([
    ['buy', 'mid', 1, 21_000]
  ])
})

test('a first poll, a late one, a volume that fell and one that is not newer say nothing', () => {
  const later: Poll = { time: '11:01', volume: 25, last: 2.1, quote: [2, 2.1] }
  expect(inferred(first)).toEqual([])
  expect(inferred(first, { ...later, time: '11:16' })).toEqual([])
  expect(inferred(first, { ...later, volume: 9 })).toEqual([])
  expect(inferred(first, { ...later, time: '11:00' })).toEqual([])
  expect(inferred(first, { ...later, volume: 9 }, { ...later, time: '11:02', volume: 12 })).toHaveLength(1)
})

test('a volume that is back after a fall counts from its highest', () => {
  const after = (...volumes: number[]) =>
    inferred(first, ...volumes.map((volume, k): Poll => ({ time: `11:0${k + 1}`, volume, last: 2.1, quote: [2, 2.1] })))
  const highest = first.volume
  expect(after(0, highest)).toEqual([])
  expect(after(0, 1, highest + 3)).toEqual(after(highest, highest, highest + 3))
  expect(after(0, 1, highest + 3)).toHaveLength(1)
})

test('in a recorded session a late poll counts as volume without a side, which sets no price', () => {
  const chains = [first, { ...first, time: '12:30', volume: 400 }, { ...first, time: '12:31', volume: 401 }].map(polled)
  const { prints, series, since } = inferredPrints(chains, { length: 7, series: undefined })
  expect([since, series.length]).toEqual([chains[1].asOf, 1])
  expect([...prints.size]).toEqual([390, 1])
  expect([...prints.sequence]).toEqual([7, 8])
  expect([...prints.flags]).toEqual([INFERRED | LATE | SETS_NO_PRICE, INFERRED])
  expect([...prints.judged].map((judged) => sides[sideOf(judged)])).toEqual(['mid', 'sell'])
})

test('a recorded session can be read in parts', () => {
  const chains = Array.from({ length: 9 }, (_, k) =>
    polled({
      time: `11:0${k}`,
      volume: 10 + k * k,
      last: 2 + (k % 2) / 10,
      quote: [2, 2.1],
      strikes: k < 4 ? [100] : [90, 100]
    })
  )
  const whole = inferredPrints(chains, { length: 0, series: undefined })
  const begin = inferredPrints(chains.slice(0, 5), { length: 0, series: undefined })
  const rest = inferredPrints(chains.slice(4), { length: begin.prints.length, series: begin.series })
  for (const name of printColumns)
    expect([...begin.prints[name], ...rest.prints[name]]).toEqual([...whole.prints[name]])
  expect(rest.series).toEqual(whole.series)
  expect(begin.since).toBe(whole.since)
})

test('contracts are known again where the listing has changed', () => {
  const later: Poll = { time: '11:01', volume: 25, last: 2.1, quote: [2, 2.1], strikes: [80, 85, 90, 100, 110] }
  expect(inferred(first, later)).toEqual([['buy', 'at_ask', 15, 21_000]])
})

test('nothing is inferred between two sources, and the next row says that some may be missing', () => {
  const tape = new Tape('option', day as IsoDate, 1e-4)
  const growth = new VolumeGrowth()
  const at = (time: string, volume: number) => polled({ time, volume, last: 2.1, quote: [2, 2.1] })
  growth.note({ ...at('11:00', 10), source: 'one' }, () => tape)
  growth.note({ ...at('11:01', 25), source: 'other' }, () => tape)
  expect(tape.position).toBe(0)
  growth.note({ ...at('11:02', 30), source: 'other' }, () => tape)
  growth.note({ ...at('11:03', 31), source: 'other' }, () => tape)
  const { prints, from, to } = tape.rowsFrom(0)
  expect([from, to]).toEqual([0, 2])
  expect([...prints.size.subarray(0, 2)]).toEqual([5, 1])
  expect([...prints.flags.subarray(0, 2)]).toEqual([INFERRED | AFTER_GAP, INFERRED])
})
