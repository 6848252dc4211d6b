import { ApiError } from './api-error.ts'
import { backOff } from './back-off.ts'
import { type Arrival, Connection, type Outcome } from './connection.ts'
import { deliver } from './deliver.ts'
import type { Asked, Configuration, Notice, Reply, SubscribeItem } from './frames.ts'
import type { SocketConstructor } from './socket.ts'
import { afterClose, StreamError, streamErrorOf } from './stream-error.ts'
import type { StreamEvent } from './stream-event.ts'
import type { Listener, Subscription } from './subscription.ts'
import { SubscriptionBook } from './subscription-book.ts'

export interface StreamOptions extends Partial<Configuration> {
  readonly onEvent?: (event: StreamEvent) => void
}

/** What a stream needs of its surroundings. */
export interface StreamPlace {
  /** Of the stream host, without the path. */
  readonly url: string
  readonly WebSocket: SocketConstructor
  /** A ticket for one connection. */
  readonly ticket: () => Promise<string>
  readonly random: () => number
}

/** Commands that ask and change nothing. */
export type StreamCommand = 'list' | 'catalog' | 'status' | 'ping'

/** The pace of heartbeats unless another one is configured, milliseconds. */
const HEARTBEAT = 5000
/** So many missed heartbeats make a connection a lost one. */
const MISSED = 3
/** How long the server keeps the subscriptions of a lost connection, milliseconds. */
const RESUMABLE = 120_000

/**
 * The streaming channel: connects when there is something to ask, and comes back by itself whenever the connection is
 * lost, until it is closed or the server says that there is no coming back.
 */
export class Stream {
  /** Resolves once the stream has ended: with the reason, or undefined when it was closed by wish. */
  readonly ended: Promise<StreamError | ApiError | undefined>
  readonly #place: StreamPlace
  readonly #options: StreamOptions
  readonly #book: SubscriptionBook
  /** What is asked on the next connection, and what is told to the asker when there will be none. */
  readonly #questions = new Map<(connection: Connection) => void, (error: Error) => void>()
  #connection: Connection | undefined
  #isOpen = false
  #isStarted = false
  #isOver = false
  #attempt = 0
  #token: string | undefined
  #lostAt = 0
  #reconnectAfter: number | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  #watch: ReturnType<typeof setInterval> | undefined
  #finish: (error: StreamError | ApiError | undefined) => void = () => {}

  constructor(place: StreamPlace, options: StreamOptions = {}) {
    this.#place = place
    this.#options = options
    this.#book = new SubscriptionBook((subscription, error) => this.#tell({ type: 'refused', subscription, error }))
    this.ended = new Promise((resolve) => {
      this.#finish = resolve
    })
  }

  /** Listens to a metric: through the listener, a loop over the subscription, or both. */
  subscribe(item: SubscribeItem, listener?: Listener): Subscription {
    this.#start()
    return this.#book.add(item, listener)
  }

