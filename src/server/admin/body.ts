import type { Static, TSchema } from 'typebox'
import Value from 'typebox/value'
import { apiError } from '../../api/error.ts'

/**
 * Checks the JSON of an admin request against its schema; converts nothing. Throws invalid_body with the first problem.
 * Refuses any text that contains an API key, so that no key is stored by mistake, for example as a name.
 */
export function readShape<Shape extends TSchema>(shape: Shape, json: unknown): Static<Shape> {
  if (!Value.Check(shape, json)) throw apiError('invalid_body', firstProblem(shape, json))
  for (const [field, value] of Object.entries(json as object)) {
    if (!/gw_live_/i.test(JSON.stringify(value))) continue
    throw apiError('invalid_body', `${field} must not hold a key`, { parameter: field })
  }
  return json as Static<Shape> // the shape was checked above
}

function firstProblem(shape: TSchema, json: unknown): string {
  const [problem] = Value.Errors(shape, json).filter(({ keyword }) => keyword !== 'boolean')
  if (problem === undefined) return 'the body does not have the documented shape'
  const { keyword, instancePath, message, params } = problem as {
    readonly keyword: string
    readonly instancePath: string
    readonly message: string
    readonly params: Readonly<Record<string, unknown>>
  }
  const named = (params['requiredProperties'] ?? params['additionalProperties']) as readonly string[] | undefined
  const name = named?.[0]?.replace(/[^\w.-]/g, '?').slice(0, 40)
  if (keyword === 'required') return `${name} is missing`
  if (keyword === 'additionalProperties') return `the field ${name} is unknown`
  return `${instancePath === '' ? 'the body' : instancePath.slice(1)} ${message}`
}
