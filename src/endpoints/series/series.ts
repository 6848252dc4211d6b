import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { apiError } from '../../api/error.ts'
import { Nullable, Timestamp, Words } from '../../api/quantity.ts'
import { isoInstant } from '../../market/units.ts'
import { arrowForm } from './arrow-form.ts'
import { csvForm } from './csv-form.ts'
import { seriesFieldNames } from './fields.ts'
import { seriesParameters } from './parameters.ts'
import { stepNames, stretchOf } from './stretch.ts'

export const series = endpoint({
  id: 'series.current',
  path: '/v1/series/{symbol}',
  tag: 'insight',
  summary: 'Figures over a stretch of time, in columns',
  description:
    'Any figures by the minute through a session, or by the close over a year, in columns; also as CSV or Arrow. For charts, notebooks and backtests.',
  plan: 'growth',
  needs: ['quote', 'figures'],
  params: seriesParameters,
  check: ({ from, to }) => {
    if (from !== undefined && to !== undefined && from > to) {
      throw apiError('invalid_from', 'from lies after to', { parameter: 'from' })
    }
  },
  figuresRead: stretchOf,
  forms: [csvForm, arrowForm],
  errors: ['invalid_fields', 'invalid_from', 'invalid_to', 'invalid_every'],
  replay: true,
  stream: false,
  response: Type.Object({
    ...envelope,
    every: Words(...stepNames),
    t: Type.Array(Timestamp('the moment of a recorded snapshot'), { minItems: 1, description: 'ascending' }),
    columns: Type.Record(Type.String(), Type.Array(Nullable(Type.Number())), {
      description: `one array for each field asked for, as long as t, of what the answer about that moment says: ${seriesFieldNames.join(', ')}`
    }),
    incomplete: Type.Array(Type.Object({ from: Timestamp(), to: Timestamp() }, { title: 'IncompleteStretch' }), {
      'x-row-name': ['from'],
      description: 'stretches with snapshots whose figures wait to be made, by formulas that changed or of prints'
    })
  }),
  answer: ({ quote, figures }, { fields, every }) => ({
    ...header(quote),
    every,
    t: Array.from(figures.t, isoInstant),
    columns: Object.fromEntries(fields.map((name, k) => [name, Array.from(figures.columns[k], orNull)])),
    incomplete: figures.waiting.map(({ from, to }) => ({ from: isoInstant(from), to: isoInstant(to) }))
  })
})

const orNull = (figure: number) => (Number.isNaN(figure) ? null : figure)
