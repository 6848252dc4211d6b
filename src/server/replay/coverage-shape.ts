import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { Count, Day, Days, Nullable, Timestamp, Words } from '../../api/quantity.ts'
import { absences } from '../../archive/history-store.ts'
import { isoInstant, type Instant as Moment, type Ticker } from '../../market/units.ts'
import type { Coverage } from '../../replay/archive-coverage.ts'

const days = (description: string) => Days(description, { minimum: 0 })

export const symbolCoverageShape = Type.Object(
  {
    symbol: Type.String(),
    coverage: Type.Object(
      {
        first: Nullable(Day('first healthy day: quotes, open interest and a fit, recorded to the close')),
        last: Nullable(Day('last healthy day')),
        total_days: days('exchange days from first to last'),
        healthy_days: days('healthy days')
      },
      { title: 'CoverageSpan' }
    ),
    tables: Type.Object(
      {
        stocks_days: days('with quotes of the underlying'),
        options_days: days('with quotes of options'),
        option_eod_days: days('with open interest'),
        svi_days: days('with an accepted fit'),
        tape_days: days('with a recorded trade tape')
      },
      { title: 'CoverageTables' }
    ),
    gaps: Type.Object(
      {
        missing_eod: days('quotes of the underlying but no open interest'),
        missing_svi: days('open interest but no accepted fit'),
        uncovered_calendar: days('exchange days inside the range without any data')
      },
      { title: 'CoverageGaps' }
    ),
    updated_at: Timestamp('when the newest row was written, UTC'),
    fidelity: Type.Array(
      Type.Object(
        {
          from: Day(),
          to: Day(),
          level: Words('recorded', 'imported'),
          missing: Type.Array(Words(...absences), { description: 'what the source of these days never carried' })
        },
        { title: 'PartialCoverage' }
      ),
      { description: 'contiguous ranges of days, ascending; recorded: all that the live service saw' }
    )
  },
  { title: 'SymbolCoverage' }
)

export const coverageListShape = Type.Object(
  {
    count: Count('symbols', { minimum: 0 }),
    tickers: Type.Array(symbolCoverageShape, rowKey('symbol'))
  },
  { title: 'CoverageList' }
)

export function coverageView(symbol: Ticker, coverage: Coverage, updatedAt: Moment) {
  return {
    symbol,
    coverage: {
      first: coverage.first,
      last: coverage.last,
      total_days: coverage.totalDays,
      healthy_days: coverage.healthyDays
    },
    tables: {
      stocks_days: coverage.underlying,
      options_days: coverage.options,
      option_eod_days: coverage.openInterest,
      svi_days: coverage.fits,
      tape_days: coverage.tape
    },
    gaps: {
      missing_eod: coverage.missingOpenInterest,
      missing_svi: coverage.missingFit,
      uncovered_calendar: coverage.uncovered
    },
    updated_at: isoInstant(updatedAt),
    fidelity: coverage.fidelity
  }
}
