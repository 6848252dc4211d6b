import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { WebSocket } from 'ws'
import { Accounts } from '../../src/accounts/accounts.ts'
import { EndedSessions } from '../../src/accounts/ended-sessions.ts'
import { StoredQuota } from '../../src/accounts/quota.ts'
import { openDatabase } from '../../src/accounts/sqlite.ts'
import { defaultPlans } from '../../src/api/plan.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { LiveMarket } from '../../src/live/live-market.ts'
import { MarketEventBus } from '../../src/live/market-events.ts'
import { Answers } from '../../src/server/answers/answers.ts'
import { createAccess } from '../../src/server/http/access.ts'
import { AddressLimit, KeyRefusals } from '../../src/server/http/address-limit.ts'
import { capabilitiesOf } from '../../src/server/http/capabilities.ts'
import type { RequestRecord } from '../../src/server/http/exchange.ts'
import { liveHost } from '../../src/server/http/host.ts'
import { createHttp, type HttpOptions } from '../../src/server/http/http-server.ts'
import { listen } from '../../src/server/http/listen.ts'
import { ownHosts } from '../../src/server/sessions/own-host.ts'
import { Sessions } from '../../src/server/sessions/sessions.ts'
import { createStream } from '../../src/server/stream/stream-host.ts'
import { Tickets } from '../../src/server/stream/tickets.ts'
import { inlineEngine } from '../../src/workers/inline.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { madeUpSecrets } from '../support/made-up-secrets.ts'
import { scriptedSource, wednesday } from '../support/scripted-source.ts'
import { usualDeadline } from '../support/usual-deadline.ts'
import { checkFrame, type Frame } from './frames.ts'

/**
 * The service with its real sockets and clocks over a scripted market that opens a new chain every 100 ms: REST with the
 * stream on one port, the stream on another too or not.
 */