  /** Asks the server something; a question that a lost connection leaves open is asked again on the next one. */
  ask<A extends StreamCommand>(command: Asked<A>): Promise<Reply<A>> {
    return new Promise((resolve, reject) => {
      this.#start()
      const put = (connection: Connection) => {
        connection.send(command, (outcome: Outcome<A>) => {
          if (outcome === undefined) return
          this.#questions.delete(put)
          if ('code' in outcome) reject(streamErrorOf(outcome))
          else resolve(outcome)
        })
      }
      this.#questions.set(put, reject)
      if (this.#isOpen) put(this.#connection!)
    })
  }

  /** Ends the stream and every subscription. */
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
      const ticket = await this.#place.ticket()
      if (!this.#isOver) this.#open(`${this.#place.url}/ws?ticket=${encodeURIComponent(ticket)}`)
    } catch (error) {
      if (!this.#isOver) this.#refused(error)
    }
  }

  #open(address: string): void {
    const connection = new Connection(new this.#place.WebSocket(address), {
      opened: () => this.#opened(connection),
      arrived: (arrival) => this.#arrived(arrival),
      ended: (code, reason) => this.#lost(connection, code, reason)
    })
    this.#connection = connection
    this.#watch = setInterval(() => this.#check(connection), this.#options.heartbeat_ms || HEARTBEAT)
  }

  /** No ticket: what is wrong with the request is final, what is wrong with the moment is tried again. */
  #refused(error: unknown): void {
    if (!(error instanceof ApiError)) this.#comeBack(String(error), this.#nextDelay())
    else if (error.status > 0 && error.status !== 429 && error.status < 500) this.#end(error)
    else this.#comeBack(error.message, Math.max(error.retryAfter ?? 0, this.#nextDelay()))
  }

  #opened(connection: Connection): void {
    const token = this.#token
    if (token === undefined || Date.now() - this.#lostAt > RESUMABLE) {
      this.#ready(connection)
      return
    }
    connection.send({ action: 'resume', token }, (outcome) => {
      if (outcome === undefined) return
      if ('epoch' in outcome) this.#book.noteEpoch(outcome.epoch)
      this.#ready(connection, 'epoch' in outcome ? outcome.subscriptions.map(({ sub_id }) => sub_id) : undefined)
    })
  }

  #ready(connection: Connection, resumed?: readonly string[]): void {
    const { heartbeat_ms, batch } = this.#options
    if (heartbeat_ms !== undefined || batch !== undefined) {
      const wanted = { ...(heartbeat_ms !== undefined && { heartbeat_ms }), ...(batch !== undefined && { batch }) }
      connection.send({ action: 'configure', ...wanted }, (outcome) => {
        // Heartbeats would be waited for that do not come, on this connection and on every one after it.
        if (outcome !== undefined && 'code' in outcome) this.#end(streamErrorOf(outcome))
      })
    }
    this.#isOpen = true
    this.#tell({ type: 'open', resumed: resumed !== undefined })
    this.#book.start(connection, resumed)
    for (const put of this.#questions.keys()) put(connection)
  }

  #arrived(arrival: Arrival): void {
    if (arrival.type === 'update') this.#book.deliver(arrival)
    else if (arrival.type === 'heartbeat') this.#book.noteEpoch(arrival.epoch)
    else if (arrival.type === 'error') this.#tell({ type: 'problem', problem: arrival })
    else if (arrival.type === 'notice') this.#noticed(arrival)
  }

  #noticed(notice: Notice): void {
    if (notice.epoch !== undefined) this.#book.noteEpoch(notice.epoch)
    if (notice.code === 'draining') this.#reconnectAfter = notice.reconnect_after_ms
    this.#tell({ type: 'notice', notice })
  }

  /** A connection on which something was due and nothing came for too long is a lost one. */
  #check(connection: Connection): void {
    const { heartbeat_ms = HEARTBEAT } = this.#options
    const isDue = !this.#isOpen || connection.isWaiting || (heartbeat_ms > 0 && this.#book.hasPlaced)
    const longest = MISSED * (heartbeat_ms || HEARTBEAT)
    if (isDue && Date.now() - connection.heardAt > longest) connection.abandon()
  }

  #lost(connection: Connection, code: number, reason: string): void {
    clearInterval(this.#watch)
    if (connection.wasHeard) this.#attempt = 0
    this.#token = connection.resumeToken ?? this.#token
    if (this.#isOpen) this.#lostAt = Date.now()
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
    this.#comeBack(reason === '' ? `the connection was closed (${code})` : reason, delay)
  }

  #slowDown(): void {
    this.#token = undefined // what the server kept has the old pace
    this.#book.slowDown()
    this.#tell({ type: 'slowed' })
  }

  #nextDelay(): number {
    return backOff(this.#attempt++, this.#place.random)
  }

  #comeBack(reason: string, retryIn: number): void {
    this.#tell({ type: 'lost', reason, retryIn })
    this.#retry = setTimeout(() => void this.#connect(), retryIn)
  }

  #end(error: StreamError | ApiError | undefined): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#retry)
    this.#connection?.close()
    this.#book.end(error)
    for (const fail of this.#questions.values()) fail(error ?? wasClosed())
    this.#questions.clear()
    this.#tell(error === undefined ? { type: 'ended' } : { type: 'ended', error })
    this.#finish(error)
  }

  #tell(event: StreamEvent): void {
    if (this.#options.onEvent !== undefined) deliver(this.#options.onEvent, event)
  }
}

const wasClosed = () => new StreamError('closed', 'the stream was closed')
