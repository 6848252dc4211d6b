import { once } from 'node:events'
import { createServer } from 'node:net'

/** Where somebody wants to listen. Port 0: on any that is free. */
interface Place {
  readonly host: string
  readonly port: number
}

/**
 * Opens every port that is to be listened on, and closes it again: a start that one is taken for ends before it has loaded
 * its market. Rejects with Node's error for the first that cannot be opened.
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
