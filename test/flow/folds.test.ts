import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TapeGreeks } from '../../src/flow/fold.ts'
import { beginFolds, copyFolds, type FoldedView, type SessionFolds, stepFolds, viewOf } from '../../src/flow/folds.ts'
import { hedgeBars, strikeFlow } from '../../src/flow/hedge-flow.ts'
import { standing } from '../../src/flow/near-cancel.ts'
import { tapeKinds } from '../../src/market/print.ts'
import { anyTape, type MadeUpTape, momentAfter, rowsNear, session } from './made-up-tape.ts'

const views: readonly FoldedView[] = ['positions', 'totals', 'prints', 'blocks', 'minutes', 'seconds', 'groups']

/** Images of the record, the first before the first print: each for a stretch of rows. */
const images: readonly TapeGreeks[] = [0, 1, 2].map((k) => ({
  since: Number.NEGATIVE_INFINITY,
  delta: Float64Array.of(0.5 + k / 10, -0.5 + k / 10, 0.4, -0.6, 0.3, -0.7),
  gamma: Float64Array.of(0.02, 0.02 + k / 100, Number.NaN, 0.01, 0.03, 0.03)
}))

const begun = ({ kind }: MadeUpTape) => beginFolds({ kind, session, unit: 1e-4 })

/** Folds a tape in blocks that end where `isCut` says so. */
function folded(tape: MadeUpTape, isCut: (row: number) => boolean = () => false, copies = false): SessionFolds {
  const { prints, series } = tape
  const near = rowsNear(prints)
  let state = begun(tape)
  let from = 0
  for (let to = 1; to <= prints.length; to++) {
    if (to < prints.length && !isCut(to)) continue
    stepFolds(state, { prints, series, greeks: images[0] }, from, to, near)
    if (copies) {
      const before = state
      state = copyFolds(before)
      stepFolds(before, { prints, series, greeks: images[1] }, 0, prints.length, near) // must not reach the copy
    }
    from = to
  }
  return state
}

/** All that the folds of a tape show so many milliseconds after its last row, but for when that became known. */
function shown(tape: MadeUpTape, state: SessionFolds, later = 0) {
  const moment = { ...momentAfter(tape, later), known: undefined }
  const { hedgeFlow } = state.states
  return {
    views: Object.fromEntries(views.map((name) => [name, viewOf(state, name, moment)])),
    hedge: hedgeFlow && {
      running: hedgeFlow.running,
      bars: hedgeBars(hedgeFlow).filter((bar) =>
        Object.values(bar)
          .slice(1)
          .some((cents) => cents !== 0)
      ),
      cells: [...hedgeFlow.cells.keys()]
        .sort()
        .map((minute) => strikeFlow(hedgeFlow, minute * 60_000))
        .filter(({ strike }) => strike.length > 0)
    }
  }
}

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
      { numRuns: 60 }
    )
  })

  test('show after a cancel what they would show had the print never been there', () => {
    fc.assert(
      fc.property(anyTape(kind), (tape) => {
        const without = folded({ ...tape, prints: standing(tape.prints) })
        const withCancels = folded(tape)
        for (const later of [0, 400, 10_000])
          expect(shown(tape, withCancels, later)).toEqual(shown(tape, without, later))
      }),
      { numRuns: 400 }
    )
  })
})
