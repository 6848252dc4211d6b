import Type from 'typebox'
import { Decimal, Words } from '../../api/quantity.ts'
import { jsonOf, type Piece } from './errors.ts'

const state = Words('Healthy', 'Degraded', 'Unhealthy')
const duration = Decimal(3, 'milliseconds', undefined, { minimum: 0 })

/** Schema of the response of /health. */
const health = Type.Object({
  status: Words('Healthy', 'Degraded', 'Unhealthy'),
  duration,
  checks: Type.Array(
    Type.Object({
      name: Type.String(),
      status: state,
      duration,
      details: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: 'further details for the operator' })
      )
    })
  )
})

const plainText = (description: string): Piece => ({
  description,
  content: { 'text/plain': { schema: { type: 'string' } } }
})

function operation(operationId: string, summary: string, responses: Piece): Piece {
  const open = { 'x-plan': 'public', security: [], deprecated: false, parameters: [] }
  return { get: { operationId, tags: ['system'], summary, ...open, responses } }
}

export const systemPaths: Readonly<Record<string, Piece>> = {
  '/health': operation('getHealth', 'State of every component, and the worst state overall', {
    200: { description: 'healthy or degraded', content: jsonOf(health) },
    503: { description: 'unhealthy; the same body', content: jsonOf(health) }
  }),
  '/livez': operation('getLivez', 'Whether the process answers', { 200: plainText('it does') }),
  '/readyz': operation('getReadyz', 'Whether the service can answer requests', {
    200: plainText('ready'),
    503: plainText('not ready yet, or about to stop')
  }),
  '/openapi.json': operation('getOpenapi', 'This document', {
    200: { description: 'OpenAPI 3.1', content: jsonOf({ type: 'object' }) }
  })
}
