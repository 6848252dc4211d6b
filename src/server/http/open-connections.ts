import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

/** How long a stop waits for requests in flight, milliseconds. Container platforms kill a process after 10 s. */
const GRACE = 8000
/** How long a request that was on its way when the listener closed may take to arrive, milliseconds. */
const LAST_REQUEST = 100
/**
 * Maximum number of event-loop turns that a close waits for new connections to stop; `QUIET_TURNS` without any are
 * enough.
 */
const MAX_TURNS = 1000
const QUIET_TURNS = 3
/** How long a client may take to end its side of a closed connection, milliseconds. */
const LAST_END = 500

/**
 * The connections of a server and the responses in progress on them, so that a stop can end each without losing
 * anything. Node itself cuts responses that are still being sent, waits forever for a client that keeps its connection
 * open or sends half a request, and resets connections on which a request has just arrived.
 */
export class OpenConnections {
  readonly #server: Server
  /** Bytes received by each connection at the last check. */
  readonly #received = new Map<Socket, number>()
  readonly #answering = new Set<ServerResponse>()
  #accepts = 0
  #closing = false
  #onIdle = () => {}
  #onEmpty = () => {}

  constructor(server: Server) {
    this.#server = server
    // Runs after the listener that sends responses, so a response that was written whole need not be tracked.
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

  /** Closes connections idle since the previous call. */
  endIdle(): void {
    const busy = this.#busy()
    for (const [socket, received] of this.#received) {
      if (socket.bytesRead === received && received > 0 && !busy.has(socket)) socket.end()
      this.#received.set(socket, socket.bytesRead)
    }
  }

  /**
   * Closes the listener once every request in flight has received its whole response, responds to requests that were on
   * their way, and ends the remaining connections. A client that keeps reading sees the connection end without a reset.
   */
  async finish(): Promise<void> {
    const deadline = performance.now() + GRACE
    this.closeAfterAnswers()
    await this.#answered(deadline)
    await this.#accepted()
    // Node's own server close cuts the connections that seem idle.
    NetServer.prototype.close.call(this.#server)
    if (this.#received.size > 0) await pause(LAST_REQUEST)
    await this.#answered(deadline)
    for (const socket of this.#received.keys()) socket.end()
    await this.#ended()
    this.#server.closeAllConnections()
  }

  /**
   * Waits until no connection is waiting to be accepted: the system resets those when the listener closes, and Node
   * accepts one per turn of its loop.
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

/** Resolves at once if `settled`, else when `onSettled` calls back or after `milliseconds`. */
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
 * First part of a stop: the service reports that it is not ready but continues to respond, so that a load balancer
 * removes it before its listeners close. Every response from then on is the last of its connection.
 */
export class Drain {
  #begun = false
  readonly #hosts: OpenConnections[] = []

  /** Whether the stop has begun: the service is no longer ready. */
  get begun(): boolean {
    return this.#begun
  }

  add(connections: OpenConnections): void {
    this.#hosts.push(connections)
  }

  /** Begins to drain connections, and resolves after `seconds`. */
  async run(seconds: number): Promise<void> {
    this.#begun = true
    for (const host of this.#hosts) host.closeAfterAnswers()
    for (let left = seconds * 1000; left > 0; left -= CHECK_EVERY) {
      for (const host of this.#hosts) host.endIdle()
      await pause(Math.min(CHECK_EVERY, left))
    }
  }
}
