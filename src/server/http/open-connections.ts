import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * When the service stops, it waits this many milliseconds for requests in progress. Container platforms kill a process
 * after 10 s.
 */
const GRACE = 8000
/** After the listener has closed, requests that clients have already sent may arrive for this many milliseconds. */
const LAST_REQUEST = 100
/**
 * Before the listener closes, connections that wait to be accepted are accepted for at most this many turns of the
 * event loop. `QUIET_TURNS` turns without a new connection are enough.
 */
const MAX_TURNS = 1000
const QUIET_TURNS = 3
/** A client may take this many milliseconds to end its side of a connection that we closed. */
const LAST_END = 500

/**
 * The open connections of a server, and the responses that are being sent on them. They let a stop end every connection
 * without losing a response. Node alone would cut off responses that are being sent, wait forever for a client that
 * keeps its connection open or sends half a request, and reset connections on which a request has just arrived.
 */
export class OpenConnections {
  readonly #server: Server
  /** Bytes that each connection had received when idle connections were last checked. */
  readonly #received = new Map<Socket, number>()
  readonly #answering = new Set<ServerResponse>()
  #accepts = 0
  #closing = false
  #onIdle = () => {}
  #onEmpty = () => {}

  constructor(server: Server) {
    this.#server = server
    // Runs after the listener that sends responses. A response that it has sent completely need not be tracked.
    server.on('request', (_request, response: ServerResponse) => {
      if (response.writableEnded && response.writableLength === 0) return
      if (this.#closing) response.shouldKeepAlive = false
      this.#answering.add(response)
      response.once('close', () => this.#done(response))
    })
    server.on('connection', (socket: Socket) => {
      this.#accepts++
      this.#received.set(socket, 0)
      socket.once('close', () => this.#forget(socket))
    })
    // A connection that changes its protocol is ended by the code that handles that protocol. A connection given back
    // to the server is a new one, so this listener comes first.
    server.prependListener('upgrade', (_request, socket: Duplex) => this.#forget(socket as Socket))
  }

  closeAfterAnswers(): void {
    this.#closing = true
    for (const response of this.#answering) response.shouldKeepAlive = false
  }

  /** Closes the connections on which nothing has arrived since the previous call. */
  endIdle(): void {
    const busy = this.#busy()
    for (const [socket, received] of this.#received) {
      if (socket.bytesRead === received && received > 0 && !busy.has(socket)) socket.end()
      this.#received.set(socket, socket.bytesRead)
    }
  }

  /**
   * Waits until the responses in progress are sent, then closes the listener. Responds to requests that were already on
   * their way and ends the remaining connections. A client that keeps reading sees its connection end without a reset.
   */
  async finish(): Promise<void> {
    const deadline = performance.now() + GRACE
    this.closeAfterAnswers()
    await this.#answered(deadline)
    await this.#accepted()
    // The close method of Node's HTTP server would cut off connections that seem idle.
    NetServer.prototype.close.call(this.#server)
    if (this.#received.size > 0) await pause(LAST_REQUEST)
    await this.#answered(deadline)
    for (const socket of this.#received.keys()) socket.end()
    await this.#ended()
    this.#server.closeAllConnections()
  }

  /**
   * Waits until no connection is left to be accepted. The operating system resets such connections when the listener
   * closes. Node accepts one per turn of its event loop.
   */
  async #accepted(): Promise<void> {
    let quiet = 0
    for (let turn = 0; turn < MAX_TURNS && quiet < QUIET_TURNS; turn++) {
      const before = this.#accepts
      await new Promise((resolve) => setImmediate(resolve))
      quiet = this.#accepts === before ? quiet + 1 : 0
    }
  }

  #answered(deadline: number): Promise<void> {
    return settledWithin(deadline - performance.now(), this.#answering.size === 0, (settle) => (this.#onIdle = settle))
  }

  #ended(): Promise<void> {
    return settledWithin(LAST_END, this.#received.size === 0, (settle) => (this.#onEmpty = settle))
  }

  #busy(): ReadonlySet<unknown> {
    return new Set([...this.#answering].map(({ socket }) => socket))
  }

  #done(response: ServerResponse): void {
    this.#answering.delete(response)
    if (this.#answering.size === 0) this.#onIdle()
  }

  #forget(socket: Socket): void {
    this.#received.delete(socket)
    if (this.#received.size === 0) this.#onEmpty()
  }
}

/** Resolves at once if `settled`; otherwise when `onSettled` calls back, or after `milliseconds` at the latest. */
async function settledWithin(milliseconds: number, settled: boolean, onSettled: (settle: () => void) => void) {
  if (settled) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    onSettled(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** How often idle connections are closed, milliseconds. */
const CHECK_EVERY = 500

/**
 * First part of a stop. The service reports that it is not ready but still handles requests, so that a load balancer
 * sends no more before the listeners close. Each connection ends after its next response.
 */
export class Drain {
  #begun = false
  readonly #hosts: OpenConnections[] = []

  /** Whether the service has begun to stop. From then on it reports that it is not ready. */
  get begun(): boolean {
    return this.#begun
  }

  add(connections: OpenConnections): void {
    this.#hosts.push(connections)
  }

  /** Begins to end connections, each after its next response. Resolves after `seconds`. */
  async run(seconds: number): Promise<void> {
    this.#begun = true
    for (const host of this.#hosts) host.closeAfterAnswers()
    for (let left = seconds * 1000; left > 0; left -= CHECK_EVERY) {
      for (const host of this.#hosts) host.endIdle()
      await pause(Math.min(CHECK_EVERY, left))
    }
  }
}
