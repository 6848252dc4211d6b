import Type from 'typebox'
import { moment } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { Count, Timestamp, Words } from '../../api/quantity.ts'
import { isoInstant } from '../../market/units.ts'
import { readWrittenScreen } from '../../screener/condition-text.ts'
import { needsChains, type ScreenOptions, screen } from '../../screener/screen.ts'
import { ScreenProblem } from '../../screener/screen-problem.ts'
import type { ScreenRequest } from '../../screener/screen-request.ts'
import { screenerFields } from './fields.ts'
import { requestSchema } from './request-schema.ts'
import { macroColumn } from './row.ts'
import { type PrintedScreen, screenForms } from './screen-forms.ts'
import { planWith, SCREENER_PLAN, screenPlans } from './screen-plans.ts'

export const screener = endpoint({
  id: 'screener.current',
  path: '/v1/screener',
  tag: 'screener',
  summary: 'Filter, rank and project all loaded symbols',
  description: 'Finds symbols and contracts by conditions, formulas and ranks over everything that is loaded.',
  plan: SCREENER_PLAN,
  varies: ['full_screen'],
  needs: ['screened', 'macro'],
  params: {},
  body: {
    schema: requestSchema,
    example: {
      filters: {
        op: 'and',
        conditions: [
          { field: 'regime', operator: 'eq', value: 'positive_gamma' },
          { field: 'atm_iv', operator: 'gte', value: 20 }
        ]
      },
      sort: [{ field: 'atm_iv', direction: 'desc' }],
      select: ['symbol', 'price', 'regime', 'atm_iv'],
      limit: 10
    },
    read: (json): ScreenRequest => asApiErrors(() => readWrittenScreen(json)),
    optional: true,
    code: 'validation_error'
  },
  chainsRead: (request) => needsChains(request, screenerFields),
  errors: ['validation_error', 'formula_error'],
  forms: screenForms,
  replay: false,
  stream: false,
  response: Type.Object({
    meta: Type.Object(
      {
        total_count: Count('symbols that pass the filters', { minimum: 0 }),
        returned_count: Count('rows of this answer', { minimum: 0 }),
        universe_size: Count('symbols considered: those loaded that plan and universe allow', { minimum: 0 }),
        missing_count: Count(
          'symbols that plan and universe allow and that have no row yet: they are still being read, or cannot be had',
          { minimum: 0 }
        ),
        offset: Count(undefined, { minimum: 0 }),
        limit: Count('that of the request, or the most the plan may have', { minimum: 1, maximum: 50 }),
        tier: Words(...screenPlans),
        as_of: Timestamp('the newest moment of the rows considered', moment)
      },
      { title: 'ScreenerMeta' }
    ),
    data: Type.Array(
      Type.Unsafe<object>({ type: 'object', description: 'one field for each name selected, and the symbol' })
    )
  }),
  answer: ({ screened, macro }, _parameters, { body, caller }) => {
    const entitlement = caller.has('full_screen') ? 'full_screen' : undefined
    const options = {
      fields: screenerFields,
      macro: macroColumn(macro),
      caller: { has: (needed) => caller.has(needed), planWith: (needed) => planWith(needed).name }
    } satisfies ScreenOptions
    const { rows, columns, total, universe, missing, limit, offset, asOf } = asApiErrors(() =>
      screen(body, screened, options)
    )
    const meta = {
      total_count: total,
      returned_count: rows.length,
      universe_size: universe,
      missing_count: missing,
      offset,
      limit,
      tier: planWith(entitlement).id,
      as_of: isoInstant(asOf)
    }
    const table: PrintedScreen = { columns, data: rows }
    return { meta, ...table }
  }
})

/** Runs `work`; mistakes in the screen's definition become API errors. */
function asApiErrors<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ScreenProblem)) throw error
    const { kind, message, place, position } = error
    throw apiError(kind === 'formula' ? 'formula_error' : 'validation_error', message, {
      ...(place !== undefined && { parameter: place }),
      ...(position !== undefined && { position })
    })
  }
}
