import type { Asked, Configuration, ErrorFrame, Notice, Reply, SubscribeItem } from '../api/stream-frames.ts'
import { type Arrival, ClientConnection, type CommandOutcome, type SocketConstructor } from './client-connection.ts'
import { reconnectDelay } from './reconnect-delay.ts'
import { RequestError } from './request-error.ts'
import { afterClose, StreamError, streamErrorOf } from './stream-error.ts'
import { deliver, type Listener, type MetricSubscription } from './subscription.ts'
import { SubscriptionBook } from './subscription-book.ts'

export interface ClientStreamOptions extends Partial<Configuration> {
  readonly onEvent?: (event: StreamEvent) => void
}

export interface StreamContext {
  /** Address of the stream host, without the path. */
  readonly url: string
  readonly WebSocket: SocketConstructor
  readonly ticket: () => Promise<string>
  readonly random: () => number
}

/** Commands that only read. */
export type QueryCommand = 'list' | 'catalog' | 'status' | 'ping'

/** Default milliseconds between heartbeats. */
const DEFAULT_HEARTBEAT = 5000
/** Number of missed heartbeats after which a connection counts as lost. */
const MAX_MISSED = 3
/** How long the server keeps the subscriptions of a lost connection, milliseconds. */
const RESUME_WINDOW = 120_000

/**
 * The metric stream of a service. It connects with the first command and reconnects automatically until it is closed or
 * the server ends it for good.
 */
export class Stream {
  /** Resolves when the stream ends: to the error, or to undefined after `close`. */
  readonly ended: Promise<StreamError | RequestError | undefined>
  readonly #context: StreamContext
  readonly #options: ClientStreamOptions
  readonly #book: SubscriptionBook
  /**
   * Commands without a reply yet. The key of an entry sends its command on a connection; the value rejects the command.
   */
  readonly #pending = new Map<(connection: ClientConnection) => void, (error: Error) => void>()
  #connection: ClientConnection | undefined
  #isOpen = false
  #isStarted = false
  #isOver = false
  #attempt = 0
  #token: string | undefined
  #lostAt = 0
  #reconnectAfter: number | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  #watch: ReturnType<typeof setInterval> | undefined
  #finish: (error: StreamError | RequestError | undefined) => void = () => {}

  constructor(context: StreamContext, options: ClientStreamOptions = {}) {
    this.#context = context
    this.#options = options
    this.#book = new SubscriptionBook((subscription, error) => this.#emit({ type: 'refused', subscription, error }))
    this.ended = new Promise((resolve) => {
      this.#finish = resolve
    })
  }

  /** Subscribes to a metric. Updates go to the listener and to any loop over the subscription. */
  subscribe(item: SubscribeItem, listener?: Listener): MetricSubscription {
    this.#start()
    return this.#book.add(item, listener)
  }

  /** Sends a command and resolves to its reply. The command is sent again if the connection is lost first. */
  ask<A extends QueryCommand>(command: Asked<A>): Promise<Reply<A>> {
    return new Promise((resolve, reject) => {
      this.#start()
      const send = (connection: ClientConnection) => {
        connection.send(command, (outcome: CommandOutcome<A>) => {
          if (outcome === undefined) return
          this.#pending.delete(send)
          if ('code' in outcome) reject(streamErrorOf(outcome))
          else resolve(outcome)
        })
      }
      this.#pending.set(send, reject)
      if (this.#isOpen) send(this.#connection!)
    })
  }

  /** Ends the stream and all subscriptions. */
  close(): void {
    this.#end(undefined)
  }

  #start(): void {
    if (this.#isOver) throw wasClosed()
    if (this.#isStarted) return
    this.#isStarted = true
    void this.#connect()
  }

  async #connect(): Promise<void> {
    try {
      const ticket = await this.#context.ticket()
      if (!this.#isOver) this.#open(`${this.#context.url}/ws?ticket=${encodeURIComponent(ticket)}`)
    } catch (error) {
      if (!this.#isOver) this.#ticketFailed(error)
    }
  }

  #open(address: string): void {
    const connection = new ClientConnection(new this.#context.WebSocket(address), {
      opened: () => this.#opened(connection),
      arrived: (arrival) => this.#arrived(arrival),
      ended: (code, reason) => this.#lost(connection, code, reason)
    })
    this.#connection = connection
    this.#watch = setInterval(() => this.#check(connection), this.#options.heartbeat_ms || DEFAULT_HEARTBEAT)
  }

  /**
   * Ends the stream after its ticket was refused. If the refusal has status 429 or 5xx, or no response came, retries
   * instead.
   */
  #ticketFailed(error: unknown): void {
    if (!(error instanceof RequestError)) this.#reconnectIn(String(error), this.#nextDelay())
    else if (error.status > 0 && error.status !== 429 && error.status < 500) this.#end(error)
    else this.#reconnectIn(error.message, Math.max(error.retryAfter ?? 0, this.#nextDelay()))
  }

