import type { IncomingMessage, Server } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Account } from '../../accounts/accounts.ts'
import { type ApiError, apiError } from '../../api/error.ts'
import type { Wire } from '../../stream/delivery/websocket-frames.ts'
import { CLOSING_FRAME_BYTES } from '../../stream/protocol/limits.ts'
import type { StreamClient } from '../../stream/session/stream-server.ts'
import type { KeyRefusals } from '../http/address-limit.ts'
import type { RequestRecord } from '../http/exchange.ts'
import { refusalBody } from '../http/refusal.ts'
import { answerWithoutUpgrade } from '../http/upgrade.ts'
import type { Handshakes, Refused } from './handshakes.ts'

export interface SocketOptions {
  readonly handshakes: Handshakes
  readonly keyRefusals: Pick<KeyRefusals, 'limited'>
  readonly onRequest: (record: RequestRecord) => void
}

const path = '/ws'
const subprotocol = 'exposure-stream.v1'
/** Frames of more bytes than this are compressed, if the client supports it. */
const COMPRESS_FROM = 1024
/** How long a client may take to answer a close frame, milliseconds. */
const CLOSE_TIMEOUT = 3000

/**
 * Handles requests to open a WebSocket at /ws. Allowed ones become a stream connection; refused ones get a plain HTTP
 * error.
 */
export function attachStream(server: Server, { handshakes, keyRefusals, onRequest }: SocketOptions): void {
  /** Requests that are allowed, but that the library `ws` has not yet turned into connections. */
  const underWay = new WeakMap<IncomingMessage, { readonly id: string; readonly record: (status: number) => void }>()
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: CLOSING_FRAME_BYTES,
    handleProtocols: (offered) => (offered.has(subprotocol) ? subprotocol : false),
    perMessageDeflate: {
      serverNoContextTakeover: true,
      clientNoContextTakeover: true,
      threshold: 0,
      // Takes 32 KB for each connection that compresses; the default settings would take 256 KB.
      serverMaxWindowBits: 12,
      zlibDeflateOptions: { level: 3, memLevel: 5 }
    },
    ...{ closeTimeout: CLOSE_TIMEOUT }
  })
  sockets.on('headers', (headers, request) => headers.push(`X-Connection-Id: ${underWay.get(request)!.id}`))
  sockets.on('wsClientError', ({ message }, socket, request) => {
    underWay.get(request)!.record(400)
    refuse(socket, request, { refusal: apiError('bad_address', message) }, ['sec-websocket-version: 13, 8'])
  })
  server.off('upgrade', answerWithoutUpgrade) // it would answer WebSocket requests too
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isForStream(request)) {
      answerWithoutUpgrade.call(server, request, socket, head)
      return
    }
    const startedAt = performance.now()
    const record = (id: string, status: number, account?: Account) =>
      onRequest(recordOf(request, id, status, account, (performance.now() - startedAt) / 1000))
    socket.on('error', ignore)
    const authorized = authorize(handshakes, request)
    if ('refusal' in authorized) {
      const refusal = keyRefusals.limited(authorized.refusal, request)
      record('-', refusal.status)
      refuse(socket, request, { refusal, retryAfter: refusal.retryAfter ?? authorized.retryAfter })
      return
    }
    const id = handshakes.server.nextId()
    const recordHandshake = (status: number) => record(id, status, authorized.account)
    const upgrade = () => {
      let isOpen = false
      underWay.set(request, { id, record: recordHandshake })
      sockets.handleUpgrade(request, socket, head, (websocket) => {
        isOpen = true
        recordHandshake(101)
        openSession(id, handshakes.server, authorized.client, { websocket, socket: socket as Socket })
      })
      return isOpen
    }
    const admission = handshakes.admission(authorized)
    if (admission === undefined) upgrade()
    else {
      void admission.then((refused) => {
        if (refused !== undefined) {
          recordHandshake(refused.refusal.status)
          refuse(socket, request, refused)
        } else if (!upgrade()) handshakes.server.giveUp(authorized.client.bundle)
      })
    }
  })
}

function ignore(): void {}

