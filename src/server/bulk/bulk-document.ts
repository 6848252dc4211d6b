import type { ErrorCode } from '../../api/error.ts'
import { bulkForms } from '../../api/rows/forms.ts'
import { errorResponses, headersOf, jsonOf, type Piece, rateLimitHeaders } from '../openapi/errors.ts'
import { requestBodyOf } from '../openapi/openapi.ts'
import type { LiveOnly } from '../replay/live-only.ts'
import { bulkPlanShape, requestExample, requestShape } from './bulk-shapes.ts'
import { bulkColumnsPath, bulkPath } from './mount-bulk.ts'

/** Routes that exist on the live host only. */
export const bulkRoutes: readonly LiveOnly[] = [bulkPath, bulkColumnsPath].map((path) => ({
  method: 'POST',
  path,
  instead: 'the live host answers past moments too, named in its body'
}))

const refusals: readonly ErrorCode[] = [
  'unauthorized',
  'tier_restricted',
  'quota_exceeded',
  'invalid_body',
  'invalid_source',
  'invalid_operation',
  'not_replayed',
  'invalid_symbols',
  'invalid_moments',
  'invalid_params',
  'invalid_rows',
  'invalid_fields',
  'invalid_format',
  'invalid_resume_from',
  'too_many_groups',
  'history_off',
  'payload_too_large',
  'internal_error'
]

const common = {
  tags: ['bulk'],
  'x-plan': 'growth',
  deprecated: false,
  parameters: [],
  requestBody: requestBodyOf({ schema: requestShape, example: requestExample })
}

/** OpenAPI descriptions of the operations. */
export const bulkPaths: Readonly<Record<string, Piece>> = {
  [bulkPath]: {
    post: {
      operationId: 'postBulk',
      summary: 'Answers of many symbols and moments as rows',
      description:
        'One table in one response: groups come in the order asked for and whole, every value equals the field of the plain answer. A group costs one request; those without an answer are given back.',
      ...common,
      responses: {
        200: {
          description: 'rows; a response that breaks off is not ended as HTTP wants it',
          headers: headersOf(...rateLimitHeaders),
          content: Object.fromEntries(
            bulkForms.map(({ type }) => [
              type,
              { schema: { type: 'string', ...(type.endsWith('.stream') && { format: 'binary' }) } }
            ])
          )
        },
        ...errorResponses([...refusals, 'no_data', 'bulk_busy'])
      }
    }
  },
  [bulkColumnsPath]: {
    post: {
      operationId: 'postBulkColumns',
      summary: 'The columns, groups and cost of a bulk request, without doing it',
      description: 'What rows may be for an operation, and the columns of each of its tables.',
      ...common,
      responses: {
        200: { description: 'the plan', headers: headersOf(...rateLimitHeaders), content: jsonOf(bulkPlanShape) },
        ...errorResponses(refusals)
      }
    }
  }
}
