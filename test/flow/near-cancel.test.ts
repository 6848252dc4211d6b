import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginFolds, type RowsNear, stepFolds } from '../../src/flow/folds.ts'
import { firstKnown, nearCancel, rowsNear } from '../../src/flow/near-cancel.ts'
import { CANCEL, emptyPrints, type Prints, tapeKinds } from '../../src/market/print.ts'
import { anyTape, rowsNear as lookedFor, rowsOf, session } from './made-up-tape.ts'

const tapes = tapeKinds.map((kind) => [kind, anyTape(kind)] as const)

const cancelsOf = ({ flags }: Prints) => Array.from(flags, (_, row) => row).filter((row) => (flags[row] & CANCEL) !== 0)

test.each(
  tapes
)('the rows near a cancel of a tape of %s prints are those that a look at all of them finds', (_, made) => {
  fc.assert(
    fc.property(made, ({ prints, series }) => {
      const { ts, instrument } = prints
      for (const at of cancelsOf(prints)) {
        const { from, to } = nearCancel(ts[at])
        const isNear = (row: number) => row <= at && ts[row] >= from && ts[row] < to
        const its = instrument[at]
        const expires = (row: number) => series.expiration[instrument[row]]
        expect(rowsNear(prints, series, at, 'series')).toEqual(
          rowsOf(prints, (row) => isNear(row) && instrument[row] === its)
        )
        expect(rowsNear(prints, series, at, 'expiration')).toEqual(
          rowsOf(prints, (row) => isNear(row) && expires(row) === expires(at))
        )
      }
    })
  )
})

test.each(
  tapes
)('a cancel leaves the folds of a tape of %s prints alike, whether few rows are near it or all', (_, made) => {
  fc.assert(
    fc.property(made, ({ kind, prints, series }) => {
      const folded = (near: RowsNear) => {
        const state = beginFolds({ kind, session, unit: 1e-4 })
        stepFolds(state, { prints, series, greeks: undefined, dropped: 0 }, 0, prints.length, near)
        return state
      }
      const near: RowsNear = (at, of) => rowsNear(prints, series, at, of)
      expect(folded(near)).toEqual(folded(lookedFor(prints)))
    })
  )
})

test('the first row known from a time on is found among rows that became known together', () => {
  const prints = emptyPrints(5)
  prints.known.set([1, 3, 3, 3, 7])
  const found = [0, 1, 2, 3, 4, 7, 8].map((time) => firstKnown(prints, 5, time))
  expect(found).toEqual([0, 0, 1, 1, 4, 4, 5])
})
