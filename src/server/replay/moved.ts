import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import type { AuthorizeOptions } from '../http/authorize.ts'
import { checkCaller } from '../http/authorize.ts'
import { moved } from './live-only.ts'

const terms: Pick<Endpoint, 'plan' | 'keys'> = { plan: 'free', keys: 'counted' }

/**
 * Adds to the live host the paths under which older clients requested past data. A request gets an error that names the
 * new path.
 */
export function mountMoved(app: FastifyInstance, options: AuthorizeOptions): void {
  for (const { path, to } of moved) {
    app.get(path.replace(/\{(\w+)\}/g, ':$1'), async (request) => {
      await checkCaller(terms, request, options)
      const message = `${path} has moved: ask the replay host for ${to}?at=yyyy-MM-ddTHH:mm:ss`
      throw apiError('moved_to_replay_host', message)
    })
  }
}
