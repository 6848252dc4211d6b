import { ApiError } from '../../api/error.ts'
import type { MaybePromise } from '../../api/maybe-promise.ts'
import { andThen } from '../../api/maybe-promise.ts'
import type { Configuration, Notice, ReplyFrame, RequestId } from '../../api/stream-frames.ts'
import { TokenBucket } from '../../pacing/token-bucket.ts'
import { type ConnectionContext, SessionConnection } from '../delivery/session-connection.ts'
import type { Wire } from '../delivery/websocket-frames.ts'
import { CommandError } from '../protocol/command-error.ts'
import * as limits from '../protocol/limits.ts'
import type { SavedSet } from './bundle-usage.ts'
import * as reply from './reply.ts'
import { type ParsedCommand, parseCommand, type SessionCommand, type SubscribeRequest } from './session-command.ts'
import { Subscriptions, type SubscriptionsOptions } from './subscriptions.ts'

/** Commands after which the subscriptions may be others. */
const changing: ReadonlySet<SessionCommand['action']> = new Set([
  'subscribe',
  'subscribe_many',
  'unsubscribe',
  'resume'
])

const commandRate = { burst: limits.COMMAND_BURST, perMinute: 60 * limits.COMMANDS_PER_SECOND }

export interface StreamSessionOptions extends ConnectionContext, SubscriptionsOptions {
  readonly id: string
  readonly token: string
  readonly epoch: string
  readonly isMarketOpen: () => boolean
  /** Hands over the subscriptions of a resume token if they belong to the same bundle. */
  readonly takeOver: (token: string) => MaybePromise<SavedSet | undefined>
  /** Called after commands that may have changed the subscriptions; undefined if nobody keeps note of them. */
  readonly onChanged?: (() => void) | undefined
}

/** One connected client. Executes its commands in order, and sends pings, heartbeats and errors when they are due. */
export class StreamSession {
  readonly connection: SessionConnection
  readonly subscriptions: Subscriptions
  readonly #options: StreamSessionOptions
  readonly #wire: Wire
  readonly #commandRate: TokenBucket
  /** Commands that wait until the previous command is finished. */
  readonly #queue: ParsedCommand[] = []
  #isExecuting = false
  #isStarted = false
  /** When the client last sent a frame, ping or pong. This and the times below are of the steady clock. */
  #aliveAt: number
  #pingedAt: number
  #rejections = 0
  #rejectionsSince: number

  constructor(wire: Wire, options: StreamSessionOptions) {
    const now = options.steadyNow()
    this.#options = options
    this.#wire = wire
    this.connection = new SessionConnection(wire, options)
    this.subscriptions = new Subscriptions(this.connection, options)
    this.#commandRate = new TokenBucket(commandRate, now)
    this.#aliveAt = this.#pingedAt = this.#rejectionsSince = now
  }

  get token(): string {
    return this.#options.token
  }

  /** Whether the client has ever subscribed. Before that, it gets no heartbeats or notices about its bundle. */
  get isStarted(): boolean {
    return this.#isStarted
  }

