import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import type { AuthorizeOptions } from '../http/authorize.ts'
import { checkCaller } from '../http/authorize.ts'
import { moved } from './live-only.ts'

/** Every key may learn where a path has gone. */
const terms: Pick<Endpoint, 'plan' | 'keys'> = { plan: 'free', keys: 'counted' }

/** On the live host: paths by which older clients asked it about the past, with the path of the replay host that answers. */
export function mountMoved(app: FastifyInstance, options: AuthorizeOptions): void {
  for (const { path, to } of moved) {
    app.get(path.replace(/\{(\w+)\}/g, ':$1'), (request) => {
      checkCaller(terms, request, options)
      const message = `${path} has moved: ask the replay host for ${to}?at=yyyy-MM-ddTHH:mm:ss`
      throw apiError('moved_to_replay_host', message)
    })
  }
}
