import { expect } from 'vitest'
import type { Groups } from '../../src/flow/tape-views.ts'
import {
  aggressorOf,
  CANCEL,
  INFERRED,
  INTERMARKET_SWEEP,
  MID,
  NOT_ELIGIBLE,
  type Prints,
  sideOf
} from '../../src/market/print.ts'

/** A group as the rules have it, by going over the prints of each series one by one: slow and obvious. */
export interface Group {
  readonly instrument: number
  readonly first: number
  readonly sequence: number
  readonly side: number
  last: number
  prints: number
  size: number
  money: number
  readonly sizeByAggressor: number[]
  readonly exchanges: Set<number>
  readonly prices: Set<number>
  isSweepMarked: boolean
  readonly isInferred: boolean
  /** Whether a later print of the series began another group, or the print is of a kind that is never grouped. */
  isEnded: boolean
}

/** All groups of uncancelled prints, notable or not, in the order of the tape. Times in microseconds. */
export function coalesced(prints: Prints): readonly Group[] {
  const groups: Group[] = []
  const newest = new Map<number, Group>()
  for (let at = 0; at < prints.length; at++) {
    if ((prints.flags[at] & NOT_ELIGIBLE & ~CANCEL) !== 0) continue
    const instrument = prints.instrument[at]
    const side = sideOf(prints.judged[at])
    const isInferred = (prints.flags[at] & INFERRED) !== 0
    if (side === MID || isInferred) {
      groups.push({ ...begun(prints, at, prints.ts[at]), isEnded: true })
      count(groups[groups.length - 1], prints, at, prints.ts[at])
      continue
    }
    let group = newest.get(instrument)
    const ts = Math.max(prints.ts[at], group?.last ?? 0)
    const joins =
      group !== undefined && group.side === side && ts <= group.last + 500_000 && ts <= group.first + 2_000_000
    if (!joins) {
      if (group !== undefined) group.isEnded = true
      group = begun(prints, at, ts)
      groups.push(group)
      newest.set(instrument, group)
    }
    count(group!, prints, at, ts)
  }
  return groups
}

export const isClosed = (group: Group, now: number) =>
  group.isEnded || now > group.last + 500_000 || now > group.first + 2_000_000

export const isNotable = ({ size, money, isInferred }: Group) =>
  isInferred ? size >= 250 : size >= 100 || (money / 1e4) * 100 >= 250_000

/** One order that several met: one named exchange, one price, no sweep mark. */
export const isOneOrder = ({ prints, exchanges, prices, isSweepMarked }: Group) =>
  prints > 1 && exchanges.size === 1 && !exchanges.has(0) && prices.size === 1 && !isSweepMarked

function begun(prints: Prints, at: number, first: number): Group {
  return {
    instrument: prints.instrument[at],
    first,
    last: first,
    sequence: prints.sequence[at],
    side: sideOf(prints.judged[at]),
    prints: 0,
    size: 0,
    money: 0,
    sizeByAggressor: [0, 0, 0, 0, 0],
    exchanges: new Set(),
    prices: new Set(),
    isSweepMarked: false,
    isInferred: (prints.flags[at] & INFERRED) !== 0,
    isEnded: false
  }
}

function count(group: Group, prints: Prints, at: number, ts: number): void {
  group.last = ts
  group.prints++
  group.size += prints.size[at]
  group.money += prints.size[at] * prints.price[at]
  group.sizeByAggressor[aggressorOf(prints.judged[at])] += prints.size[at]
  group.exchanges.add(prints.exchange[at])
  group.prices.add(prints.price[at])
  group.isSweepMarked ||= (prints.flags[at] & INTERMARKET_SWEEP) !== 0
}

/** Holds the groups of a view to those of the rules, field by field, in the order of their first prints. */
export function expectSameGroups(view: Groups, groups: readonly Group[]): void {
  const ordered = [...groups].sort((a, b) => a.first - b.first || a.sequence - b.sequence)
  const fields = ordered.map((group) => ({
    instrument: group.instrument,
    first: group.first,
    last: group.last,
    sequence: group.sequence,
    side: group.side,
    prints: group.prints,
    size: group.size,
    money: group.money,
    oneOrder: isOneOrder(group) ? 1 : 0,
    sizeByAggressor: group.sizeByAggressor
  }))
  const { instrument, first, last, sequence, side, prints, size, money, oneOrder, sizeByAggressor } = view
  const shown = Array.from(instrument, (_, k) => ({
    instrument: instrument[k],
    first: first[k],
    last: last[k],
    sequence: sequence[k],
    side: side[k],
    prints: prints[k],
    size: size[k],
    money: money[k],
    oneOrder: oneOrder[k],
    sizeByAggressor: [...sizeByAggressor.subarray(5 * k, 5 * k + 5)]
  }))
  expect(shown).toEqual(fields)
}
