import Type, { type TSchema } from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { choice, number, text } from '../../api/params.ts'
import { Count, Nullable, Timestamp, Words } from '../../api/quantity.ts'
import type { CatalogPage, CatalogRow } from '../../api/stream-frames.ts'
import { valueTypes } from '../../stream/catalog/schema.ts'
import { ROWS_PER_PAGE } from '../../stream/protocol/limits.ts'
import { errorResponses, headersOf, jsonOf, notModified, type Piece } from '../openapi/errors.ts'
import { openApiParameters } from '../openapi/openapi.ts'

/** One schema for each field of a type. The compiler checks that none is missing. */
type SchemasOf<Shape> = Readonly<Record<keyof Shape, TSchema>>

const row = Type.Object(
  {
    id: Type.String({ description: 'what to subscribe to; [*] stands where a selector is needed' }),
    value_type: Words(...valueTypes),
    nullable: Type.Boolean(),
    unit: Nullable(Type.String()),
    operation: Type.String({ description: 'the REST operation behind it' }),
    key_field: Nullable(Type.String({ description: 'field that identifies the rows of its array' })),
    selectors: Type.Array(Words('key', 'atm', 'front', 'position')),
    params: Type.Array(Type.String()),
    short_forms: Type.Array(Type.String()),
    recompute: Words('tick', 'second', 'minute', 'daily'),
    cost: Count('subscriptions it counts for'),
    min_cadence_ms: Type.Integer({ minimum: 0, 'x-unit': 'milliseconds' })
  } satisfies SchemasOf<CatalogRow>,
  { title: 'StreamMetric' }
)

const catalog = Type.Object(
  {
    version: Type.String({ description: 'changes when any row does' }),
    count: Count('rows of all pages'),
    page: Count(),
    pages: Count(),
    metrics: Type.Array(row, { ...rowKey('id'), maxItems: ROWS_PER_PAGE })
  } satisfies SchemasOf<CatalogPage>,
  { title: 'StreamCatalog' }
)

const filters = {
  prefix: text({ description: 'how the id begins', example: 'exposure.summary' }),
  value_type: choice({
    description: `one of ${valueTypes.join(', ')}`,
    spelling: Object.fromEntries(valueTypes.map((type) => [type, type]))
  }),
  page: number({ description: 'a whole number from 1', default: 1, minimum: 1 })
}

const ticket = Type.Object(
  {
    ticket: Type.String({ description: 'for /ws?ticket=, once' }),
    expires_at: Timestamp('a minute from now')
  },
  { title: 'StreamTicket' }
)

/**
 * Describes in the OpenAPI document the two plain HTTP requests of the stream: for a ticket and for the catalog.
 * Neither counts against the quota.
 */
export const streamDocument: Readonly<Record<string, Piece>> = {
  '/v1/stream/catalog': {
    get: {
      operationId: 'getStreamCatalog',
      tags: ['reference'],
      summary: 'Every metric of the stream',
      description:
        'Lists what may be subscribed to, page by page, with value type, unit, selectors, parameters and cost. For pickers and for checking ids.',
      'x-plan': 'free',
      deprecated: false,
      parameters: openApiParameters(filters),
      responses: {
        200: { description: 'a page of it', headers: headersOf('ETag'), content: jsonOf(catalog) },
        ...notModified,
        ...errorResponses(['unauthorized', 'invalid_parameter', 'internal_error'])
      }
    }
  },
  '/v1/stream/ticket': {
    post: {
      operationId: 'createStreamTicket',
      tags: ['account'],
      summary: 'A ticket that opens one connection of the stream without a header, for browsers',
      description:
        'A browser cannot send a header with a WebSocket: ask for a ticket and open /ws?ticket= within a minute, once.',
      'x-plan': 'free',
      deprecated: false,
      parameters: [],
      responses: {
        200: {
          description: 'the ticket; the key must come in the header, or the session in its cookie',
          content: jsonOf(ticket)
        },
        ...errorResponses(['unauthorized', 'tier_restricted', 'connection_limit', 'internal_error'])
      }
    }
  }
}
