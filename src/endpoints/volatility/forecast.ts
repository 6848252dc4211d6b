import Type from 'typebox'
import { moment, rowsByPosition } from '../../api/annotations.ts'
import { block } from '../../api/block.ts'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { choice, symbolInPath } from '../../api/params.ts'
import { Days, Decimal, Name, Note, Nullable, Percent, Ratio, Timestamp, Words } from '../../api/quantity.ts'
import { closeOfBar } from '../../market/bar.ts'
import { isoInstant } from '../../market/units.ts'
import { inPercent } from '../../math/optional.ts'
import { EWMA_LAMBDA } from '../../volatility/forecast/ewma.ts'
import { volatilityForecast } from '../../volatility/forecast/forecast.ts'
import { type GarchFit, halfLife, horizonVolatility, longRunVolatility } from '../../volatility/forecast/garch.ts'
import { closingBars } from '../../volatility/realized/daily-returns.ts'

type Distribution = 'student_t' | 'gaussian'
const horizons = [1, 5, 21]

const parameter = (unit: string, description: string) => Nullable(Decimal(10, unit, description))

/**
 * Distribution of the daily shocks that the GARCH fit assumed. If nothing was fitted, it is the requested distribution.
 */
function distributionOf(fit: GarchFit | undefined, asked: Distribution): Distribution {
  if (fit === undefined) return asked
  return fit.dof === undefined ? 'gaussian' : 'student_t'
}

const fallenBack = 'The fit with Student t innovations did not converge, so normal innovations are used.'

/** Parameters and forecasts of a GARCH fit; all null if nothing could be fitted. */
export const garchBlock = block(
  Type.Object(
    {
      model: Words('garch_1_1'),
      distribution: Words('student_t', 'gaussian'),
      params: Type.Object(
        {
          omega: parameter('variance', 'of daily decimal returns'),
          alpha: parameter('ratio', 'weight of the last squared return'),
          beta: parameter('ratio', 'weight of the last variance'),
          dof: Type.Optional(parameter('degrees-of-freedom', 'present for student_t'))
        },
        { title: 'GarchParameters' }
      ),
      persistence: parameter('ratio', 'alpha + beta'),
      long_run_vol_annualized: Nullable(Percent('null for an integrated model')),
      half_life_days: Nullable(Decimal(4, 'days', 'null for an integrated model')),
      converged: Type.Boolean(),
      note: Nullable(Note('why the distribution is not the requested one')),
      forecast: Nullable(
        Type.Array(Type.Object({ horizon_days: Days(), vol_annualized: Percent() }, { title: 'HorizonVolatility' }), {
          ...rowsByPosition,
          minItems: 3,
          maxItems: 3
        })
      )
    },
    { title: 'GarchForecast' }
  ),
  (fit: GarchFit | undefined, asked: Distribution) => ({
    model: 'garch_1_1' as const,
    distribution: distributionOf(fit, asked),
    params: {
      omega: fit?.omega,
      alpha: fit?.alpha,
      beta: fit?.beta,
      ...(distributionOf(fit, asked) === 'student_t' && { dof: fit?.dof ?? null })
    },
    persistence: fit?.persistence,
    long_run_vol_annualized: inPercent(fit && longRunVolatility(fit)),
    half_life_days: fit && halfLife(fit),
    converged: fit !== undefined,
    note: distributionOf(fit, asked) === asked ? undefined : fallenBack,
    forecast:
      fit && horizons.map((days) => ({ horizon_days: days, vol_annualized: 100 * horizonVolatility(fit, days) }))
  })
)

export const forecast = endpoint({
  id: 'volatility.forecast',
  path: '/v1/volatility/forecast/{symbol}',
  tag: 'volatility',
  summary: 'Volatility forecasts: EWMA, HAR-RV and GARCH(1,1)',
  description:
    'What volatility is likely to be over the next days: three models with their parameters, in percent a year.',
  plan: 'alpha',
  needs: ['bars'],
  params: {
    symbol: symbolInPath(),
    dist: choice<Distribution>({
      description: 'student_t or gaussian: the innovations of GARCH',
      spelling: { student_t: 'student_t', gaussian: 'gaussian' },
      default: 'student_t',
      code: 'invalid_dist'
    })
  },
  errors: ['insufficient_history'],
  replay: true,
  stream: true,
  response: Type.Object({
    symbol: Name('underlying ticker'),
    as_of: Timestamp('the close of the newest daily bar, UTC', moment),
    ewma: Type.Object(
      {
        lambda: Ratio(),
        vol_annualized: Percent(),
        next_day_forecast: Percent()
      },
      { title: 'EwmaForecast' }
    ),
    har_rv: Type.Object(
      {
        vol_annualized: Percent('of the mean variance of the next 21 days'),
        components: Type.Object(
          { daily: Percent(), weekly: Percent(), monthly: Percent() },
          { title: 'HarRvComponents' }
        ),
        next_day_forecast: Percent()
      },
      { title: 'HarRvForecast' }
    ),
    garch: garchBlock.schema
  }),
  answer: ({ bars }, { symbol, dist }) => {
    const found = volatilityForecast(bars, dist)
    const closing = closingBars(bars)
    if (found === undefined) {
      const returns = Math.max(0, closing.length - 1)
      throw apiError('insufficient_history', `${symbol} has ${returns} daily returns; 60 are needed`)
    }
    const { ewma, har, garch } = found
    return {
      symbol,
      as_of: isoInstant(closeOfBar(closing[closing.length - 1])),
      ewma: { lambda: EWMA_LAMBDA, vol_annualized: 100 * ewma, next_day_forecast: 100 * ewma },
      har_rv: {
        vol_annualized: 100 * har.nextMonth,
        components: { daily: 100 * har.daily, weekly: 100 * har.weekly, monthly: 100 * har.monthly },
        next_day_forecast: 100 * har.nextDay
      },
      garch: garchBlock.fill(garch, dist)
    }
  }
})
