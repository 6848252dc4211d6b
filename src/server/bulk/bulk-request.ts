import type { Static } from 'typebox'
import Value from 'typebox/value'
import { apiError, type ErrorCode } from '../../api/error.ts'
import type { Table } from '../../api/rows/table.ts'
import type { PartShape } from '../../api/rows/table-part.ts'
import { readShape } from '../admin/body.ts'
import { answerSource } from './bulk-answers.ts'
import { quoteSource, seriesSource } from './bulk-recorded.ts'
import { MAX_SYMBOLS, requestShape, type SourceName } from './bulk-shapes.ts'
import type { BulkHosts, BulkSource } from './bulk-source.ts'

type SentBody = Static<typeof requestShape>
/** The body of a request, with its symbols by name. */
export type BulkBody = Omit<SentBody, 'symbols'> & { readonly symbols: { readonly list: readonly string[] } }

/** A request that was read: what is asked, and the table that the answers become. */
export interface BulkRequest {
  readonly source: BulkSource
  readonly symbols: readonly string[]
  readonly moments: BulkBody['moments']
  readonly shape: PartShape
  readonly table: Table
  readonly format: string | undefined
  readonly resumeFrom: BulkBody['resume_from']
}

/** What the reading of a request needs to know of the service. */
export type BulkDeclarations = Pick<BulkHosts, 'endpoints' | 'seriesColumns' | 'presets'>

const sources: Readonly<Record<SourceName, (body: BulkBody, known: BulkDeclarations) => BulkSource>> = {
  answers: answerSource,
  series: seriesSource,
  quotes: quoteSource
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
export function readBulk(json: unknown, known: BulkDeclarations): BulkRequest {
  const sent = bodyOf(json)
  const body = { ...sent, symbols: { list: symbolsOf(sent.symbols, known) } }
  const source = sources[body.source](body, known)
  const { rows, parents, missing, fields, moments, format, resume_from: resumeFrom } = body
  const shape: PartShape = { rows: rows ?? undefined, parents, missing, fields }
  const table = source.table(shape)
  return { source, symbols: body.symbols.list, moments, shape, table, format, resumeFrom }
}

/** The symbols of a request; those of a preset ascend. Throws for a preset that there is not, or that is too long. */
function symbolsOf(symbols: SentBody['symbols'], { presets }: BulkDeclarations): readonly string[] {
  if ('list' in symbols) return symbols.list
  const { preset } = symbols
  const known = presets()
  const names = Object.keys(known)
  const found = Object.hasOwn(known, preset) ? known[preset] : []
  if (found.length > 0 && found.length <= MAX_SYMBOLS) return [...new Set(found)].sort()
  const reason =
    found.length > 0
      ? `the preset ${preset} has ${found.length} symbols; at most ${MAX_SYMBOLS} can be asked for`
      : names.length > 0
        ? `there is no such preset with symbols; there are ${names.join(', ')}`
        : 'the operator has named no presets: list the symbols'
  throw apiError('invalid_symbols', reason, { parameter: 'symbols' })
}

function bodyOf(json: unknown): SentBody {
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
