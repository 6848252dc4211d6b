import { bulkForms } from '../../api/rows/forms.ts'
import { errorResponses, headersOf, jsonOf, type Piece, rateLimitHeaders } from '../openapi/errors.ts'
import { requestBodyOf } from '../openapi/openapi.ts'
import type { LiveOnly } from '../replay/live-only.ts'
import { refusals } from './bulk-refusals.ts'
import { bulkPlanShape, requestExample, requestShape } from './bulk-shapes.ts'
import { jobPaths, jobRoutes } from './jobs/job-document.ts'
import { bulkColumnsPath, bulkPath } from './mount-bulk.ts'

/** Routes that exist on the live host only. */
export const bulkRoutes: readonly LiveOnly[] = [
  ...[bulkPath, bulkColumnsPath].map((path) => ({ method: 'POST', path }) as const),
  ...jobRoutes
].map((route) => ({ ...route, instead: 'the live host answers past moments too, named in its body' }))

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
      summary: 'Answers, recorded figures or quotes of many symbols and moments as rows',
      description:
        'One table in one response: groups come in the order asked for and whole, every value equals the field of the plain answer. The sources series and quotes give recorded figures and quotes. A group costs one request; those without an answer are given back.',
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
  },
  ...jobPaths
}
