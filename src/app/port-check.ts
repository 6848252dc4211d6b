import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../config/config.ts'

type Ports = Pick<Config, 'host' | 'port' | 'replayPort' | 'streamPort' | 'adminHost' | 'adminPort'>

/**
 * Opens every port that is to be listened on, and closes it again: a start that one is taken for ends before it has loaded
 * anything. Rejects with Node's error for the first that cannot be opened.
 */
export async function checkPorts({ host, port, replayPort, streamPort, adminHost, adminPort }: Ports): Promise<void> {
  for (const asked of [port, replayPort, streamPort]) await checkPort(host, asked)
  await checkPort(adminHost, adminPort)
}

async function checkPort(host: string, port: number): Promise<void> {
  if (port === 0) return // the system gives one that is free
  const server = createServer().listen({ host, port })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
