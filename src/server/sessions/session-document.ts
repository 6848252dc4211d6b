import Type from 'typebox'
import { planIds } from '../../api/plan.ts'
import { Timestamp, Words } from '../../api/quantity.ts'
import { errorResponses, jsonOf, type Piece } from '../openapi/errors.ts'
import { requestBodyOf } from '../openapi/openapi.ts'
import { signInBody } from './session-routes.ts'

const session = Type.Object(
  {
    plan: Words(...planIds),
    expires_at: Timestamp('twelve hours from now; sooner where the key ends')
  },
  { title: 'Session' }
)

const open = { tags: ['account'], 'x-plan': 'public', security: [], deprecated: false, parameters: [] }

/** Describes signing in and out in the OpenAPI document. Neither counts against the quota. */
export const sessionDocument: Readonly<Record<string, Piece>> = {
  '/session': {
    post: {
      operationId: 'createSession',
      summary: 'Exchanges a key for a cookie that counts for pages of this service alone',
      description: 'How the dashboard signs in. Programs send their key with each request instead.',
      ...open,
      requestBody: requestBodyOf(signInBody),
      responses: {
        200: { description: 'the cookie is in Set-Cookie', content: jsonOf(session) },
        ...errorResponses([
          'unauthorized',
          'cross_site',
          'misdirected',
          'invalid_body',
          'payload_too_large',
          'too_many_requests',
          'storage_unavailable',
          'internal_error'
        ])
      }
    },
    delete: {
      operationId: 'endSession',
      summary: 'Signs the browser out',
      description:
        'Ends the cookie at once; the key behind it stays as it is. With everywhere=true all browsers of the user are signed out.',
      ...open,
      parameters: [
        {
          name: 'everywhere',
          in: 'query',
          required: false,
          schema: { type: 'boolean' },
          description: 'whether to sign out all browsers of the user'
        }
      ],
      responses: {
        204: { description: 'the session has ended, or there was none' },
        ...errorResponses(['cross_site', 'misdirected', 'storage_unavailable', 'internal_error'])
      }
    }
  }
}
