import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import type { RestoredTape } from '../../src/archive/codec/decode-tape.ts'
import { beginFolds, foldedView, stepFolds } from '../../src/flow/folds.ts'
import { rowsNear } from '../../src/flow/near-cancel.ts'
import { CANCEL, copyPrints, emptyPrints, judgedOf } from '../../src/market/print.ts'
import { SeriesList } from '../../src/market/series.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { viewTape } from '../../src/workers/tasks/view-tape.ts'
import { Chance } from '../../trials/chance.ts'
import { eastern } from '../support/hand-made.ts'
import { listedSeries } from '../support/random-tapes.ts'
import { plain } from '../tape/messages.ts'

const session = '2026-07-29' as IsoDate
const ROWS = 72_000

/** So many rows that states between them are kept, one in a thousand of them a cancel of a row shortly before it. */
function longTape(): RestoredTape {
  const chance = new Chance(5)
  const prints = emptyPrints(ROWS)
  const open = 1000 * eastern(session, '09:30')
  for (let at = 0; at < ROWS; at++) {
    const ts = open + at * 150_000
    if (at % 1000 === 999) {
      const taken = at - 1 - chance.below(20)
      copyPrints(prints, taken, taken + 1, prints, at)
      prints.flags[at] |= CANCEL
    } else {
      prints.ts[at] = ts - (at % 7 === 3 ? 400_000 : 0)
      prints.sequence[at] = at
      prints.instrument[at] = chance.below(listedSeries.length)
      prints.price[at] = 10_000 + 100 * chance.below(50)
      prints.size[at] = 1 + chance.below(120)
      prints.judged[at] = judgedOf(chance.below(3), 0, 0)
      prints.exchange[at] = 1
    }
    prints.known[at] = ts
  }
  const series = new SeriesList()
  for (const one of listedSeries) series.numberOf(one)
  return { prints, series: series.columns, end: ROWS }
}

const views = ['positions', 'totals', 'minutes', 'money', 'groups', 'prints', 'blocks'] as const

const header = { symbol: 'SPY' as Ticker, kind: 'option', session, source: 'recorded', unit: 1e-4 } as const
const momentAt = (tape: RestoredTape, rows: number) => {
  const now = tape.prints.known[rows - 1] / 1000
  return { ...header, known: undefined, version: 1, silent: false, confidence: 0.43, now }
}

/** Folds the first rows from the beginning and returns every view. */
function anew(tape: RestoredTape, rows: number): readonly unknown[] {
  const { prints, series } = tape
  const folds = beginFolds(header)
  stepFolds(folds, { prints, series, greeks: undefined, dropped: 0 }, 0, rows, (at, of) =>
    rowsNear(prints, series, at, of)
  )
  return views.map((view) => plain(foldedView(folds, view, { ...momentAt(tape, rows), series })))
}

test('a tape shows the same at any of its rows, from whichever states that are kept of it', async () => {
  const tape = longTape()
  const asked = [ROWS, 66_000, 1000].map((rows) => ({ rows, expected: anew(tape, rows) }))
  const context = undefined as never // the task needs nothing else
  const all: {
    readonly shown: readonly (object | undefined)[]
    readonly expected: readonly unknown[]
    readonly rows: number
  }[] = []
  for (const { rows, expected } of [...asked, ...asked.toReversed()]) {
    const moment = momentAt(tape, rows)
    const shown = await Promise.all(
      views.map((view) => viewTape.run({ name: 'SPY option', tape, rows, view, moment }, context))
    )
    all.push({ shown, expected, rows })
  }
  // Views that were already returned do not change with the folds.
  for (const { shown, expected, rows } of all) {
    const differing = views.filter((_, k) => !isDeepStrictEqual(plain(shown[k]), expected[k]))
    expect(differing, `${rows} rows`).toEqual([])
  }
})