/**
 * A separate function, so that its listeners do not keep the whole request in memory. They live as long as the
 * connection.
 */
function openSession(
  id: string,
  server: Handshakes['server'],
  client: StreamClient,
  { websocket, socket }: { readonly websocket: WebSocket; readonly socket: Socket }
): void {
  const wire = new SocketWire(websocket, socket)
  const session = server.open(id, wire, client)
  const noteAlive = () => session.noteAlive()
  wire.onDrain = () => session.connection.drained()
  socket.on('drain', wire.onDrain)
  websocket.on('message', (data: Buffer, isBinary) =>
    session.receive(isBinary ? undefined : data.toString('utf8'), data.length)
  )
  websocket.on('ping', noteAlive)
  websocket.on('pong', noteAlive)
  websocket.on('error', ignore)
  websocket.on('close', (code) => server.closed(session, code))
}

/** Whether a request wants a WebSocket, or has the path of the stream. */
function isForStream({ headers: { upgrade }, url = '' }: IncomingMessage): boolean {
  return upgrade?.toLowerCase() === 'websocket' || url.split('?')[0] === path
}

function authorize(handshakes: Handshakes, request: IncomingMessage) {
  const address = URL.canParse(request.url ?? '', 'http://x') ? new URL(request.url!, 'http://x') : undefined
  if (address?.pathname !== path) return { refusal: apiError('not_found') }
  if (request.headers.upgrade?.toLowerCase() !== 'websocket') return { refusal: upgradeRequired() }
  return handshakes.authorize(request.headers, address.searchParams)
}

export function upgradeRequired(): ApiError {
  return apiError('upgrade_required', 'connect to this address with a WebSocket handshake')
}

function refuse(
  socket: Duplex,
  { method }: IncomingMessage,
  { refusal, retryAfter }: Refused,
  more: readonly string[] = []
): void {
  const body = JSON.stringify(refusalBody(refusal, '-'))
  const headers = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'connection: close',
    ...(refusal.status === 426 ? ['upgrade: websocket'] : []),
    ...(retryAfter === undefined ? [] : [`retry-after: ${retryAfter}`]),
    ...more
  ]
  socket.once('finish', () => socket.destroy())
  socket.end(`${headers.join('\r\n')}\r\n\r\n${method === 'HEAD' ? '' : body}`)
}

function recordOf(
  { method = 'GET', url = '' }: IncomingMessage,
  id: string,
  status: number,
  account: Account | undefined,
  seconds: number
): RequestRecord {
  const route = url.split('?')[0] === path ? path : 'none'
  const who = { plan: account?.plan.id, userId: account?.userId }
  return { id, method, route, path: route, status, ...who, seconds, bytes: 0, error: undefined }
}

/**
 * Sends many frames at once as one block of bytes. This bypasses the library `ws`, which sends compressed frames only.
 */
class SocketWire implements Wire {
  readonly compressFrom: number | undefined
  readonly #websocket: WebSocket
  readonly #socket: Socket
  #compressing = false
  onDrain = () => {}

  constructor(websocket: WebSocket, socket: Socket) {
    this.#websocket = websocket
    this.#socket = socket
    this.compressFrom = websocket.extensions.includes('permessage-deflate') ? COMPRESS_FROM : undefined
  }

  get unsent(): number {
    return this.#compressing || !this.#isOpen ? Number.POSITIVE_INFINITY : this.#socket.writableLength
  }

  write(frames: string): void {
    if (this.#isOpen) this.#socket.write(frames, 'latin1')
  }

  writeCompressed(payload: string): void {
    if (!this.#isOpen) return
    this.#compressing = true
    this.#websocket.send(Buffer.from(payload, 'latin1'), { binary: false, compress: true }, () => {
      this.#compressing = false
      this.onDrain()
    })
  }

  ping(): void {
    if (this.#isOpen) this.#websocket.ping()
  }

  close(code: number, reason: string): void {
    this.#websocket.close(code, reason)
  }

  get #isOpen(): boolean {
    return this.#websocket.readyState === this.#websocket.OPEN
  }
}
