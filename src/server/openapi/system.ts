import Type from 'typebox'
import { Decimal, Words } from '../../api/quantity.ts'
import { errorResponses, jsonOf, notModified, type Piece } from './errors.ts'

const state = Words('Healthy', 'Degraded', 'Unhealthy')
const duration = Decimal(3, 'milliseconds', undefined, { minimum: 0 })

/** Schema of the response of /health. */
const health = Type.Object(
  {
    status: Words('Healthy', 'Degraded', 'Unhealthy'),
    duration,
    checks: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          status: state,
          duration,
          details: Type.Optional(
            Type.Record(Type.String(), Type.Unknown(), { description: 'further details for the operator' })
          )
        },
        { title: 'HealthCheck' }
      )
    )
  },
  { title: 'Health' }
)

const plainText = (description: string): Piece => ({
  description,
  content: { 'text/plain': { schema: { type: 'string' } } }
})

/** Describes a route of the service itself. Only the head of a request can make it fail. */
function operation(operationId: string, summary: string, description: string, responses: Piece): Piece {
  const open = { 'x-plan': 'public', security: [], deprecated: false, parameters: [] }
  const all = { ...responses, ...errorResponses([]) }
  return { get: { operationId, tags: ['system'], summary, description, ...open, responses: all } }
}

export const systemPaths: Readonly<Record<string, Piece>> = {
  '/health': operation(
    'getHealth',
    'State of every component, and the worst state overall',
    'For monitoring: each part with its state and details for the operator. 503 once one is unhealthy.',
    {
      200: { description: 'healthy or degraded', content: jsonOf(health) },
      503: { description: 'unhealthy; the same body', content: jsonOf(health) }
    }
  ),
  '/livez': operation(
    'getLivez',
    'Whether the process answers',
    'For supervisors that restart a process that hangs. Says nothing about data: see /readyz and /health.',
    { 200: plainText('it does') }
  ),
  '/readyz': operation(
    'getReadyz',
    'Whether the service can answer requests',
    'For load balancers: 200 once a chain is loaded, 503 before and while the service stops.',
    {
      200: plainText('ready'),
      503: plainText('not ready yet, or about to stop')
    }
  ),
  '/openapi.json': operation(
    'getOpenapi',
    'This document',
    'For generators of clients and for tools. Made from the declarations of the running version; it has an ETag.',
    {
      200: { description: 'OpenAPI 3.1', content: jsonOf({ type: 'object' }) },
      ...notModified
    }
  )
}
