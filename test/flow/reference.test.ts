import { expect } from 'vitest'
import type { TapeGreeks } from '../../src/flow/fold.ts'
import { hedgeFlow } from '../../src/flow/folds/hedge-flow.ts'
import { beginFolds, type FoldedView, foldedView, type SessionFolds, stepFolds } from '../../src/flow/folds.ts'
import { withoutCancelled } from '../../src/flow/near-cancel.ts'
import { openInterestAfter, openInterestDelta } from '../../src/flow/open-interest/simulator.ts'
import { type PressureBars, pressureUntil } from '../../src/flow/pressure-bars.ts'
import type { ViewContext, Views } from '../../src/flow/tape-views.ts'
import { CALL } from '../../src/market/chain.ts'
import { yearsToExpiry } from '../../src/market/clock.ts'
import { easternDateTime } from '../../src/market/eastern.ts'
import { cellsWhere, type PressureMeasure, type PressureRight, pressureSum } from '../../src/market/hedge-pressure.ts'
import { CANCEL, copyPrints, emptyPrints, MARKED, NO_PRICE, type Prints, sides } from '../../src/market/print.ts'
import type { Series } from '../../src/market/series.ts'
import type { Instant, Ticker } from '../../src/market/units.ts'
import { greeks } from '../../src/pricing/bsm.ts'
import { coalesced, expectSameGroups, isClosed, isNotable, isOneOrder } from './coalesced.ts'
import { rowsNear, rowsOf } from './made-up-tape.ts'
import { type RecordedTape, testRecorded, timeOf } from './recorded-tapes.ts'

const CONFIDENCE = 0.43
const UNIT = 1e-4

type Figures = Readonly<Record<string, number>>

/** The moments that the reference asks about, and what is asked there. */
function* asked(tapes: readonly RecordedTape[], results: ReadonlyMap<string, unknown>, what: string) {
  for (const tape of tapes) {
    for (const [id, expected] of results) {
      const [name, clock] = id.split('@')
      if (name === `${tape.name}.${what}`) yield { tape, id, expected, at: timeOf(tape.session, clock) }
    }
  }
}

/** Returns a view folded from the rows known at a moment. */
function shown<Name extends FoldedView>(tape: RecordedTape, at: Instant, name: Name): NonNullable<Views[Name]> {
  const { folded, known } = foldedTo(tape, at)
  const header = {
    symbol: tape.name.toUpperCase() as Ticker,
    kind: 'option',
    session: tape.session,
    source: 'recorded',
    unit: UNIT,
    version: 1,
    silent: false
  } as const
  const moment: ViewContext = { ...header, known, now: at, series: tape.series, confidence: CONFIDENCE }
  return foldedView(folded, name, moment)!
}

const folds = new Map<string, { readonly folded: SessionFolds; readonly known: Instant | undefined }>()

function foldedTo(tape: RecordedTape, at: Instant) {
  const key = `${tape.name} ${at}`
  const found = folds.get(key)
  if (found !== undefined) return found
  const { prints, series, session } = tape
  const rows = rowsTo(prints, at)
  const folded = beginFolds({ kind: 'option', session, unit: UNIT })
  stepFolds(folded, { prints, series, greeks: undefined, dropped: 0 }, 0, rows, rowsNear(prints))
  const made = { folded, known: rows === 0 ? undefined : prints.known[rows - 1] / 1000 }
  folds.set(key, made)
  return made
}

function rowsTo({ known, length }: Prints, at: Instant): number {
  let rows = 0
  while (rows < length && known[rows] <= at * 1000) rows++
  return rows
}

const sum = (numbers: ArrayLike<number>) => Array.from(numbers).reduce((a, b) => a + b, 0)
const seriesName = ({ expirations, expiration, strike, right }: Series, k: number) =>
  `${expirations[expiration[k]].root} ${expirations[expiration[k]].date} ${strike[k]} ${right[k] === CALL ? 'C' : 'P'}`

testRecorded('totals of a session are those of other code at every moment', (tapes, results) => {
  let count = 0
  for (const { tape, at, id, expected } of asked(tapes, results, 'totals')) {
    const totals = shown(tape, at, 'totals')
    expect(
      {
        totalTrades: sum(totals.trades),
        contractsWithTrades: sum(totals.contracts),
        buyVolume: sum(totals.bought),
        sellVolume: sum(totals.sold),
        midVolume: sum(totals.other),
        biggestSingleTrade: Math.max(...totals.biggest)
      },
      id
    ).toEqual(expected)
    count++
  }
  expect(count).toBe(11)
})

