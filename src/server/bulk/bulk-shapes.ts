import Type from 'typebox'
import { Count, Nullable, Words } from '../../api/quantity.ts'
import { bulkForms } from '../../api/rows/forms.ts'

export const MAX_SYMBOLS = 500
export const MAX_MOMENTS = 500
export const MAX_FIELDS = 1000
const MAX_PARAMS = 16

/** Steps of moments by name: milliseconds, or a whole session. */
export const steps = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '30m': 1_800_000,
  '1h': 3_600_000,
  '1d': 'session'
} as const
export type StepName = keyof typeof steps
/** Kinds of rows: answers of an operation, recorded figures over time, recorded quotes. */
export const bulkSourceNames = ['answers', 'series', 'quotes'] as const
export type SourceName = (typeof bulkSourceNames)[number]

const stepNames = Object.keys(steps) as readonly StepName[]

const wallClock = 'a New York moment, yyyy-MM-ddTHH:mm:ss, or a date'
const closed = { additionalProperties: false }

const moments = Type.Union(
  [
    Type.Literal('now'),
    Type.Object(
      {
        at: Type.Array(Type.String({ maxLength: 19, description: `${wallClock} for its close` }), {
          minItems: 1,
          maxItems: MAX_MOMENTS,
          uniqueItems: true
        })
      },
      { ...closed, title: 'BulkMomentList' }
    ),
    Type.Object(
      {
        from: Type.String({ maxLength: 19, description: wallClock }),
        to: Type.String({ maxLength: 19, description: `${wallClock}, inclusive` }),
        every: Words(...stepNames)
      },
      { ...closed, title: 'BulkMomentRange' }
    )
  ],
  { description: 'now, moments by name, or the last recorded snapshot of each step between two moments' }
)

/** Body of both operations. */
export const requestShape = Type.Object(
  {
    source: Type.Unsafe<SourceName>({
      type: 'string',
      enum: bulkSourceNames,
      description: 'answers of an operation; series: figures over time; quotes: all contracts of each snapshot'
    }),
    operation: Type.Optional(
      Type.String({ maxLength: 200, description: 'of source answers: id or path of a GET operation about the market' })
    ),
    params: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String({ maxLength: 2000 }), Type.Number(), Type.Boolean()]), {
        maxProperties: MAX_PARAMS,
        description: 'query parameters of the operation'
      })
    ),
    symbols: Type.Union([
      Type.Object(
        {
          list: Type.Array(Type.String({ maxLength: 10 }), {
            minItems: 1,
            maxItems: MAX_SYMBOLS,
            uniqueItems: true,
            description: '_MARKET for an operation about the whole market'
          })
        },
        { ...closed, title: 'BulkSymbols' }
      ),
      Type.Object(
        { preset: Type.String({ maxLength: 64, description: 'a list of symbols that the operator has named' }) },
        { ...closed, title: 'BulkPreset' }
      )
    ]),
    moments,
    rows: Type.Optional(
      Nullable(Type.String({ maxLength: 200, description: 'path of an array, or *; null: the figures of the answer' }))
    ),
    parents: Type.Optional(Type.Boolean({ description: 'adds the figures of the answer to its rows; default false' })),
    fields: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        minItems: 1,
        maxItems: MAX_FIELDS,
        uniqueItems: true,
        description: 'columns wanted after symbol, at and as_of; default: all'
      })
    ),
    missing: Type.Optional(Words('skip', 'row')),
    format: Type.Optional(Words(...bulkForms.map(({ name }) => name))),
    resume_from: Type.Optional(
      Type.Object(
        { symbol: Type.String({ maxLength: 10 }), at: Nullable(Type.String({ maxLength: 30 })) },
        { ...closed, title: 'BulkGroup', description: 'begin with this group; at as in the rows' }
      )
    )
  },
  { ...closed, title: 'BulkRequest' }
)

export const requestExample = {
  source: 'answers',
  operation: 'exposure.summary',
  symbols: { list: ['SPY', 'QQQ', 'IWM'] },
  moments: 'now',
  format: 'ndjson'
} as const

const columnShape = Type.Object(
  {
    name: Type.String(),
    type: Words('number', 'boolean', 'string', 'date', 'timestamp'),
    nullable: Type.Boolean(),
    unit: Nullable(Type.String()),
    description: Nullable(Type.String())
  },
  { title: 'BulkColumn' }
)

/** Answer about a request that is not done. */
export const bulkPlanShape = Type.Object(
  {
    columns: Type.Array(columnShape, { maxItems: MAX_FIELDS }),
    tables: Type.Array(Type.Object({ rows: Nullable(Type.String()), columns: Count() }, { title: 'BulkTable' }), {
      description: 'what rows may be for this operation'
    }),
    groups: Count('symbols times moments; of series stretches of a symbol with up to 10,000 rows and 50,000 cells'),
    cost: Count('requests of the quota: one for each group'),
    fits: Words('response', 'job', 'neither')
  },
  { title: 'BulkPlan' }
)
