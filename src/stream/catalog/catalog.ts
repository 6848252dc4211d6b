import { createHash } from 'node:crypto'
import type { Endpoint } from '../../api/endpoint.ts'
import { inputNamed } from '../../api/inputs/inputs.ts'
import type { CatalogPage, CatalogRow, ValueType } from '../../api/stream-frames.ts'
import { lazily } from '../../market/memoize.ts'
import { ROWS_PER_PAGE } from '../protocol/limits.ts'
import { type Field, fieldsOfSchema } from './field.ts'
import { Operation } from './operation.ts'

/** Filter and page of a catalog request. Without `prefix` and `valueType` all metrics match. */
export interface CatalogQuery {
  readonly prefix?: string | undefined
  readonly valueType?: ValueType | undefined
  /** Page number, from 1. */
  readonly page?: number | undefined
}

/** Every metric that clients can subscribe to, derived from the endpoint declarations. */
export interface Catalog {
  /** Hash of all rows of the catalog. */
  readonly version: string
  readonly rows: readonly CatalogRow[]
  /**
   * Finds an operation by the first two names of a metric id. Operations that cannot be streamed are found too, but
   * have no fields.
   */
  operation(prefix: string): Operation | undefined
  page(query: CatalogQuery): CatalogPage
}

/** Builds the catalog of some endpoints. If two endpoints have the same path, the GET endpoint is used. */
export function catalogOf(endpoints: readonly Endpoint[]): Catalog {
  const operations = new Map<string, Operation>()
  for (const endpoint of endpoints) {
    if (endpoint.body !== undefined && operations.has(endpoint.id)) continue
    operations.set(endpoint.id, new Operation(endpoint, endpoint.stream ? fieldsOfSchema : () => []))
  }
  const listed = lazily(() =>
    [...operations.values()].flatMap((operation) => operation.fields.map((field) => rowOf(field, operation)))
  )
  const hashed = lazily(() => createHash('sha256').update(JSON.stringify(listed())).digest('hex').slice(0, 12))
  return {
    get version() {
      return hashed()
    },
    get rows() {
      return listed()
    },
    operation: (prefix) => operations.get(prefix),
    page({ prefix = '', valueType, page = 1 }) {
      const matching = listed().filter(
        (row) => row.id.startsWith(prefix) && (valueType === undefined || row.value_type === valueType)
      )
      const metrics = matching.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE)
      return {
        version: hashed(),
        count: matching.length,
        page,
        pages: Math.max(1, Math.ceil(matching.length / ROWS_PER_PAGE)),
        metrics
      }
    }
  }
}

function rowOf(field: Field, operation: Operation): CatalogRow {
  const { endpoint } = operation
  const rows = field.path.findLast((step) => step.rows !== undefined)?.rows
  return {
    id: field.id,
    value_type: field.valueType,
    nullable: field.nullable,
    unit: field.unit ?? null,
    operation: `GET ${endpoint.path}`,
    key_field: rows?.field ?? null,
    selectors: rows?.selectors ?? [],
    params: operation.parameters,
    short_forms: operation.shortFormsOf(field),
    recompute: recomputeOf(endpoint),
    cost: field.cost,
    min_cadence_ms: field.minCadence
  }
}

/**
 * How often an endpoint's metrics change: once a day if they are computed only from daily bars and records, otherwise
 * with the quotes.
 */
function recomputeOf({ needs }: Endpoint): CatalogRow['recompute'] {
  return needs.some((name) => inputNamed(name).moves) ? 'tick' : 'daily'
}