testRecorded('estimated open interest is that of other code, in sum and by series', (tapes, results) => {
  let count = 0
  for (const { tape, at, id, expected } of asked(tapes, results, 'simulator')) {
    const { bought, sold } = shown(tape, at, 'positions')
    const deltas = Array.from(bought, (_, k) => openInterestDelta(bought[k], sold[k], CONFIDENCE))
    const effective = deltas.map((delta, k) => openInterestAfter(tape.official[k], delta))
    const official = tape.officialElsewhere + sum(tape.official)
    const absolute = sum(effective.map((open, k) => Math.abs(open - tape.official[k])))
    const { series_traded, ...figures } = expected as Figures
    expect(
      {
        official_oi: official,
        intraday_oi_delta: sum(deltas),
        simulated_oi: official + sum(deltas),
        effective_oi: tape.officialElsewhere + sum(effective),
        contracts_with_flow: deltas.filter((delta) => delta !== 0).length,
        total_abs_delta_contracts: absolute
      },
      id
    ).toEqual(figures)
    expect(sum(shown(tape, at, 'totals').contracts)).toBe(series_traded)
    count++
  }
  expect(count).toBe(11)
  for (const { tape, at, id, expected } of asked(tapes, results, 'simulator_series')) {
    const { bought, sold, other } = shown(tape, at, 'positions')
    for (const { series, ...figures } of expected as readonly (Figures & { readonly series: string })[]) {
      const k = Array.from(bought).findIndex((_, at) => seriesName(tape.series, at) === series)
      const [official, delta] = [tape.official[k], openInterestDelta(bought[k], sold[k], CONFIDENCE)]
      expect(
        {
          buy: bought[k],
          sell: sold[k],
          mid: other[k] + markedOf(tape, k, at), // the other code counts these as well
          official,
          delta,
          simulated: official + delta,
          effective: openInterestAfter(official, delta)
        },
        `${id} ${series}`
      ).toEqual(figures)
    }
  }
})

/** Contracts of a series in marked prints known at a moment. */
function markedOf({ prints }: RecordedTape, instrument: number, at: Instant): number {
  const marked = rowsOf(prints, (row) => row < rowsTo(prints, at) && (prints.flags[row] & MARKED) !== 0)
  return sum(marked.size.map((size, row) => (marked.instrument[row] === instrument ? size : 0)))
}

testRecorded('minutes are those of other code at every moment', (tapes, results) => {
  for (const { tape, at, id, expected } of asked(tapes, results, 'minutes')) {
    const { minute, trades } = shown(tape, at, 'minutes')
    expect({ buckets: new Set(minute).size, trade_count: sum(trades) }, id).toEqual(expected)
  }
  for (const { tape, at, id, expected } of asked(tapes, results, 'dealer_premium')) {
    const { boughtMoney, soldMoney } = shown(tape, at, 'minutes')
    const premium = (units: ArrayLike<number>) => Math.round(sum(units) / 100)
    expect(
      {
        dealer_buy_premium: premium(soldMoney),
        dealer_write_premium: premium(boughtMoney),
        net_dealer_premium: premium(soldMoney) - premium(boughtMoney),
        total_premium: premium(soldMoney) + premium(boughtMoney)
      },
      id
    ).toEqual(expected)
  }
  for (const { tape, at, id, expected } of asked(tapes, results, 'last_minutes')) {
    const view = shown(tape, at, 'minutes')
    const newest = [...new Set(view.minute)].reverse().slice(0, (expected as readonly unknown[]).length)
    const buckets = newest.map((minute) => {
      const rows = Array.from(view.minute, (_, k) => k).filter((k) => view.minute[k] === minute)
      const of = (column: ArrayLike<number>) => rows.map((k) => column[k])
      return {
        minute: easternDateTime(minute).slice(11, 16),
        buyVolume: sum(of(view.bought)),
        sellVolume: sum(of(view.sold)),
        midVolume: sum(of(view.other)),
        tradeCount: sum(of(view.trades)),
        biggestTrade: Math.max(...of(view.biggest)),
        vwap: Number((sum(of(view.money)) / sum(of(view.pricedSize)) / 1e4).toFixed(6)),
        high: Math.max(...of(view.high)) / 1e4,
        low: Math.min(...of(view.low)) / 1e4
      }
    })
    expect(buckets, id).toEqual(expected)
  }
})

