import Type from 'typebox'
import { moment, spot } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { symbolInPath } from '../../api/params.ts'
import { Name, Nullable, Percent, Price, Timestamp } from '../../api/quantity.ts'
import { closeOfBar } from '../../market/bar.ts'
import { isoInstant } from '../../market/units.ts'
import { inPercent } from '../../math/optional.ts'
import {
  closeToClose,
  garmanKlass,
  parkinson,
  rogersSatchell,
  type UsableBars,
  usableBars,
  yangZhang
} from '../../volatility/realized/realized.ts'

const windows = Type.Object(
  {
    rv10: Nullable(Percent('over the last 10 trading days', { minimum: 0 })),
    rv20: Nullable(Percent('', { minimum: 0 })),
    rv30: Nullable(Percent('', { minimum: 0 }))
  },
  { title: 'WindowVolatilities' }
)

/** Daily bars that the shortest window needs: 11 bars give 10 returns. */
const MIN_BARS = 11

export const realized = endpoint({
  id: 'volatility.realized',
  path: '/v1/volatility/realized/{symbol}',
  tag: 'volatility',
  summary: 'Realized volatility by five estimators over 10, 20 and 30 trading days',
  description:
    'Realized volatility from daily bars by close-to-close, Parkinson, Garman-Klass, Rogers-Satchell and Yang-Zhang, in percent a year.',
  plan: 'alpha',
  needs: ['bars'],
  barsRead: () => 90,
  params: { symbol: symbolInPath() },
  errors: ['insufficient_history'],
  replay: true,
  stream: true,
  response: Type.Object({
    symbol: Name('underlying ticker'),
    as_of: Timestamp('the close of the newest daily bar, UTC', moment),
    underlying_price: Price('that close', spot),
    estimators: Type.Object(
      {
        close_to_close: windows,
        parkinson: windows,
        garman_klass: windows,
        rogers_satchell: windows,
        yang_zhang: windows
      },
      { title: 'RealizedEstimators' }
    )
  }),
  answer: ({ bars }, { symbol }) => {
    const usable = usableBars(bars)
    if (usable.length < MIN_BARS) {
      throw apiError('insufficient_history', `${symbol} has ${usable.length} daily bars; ${MIN_BARS} are needed`)
    }
    const newest = usable[usable.length - 1]
    const over = (estimator: (bars: UsableBars, n: number) => number | undefined) => ({
      rv10: inPercent(estimator(usable, 10)),
      rv20: inPercent(estimator(usable, 20)),
      rv30: inPercent(estimator(usable, 30))
    })
    return {
      symbol,
      as_of: isoInstant(closeOfBar(newest)),
      underlying_price: newest.close,
      estimators: {
        close_to_close: over(closeToClose),
        parkinson: over(parkinson),
        garman_klass: over(garmanKlass),
        rogers_satchell: over(rogersSatchell),
        yang_zhang: over(yangZhang)
      }
    }
  }
})
