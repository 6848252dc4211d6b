import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TapeGreeks } from '../../src/flow/fold.ts'
import { type HedgeFlowState, strikeFlow } from '../../src/flow/folds/hedge-flow.ts'
import {
  beginFolds,
  copyFolds,
  type FoldedView,
  foldedView,
  type SessionFolds,
  stepFolds
} from '../../src/flow/folds.ts'
import { withoutCancelled } from '../../src/flow/near-cancel.ts'
import { pressureUntil } from '../../src/flow/pressure-bars.ts'
import { isEligible } from '../../src/flow/print-rules.ts'
import { CALL } from '../../src/market/chain.ts'
import { cellsWhere, type PressureMeasure, pressureClasses, pressureSum } from '../../src/market/hedge-pressure.ts'
import {
  ADJUSTED,
  BUY,
  CANCEL,
  emptyPrints,
  judgedOf,
  MID,
  NO_PRICE,
  NOT_ELIGIBLE,
  type Prints,
  pickPrints,
  sideOf,
  tapeKinds
} from '../../src/market/print.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { coalesced, expectSameGroups, isClosed, isNotable } from './coalesced.ts'
import { anyTape, type MadeUpTape, madeUpSeries, momentAfter, rowsNear, session } from './made-up-tape.ts'

const views: readonly FoldedView[] = [
  'positions',
  'totals',
  'prints',
  'blocks',
  'minutes',
  'money',
  'seconds',
  'groups'
]

const OPEN = Date.UTC(2026, 6, 29, 13, 30) * 1000 // microseconds

/** Images of the record: the first before the first print, then one each twenty seconds. */
const images: readonly TapeGreeks[] = Array.from({ length: 50 }, (_, k) => ({
  since: OPEN - 1 + k * 20_000_000,
  values: Float64Array.from(
    [
      [0.5 + k / 100, 0.02, 0.1],
      [-0.5 + k / 100, 0.02 + k / 1000, 0.1 + k / 1000],
      [0.4, 0, 0.2],
      [-0.6, 0.01, 0],
      [0.3, 0.03, 0.3],
      [-0.7, 0.03, 0.4]
    ].flat()
  ),
  next: '2026-07-30' as IsoDate
}))

/** The newest of these images that was known before a row. */
const imageBefore = ({ known }: Prints, row: number, among = images) =>
  among.findLast(({ since }) => since < known[row])

/** The images that a row follows before the next one. The folds never see others. */
function imagesSeen(prints: Prints): readonly TapeGreeks[] {
  const rows = Array.from({ length: prints.length }, (_, row) => row)
  const seen = new Set(rows.map((row) => imageBefore(prints, row)))
  return images.filter((image) => seen.has(image))
}

const begun = ({ kind }: MadeUpTape) => beginFolds({ kind, session, unit: 1e-4 })

/** Folds a tape in blocks that end where `isCut` says so, and where one of the images comes. */
function folded(
  tape: MadeUpTape,
  isCut: (row: number) => boolean = () => false,
  copies = false,
  among = images
): SessionFolds {
  const { prints, series } = tape
  const near = rowsNear(prints)
  let state = begun(tape)
  let from = 0
  for (let to = 1; to <= prints.length; to++) {
    const greeks = imageBefore(prints, from, among)
    if (to < prints.length && !isCut(to) && imageBefore(prints, to, among) === greeks) continue
    stepFolds(state, { prints, series, greeks, dropped: 0 }, from, to, near)
    if (copies) {
      const before = state
      state = copyFolds(before)
      stepFolds(before, { prints, series, greeks: images[1], dropped: 0 }, 0, prints.length, near) // must not reach the copy
    }
    from = to
  }
  return state
}

const halfMinuteAfter = (moment: number) => 30_000 * Math.ceil(moment / 30_000)

/** All that the folds of a tape show so many milliseconds after its last row, but for when that became known. */
function shown(tape: MadeUpTape, state: SessionFolds, later = 0) {
  const moment = { ...momentAfter(tape, later), known: undefined }
  const { hedgeFlow, pressure } = state.states
  return {
    views: Object.fromEntries(views.map((name) => [name, foldedView(state, name, moment)])),
    hedge: hedgeFlow && {
      classes: pressureUntil(hedgeFlow.classes, halfMinuteAfter(moment.now)),
      minutes: minutesOf(hedgeFlow).filter(({ strike }) => strike.length > 0)
    },
    pressure: pressure && pressureUntil(pressure.sums, halfMinuteAfter(moment.now))
  }
}

