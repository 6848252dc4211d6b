import { describe, expect, test } from 'vitest'
import type { TapeMessage } from '../../src/connectors/port/prints/print-feed.ts'
import { beginFolds, type FoldedView, foldedView, stepFolds } from '../../src/flow/folds.ts'
import { rowsNear } from '../../src/flow/near-cancel.ts'
import { emptyPrints, PRICE_UNIT, type Prints, slicePrints } from '../../src/market/print.ts'
import type { Instant } from '../../src/market/units.ts'
import { SymbolTapes } from '../../src/tape/symbol-tapes.ts'
import { Tape, type ViewInputs } from '../../src/tape/tape.ts'
import { runSteps } from '../support/run-steps.ts'
import { at, cancelOf, heldRows, noon, plain, printed, put, quoted, SPY, session } from './messages.ts'

const views = ['positions', 'totals', 'minutes', 'prints', 'blocks'] as const satisfies readonly FoldedView[]

const moment = (now: Instant, silent = false): ViewInputs => ({
  symbol: SPY,
  source: 'recorded',
  silent,
  now,
  confidence: 0.43
})

/** A session of quotes, prints and cancels, a print each 20 ms, in sizes and at prices that recur. */
function day(count: number, begins = at('09:30')): TapeMessage[] {
  const messages: TapeMessage[] = []
  const due: { readonly at: number; readonly message: TapeMessage }[] = []
  for (let k = 0; k < count; k++) {
    const time = begins + 20 * k
    const bid = 1 + ((k * 7) % 40) / 100
    const contract = k % 3 === 0 ? { contract: put } : {}
    if (k % 5 === 0) messages.push(quoted(time - 1, bid, bid + 0.1, contract.contract))
    const print = printed({ ...contract, time, price: bid + (k % 4) / 20, size: 1 + ((k * 31) % 60) })
    messages.push(print)
    if (k % 211 === 0) due.push({ at: k + 50 + ((k * 17) % 3000), message: cancelOf(print, { time: time + 60_000 }) })
    for (const one of due) if (one.at === k) messages.push(one.message)
  }
  return messages
}

/** The tape of the messages, and all rows it ever had. */
function tapeOf(messages: readonly TapeMessage[]) {
  const pieces: { readonly prints: Prints; readonly position: number }[] = []
  let kept = 0
  const keep = (tape: Tape) => {
    if (tape.kind === 'stock') return
    const { prints, from, to } = tape.rowsFrom(kept)
    pieces.push({ prints: slicePrints(prints as Prints, from, to), position: kept })
    kept = tape.position
  }
  const tapes = new SymbolTapes({ symbol: SPY, onFull: keep })
  for (const message of messages) tapes.take(message, undefined)
  const tape = tapes.tape('option', session)
  keep(tape)
  const rows = emptyPrints(tape.position)
  for (const { prints, position } of pieces) {
    for (const name of Object.keys(prints) as (keyof Prints)[]) {
      if (name !== 'length') rows[name].set(prints[name] as never, position)
    }
  }
  return { tape, rows }
}

