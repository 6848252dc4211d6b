import type { Static } from 'typebox'
import Value from 'typebox/value'
import { type Endpoint, isKept } from '../../api/endpoint.ts'
import { type ApiError, apiError, type ErrorCode } from '../../api/error.ts'
import { readsMarket } from '../../api/inputs/inputs.ts'
import { editsBetween } from '../../api/nearest.ts'
import { printable } from '../../api/params.ts'
import type { Table } from '../../api/rows/table.ts'
import { type PartShape, partTable, rowNames } from '../../api/rows/table-part.ts'
import { WHOLE_MARKET } from '../../stream/catalog/query.ts'
import { readShape } from '../admin/body.ts'
import { requestShape } from './bulk-shapes.ts'

export type BulkBody = Static<typeof requestShape>

/** A request that was read: what is asked, and the table that the answers become. */
export interface BulkRequest {
  readonly endpoint: Endpoint
  /** Name of the parameter of the path; undefined for an operation about the whole market. */
  readonly subject: string | undefined
  readonly query: Readonly<Record<string, string>>
  readonly symbols: readonly string[]
  readonly moments: BulkBody['moments']
  readonly shape: PartShape
  readonly table: Table
  readonly format: string | undefined
  readonly resumeFrom: BulkBody['resume_from']
}

/** Error of each field that does not have the documented shape. */
const fieldErrors: Readonly<Record<string, ErrorCode>> = {
  source: 'invalid_source',
  operation: 'invalid_operation',
  params: 'invalid_params',
  symbols: 'invalid_symbols',
  moments: 'invalid_moments',
  rows: 'invalid_rows',
  fields: 'invalid_fields',
  format: 'invalid_format',
  resume_from: 'invalid_resume_from'
}

/** Reads the JSON of a request. Throws the error that names the first field to be changed. */
export function readBulk(json: unknown, endpoints: readonly Endpoint[]): BulkRequest {
  const body = bodyOf(json)
  const endpoint = operationOf(body.operation, endpoints)
  if (body.moments !== 'now' && !endpoint.replay) throw apiError('not_replayed', `${endpoint.id} has no past moments`)
  const subject = Object.keys(endpoint.params).find((name) => endpoint.params[name].in === 'path')
  const symbols = body.symbols.list
  if ((subject === undefined) !== symbols.includes(WHOLE_MARKET) || (subject === undefined && symbols.length > 1)) {
    const wanted = subject === undefined ? `is about the whole market: list ${WHOLE_MARKET} alone` : 'wants tickers'
    throw apiError('invalid_symbols', `${endpoint.id} ${wanted}`, { parameter: 'symbols' })
  }
  const shape: PartShape = {
    rows: rowsOf(endpoint, body.rows ?? undefined),
    parents: body.parents,
    missing: body.missing,
    fields: body.fields
  }
  checkFields(endpoint, shape)
  const query = Object.fromEntries(Object.entries(body.params ?? {}).map(([name, value]) => [name, String(value)]))
  if (Object.hasOwn(query, 'at'))
    throw apiError('invalid_params', 'moments say when, not params.at', { parameter: 'at' })
  const { moments, format, resume_from: resumeFrom } = body
  const table = partTable(endpoint, shape)
  return { endpoint, subject, query, symbols, moments, shape, table, format, resumeFrom }
}

function bodyOf(json: unknown): BulkBody {
  if (typeof json === 'object' && json !== null && !Value.Check(requestShape, json)) {
    for (const [field, code] of Object.entries(fieldErrors)) {
      const value = (json as Readonly<Record<string, unknown>>)[field]
      const required = (requestShape.required as readonly string[]).includes(field)
      const isWrong = value === undefined ? required : !Value.Check(requestShape.properties[field as never], value)
      if (isWrong) throw apiError(code, undefined, { parameter: field })
    }
  }
  return readShape(requestShape, json)
}

/** Operations that are answered about the market, and not about their caller or from figures of the request. */
export const isBulkSource = (endpoint: Endpoint) => isKept(endpoint) && readsMarket(endpoint.needs)

function operationOf(named: string, endpoints: readonly Endpoint[]): Endpoint {
  const offered = endpoints.filter(isBulkSource)
  const found = offered.find(({ id, path, aliases }) => [id, path, ...aliases].includes(named))
  if (found !== undefined) return found
  const names = offered.map(({ id }) => id)
  throw unknown('invalid_operation', 'operation', named, names)
}

function rowsOf(endpoint: Endpoint, rows: string | undefined): string | undefined {
  const names = rowNames(endpoint)
  if (rows === undefined || names.includes(rows)) return rows
  const choices = names.length === 0 ? 'null: the answer has no arrays' : `null or one of ${names.join(', ')}`
  throw apiError('invalid_rows', `rows must be ${choices}; it reads '${printable(rows)}'`, { parameter: 'rows' })
}

function checkFields(endpoint: Endpoint, shape: PartShape): void {
  const names = partTable(endpoint, { ...shape, fields: undefined }).columns.map(({ name }) => name)
  const wrong = shape.fields?.find((field) => !names.includes(field))
  if (wrong !== undefined) throw unknown('invalid_fields', 'fields', wrong, names)
}

/** Error for a name that there is not, with the one that is nearest to it. */
function unknown(code: ErrorCode, parameter: string, named: string, names: readonly string[]): ApiError {
  const asked = named.slice(0, 60)
  const nearest = names.toSorted((a, b) => editsBetween(a, asked) - editsBetween(b, asked))[0]
  const message = `${parameter} names '${printable(named)}', which there is not; nearest is ${nearest}`
  return apiError(code, message, { parameter })
}