const minutesOf = (state: HedgeFlowState) =>
  [...state.cells.keys()].sort((a, b) => a - b).map((minute) => strikeFlow(state, minute * 60_000))

const sum = (numbers: ArrayLike<number>) => Array.from(numbers).reduce((a, b) => a + b, 0)

describe.each(tapeKinds)('the folds of a tape of %s prints', (kind) => {
  test('show the same however the tape was cut, and copied between', () => {
    fc.assert(
      fc.property(anyTape(kind), fc.integer({ min: 1, max: 17 }), (tape, every) => {
        const whole = shown(tape, folded(tape))
        expect(
          shown(
            tape,
            folded(tape, (row) => row % every === 0)
          )
        ).toEqual(whole)
        expect(
          shown(
            tape,
            folded(tape, (row) => row % (every + 10) === 0, true)
          )
        ).toEqual(whole)
      }),
      { numRuns: 40 }
    )
  })

  test('show after a cancel what they would show had the print never been there', () => {
    fc.assert(
      fc.property(anyTape(kind), (tape) => {
        const prints = withoutCancelled(tape.prints)
        const seen = imagesSeen(prints)
        const without = folded({ ...tape, prints }, undefined, false, seen)
        const withCancels = folded(tape, undefined, false, seen)
        for (const later of [0, 400, 10_000])
          expect(shown(tape, withCancels, later)).toEqual(shown(tape, without, later))
      }),
      { numRuns: 100 }
    )
  })

  test('add up: minutes to totals, and those to every print that stands', () => {
    fc.assert(
      fc.property(anyTape(kind), (tape) => {
        const state = folded(tape)
        const moment = momentAfter(tape)
        const minutes = foldedView(state, 'minutes', moment)!
        const totals = foldedView(state, 'totals', moment)!
        const prints = withoutCancelled(tape.prints)
        for (const name of ['bought', 'sold', 'other', 'trades'] as const)
          expect(sum(totals[name])).toBe(sum(minutes[name]))
        const money = foldedView(state, 'money', moment)!
        for (const name of ['boughtMoney', 'soldMoney'] as const) expect(money[name]).toBe(sum(minutes[name]))
        expect(sum(totals.trades)).toBe(prints.length)
        expect(sum(totals.bought) + sum(totals.sold) + sum(totals.other)).toBe(sum(prints.size))
        expect(sum(totals.contracts)).toBe(new Set(prints.instrument).size)
        expect(Math.max(0, ...totals.biggest)).toBe(Math.max(0, ...prints.size))
        expect([...minutes.minute]).toEqual([...minutes.minute].sort((a, b) => a - b))
        if (prints.length > 0) expect(Math.max(...minutes.newest)).toBe(Math.max(...prints.ts))
      })
    )
  })
})

test('positions are what eligible prints bought and sold of each series', () => {
  fc.assert(
    fc.property(anyTape('option'), (tape) => {
      const shown = foldedView(folded(tape), 'positions', momentAfter(tape))!
      const expected = [0, 1, 2].map(() => new Int32Array(tape.series.length))
      const prints = withoutCancelled(tape.prints)
      for (let at = 0; at < prints.length; at++) {
        if ((prints.flags[at] & NOT_ELIGIBLE) === 0)
          expected[prints.judged[at] & 3][prints.instrument[at]] += prints.size[at]
      }
      expect([shown.other, shown.bought, shown.sold].map((column) => [...column])).toEqual(
        expected.map((column) => [...column])
      )
    })
  )
})

test('groups are those that going over the prints of each series finds', () => {
  fc.assert(
    fc.property(anyTape('option', { length: 300 }), fc.integer({ min: 0, max: 3000 }), (tape, later) => {
      const moment = momentAfter(tape, later)
      const closed = coalesced(withoutCancelled(tape.prints)).filter((group) => isClosed(group, moment.now * 1000))
      expectSameGroups(foldedView(folded(tape), 'groups', moment)!, closed.filter(isNotable))
    }),
    { numRuns: 200 }
  )
})

