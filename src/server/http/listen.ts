import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Drain } from './drain.ts'
import { OpenConnections } from './open-connections.ts'

/**
 * Starts to listen and returns the address as a client on this machine writes it. A close of the host then waits until
 * every request in flight is answered; `drain` is what comes before that.
 */
export async function listen(app: FastifyInstance, host: string, port: number, drain?: Drain): Promise<string> {
  const connections = new OpenConnections(app.server)
  app.addHook('preClose', () => connections.finish())
  drain?.add(connections)
  await app.listen({ host, port })
  const { port: bound } = app.server.address() as AddressInfo
  const anywhere = host === '0.0.0.0' || host === '::'
  return `http://${anywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${bound}`
}