testRecorded('groups are those of other code at every moment, counted and one by one', (tapes, results) => {
  let notable = 0
  for (const { tape, at, id, expected } of asked(tapes, results, 'groups')) {
    const known = withoutCancelled(rowsOf(tape.prints, (row) => tape.prints.known[row] <= at * 1000))
    const closed = coalesced(known).filter((group) => isClosed(group, at * 1000))
    const blocks = closed.filter((group) => group.prints === 1 || isOneOrder(group))
    expect(
      {
        groups: closed.length,
        sweeps: closed.length - blocks.length,
        blocks: blocks.length,
        blocks_of_several_prints: blocks.filter(({ prints }) => prints > 1).length,
        prints: sum(closed.map(({ prints }) => prints)),
        largest_group_prints: Math.max(...closed.map(({ prints }) => prints)),
        notable: closed.filter(isNotable).length
      },
      id
    ).toEqual(expected)
    expectSameGroups(shown(tape, at, 'groups'), closed.filter(isNotable))
    notable += shown(tape, at, 'groups').length
  }
  expect(notable).toBeGreaterThan(1500)
  for (const { tape, at, id, expected } of asked(tapes, results, 'top_signals')) {
    const view = shown(tape, at, 'groups')
    for (const signal of expected as readonly Readonly<Record<string, unknown>>[]) {
      const k = Array.from(view.first).findIndex(
        (first, at) =>
          first === 1000 * timeOf(tape.session, signal.ts as string) &&
          seriesName(tape.series, view.instrument[at]) === signal.series &&
          view.size[at] === signal.size
      )
      const isSweep = view.prints[k] > 1 && view.oneOrder[k] === 0
      expect(
        {
          side: sides[view.side[k]],
          structure: isSweep ? 'sweep' : 'block',
          prints: view.prints[k],
          price: Number((view.money[k] / view.size[k] / 1e4).toFixed(6)),
          premium: view.money[k] / 100
        },
        `${id} ${signal.ts}`
      ).toEqual({
        side: signal.side,
        structure: signal.structure,
        prints: signal.prints,
        price: Number((signal.price as number).toFixed(6)),
        premium: signal.premium
      })
    }
  }
})

testRecorded('hedge flow is that of other code to the cent at every moment', (tapes, results) => {
  for (const what of ['hedge', 'hedge_same_day']) {
    for (const { tape, at, id, expected } of asked(tapes, results, what)) {
      const legs = hedged(tape, at, what === 'hedge')
      const dollars = (cents: number) => cents / 100
      expect(
        {
          delta_calls: dollars(legs.deltaCalls),
          delta_puts: dollars(legs.deltaPuts),
          gamma_calls: dollars(legs.gammaCalls),
          gamma_puts: dollars(legs.gammaPuts)
        },
        id
      ).toEqual(expected)
    }
  }
})

/**
 * The running legs at a moment, with greeks of the very time and spot of each print. So that each print has an image of
 * its own, prints of one time are set a microsecond apart. With `all`, every series is said to expire on the day.
 */
function hedged({ name, prints: recorded, series, session }: RecordedTape, at: Instant, all: boolean) {
  const prints = emptyPrints(recorded.length)
  copyPrints(recorded, 0, recorded.length, prints, 0)
  const apart = new Map<number, number>()
  const shifted = new Map<number, number>()
  const rows = rowsTo(recorded, at)
  for (let row = 0; row < rows; row++) {
    const ts = recorded.ts[row]
    const before = apart.get(ts) ?? 0
    prints.ts[row] = shifted.get(prints.sequence[row]) ?? ts + before
    apart.set(ts, before + 1)
    shifted.set(prints.sequence[row], prints.ts[row])
  }
  const expirations = all ? series.expirations.map((its) => ({ ...its, date: session })) : series.expirations
  const begun = { kind: 'option', session, unit: UNIT } as const
  const state = hedgeFlow.begin(begun)
  const sigma = name === 'vix' ? 0.8 : 0.25
  for (let row = 0; row < rows; row++) {
    const tape = { prints, series: { ...series, expirations } }
    if ((prints.flags[row] & CANCEL) !== 0) {
      hedgeFlow.undo(state, { ...tape, greeks: undefined, dropped: 0 }, row, () => emptyPrints(0))
    } else {
      const stepped = { ...tape, greeks: greeksOf(recorded, prints.ts[row], series, row, sigma), dropped: 0 }
      hedgeFlow.step(state, stepped, row, row + 1)
    }
  }
  return sumsOfDay(state.classes)
}

/** The part of hedging pressure that expires on the day, as hedge flow names it. */
function sumsOfDay(classes: PressureBars) {
  const cells = pressureUntil(classes, Number.POSITIVE_INFINITY).sum
  const of = (right: PressureRight, measure: PressureMeasure) =>
    pressureSum(
      cells,
      cellsWhere((its) => its.expiry === '0dte' && its.right === right && its.measure === measure)
    )
  return {
    deltaCalls: of('calls', 'delta'),
    deltaPuts: of('puts', 'delta'),
    gammaCalls: of('calls', 'gamma'),
    gammaPuts: of('puts', 'gamma')
  }
}

function greeksOf(prints: Prints, ts: number, series: Series, row: number, sigma: number): TapeGreeks {
  const values = new Float64Array(3 * series.length)
  const k = prints.instrument[row]
  if (prints.spot[row] !== NO_PRICE) {
    const { date, settlement } = series.expirations[series.expiration[k]]
    const made = greeks({
      right: series.right[k] === CALL ? 'call' : 'put',
      spot: prints.spot[row] * UNIT,
      strike: series.strike[k],
      t: yearsToExpiry(prints.ts[row] / 1000, date, settlement),
      sigma,
      rate: 0.005,
      dividendYield: 0
    })
    values.set([made.delta, made.gamma], 3 * k)
  }
  return { since: ts - 0.5, values, next: undefined }
}
