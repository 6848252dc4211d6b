import type { Server } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'

/**
 * Ends a server and its connections. Resolves when the clients of this process have read that too: test files share a process
 * and its connections, and the next server may get the same port.
 */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
  await turn()
}
