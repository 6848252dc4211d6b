import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Starts to listen and returns the address as a client on this machine writes it. */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  await app.listen({ host, port })
  const { port: bound } = app.server.address() as AddressInfo
  const anywhere = host === '0.0.0.0' || host === '::'
  return `http://${anywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${bound}`
}
