import { createServer, connect as open, type Socket } from 'node:net'

/** How a link treats what it carries: `freeze` keeps its connections and moves nothing, `cut` ends and refuses them. */
export type LinkState = 'pass' | 'freeze' | 'cut'

export interface Link {
  readonly port: number
  set(state: LinkState): void
  close(): Promise<void>
}

/** A TCP link on this machine to another port, which a test can freeze or cut. */
export async function linkTo(port: number): Promise<Link> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let state: LinkState = 'pass'
  const treat = ([near, far]: readonly [Socket, Socket]) => {
    for (const socket of [near, far]) {
      if (state === 'cut') socket.resetAndDestroy()
      else if (state === 'freeze') socket.pause()
      else socket.resume()
    }
  }
  const server = createServer((near) => {
    if (state === 'cut') return void near.resetAndDestroy()
    const far = open(port, '127.0.0.1')
    const pair = [near, far] as const
    pairs.add(pair)
    near.on('data', (bytes) => far.write(bytes))
    far.on('data', (bytes) => near.write(bytes))
    for (const socket of pair) {
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        pairs.delete(pair)
        for (const each of pair) each.destroy()
      })
    }
    treat(pair)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    set(next) {
      state = next
      for (const pair of [...pairs]) treat(pair)
    },
    async close() {
      for (const pair of [...pairs]) for (const socket of pair) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