export async function running({ sharedPort = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-test-'))
  const startedAt = Date.now()
  let stands: number | undefined
  const marketNow = () => stands ?? wednesday + Date.now() - startedAt
  /** Stops the market's clock, or lets it run on. */
  const stand = (whether: boolean) => {
    stands = whether ? marketNow() : undefined
  }
  const source = scriptedSource()
  source.pace = 100
  const database = openDatabase(folder)
  const accounts = new Accounts(database, defaultPlans)
  const quota = new StoredQuota(database, { now: Date.now, onError: () => {} })
  const listed = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  const engine = inlineEngine({ connector: source, assumptions: madeUpAssumptions, endpoints: listed })
  const events = new MarketEventBus()
  const live = new LiveMarket({ engine, source, universe: [], marketNow, wallNow: Date.now, events })
  live.start()
  const answers = new Answers({ engine, cacheBytes: 1e7 })
  const ofBrowser = { accounts, secrets: madeUpSecrets(), now: Date.now }
  const ended = new EndedSessions(database, Date.now)
  const sessions = new Sessions({ ...ofBrowser, ended, isOwnHost: ownHosts([]) })
  const tickets = new Tickets({ ...ofBrowser, sessions })
  const access = createAccess(accounts, defaultPlans, { sessions })
  const unlimited = new AddressLimit({ burst: 1e9, perMinute: 1e9, now: Date.now })
  const keyRefusals = new KeyRefusals(unlimited, false)
  const capable = {
    plans: defaultPlans,
    bundles: accounts.bundles,
    usedOf: (bundleId: string) => stream.usedOf(bundleId),
    hasHistory: false,
    admins: 'enterprise'
  } as const
  const http: Omit<HttpOptions, 'endpoints' | 'host'> = {
    engine,
    answers,
    access,
    keyless: unlimited,
    keyRefusals,
    quota,
    plans: defaultPlans,
    capabilitiesOf: (account) => capabilitiesOf(account, capable),
    dataSource: () => source.name,
    ...usualDeadline,
    wallNow: Date.now,
    trustProxy: false,
    corsOrigin: '*',
    onRequest: () => {}
  }
  const host = liveHost(live, access)
  const app = createHttp({ ...http, endpoints, host })
  const registry = new Registry()
  const errors: unknown[] = []
  const handshakes: RequestRecord[] = []
  const ready = { is: true }
  const stream = createStream({
    endpoints,
    answers: answers,
    source: live,
    access,
    bundles: accounts.bundles,
    tickets,
    isReady: () => ready.is,
    ...usualDeadline,
    keyRefusals,
    registry,
    onRequest: (record) => handshakes.push(record),
    onError: (error) => errors.push(error)
  })
  events.on('chainSwapped', ({ symbol }) => stream.changed(symbol))
  stream.mount(app)
  const streamApp = sharedPort
    ? app
    : createHttp({ ...http, endpoints: [], host: { ...host, defaultMarket: undefined } })
  stream.attach(app, { alone: false })
  if (!sharedPort) stream.attach(streamApp, { alone: true })
  const rest = await listen(app, '127.0.0.1', 0)
  const streamAddress = sharedPort ? rest : await listen(streamApp, '127.0.0.1', 0)

  let users = 0
  /** A key with a streaming bundle; with 0 blocks without one. */
  const newKey = async ({ blocks = 1, plan = 'free' } = {}) => {
    const email = `user-${++users}@example.com`
    const user = await accounts.users.create({ email, plan, subscribedOn: '2026-04-01' }, 'test')
    if (blocks > 0) await accounts.bundles.grant(user, { blocks }, 'test')
    const { key, id } = await accounts.keys.create(user, 'test', 'test')
    const isSeen = () => blocks === 0 || accounts.bundles.of({ userId: user.id }) !== undefined
    while (!isSeen()) await pause(25) // changes are looked for twice a second
    return { key, keyId: id, user, email }
  }
  const clients: SocketClient[] = []
  const connect = async (key: string, options: ConnectOptions = {}) => {
    const client = await connectTo(streamAddress, { 'x-api-key': key }, options)
    clients.push(client)
    return client
  }
  const close = async () => {
    const stopped = stream.stop()
    for (const { socket } of clients) socket.terminate()
    await stopped
    live.stop()
    await app.close()
    if (!sharedPort) await streamApp.close()
    await quota.close()
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    rest,
    streamAddress,
    source,
    stand,
    live,
    engine,
    accounts,
    sessions,
    stream,
    registry,
    errors,
    handshakes,
    ready,
    newKey,
    connect,
    close
  }
}

export type Running = Awaited<ReturnType<typeof running>>

export interface ConnectOptions {
  readonly path?: string
  readonly deflate?: boolean
  readonly protocols?: readonly string[]
}

export interface SocketClient {
  readonly socket: WebSocket
  readonly headers: IncomingMessage['headers']
  /** Every frame that arrived, each checked against the schema. */
  readonly frames: (Frame & { readonly arrived: number })[]
  readonly closed: Promise<number>
  send(frame: Frame, options?: { readonly valid?: boolean }): void
  /** The first frame from now on, or from `since` on, that fits. */
  next(fits: (frame: Frame) => boolean, since?: number): Promise<Frame>
  /** Sends a command and waits for its reply. */
  ask(frame: Frame, options?: { readonly valid?: boolean }): Promise<Frame>
}

/** A client of the stream that checks every frame of either side. */
export function connectTo(
  address: string,
  headers: Readonly<Record<string, string>>,
  { path = '/ws', deflate = false, protocols = [] }: ConnectOptions = {}
): Promise<SocketClient> {
  const url = address.replace(/^http/, 'ws') + path
  const socket = new WebSocket(url, [...protocols], { headers, perMessageDeflate: deflate })
  const frames: SocketClient['frames'] = []
  let onFrame = () => {}
  let received: IncomingMessage['headers'] = {}
  let failure: unknown
  let requests = 0
  socket.on('upgrade', ({ headers: sent }) => (received = sent))
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  socket.on('message', (data) => {
    try {
      const frame = JSON.parse(String(data)) as Frame
      checkFrame('server_frame', frame)
      frames.push({ ...frame, arrived: Date.now() })
    } catch (error) {
      failure = error
    }
    onFrame()
  })
  const next: SocketClient['next'] = (fits, since = frames.length) =>
    new Promise((resolve, reject) => {
      let seen = since
      const timer = setTimeout(() => reject(new Error('no such frame arrived within 60 s')), 60_000)
      const before = onFrame
      const check = () => {
        before()
        if (failure !== undefined) reject(failure)
        for (; seen < frames.length; seen++) {
          if (!fits(frames[seen])) continue
          clearTimeout(timer)
          resolve(frames[seen])
          onFrame = before
          return
        }
      }
      onFrame = check
      check()
    })
  const send: SocketClient['send'] = (frame, { valid = true } = {}) => {
    if (valid) checkFrame('client_frame', frame)
    socket.send(JSON.stringify(frame))
  }
  const ask: SocketClient['ask'] = (frame, options) => {
    const req_id = `auto-${++requests}`
    const reply = next((one) => one['req_id'] === req_id)
    send({ ...frame, req_id }, options)
    return reply
  }
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('open', () => {
      socket.on('error', () => {})
      resolve({ socket, headers: received, frames, closed, send, next, ask })
    })
  })
}

/** Status, headers and body with which a handshake is refused. */
export function refusalOf(
  address: string,
  headers: Readonly<Record<string, string>> = {},
  path = '/ws'
): Promise<{ status: number; headers: IncomingMessage['headers']; body: Record<string, unknown> }> {
  const handshake = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ=='
  }
  return new Promise((resolve, reject) => {
    const request = httpRequest(address + path, { headers: { ...handshake, ...headers } })
    request.on('response', async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}')
      resolve({ status: response.statusCode!, headers: response.headers, body })
    })
    request.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve({ status: response.statusCode!, headers: response.headers, body: {} })
    })
    request.on('error', reject)
    request.end()
  })
}
