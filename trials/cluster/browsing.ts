import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { type Answer, ask } from '../../test/support/started-service.ts'
import { levelsOf, type Service } from './sharing.ts'

/** How long a sign-out may take to reach the other service, milliseconds. */
const SIGNED_OUT_WITHIN = 1000

/**
 * A browser whose requests reach two services in turn: what one gave it, the other takes, until it signs out. Returns what
 * was not so.
 */
export async function faultsOfBrowser(
  [a, b]: readonly [Service, Service],
  symbol: string,
  key: string,
  streamKey: string
): Promise<readonly string[]> {
  const faults: string[] = []
  const found = (what: string, { status, text }: Pick<Answer, 'status' | 'text'>, wanted: number) => {
    if (status !== wanted) faults.push(`${what}: ${status} instead of ${wanted}, ${text.slice(0, 100)}`)
  }
  const path = levelsOf(symbol)
  const body = JSON.stringify({ key })
  const signedIn = await ask(`${a.base}/session`, undefined, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' }
  })
  found('sign-in', signedIn, 200)
  const headers = { cookie: String(signedIn.headers.get('set-cookie')).split(';')[0]! }
  for (const each of [b, a]) found(`session at ${each.name}`, await ask(each.base + path, undefined, { headers }), 200)

  const panel = { panel: 'levels', symbol }
  const init = { method: 'POST', body: JSON.stringify(panel), headers: { 'content-type': 'application/json' } }
  const token = String((await ask(`${a.base}/v1/embed/token`, key, init)).json?.['token'])
  const ofPanel = { headers: { 'x-embed-token': token } }
  found('panel at the other service', await ask(b.base + path, undefined, ofPanel), 200)

  const asked = await ask(`${a.base}/v1/stream/ticket`, streamKey, { method: 'POST' })
  const ticket = String(asked.json?.['ticket'])
  for (const [what, service, wanted] of [
    ['ticket at the other service', b, 101],
    ['ticket once more, where it was issued', a, 401]
  ] as const) {
    found(what, { status: await upgraded(service, ticket), text: '' }, wanted)
  }

  found('sign-out', await ask(`${b.base}/session`, undefined, { method: 'DELETE', headers }), 204)
  await pause(SIGNED_OUT_WITHIN)
  for (const each of [b, a]) found(`ended at ${each.name}`, await ask(each.base + path, undefined, { headers }), 401)
  return faults
}

/** Opens a WebSocket with a ticket and closes it: status of the answer. */
function upgraded({ base }: Service, ticket: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${base.replace(/^http/, 'ws')}/ws?ticket=${ticket}`)
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode!)
      socket.terminate()
    })
    socket.on('open', () => socket.close(1000))
    socket.on('close', () => resolve(101))
    socket.on('error', reject)
  })
}
