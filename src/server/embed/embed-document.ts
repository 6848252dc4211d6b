import Type from 'typebox'
import { Timestamp } from '../../api/quantity.ts'
import { errorResponses, headersOf, jsonOf, type Piece, rateLimitHeaders } from '../openapi/errors.ts'
import { keyInHeader, requestBodyOf } from '../openapi/openapi.ts'
import { embedTokenBody } from './embed-routes.ts'

const token = Type.Object(
  {
    token: Type.String({ description: 'for the header X-Embed-Token of the panel' }),
    expires_at: Timestamp('sooner where the key ends or the service is started again')
  },
  { title: 'EmbedToken' }
)

/** Describes the request for a token of an embedded panel in the OpenAPI document. */
export const embedDocument: Readonly<Record<string, Piece>> = {
  '/v1/embed/token': {
    post: {
      operationId: 'createEmbedToken',
      tags: ['account'],
      summary: 'A token that opens the answers of one panel about one symbol, counted against the key that asks',
      description:
        'For a page of your own that shows a panel to visitors without a key: your server asks for the token, the page passes it to the panel.',
      'x-plan': 'free',
      security: keyInHeader,
      deprecated: false,
      parameters: [],
      requestBody: requestBodyOf(embedTokenBody),
      responses: {
        200: { description: 'the token', headers: headersOf(...rateLimitHeaders), content: jsonOf(token) },
        ...errorResponses(['unauthorized', 'quota_exceeded', 'invalid_body', 'payload_too_large', 'internal_error'])
      }
    }
  }
}
