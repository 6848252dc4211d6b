import { optionSeries, optionSnapshots } from './chains.ts'
import { dailyBars, dailyRecords, dividends, earnings, eventRecords, gaps, sinceOfDividends } from './days.ts'
import { figureRows, strikesOfRows } from './figures.ts'
import { type AddedColumns, type Table, type View, written } from './table.ts'
import {
  aboveBid,
  optionPrints,
  optionTape,
  stockPrints,
  stockTape,
  tapeSeries,
  tapes,
  zeroDteSamples,
  zeroDteStrikes
} from './tapes.ts'
import { optionQuotes, optionTrades, optionTradesAboveBid } from './views.ts'

/** What one version of the program added to the archive. A migration that was released never changes again. */
export interface Migration {
  readonly version: number
  readonly tables: readonly Table[]
  readonly columns?: readonly AddedColumns[]
  readonly views: readonly View[]
  /** Views of an earlier version that ask otherwise from now on, for the same columns. */
  readonly replacedViews?: readonly View[]
}

/** Which migrations were applied. It is there before any other table. */
export const schemaVersions: Table = {
  name: 'schema_versions',
  columns: ['version UInt32', written],
  orderBy: ['version']
}

export const migrations: readonly Migration[] = [
  {
    version: 1,
    tables: [optionSeries, optionSnapshots, optionPrints, stockPrints, dailyBars, dailyRecords, gaps],
    views: [optionQuotes]
  },
  { version: 2, tables: [dividends], views: [] },
  {
    version: 3,
    tables: [optionTape, stockTape, tapeSeries, tapes, zeroDteSamples, zeroDteStrikes, earnings, eventRecords],
    views: [optionTrades]
  },
  { version: 4, tables: [figureRows], views: [] },
  { version: 5, tables: [], columns: [strikesOfRows, sinceOfDividends], views: [] },
  {
    version: 6,
    tables: [],
    columns: ['option_tape', 'stock_tape'].map(aboveBid),
    views: [],
    replacedViews: [optionTradesAboveBid]
  }
]

export const schemaVersion = migrations.at(-1)!.version
