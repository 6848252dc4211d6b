import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createClient } from '../../src/client/client.ts'
import { ScriptedServer } from './scripted-server.ts'

// The client over real sockets: a server of its own, the ticket over HTTP, a line that is cut.

const server = new ScriptedServer()
const tickets = { given: 0, key: '' as string | undefined, refusal: 0 }
const used: (string | undefined)[] = []
const http = createServer((request, response) => {
  if (request.method !== 'POST' || request.url !== '/v1/stream/ticket') return void response.writeHead(404).end()
  tickets.key = request.headers['x-api-key'] as string | undefined
  const status = tickets.refusal || 200
  response.writeHead(status, { 'content-type': 'application/json' })
  const ticket = `ticket ${++tickets.given}`
  response.end(JSON.stringify(status === 200 ? { ticket, expires_at: new Date().toISOString() } : { error: 'x' }))
})
const sockets = new WebSocketServer({ noServer: true })
let url = ''

beforeAll(async () => {
  http.on('upgrade', (request, socket, head) => {
    used.push(new URL(request.url ?? '', 'http://x').searchParams.get('ticket') ?? undefined)
    sockets.handleUpgrade(request, socket, head, (line) => {
      const served = server.connect({
        send: (text) => line.send(text),
        end: (code) => (code === undefined ? line.terminate() : line.close(code))
      })
      line.on('message', (data) => served.receive(String(data)))
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
})
afterAll(() => {
  sockets.close()
  http.close().closeAllConnections()
})

const clientOf = () => createClient({ url, streamUrl: url, key: 'the key', WebSocket, random: () => 0 })
const gex = { symbol: 'SPY', metric: 'exposure.gex.net_gex' }

test('a stream takes a ticket, delivers, survives a cut line with a new ticket, and ends', async () => {
  const stream = clientOf().stream()
  const subscription = stream.subscribe(gex)
  await subscription.ready
  expect([tickets.key, used]).toEqual(['the key', ['ticket 1']])
  const seen: number[] = []
  server.last.update(1, 1)
  for await (const { seq } of subscription) {
    seen.push(seq)
    if (seq === 3) break
    if (seq === 1) {
      server.last.end()
      await expect.poll(() => server.connections[1]?.ids).toEqual(['s_1'])
    }
    server.last.update(seq + 1, seq + 1)
  }
  expect(seen).toEqual([1, 2, 3])
  stream.close()
  expect(await stream.ended).toBeUndefined()
  expect(used).toEqual(['ticket 1', 'ticket 2'])
})

test('a client without a right to stream is told why', async () => {
  tickets.refusal = 403
  const stream = clientOf().stream()
  const subscription = stream.subscribe(gex)
  await expect(subscription.ready).rejects.toMatchObject({ name: 'ApiError', status: 403 })
  tickets.refusal = 0
})