  #opened(connection: ClientConnection): void {
    const token = this.#token
    if (token === undefined || performance.now() - this.#lostAt > RESUME_WINDOW) {
      this.#ready(connection)
      return
    }
    connection.send({ action: 'resume', token }, (outcome) => {
      if (outcome === undefined) return
      if ('epoch' in outcome) this.#book.noteEpoch(outcome.epoch)
      this.#ready(connection, 'epoch' in outcome ? outcome.subscriptions.map(({ sub_id }) => sub_id) : undefined)
    })
  }

  #ready(connection: ClientConnection, resumed?: readonly string[]): void {
    const { heartbeat_ms, batch } = this.#options
    if (heartbeat_ms !== undefined || batch !== undefined) {
      const wanted = { ...(heartbeat_ms !== undefined && { heartbeat_ms }), ...(batch !== undefined && { batch }) }
      connection.send({ action: 'configure', ...wanted }, (outcome) => {
        // Without the configured heartbeats, this and every later connection would seem lost.
        if (outcome !== undefined && 'code' in outcome) this.#end(streamErrorOf(outcome))
      })
    }
    this.#isOpen = true
    this.#emit({ type: 'open', resumed: resumed !== undefined })
    this.#book.start(connection, resumed)
    for (const send of this.#pending.keys()) send(connection)
  }

  #arrived(arrival: Arrival): void {
    if (arrival.type === 'update') this.#book.deliver(arrival)
    else if (arrival.type === 'heartbeat') this.#book.noteEpoch(arrival.epoch)
    else if (arrival.type === 'error') this.#emit({ type: 'problem', problem: arrival })
    else if (arrival.type === 'notice') this.#noticed(arrival)
  }

  #noticed(notice: Notice): void {
    if (notice.epoch !== undefined) this.#book.noteEpoch(notice.epoch)
    if (notice.code === 'draining') this.#reconnectAfter = notice.reconnect_after_ms
    this.#emit({ type: 'notice', notice })
  }

  /** Ends a connection on which an expected frame is overdue. */
  #check(connection: ClientConnection): void {
    const { heartbeat_ms = DEFAULT_HEARTBEAT } = this.#options
    const isDue = !this.#isOpen || connection.isWaiting || (heartbeat_ms > 0 && this.#book.hasPlaced)
    const maxSilence = MAX_MISSED * (heartbeat_ms || DEFAULT_HEARTBEAT)
    if (isDue && performance.now() - connection.receivedAt > maxSilence) connection.abandon()
  }

  #lost(connection: ClientConnection, code: number, reason: string): void {
    clearInterval(this.#watch)
    if (connection.hasReceived) this.#attempt = 0
    this.#token = connection.resumeToken ?? this.#token
    if (this.#isOpen) this.#lostAt = performance.now()
    this.#isOpen = false
    this.#connection = undefined
    this.#book.lose()
    if (this.#isOver) return
    const next = afterClose(code)
    if (next instanceof StreamError) {
      this.#end(next)
      return
    }
    if (next === 'slower') this.#slowDown()
    const delay = this.#reconnectAfter ?? this.#nextDelay()
    this.#reconnectAfter = undefined
    this.#reconnectIn(reason === '' ? `the connection was closed (${code})` : reason, delay)
  }

  #slowDown(): void {
    this.#token = undefined // the server's saved subscriptions have the old update intervals
    this.#book.slowDown()
    this.#emit({ type: 'slowed' })
  }

  #nextDelay(): number {
    return reconnectDelay(this.#attempt++, this.#context.random)
  }

  #reconnectIn(reason: string, retryIn: number): void {
    this.#emit({ type: 'lost', reason, retryIn })
    this.#retry = setTimeout(() => void this.#connect(), retryIn)
  }

  #end(error: StreamError | RequestError | undefined): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#retry)
    this.#connection?.close()
    this.#book.end(error)
    for (const fail of this.#pending.values()) fail(error ?? wasClosed())
    this.#pending.clear()
    this.#emit(error === undefined ? { type: 'ended' } : { type: 'ended', error })
    this.#finish(error)
  }

  #emit(event: StreamEvent): void {
    if (this.#options.onEvent !== undefined) deliver(this.#options.onEvent, event)
  }
}

const wasClosed = () => new StreamError('closed', 'the stream was closed')

/** Events of a stream, for display or logging. No event needs a reaction. */
export type StreamEvent =
  /** Connected; `resumed` if the server had kept the subscriptions. */
  | { readonly type: 'open'; readonly resumed: boolean }
  /** The connection was lost or could not be opened; the next attempt follows in `retryIn` milliseconds. */
  | { readonly type: 'lost'; readonly reason: string; readonly retryIn: number }
  /** The client was too slow for the server, so every update interval was doubled. */
  | { readonly type: 'slowed' }
  | { readonly type: 'notice'; readonly notice: Notice }
  /** An error that is not the reply to a command, such as no_data for a subscription. The subscription stays open. */
  | { readonly type: 'problem'; readonly problem: ErrorFrame }
  | { readonly type: 'refused'; readonly subscription: MetricSubscription; readonly error: StreamError }
  /** The stream ended for good; without an error the client closed it. */
  | { readonly type: 'ended'; readonly error?: StreamError | RequestError }