/** An option tape of bought prints of one series: times in microseconds after the open, sizes, and rows that cancel. */
function boughtPrints(rows: readonly { ts: number; sequence: number; size: number; cancel?: true }[]): MadeUpTape {
  const prints = emptyPrints(rows.length)
  let known = 0
  rows.forEach(({ ts, sequence, size, cancel }, at) => {
    known = Math.max(known, OPEN + ts)
    prints.known[at] = known
    prints.ts[at] = OPEN + ts
    prints.sequence[at] = sequence
    prints.price[at] = 10_000
    prints.size[at] = size
    prints.judged[at] = judgedOf(BUY, 1, 1)
    prints.flags[at] = cancel ? CANCEL : 0
  })
  return { kind: 'option', series: madeUpSeries, prints }
}

test('a cancel leaves a group alone that began before the rows around it', () => {
  const minute = 600_000_000
  const tape = boughtPrints([
    { ts: minute - 10_300_000, sequence: 0, size: 60 },
    { ts: minute - 9_900_000, sequence: 1, size: 100 }, // the rows around the cancelled print begin with this one
    { ts: minute + 100_000, sequence: 2, size: 8 },
    { ts: minute + 100_000, sequence: 2, size: 8, cancel: true }
  ])
  const shown = foldedView(folded(tape), 'groups', momentAfter(tape, 10_000))!
  expect([...shown.size]).toEqual([160])
})

test('a print that comes late joins the group before a cancelled print', () => {
  const tape = boughtPrints([
    { ts: 0, sequence: 0, size: 1 },
    { ts: 500_001, sequence: 1, size: 1 },
    { ts: 500_001, sequence: 1, size: 1, cancel: true },
    { ts: 500_000, sequence: 2, size: 100 }
  ])
  const shown = foldedView(folded(tape), 'groups', momentAfter(tape, 10_000))!
  expect([...shown.size]).toEqual([101])
})

test('a print before the first greeks adds nothing to pressure, and those after it count', () => {
  const tape = boughtPrints([
    { ts: 0, sequence: 0, size: 1 },
    { ts: -2, sequence: 1, size: 1 },
    { ts: 0, sequence: 2, size: 25 }
  ])
  tape.prints.instrument.fill(2)
  tape.prints.spot.fill(6_300_000)
  const expected = slowPressure(tape)
  expect(expected.filter((cents) => cents !== 0)).toHaveLength(4)
  const { hedgeFlow, pressure } = folded(tape).states
  expect(
    [hedgeFlow!.classes, pressure!.sums].flatMap((of) => [...pressureUntil(of, Number.POSITIVE_INFINITY).sum])
  ).toEqual(expected)
})

test('a print that comes more than half a minute late adds nothing to pressure and takes nothing back, however old the greeks are', () => {
  const second = 1_000_000
  const whole = boughtPrints([
    { ts: 0, sequence: 0, size: 1 },
    { ts: 60 * second, sequence: 1, size: 25 },
    { ts: 29 * second, sequence: 2, size: 7 },
    { ts: 31 * second, sequence: 3, size: 3 },
    { ts: 90 * second, sequence: 4, size: 1 },
    { ts: 29 * second, sequence: 2, size: 7, cancel: true }
  ])
  whole.prints.instrument.fill(2)
  whole.prints.spot.fill(6_300_000)
  const late = 2
  const inTime = [0, 1, 3, 4]
  const sumsOf = (rows: readonly number[], among: readonly TapeGreeks[]) => {
    const prints = pickPrints(whole.prints, rows)
    return [...pressureUntil(folded({ ...whole, prints }, undefined, false, among).states.pressure!.sums, Infinity).sum]
  }
  for (const among of [images, images.slice(0, 1)]) {
    const expected = sumsOf(inTime, among)
    expect(sumsOf([0, 1, late, 3, 4], among)).toEqual(expected)
    expect(sumsOf([0, 1, late, 3, 4, 5], among)).toEqual(expected)
    expect(sumsOf([0, 1, 4], among)).not.toEqual(expected)
  }
})

