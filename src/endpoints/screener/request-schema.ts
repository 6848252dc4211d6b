import Type from 'typebox'
import { MAX_CONDITIONS_LENGTH } from '../../screener/condition-text.ts'
import { MAX_FORMULA_LENGTH } from '../../screener/formula.ts'
import {
  MAX_FORMULAS,
  MAX_SCREEN_SYMBOLS,
  MAX_SORT_KEYS,
  operatorAliases,
  operators
} from '../../screener/screen-request.ts'

const operator = Type.Enum([...operators, ...Object.keys(operatorAliases)])
const value = Type.Union(
  [
    Type.Number(),
    Type.String(),
    Type.Boolean(),
    Type.Array(Type.Union([Type.Number(), Type.String(), Type.Boolean()]))
  ],
  { description: '[low, high] for between, an array for in, absent for the null tests' }
)
const leaf = {
  field: Type.Optional(Type.String()),
  formula: Type.Optional(Type.String({ description: 'an alias or an expression' }))
}

/** Request body of the screener. A filter is a single condition, or a group of conditions and further groups. */
export const requestSchema = Type.Object({
  universe: Type.Optional(
    Type.Object(
      {
        type: Type.Enum(['preset', 'custom']),
        value: Type.Optional(
          Type.String({ description: 'all, tier1, tier2, etfs, indices, or a list of the operator' })
        ),
        symbols: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_SCREEN_SYMBOLS }))
      },
      { title: 'ScreenerUniverse' }
    )
  ),
  filters: Type.Optional(
    Type.Object(
      {
        ...leaf,
        operator: Type.Optional(operator),
        value: Type.Optional(value),
        op: Type.Optional(Type.Enum(['and', 'or'])),
        conditions: Type.Optional(
          Type.Array(Type.Unsafe<object>({ type: 'object' }), {
            minItems: 1,
            description: 'conditions and groups alike'
          })
        )
      },
      {
        title: 'ScreenerCondition',
        description: 'a condition {field or formula, operator, value} or a group {op, conditions}'
      }
    )
  ),
  where: Type.Optional(
    Type.String({
      maxLength: MAX_CONDITIONS_LENGTH,
      description: 'in place of filters, conditions as text: atm_iv > 25 and regime = negative_gamma'
    })
  ),
  formulas: Type.Optional(
    Type.Array(
      Type.Object(
        {
          alias: Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }),
          expression: Type.String({ minLength: 1, maxLength: MAX_FORMULA_LENGTH })
        },
        { title: 'ScreenerFormula' }
      ),
      { maxItems: MAX_FORMULAS }
    )
  ),
  sort: Type.Optional(
    Type.Array(
      Type.Object(
        { ...leaf, direction: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'desc' })) },
        { title: 'ScreenerSort' }
      ),
      {
        maxItems: MAX_SORT_KEYS
      }
    )
  ),
  select: Type.Optional(Type.Array(Type.String(), { description: 'columns; * stands for all the plan may read' })),
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 }))
})
