import Type from 'typebox'
import { rowName } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import type { ReportHistory, UpcomingReport } from '../../api/market-source.ts'
import { choice, whole } from '../../api/params.ts'
import { Count, Nullable, Percent, Ratio, Words } from '../../api/quantity.ts'
import { type MoveAssessment, moveAssessments } from '../../earnings/move-premium.ts'
import { withNoun } from '../../wording/format.ts'
import { eventFields, fillEvent, reportsWithin } from './event-fields.ts'
import { reportPremium } from './report-premium.ts'

interface Screened {
  readonly report: UpcomingReport
  readonly ratio: number | undefined
  readonly crushMedian: number | undefined
  readonly assessment: MoveAssessment | undefined
}

/** Figures by which reports can be sorted, highest first. Reports without the figure come last. */
const orders = {
  vrp_richest: ({ ratio }: Screened) => ratio,
  cheapest_move: ({ report: { storedMove } }: Screened) => storedMove && -storedMove,
  highest_crush: ({ crushMedian }: Screened) => crushMedian,
  importance: ({ report: { event } }: Screened) => event.importance
}
type Order = keyof typeof orders

export const earningsScreener = endpoint({
  id: 'earnings.screener',
  path: '/v1/earnings/screener',
  tag: 'earnings',
  summary: 'Upcoming reports, ranked',
  description: 'Reports ahead, ranked by dear or cheap moves, crush or importance.',
  plan: 'alpha',
  needs: ['earningsCalendar', 'today'],
  sourceFault: 'upstream_unavailable',
  params: {
    sort: choice<Order>({
      description: 'vrp_richest, cheapest_move, highest_crush or importance; anything else means the first',
      spelling: {
        vrp_richest: 'vrp_richest',
        cheapest_move: 'cheapest_move',
        highest_crush: 'highest_crush',
        importance: 'importance'
      },
      otherwise: 'vrp_richest',
      default: 'vrp_richest'
    }),
    limit: whole({ description: 'reports at most', default: 20, minimum: 1, maximum: 50, clamp: true }),
    days: whole({ description: 'how far ahead', default: 14, minimum: 1, maximum: 60, clamp: true }),
    min_importance: whole({ description: 'the minimum importance, 1 to 5; default: all', example: '3' })
  },
  replay: false,
  stream: false,
  response: Type.Object({
    events: Type.Array(
      Type.Object(
        {
          ...eventFields,
          premium_ratio: Nullable(Ratio('implied move over the usual one')),
          iv_crush_median: Nullable(Percent('of the volatility before, at past reports')),
          assessment: Nullable(Words(...moveAssessments))
        },
        { title: 'EarningsScreenerRow' }
      ),
      { ...rowName('symbol', 'earnings_date'), minItems: 1, maxItems: 50 }
    ),
    count: Count('reports that matched, before limit')
  }),
  errors: ['no_data'],
  answer: ({ earningsCalendar: { reports, histories }, today }, { sort, limit, days, min_importance }) => {
    const found = reportsWithin(reports, today, { days, importance: min_importance })
    if (found.length === 0) throw apiError('no_data', `no earnings report is known within ${withNoun(days, 'day')}`)
    const figure = orders[sort]
    const ranked = found
      .map((report) => screened(report, histories.get(report.symbol)))
      .sort((a, b) => descending(figure(a), figure(b)) || compare(keyOf(a), keyOf(b)))
    return {
      events: ranked.slice(0, limit).map(({ report, ratio, crushMedian, assessment }) => ({
        ...fillEvent(report, today),
        premium_ratio: ratio,
        iv_crush_median: crushMedian,
        assessment
      })),
      count: found.length
    }
  }
})

/** Row of a report. The ratio and its label are absent if no past moves are known. */
function screened(report: UpcomingReport, history: ReportHistory | undefined): Screened {
  if (history === undefined) return { report, ratio: undefined, crushMedian: undefined, assessment: undefined }
  const earnings = { ...history.earnings, storedMove: report.storedMove }
  const { premium, crushMedian } = reportPremium(earnings, history.bars, undefined)
  const isKnown = premium.realizedMedian !== undefined
  return { report, ratio: premium.ratio, crushMedian, assessment: isKnown ? premium.assessment : undefined }
}

function descending(a: number | undefined, b: number | undefined): number {
  if (a === undefined || b === undefined) return (a === undefined ? 1 : 0) - (b === undefined ? 1 : 0)
  return b - a
}

const keyOf = ({ report }: Screened) => `${report.event.date} ${report.symbol}`
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
