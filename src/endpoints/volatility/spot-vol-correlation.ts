import Type from 'typebox'
import { moment } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { symbolInPath } from '../../api/params.ts'
import { Count, Decimal, Name, Nullable, Sentence, Timestamp } from '../../api/quantity.ts'
import { isoInstant } from '../../market/units.ts'
import { RECORDS_READ } from '../../signals/risk-premium/premium-rank.ts'
import { completeDays, spotVolCorrelation as correlationOver } from '../../volatility/realized/correlation.ts'
import { spotVolReading } from '../../wording/premium-readings.ts'

const correlation = (description: string) => Nullable(Decimal(4, 'ratio', description, { minimum: -1, maximum: 1 }))

/** Fewest daily records from which a correlation can be computed. Three records give two day-to-day changes. */
const MIN_RECORDS = 3

export const spotVolCorrelation = endpoint({
  id: 'volatility.spot_vol_correlation',
  path: '/v1/volatility/spot-vol-correlation/{symbol}',
  tag: 'volatility',
  summary: 'Correlation of daily returns with daily changes of volatility at the money',
  description:
    'How volatility at the money has moved with the underlying lately: the basis of hedges that change with spot.',
  plan: 'growth',
  needs: ['quote', 'records'],
  recordsRead: () => RECORDS_READ,
  params: { symbol: symbolInPath() },
  errors: ['insufficient_history'],
  replay: true,
  stream: true,
  response: Type.Object({
    symbol: Name('underlying ticker'),
    as_of: Timestamp('the moment the answer describes, UTC; sessions before its date are read', moment),
    spot_vol_correlation_20d: correlation('over the last 20 pairs of consecutive sessions'),
    spot_vol_correlation_60d: correlation('over the last 60'),
    data_points_20d: Count('20, or 0 without a correlation'),
    data_points_60d: Count('60, or 0 without a correlation'),
    interpretation: Sentence()
  }),
  answer: ({ quote, records }, { symbol }) => {
    const days = completeDays(records.map(({ close, atmIv }) => ({ spot: close, atmIv })))
    if (days.length < MIN_RECORDS) {
      throw apiError(
        'insufficient_history',
        `${symbol} has ${days.length} daily records with a volatility; ${MIN_RECORDS} are needed`
      )
    }
    const [month, quarter] = [20, 60].map((pairs) => correlationOver(days, pairs))
    return {
      symbol,
      as_of: isoInstant(quote.asOf),
      spot_vol_correlation_20d: month,
      spot_vol_correlation_60d: quarter,
      data_points_20d: month === undefined ? 0 : 20,
      data_points_60d: quarter === undefined ? 0 : 60,
      interpretation: spotVolReading(month ?? quarter)
    }
  }
})
