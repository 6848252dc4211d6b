import Type from 'typebox'
import { rowName } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { text, whole } from '../../api/params.ts'
import { Count, Echo, Name, Nullable } from '../../api/quantity.ts'
import { symbolsIn } from '../../market/security.ts'
import { withNoun } from '../../wording/format.ts'
import { eventFields, fillEvent, reportsWithin } from './event-fields.ts'

export const earningsCalendar = endpoint({
  id: 'earnings.calendar',
  path: '/v1/earnings/calendar',
  tag: 'earnings',
  summary: 'Upcoming reports',
  description: 'Who reports when, with estimates and implied moves, for the days ahead. Filter by symbols.',
  plan: 'growth',
  needs: ['earningsCalendar', 'today'],
  sourceFault: 'upstream_unavailable',
  params: {
    days: whole({ description: 'how far ahead', default: 14, minimum: 1, maximum: 90, clamp: true }),
    symbols: text({ description: 'tickers, comma separated, any case; without it all', example: 'AAPL,MSFT' }),
    importance: whole({ description: 'the minimum importance, 1 to 5; default: all', example: '3' })
  },
  replay: false,
  stream: false,
  response: Type.Object({
    events: Type.Array(
      Type.Object(
        {
          ...eventFields,
          is_confirmed: Type.Boolean({ description: 'whether the company named the date' }),
          fiscal_period: Nullable(Name()),
          fiscal_year: Nullable(Type.Integer({ 'x-unit': 'year' })),
          eps_estimate: Nullable(Echo('usd', 'per share'))
        },
        { title: 'EarningsEvent' }
      ),
      { ...rowName('symbol', 'earnings_date'), minItems: 1 }
    ),
    count: Count()
  }),
  errors: ['no_data'],
  answer: ({ earningsCalendar: { reports }, today }, { days, symbols, importance }) => {
    const asked = symbols === undefined ? undefined : new Set(symbolsIn(symbols))
    const found = reportsWithin(reports, today, { days, importance })
      .filter(({ symbol }) => asked === undefined || asked.has(symbol))
      .toSorted(
        (a, b) =>
          compare(a.event.date, b.event.date) ||
          (b.event.importance ?? 0) - (a.event.importance ?? 0) ||
          compare(a.symbol, b.symbol)
      )
    if (found.length === 0) throw apiError('no_data', `no earnings report is known within ${withNoun(days, 'day')}`)
    return {
      events: found.map((report) => ({
        ...fillEvent(report, today),
        is_confirmed: report.event.confirmed,
        fiscal_period: report.event.fiscalPeriod,
        fiscal_year: report.event.fiscalYear,
        eps_estimate: report.event.epsEstimate
      })),
      count: found.length
    }
  }
})

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
