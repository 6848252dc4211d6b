import { expect, test } from 'vitest'
import { largePrints, newestPrints, windowView } from '../../../src/flow/folds/print-windows.ts'
import { copyPrints, emptyPrints, type Prints, slicePrints } from '../../../src/market/print.ts'
import { stockSeries } from '../../../src/market/series.ts'
import { type MadeUpTape, momentAfter, session } from '../made-up-tape.ts'

const LENGTH = 40_000

/** Prints of one stock, one each millisecond, every eighth of them large. */
const prints: Prints = (() => {
  const made = emptyPrints(LENGTH)
  for (let at = 0; at < LENGTH; at++) {
    made.known[at] = made.ts[at] = 1e15 + 1000 * at
    made.sequence[at] = at
    made.price[at] = 1_000_000 + (at % 700)
    made.size[at] = at % 8 === 0 ? 1000 + at : 999
  }
  return made
})()
const tape: MadeUpTape = { kind: 'stock', series: stockSeries, prints }
const folded = { prints, series: stockSeries, greeks: undefined, dropped: 0 }
const shown = (state: Parameters<typeof windowView>[0]) => windowView(state, momentAfter(tape)).prints

test.each([1, 16, 100, LENGTH])('a window shows the newest 10,000 prints, folded %i at a time', (block) => {
  const state = newestPrints.begin({ kind: 'stock', session, unit: 1e-4 })
  for (let from = 0; from < LENGTH; from += block)
    newestPrints.step(state, folded, from, Math.min(from + block, LENGTH))
  expect(shown(state)).toEqual(slicePrints(prints, LENGTH - 10_000, LENGTH))
})

test.each([1, 100, LENGTH])('a window shows the newest 5,000 large prints, folded %i at a time', (block) => {
  const state = largePrints.begin({ kind: 'stock', session, unit: 1e-4 })
  for (let from = 0; from < LENGTH; from += block) largePrints.step(state, folded, from, Math.min(from + block, LENGTH))
  expect([...shown(state).sequence]).toEqual(Array.from({ length: 5000 }, (_, k) => 8 * k))
})

test('options are large from 25 contracts on', () => {
  expect(largePrints.begin({ kind: 'option', session, unit: 1e-4 }).floor).toBe(25)
})

test('a print that is taken back makes room for an older one', () => {
  const state = newestPrints.begin({ kind: 'stock', session, unit: 1e-4 })
  newestPrints.step(state, folded, 0, LENGTH)
  for (let at = LENGTH - 500; at < LENGTH; at++) newestPrints.undo(state, folded, at, () => emptyPrints(0))
  expect(shown(state)).toEqual(slicePrints(prints, LENGTH - 10_500, LENGTH - 500))
  newestPrints.undo(state, folded, 3, () => emptyPrints(0)) // long gone
  const row = emptyPrints(1)
  copyPrints(prints, LENGTH - 9000, LENGTH - 8999, row, 0)
  newestPrints.undo(state, { ...folded, prints: row }, 0, () => emptyPrints(0))
  expect(shown(state).sequence.includes(LENGTH - 9000)).toBe(false)
  expect(shown(state).length).toBe(10_000)
})