/** Sums what each print adds to hedging pressure, by nothing but loops: the newest image before its time, of those in use by then. */
function slowPressure({ prints, series }: MadeUpTape): readonly number[] {
  const cells = pressureClasses.map(() => 0)
  const cancelled = new Set(Array.from(prints.sequence).filter((_, row) => (prints.flags[row] & CANCEL) !== 0))
  const used = new Set<TapeGreeks>()
  for (let row = 0; row < prints.length; row++) {
    if ((prints.flags[row] & CANCEL) !== 0) continue
    used.add(imageBefore(prints, row)!)
    const image = images.findLast((one) => used.has(one) && one.since < prints.ts[row])
    const side = sideOf(prints.judged[row])
    const isCounted = isEligible(prints.flags[row]) && side !== MID && prints.spot[row] !== NO_PRICE
    if (image === undefined || !isCounted || cancelled.has(prints.sequence[row])) continue
    const k = prints.instrument[row]
    const contracts = (side === BUY ? 1 : -1) * prints.size[row] * 100
    const spot = prints.spot[row] * 1e-4
    const cents = (dollars: number) => Math.sign(dollars) * Math.round(Math.abs(100 * dollars)) || 0
    const { date } = series.expirations[series.expiration[k]]
    const [delta, gamma, vega] = image.values
      .slice(3 * k, 3 * k + 3)
      .map((value) => (date === session ? value : Math.fround(value)))
    const sums = {
      delta: cents(contracts * spot * delta),
      gamma: cents(contracts * spot * gamma * spot * 0.01),
      vega: cents(contracts * vega)
    }
    const expiry = date === session ? '0dte' : date === '2026-07-30' ? 'next' : 'rest'
    const right = series.right[k] === CALL ? 'calls' : 'puts'
    const size = prints.size[row] <= 10 ? 'small' : prints.size[row] < 100 ? 'medium' : 'large'
    for (const [cell, of] of pressureClasses.entries())
      if (of.expiry === expiry && of.right === right && of.size === size) cells[cell] += sums[of.measure]
  }
  return cells
}

test('hedging pressure is the sum of its prints by class, and that of the day the sum of its strikes', () => {
  fc.assert(
    fc.property(anyTape('option'), (tape) => {
      const { pressure, hedgeFlow } = folded(tape).states
      const sums = [hedgeFlow!.classes, pressure!.sums].flatMap((of) => [
        ...pressureUntil(of, Number.POSITIVE_INFINITY).sum
      ])
      expect(sums).toEqual(slowPressure(tape))
      const ofDay = (wanted: PressureMeasure) =>
        pressureSum(
          Float64Array.from(sums),
          cellsWhere(({ expiry, measure }) => expiry === '0dte' && measure === wanted)
        )
      const minutes = minutesOf(hedgeFlow!)
      expect(sum(minutes.map(({ signedDelta }) => sum(signedDelta)))).toBe(ofDay('delta'))
      expect(sum(minutes.map(({ signedGamma }) => sum(signedGamma)))).toBe(ofDay('gamma'))
    })
  )
})

test('the seconds of a stock tape are those of its minutes', () => {
  fc.assert(
    fc.property(anyTape('stock'), (tape) => {
      const state = folded(tape)
      const seconds = foldedView(state, 'seconds', momentAfter(tape))!
      const minutes = foldedView(state, 'minutes', momentAfter(tape))!
      expect([...seconds.second]).toEqual([...new Set(seconds.second)].sort((a, b) => a - b))
      minutes.minute.forEach((minute, row) => {
        const inside = Array.from(seconds.second, (_, k) => k).filter(
          (k) => Math.floor(seconds.second[k] / 60_000) * 60_000 === minute
        )
        for (const name of ['bought', 'sold', 'other', 'trades', 'money', 'pricedSize'] as const) {
          expect(sum(inside.map((k) => seconds[name][k]))).toBe(minutes[name][row])
        }
        const priced = inside.filter((k) => seconds.pricedSize[k] > 0)
        expect(minutes.open[row]).toBe(priced.length === 0 ? NO_PRICE : seconds.open[priced[0]])
        expect(minutes.close[row]).toBe(priced.length === 0 ? NO_PRICE : seconds.close[priced.at(-1)!])
        expect(minutes.high[row]).toBe(Math.max(NO_PRICE, ...priced.map((k) => seconds.high[k])))
      })
    })
  )
})

test('adjusted series are in the windows of prints alone', () => {
  fc.assert(
    fc.property(anyTape('option', { cancels: false }), (tape) => {
      const adjusted = {
        ...tape,
        prints: { ...tape.prints, flags: tape.prints.flags.map((flags) => flags | ADJUSTED) }
      }
      const views = shown(adjusted, folded(adjusted)).views
      expect(views['prints']).toHaveProperty('prints.length', tape.prints.length)
      for (const name of ['minutes', 'groups']) expect(views[name]).toHaveProperty('length', 0)
      expect(views['totals']).toMatchObject({ trades: new Int32Array(3), contracts: new Int32Array(3) })
      expect(views['positions']).toMatchObject({ bought: new Int32Array(6), other: new Int32Array(6) })
    }),
    { numRuns: 20 }
  )
})