describe('a tape', () => {
  test('shows over many more rows than it holds what the folds make of all of them', () => {
    const { tape, rows } = tapeOf(day(50_000))
    const { from, to } = tape.held
    expect(to - from).toBeLessThan(tape.position)
    expect(tape.position).toBe(rows.length)
    const folds = beginFolds({ kind: 'option', session, unit: PRICE_UNIT })
    const { series } = tape
    stepFolds(folds, { prints: rows, series, greeks: undefined, dropped: 0 }, 0, rows.length, (at, of) =>
      rowsNear(rows, series, at, of)
    )
    const now = tape.known!
    const header = { ...moment(now), kind: 'option', session, unit: PRICE_UNIT, known: tape.known, version: 0 } as const
    for (const name of views) {
      expect(plain(tape.view(name, moment(now))), name).toEqual(plain(foldedView(folds, name, { ...header, series })))
    }
  })

  test('holds what was known in the last five minutes, so that a cancel finds its print', () => {
    const messages = day(20_000)
    const { tape } = tapeOf(messages)
    const { prints, from } = tape.held
    expect(prints.known[from]).toBeLessThanOrEqual((tape.known! - 5 * 60_000) * 1000)
    expect(from).toBe(0)
  })

  test('comes back from its rows as it was, wherever it was cut', () => {
    const messages = day(18_000)
    for (const cut of [0, 1, 777, 17_111]) {
      const { tape, rows } = tapeOf(messages.slice(0, cut))
      const onFull = () => {
        throw new Error('rows of the archive were handed out again')
      }
      const again = new Tape('option', session, PRICE_UNIT, { onFull })
      runSteps(again.restore(rows, tape.series))
      expect(again.position).toBe(tape.position)
      for (const name of views) {
        expect(plain(again.view(name, moment(noon))), `${name} at ${cut}`).toEqual(plain(tape.view(name, moment(noon))))
      }
    }
  })

  test('comes back in steps, between which other symbols of its thread have their turn', () => {
    const { tape, rows } = tapeOf(day(18_000))
    const steps = new Tape('option', session, PRICE_UNIT).restore(rows, tape.series)
    expect([...steps].length).toBe(Math.ceil(rows.length / 16_384))
    expect(rows.length).toBeGreaterThan(16_384)
  })

  test('judges and flags what comes after a restart as if there had been none', () => {
    const messages = day(2000)
    const half = tapeOf(messages.slice(0, 1200))
    const tapes = new SymbolTapes({ symbol: SPY })
    for (const message of messages.slice(0, 1200)) if ('quote' in message) tapes.take(message, undefined)
    runSteps(tapes.tape('option', session).restore(half.rows, half.tape.series))
    for (const message of messages.slice(1000)) tapes.take(message, undefined) // the last 200 come twice
    const { tape } = tapeOf(messages)
    const again = tapes.tape('option', session)
    expect(again.position).toBe(tape.position)
    expect(heldRows(again)).toEqual(heldRows(tape))
  })

  test('goes on after the end of rows of which the archive has lost some', () => {
    const { tape, rows } = tapeOf(day(100))
    const again = new Tape('option', session, PRICE_UNIT)
    runSteps(again.restore(slicePrints(rows, 50, rows.length), tape.series, rows.length))
    expect(again.position).toBe(rows.length)
    const { prints, from, to } = again.rowsFrom(rows.length - 1)
    expect([to - from, prints.sequence[from]]).toEqual([1, rows.sequence[rows.length - 1]])
  })
})

describe('a view of a tape', () => {
  const shown = (tapes: SymbolTapes, now: Instant, silent = false) =>
    views.map((name) => tapes.tape('option', session).view(name, moment(now, silent)))

  test('is the same object while nothing has changed, and another one with a row or with silence', () => {
    const tapes = new SymbolTapes({ symbol: SPY })
    const seen = [shown(tapes, noon), shown(tapes, noon + 1)]
    tapes.take(printed(), undefined)
    seen.push(
      shown(tapes, noon + 2),
      shown(tapes, noon + 60_000),
      shown(tapes, noon + 60_000, true),
      shown(tapes, noon)
    )
    const isSame = (k: number) => seen[k].map((view, name) => view === seen[k - 1][name])
    expect(isSame(1)).toEqual(views.map(() => true))
    expect(isSame(2)).toEqual(views.map(() => false))
    expect(isSame(3)).toEqual(views.map(() => true))
    expect(isSame(4)).toEqual(views.map(() => false))
    expect(isSame(5)).toEqual(views.map(() => false))
    expect(seen[4].map((view) => view!.silent)).toEqual(views.map(() => true))
    expect(seen[2].map((view) => view!.known)).toEqual(views.map(() => noon))
    const versions = seen.flat().map((view) => view!.version)
    expect(new Set(versions).size).toBe(new Set(seen.flat()).size)
  })

  test('does not change once it was given out', () => {
    const tapes = new SymbolTapes({ symbol: SPY })
    const print = printed({ size: 100 })
    tapes.take(print, undefined)
    const before = shown(tapes, noon)
    const copy = structuredClone(before)
    for (const message of [printed({ contract: put }), printed({ size: 400 }), cancelOf(print)]) {
      tapes.take(message, undefined)
    }
    shown(tapes, noon)
    expect(before).toEqual(copy)
  })

  test('lies in memory that every thread can read', () => {
    const tapes = new SymbolTapes({ symbol: SPY })
    tapes.take(printed({ size: 100 }), undefined)
    for (const view of shown(tapes, noon)) {
      const columns = Object.entries({ ...view!, ...('prints' in view! ? view.prints : {}) })
      const kept = columns.filter(([, column]) => ArrayBuffer.isView(column))
      expect(kept.length).toBeGreaterThan(0)
      for (const [name, column] of kept) expect((column as Int32Array).buffer, name).toBeInstanceOf(SharedArrayBuffer)
    }
  })
})
