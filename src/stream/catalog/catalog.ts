import { createHash } from 'node:crypto'
import type { Endpoint } from '../../api/endpoint.ts'
import { type Field, fieldsOf, prefixOf, type SelectorKind, type ValueType } from './field.ts'
import { ROWS_PER_PAGE } from './limits.ts'
import { Operation } from './operation.ts'

/** A metric as the catalog describes it. */
export interface CatalogRow {
  readonly id: string
  readonly value_type: ValueType
  readonly nullable: boolean
  readonly unit: string | null
  readonly operation: string
  readonly key_field: string | null
  readonly selectors: readonly SelectorKind[]
  readonly params: readonly string[]
  readonly short_forms: readonly string[]
  readonly recompute: 'tick' | 'second' | 'minute' | 'daily'
  readonly cost: 1 | 10
  readonly min_cadence_ms: number
}

export interface CatalogQuery {
  readonly prefix?: string | undefined
  readonly valueType?: ValueType | undefined
  readonly page?: number | undefined
}

export interface CatalogPage {
  readonly version: string
  readonly count: number
  readonly page: number
  readonly pages: number
  readonly metrics: readonly CatalogRow[]
}

/** Everything that can be subscribed to, made from the endpoint declarations. */
export interface Catalog {
  /** Changes when any row does. */
  readonly version: string
  readonly rows: readonly CatalogRow[]
  /** What a metric's first two names stand for. Undefined: no endpoint; endpoints that are not streamed have no fields. */
  operation(prefix: string): Operation | undefined
  page(query: CatalogQuery): CatalogPage
}

export function catalogOf(endpoints: readonly Endpoint[]): Catalog {
  const operations = new Map<string, Operation>()
  for (const endpoint of endpoints) {
    const prefix = prefixOf(endpoint)
    if (endpoint.body !== undefined && operations.has(prefix)) continue
    operations.set(prefix, new Operation(endpoint, endpoint.stream ? fieldsOf(endpoint) : []))
  }
  const rows = [...operations.values()].flatMap((operation) => operation.fields.map((field) => rowOf(field, operation)))
  const version = createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 12)
  return {
    version,
    rows,
    operation: (prefix) => operations.get(prefix),
    page({ prefix = '', valueType, page = 1 }) {
      const fitting = rows.filter(
        (row) => row.id.startsWith(prefix) && (valueType === undefined || row.value_type === valueType)
      )
      const metrics = fitting.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE)
      return {
        version,
        count: fitting.length,
        page,
        pages: Math.max(1, Math.ceil(fitting.length / ROWS_PER_PAGE)),
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
    min_cadence_ms: field.leastCadence
  }
}

const moving = ['chain', 'anyChain', 'chains', 'quote', 'vix', 'vixQuote', 'macro']

/** Answers from daily bars and records alone change once a day, all others with the quotes they rest on. */
function recomputeOf({ needs }: Endpoint): CatalogRow['recompute'] {
  return needs.some((need) => moving.includes(need)) ? 'tick' : 'daily'
}