  /** Handles a frame of the client. `text` is undefined if the frame is binary; `size` is in bytes. */
  receive(text: string | undefined, size: number): void {
    this.noteAlive()
    if (this.connection.closed !== undefined) return
    const wait = Math.ceil(this.#commandRate.take(this.#aliveAt))
    const parsed = read(text, size)
    this.#queue.push(wait === 0 ? parsed : tooFast(parsed, wait))
    if (this.#queue.length > limits.REJECTIONS_PER_MINUTE) this.connection.close(4429, 'too many commands')
    else if (!this.#isExecuting) this.#executeQueued()
  }

  noteAlive(): void {
    this.#aliveAt = this.#options.steadyNow()
  }

  notice(code: Notice['code'], message: string, more: Omit<Notice, 'type' | 'code' | 'message' | 'ts'> = {}): void {
    this.connection.reply({ type: 'notice', code, message, ...more, ts: this.#options.wallNow() })
  }

  /** Does whatever is due by the clock. Called a few times a second. */
  check(): void {
    const now = this.#options.steadyNow()
    const { connection, subscriptions } = this
    if (connection.closed !== undefined) return
    if (now - this.#aliveAt >= limits.IDLE_TIMEOUT) {
      connection.close(4408, 'nothing heard')
      return
    }
    if (now - this.#pingedAt >= limits.PING_INTERVAL) {
      this.#pingedAt = now
      this.#wire.ping()
    }
    for (const { id, query, resolved, metric } of subscriptions.overdue(now)) {
      const { failure } = metric.feed
      // Other errors go only to the log, because they may name hosts and files.
      const message = failure instanceof ApiError ? failure.message : 'there is no value yet'
      const error = new CommandError('no_data', message, { sub_id: id })
      this.#sendError(error, { symbol: query.symbol, metric: resolved.id })
    }
    connection.checkProgress(now)
    const { heartbeat, sentAt, isBehind } = connection
    if (!this.#isStarted || heartbeat === 0 || now - sentAt < heartbeat || isBehind) return
    const { epoch, isMarketOpen, wallNow } = this.#options
    const count = subscriptions.size
    connection.reply({ type: 'heartbeat', ts: wallNow(), epoch, market_open: isMarketOpen(), subscriptions: count })
  }

  /** Ends the session of a closed socket and returns its subscriptions, so that they can be saved. */
  end(): ReturnType<Subscriptions['end']> {
    this.connection.lost()
    this.#queue.length = 0
    return this.subscriptions.end()
  }

  /** Executes queued commands one after the other, so that replies have the order of the commands. */
  #executeQueued(): void {
    while (!this.#isExecuting) {
      const next = this.#queue.shift()
      if (next === undefined || this.connection.closed !== undefined) return
      const done = this.#answer(next)
      if (!(done instanceof Promise)) continue
      this.#isExecuting = true
      done.finally(() => {
        this.#isExecuting = false
        this.#executeQueued()
      })
    }
  }

  #answer({ command, echo }: ParsedCommand): MaybePromise<void> {
    const failed = (error: unknown) => {
      this.#options.onError(error)
      this.#reject(new CommandError('internal', 'the command could not be carried out'), echo)
    }
    try {
      const answered = command instanceof CommandError ? command : this.#execute(command)
      const done = andThen(answered, (reply) => {
        if (reply instanceof CommandError) this.#reject(reply, echo)
        else this.#sendReply(reply, echo)
        if (changing.has((command as SessionCommand).action)) this.#options.onChanged?.()
      })
      return done instanceof Promise ? done.catch(failed) : done
    } catch (error) {
      failed(error)
    }
  }

  #execute(command: SessionCommand): MaybePromise<reply.CommandReply | CommandError> {
    const { subscriptions, connection } = this
    const { catalog, usage, wallNow, isMarketOpen, id } = this.#options
    switch (command.action) {
      case 'subscribe':
        return andThen(
          this.#withRoomFor([command.request], () => subscriptions.subscribe(command.request)),
          (opened) => (opened instanceof CommandError ? opened : reply.subscribed(opened, this.#facts()))
        )
      case 'subscribe_many':
        return andThen(
          this.#withRoomFor(command.requests, () => subscriptions.subscribeAll(command.requests)),
          (all) => reply.subscribedMany(all, this.#facts())
        )
      case 'unsubscribe': {
        const removed = subscriptions.unsubscribe(command.target)
        return removed instanceof CommandError ? removed : reply.unsubscribed(removed, wallNow())
      }
      case 'list':
        return reply.listReply(subscriptions, command.page, wallNow())
      case 'catalog':
        return { frame: { type: 'catalog', ...catalog.page(command), ts: wallNow() } }
      case 'status': {
        const session = { connection_id: id, market_open: isMarketOpen(), config: this.#config() }
        return andThen(usage.refresh(), () => reply.status(this.#facts(), session, usage))
      }
      case 'configure':
        connection.heartbeat = command.heartbeat ?? connection.heartbeat
        connection.batch = command.batch ?? connection.batch
        return reply.configured(this.#config(), wallNow())
      case 'ping':
        return { frame: { type: 'pong', ts: wallNow() } }
      case 'resume': {
        if (subscriptions.isUsed)
          return new CommandError('invalid_frame', 'resume comes before anything is subscribed to')
        return andThen(this.#options.takeOver(command.token), (saved) =>
          saved === undefined
            ? new CommandError('resume_expired', 'nothing is kept under this token: subscribe anew')
            : reply.resumed(subscriptions.restore(saved), this.#facts())
        )
      }
    }
  }

  #withRoomFor<Result>(
    requests: readonly (SubscribeRequest | CommandError)[],
    open: () => MaybePromise<Result>
  ): MaybePromise<Result> {
    const { usage } = this.#options
    return usage.isShared ? usage.using(this.subscriptions.costOf(requests), open) : open()
  }

  #facts(): reply.SessionFacts {
    const { epoch, token, wallNow } = this.#options
    return { epoch, resume_token: token, ts: wallNow() }
  }

  #config(): Configuration {
    return { heartbeat_ms: this.connection.heartbeat, batch: this.connection.batch }
  }

  /** Sends a reply, then the current values of the subscriptions that it opened. */
  #sendReply({ frame, opened = [] }: reply.CommandReply, { req_id }: ParsedCommand['echo']): void {
    this.connection.reply(withRequestId(frame, req_id))
    for (const { subscription, sendNow } of opened) {
      this.#isStarted = true
      subscription.open = true
      subscription.isFirst = sendNow
      if (sendNow && subscription.metric.value !== undefined) subscription.valueChanged()
    }
  }

  /** Sends the error of a command. Closes the connection after too many errors. */
  #reject(error: CommandError, echo: ParsedCommand['echo']): void {
    this.#sendError(error, echo)
    const now = this.#options.steadyNow()
    if (now - this.#rejectionsSince >= 60_000) {
      this.#rejectionsSince = now
      this.#rejections = 0
    }
    if (++this.#rejections >= limits.REJECTIONS_PER_MINUTE) this.connection.close(4429, 'too many rejected commands')
  }

  #sendError({ code, message, detail }: CommandError, echo: ParsedCommand['echo']): void {
    this.connection.reply({ type: 'error', code, message, ...echo, ...detail, ts: this.#options.wallNow() })
  }
}

/** Puts the request id directly after the type, as the published streaming contract requires. */
function withRequestId({ type, ...fields }: ReplyFrame, req_id: RequestId | undefined): ReplyFrame {
  return { type, ...(req_id !== undefined && { req_id }), ...fields } as ReplyFrame // the spread loses the type
}

function read(text: string | undefined, size: number): ParsedCommand {
  if (text === undefined) return { command: new CommandError('unsupported_frame', 'frames are JSON text'), echo: {} }
  if (size <= limits.MAX_CLIENT_FRAME_BYTES) return parseCommand(text)
  const error = new CommandError('frame_too_large', `a frame takes at most ${limits.MAX_CLIENT_FRAME_BYTES} bytes`)
  return { command: error, echo: {} }
}

/**
 * Refuses a command that exceeds the rate limit. It was parsed only so that the reply can repeat its fields. `wait` is
 * in milliseconds.
 */
function tooFast({ echo }: ParsedCommand, wait: number): ParsedCommand {
  return { command: new CommandError('rate_limited', 'too many commands', { retry_after_ms: wait }), echo }
}
