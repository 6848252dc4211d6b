import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Drain, OpenConnections } from './open-connections.ts'

/**
 * Starts to listen and returns the URL that a client on this machine uses. When the host is closed later, it first
 * sends the responses to all requests in progress. `drain` ends connections in the time before that.
 */
export async function listen(app: FastifyInstance, host: string, port: number, drain?: Drain): Promise<string> {
  const connections = new OpenConnections(app.server)
  app.addHook('preClose', () => connections.finish())
  drain?.add(connections)
  await app.listen({ host, port })
  const { port: bound, address } = app.server.address() as AddressInfo
  // The URL does not say localhost: browsers send the cookies of a host name to every program under that name, whatever
  // its port.
  const anywhere = host === '0.0.0.0' || host === '::'
  const name = anywhere ? '127.0.0.1' : host === 'localhost' ? address : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${bound}`
}

/** An address to listen on. Port 0 stands for any free port. */
interface Place {
  readonly host: string
  readonly port: number
}

/**
 * Opens every port that the service will use and closes it again. A start with an occupied port therefore fails before
 * the market is loaded. Rejects with Node's error for the first port that cannot be opened.
 */
export async function checkPorts(places: readonly Place[]): Promise<void> {
  for (const { host, port } of places) {
    if (port === 0) continue
    const server = createServer().listen({ host, port })
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
  }
}
