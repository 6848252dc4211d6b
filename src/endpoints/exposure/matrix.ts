import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { expirationSetParameters } from '../../api/expiration-filter.ts'
import { choice, number, pastDate, symbolInPath } from '../../api/params.ts'
import { Day, Decimal, Nullable, Price, Timestamp, Words } from '../../api/quantity.ts'
import {
  columnsByExpiration,
  type MatrixColumn,
  type MatrixMetric,
  matrixMetrics,
  restsOnPosition,
  strikeMatrix
} from '../../exposure/breakdown/strike-matrix.ts'
import { latestSession, tradingDays } from '../../market/calendar.ts'
import { type StrikeFigure, strikeFigures } from '../../market/strike-sums.ts'
import { type IsoDate, isoInstant, MILLISECONDS_PER_DAY, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { bookFor, dealerModel, modelledEnvelope, modelledHeader, readsTape } from './dealer-model.ts'
import { setScope, setScopeSchema } from './scope-block.ts'
import { bySet, scopeAsked } from './scoped.ts'

const metric = choice<MatrixMetric>({
  description: matrixMetrics.join(', '),
  spelling: Object.fromEntries(matrixMetrics.map((name) => [name, name])) as { readonly [Name in MatrixMetric]: Name },
  default: 'gex',
  code: 'invalid_metric'
})

const by = choice({
  description: 'expiration or time',
  spelling: { expiration: 'expiration', time: 'time' } as const,
  default: 'expiration',
  code: 'invalid_by'
})

const every = choice<'1m' | '5m' | '15m' | '30m' | '1h'>({
  description: '1m, 5m, 15m, 30m or 1h: how close the columns are, by time only',
  spelling: { '1m': '1m', '5m': '5m', '15m': '15m', '30m': '30m', '1h': '1h' },
  default: '5m',
  code: 'invalid_every'
})
const minutes = { '1m': 1, '5m': 5, '15m': 15, '30m': 30, '1h': 60 } as const

/** Columns by time of an answer at most. */
const MAX_COLUMNS = 600
const SESSION_MINUTES = 390

/** Sessions of a matrix by time. Throws invalid_from if they begin after their end or hold too many columns. */
function sessionsOf(from: IsoDate | undefined, date: IsoDate, step: number): { from?: IsoDate; date: IsoDate } {
  if (from === undefined) return { date }
  if (from > date) throw apiError('invalid_from', 'from lies after the last session', { parameter: 'from' })
  const each = Math.ceil(SESSION_MINUTES / step)
  const most = Math.floor(MAX_COLUMNS / each)
  // Three calendar days hold at least one session, so a long stretch need not be counted.
  const isLong = Date.parse(date) - Date.parse(from) > 3 * (most + 5) * MILLISECONDS_PER_DAY
  if (isLong || tradingDays(from, date).length * each > MAX_COLUMNS) {
    throw apiError(
      'invalid_from',
      `from leads to more than ${MAX_COLUMNS} columns: begin later or take a longer every`,
      {
        parameter: 'from'
      }
    )
  }
  return { from, date }
}

const isStrikeFigure = (name: MatrixMetric): name is StrikeFigure => strikeFigures.some((figure) => figure === name)
const Value = () =>
  Decimal(2, 'usd-notional', 'units as in the plain endpoints; contracts for oi, oi_change and volume')

export const matrix = endpoint({
  id: 'exposure.matrix',
  path: '/v1/exposure/matrix/{symbol}',
  tag: 'exposure',
  summary: 'One exposure by strike and expiration, or by strike and time',
  description:
    'A heat map: one exposure in a grid of strikes and expirations, or of strikes and recorded moments of the session.',
  plan: 'growth',
  needs: ['chain', 'prior', 'strikeColumns', 'sessionPositions'],
  strikesRead: ({ by, metric, every, from, date }, asOf) =>
    by === 'time' && isStrikeFigure(metric)
      ? {
          figure: metric,
          every: minutes[every] * MILLISECONDS_PER_MINUTE,
          ...sessionsOf(from, date ?? latestSession(asOf).date, minutes[every])
        }
      : undefined,
  params: {
    symbol: symbolInPath(),
    ...expirationSetParameters,
    metric,
    by,
    range_pct: number({
      description: 'a number: strikes so near to the underlying price, percent',
      default: 5,
      minimum: 0.5,
      maximum: 50,
      clamp: true,
      code: 'invalid_range_pct'
    }),
    every,
    from: pastDate({
      description:
        'a date, yyyy-MM-dd, not in the future: the first session of a matrix by time; without it date alone',
      code: 'invalid_from'
    }),
    date: pastDate({
      description: 'a date, yyyy-MM-dd, not in the future: the last session of a matrix by time',
      code: 'invalid_date'
    }),
    dealer_model: dealerModel
  },
  ...bySet,
  positionsRead: readsTape,
  check({ by, metric, dealer_model: model = 'convention', expirations }) {
    if (by === 'time' && expirations !== undefined) {
      throw apiError('invalid_expirations', 'by time figures are kept of the whole chain: leave the expirations out', {
        parameter: 'expirations'
      })
    }
    if (by === 'time' && !isStrikeFigure(metric)) {
      throw apiError(
        'invalid_metric',
        `${metric} is not given by time: metric must be one of ${strikeFigures.join(', ')}`
      )
    }
    if (by === 'time' && model !== 'convention' && restsOnPosition(metric)) {
      throw apiError(
        'invalid_dealer_model',
        `by time ${metric} is kept by the convention alone: leave dealer_model out`
      )
    }
  },
  replay: true,
  stream: false,
  response: Type.Object({
    ...modelledEnvelope,
    metric: Words(...matrixMetrics),
    by: Words('expiration', 'time'),
    strikes: Type.Array(Price(), { description: 'within range_pct of underlying_price, ascending' }),
    columns: Type.Array(Type.Union([Day(), Timestamp()]), {
      description: 'expiration dates, or times of recorded snapshots; ascending'
    }),
    values: Type.Array(Type.Array(Nullable(Value())), {
      description: 'a row for each strike, a value for each column; null where the column does not list the strike'
    }),
    row_totals: Type.Array(Value()),
    column_totals: Type.Array(Value(), { description: 'over the strikes shown' }),
    outside: Type.Array(Value(), { description: 'the rest of each column, over the strikes not shown' }),
    ...setScopeSchema
  }),
  answer: ({ chain, prior, strikeColumns, sessionPositions }, { metric, by, range_pct, ...asked }) => {
    const scope = scopeAsked(chain, asked, bookFor(chain, asked, sessionPositions))
    const columns: readonly (MatrixColumn & { readonly name: string })[] =
      strikeColumns === undefined
        ? columnsByExpiration(scope, metric, prior).map((column) => ({ ...column, name: column.date }))
        : strikeColumns.map((column) => ({ ...column, name: isoInstant(column.asOf) }))
    const reach = (range_pct / 100) * chain.spot
    const found = strikeMatrix(columns, chain.spot - reach, chain.spot + reach)
    return {
      ...modelledHeader(chain, asked),
      metric,
      by,
      strikes: found.strikes,
      columns: columns.map(({ name }) => name),
      values: found.values,
      row_totals: found.rowTotals,
      column_totals: found.columnTotals,
      outside: found.outside,
      ...setScope(scope, asked)
    }
  }
})
