import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long a stop waits for requests in flight, milliseconds. Container platforms lose patience after 10 s. */
const GRACE = 8000

/** Starts to listen and returns the address as a client on this machine writes it. */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  finishOnClose(app)
  await app.listen({ host, port })
  const { port: bound } = app.server.address() as AddressInfo
  const anywhere = host === '0.0.0.0' || host === '::'
  return `http://${anywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${bound}`
}

/**
 * Lets a close wait until every request in flight is answered to its last byte, and then end every connection. By
 * itself Node cuts answers that are still being sent, and waits without end for a client that keeps its connection open
 * or sends half a request.
 */
function finishOnClose(app: FastifyInstance): void {
  const answering = new Set<ServerResponse>()
  let onIdle = () => {}
  function done(this: ServerResponse) {
    answering.delete(this)
    if (answering.size === 0) onIdle()
  }
  // Heard after the one that answers, so an answer that was written whole need not be followed.
  app.server.on('request', (_request, response) => {
    if (response.writableEnded && response.writableLength === 0) return
    answering.add(response)
    response.once('close', done)
  })
  app.addHook('preClose', async () => {
    for (const response of answering) response.shouldKeepAlive = false // its client is told not to ask here again
    if (answering.size > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, GRACE)
        onIdle = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    app.server.closeAllConnections()
  })
}
