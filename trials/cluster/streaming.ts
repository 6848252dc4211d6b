import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { PostgresServer } from '../../test/support/postgres-server.ts'
import type { Found } from './bars.ts'
import { faultsOfBrowser } from './browsing.ts'
import { askSteadily, LARGE, moving, onStores, type Service } from './sharing.ts'

const CONNECTIONS = 5
const METRIC = 'exposure.gex.net_gex'

interface Frame {
  readonly type: string
  readonly action?: string
  readonly resume_token?: string
  readonly code?: string
  readonly subscriptions?: readonly { readonly sub_id: string }[]
}

interface Client {
  /** Sends a command and waits for its reply. */
  ask(command: object): Promise<Frame>
  readonly closed: Promise<number>
  close(): void
}

/** Opens a connection; resolves to the status with which it was refused instead. */
function connect({ base }: Service, key: string): Promise<Client | number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${base.replace(/^http/, 'ws')}/ws`, { headers: { 'x-api-key': key } })
    const closed = new Promise<number>((end) => socket.on('close', end))
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode!)
      socket.terminate()
    })
    socket.on('error', (error) => reject(error))
    socket.on('open', () => {
      socket.removeAllListeners('error').on('error', () => {})
      const ask = (command: object) =>
        new Promise<Frame>((answer, fail) => {
          const onMessage = (data: Buffer) => {
            const frame = JSON.parse(String(data)) as Frame & { readonly req_id?: number }
            if (frame.req_id !== 1) return
            socket.off('message', onMessage)
            answer(frame)
          }
          socket.on('message', onMessage)
          void closed.then(() => fail(new Error('the connection was closed')))
          socket.send(JSON.stringify({ ...command, req_id: 1 }))
        })
      resolve({ ask, closed, close: () => socket.close(1000) })
    })
  })
}

const isClient = (found: Client | number): found is Client => typeof found !== 'number'

/**
 * A browser between two members, then handshakes at once on both for one bundle, then a member killed: exactly five
 * connections are open, clients resume on the other one, and the connections of the dead make room.
 */
export function streams(server: PostgresServer, handshakes: number, symbol = LARGE): Promise<Found> {
  return onStores(server, async ({ key, streamKeys, start }) => {
    const [, a, b] = await Promise.all([
      start('collector', 'collect', moving(symbol)),
      start('a', 'serve', moving(symbol)),
      start('b', 'serve', moving(symbol))
    ])
    await askSteadily([a, b], symbol, key, 1)
    const faults = [...(await faultsOfBrowser([a, b], symbol, key, streamKeys[0]!))]
    const all = await Promise.all(
      Array.from({ length: handshakes }, (_, k) => connect(k % 2 === 0 ? a : b, streamKeys[k % streamKeys.length]!))
    )
    const open = all.filter(isClient)
    const refused = all.filter((found) => found === 429).length
    if (open.length !== CONNECTIONS) faults.push(`${open.length} of ${handshakes} handshakes were admitted`)
    if (refused !== handshakes - open.length) faults.push(`${handshakes - open.length - refused} ended otherwise`)
    for (const client of open) client.close()
    await Promise.all(open.map(({ closed }) => closed))

    // Each key may be shown again after ten seconds.
    await pause(10_000)
    const [first, second] = [await connect(a, streamKeys[0]!), await connect(a, streamKeys[1]!)]
    const fill = await Promise.all([2, 3, 4].map((k) => connect(b, streamKeys[k]!)))
    const again = [first, second, ...fill]
    if (!again.every(isClient)) {
      const statuses = again.filter((found) => !isClient(found)).join(', ')
      return { faults: [...faults, `places were not free again: ${statuses}`], figures: { open: open.length } }
    }
    const { resume_token: token } = await (first as Client).ask({ action: 'subscribe', symbol, metric: METRIC })
    await pause(2000)
    await a.stop('SIGKILL')
    const killedAt = Date.now()
    let back: Client | undefined
    while (back === undefined && Date.now() < killedAt + 30_000) {
      await pause(1100)
      const found = await connect(b, streamKeys[5]!)
      if (isClient(found)) back = found
    }
    const freeAfter = Date.now() - killedAt
    const resumed = await back?.ask({ action: 'resume', token })
    if (resumed?.subscriptions?.length !== 1) faults.push(`resumed elsewhere: ${JSON.stringify(resumed)}`)
    return { faults, figures: { handshakes, open: open.length, freeAfter } }
  })
}
