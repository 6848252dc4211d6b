import { ApiError } from '../../api/error.ts'
import type { MaybePromise } from '../../api/maybe-promise.ts'
import { andThen } from '../../api/maybe-promise.ts'
import type { Instant } from '../../market/units.ts'
import { CommandError } from '../catalog/command-error.ts'
import * as limits from '../catalog/limits.ts'
import { Connection, type ConnectionContext } from '../delivery/connection.ts'
import type { Wire } from '../delivery/wire.ts'
import type { LostSet } from './bundle-usage.ts'
import { type Command, type Parsed, parseCommand } from './command.ts'
import { Rate } from './rate.ts'
import * as reply from './reply.ts'
import { Subscriptions, type SubscriptionsOptions } from './subscriptions.ts'

/** What a session needs of the channel it belongs to. */
export interface SessionOptions extends ConnectionContext, SubscriptionsOptions {
  readonly id: string
  readonly token: string
  readonly epoch: string
  readonly isMarketOpen: () => boolean
  /** Ends what a token stands for and gives it, if it belongs to the same bundle. */
  readonly takeOver: (token: string) => LostSet | undefined
}

/** One client: its commands in their order, and when it was last heard of. */
export class Session {
  readonly connection: Connection
  readonly subscriptions: Subscriptions
  readonly #options: SessionOptions
  readonly #wire: Wire
  readonly #commands: Rate
  /** Commands that arrived while one before them waits for a first answer. */
  readonly #queue: Parsed[] = []
  #busy = false
  #isStarted = false
  #heardAt: Instant
  #pingedAt: Instant
  #rejections = 0
  #rejectionsSince: Instant

  constructor(wire: Wire, options: SessionOptions) {
    const now = options.wallNow()
    this.#options = options
    this.#wire = wire
    this.connection = new Connection(wire, options)
    this.subscriptions = new Subscriptions(this.connection, options)
    this.#commands = new Rate(limits.COMMANDS_PER_SECOND, limits.COMMAND_BURST, now)
    this.#heardAt = this.#pingedAt = this.#rejectionsSince = now
  }

  get token(): string {
    return this.#options.token
  }

  /** Whether something was subscribed to: before that the channel keeps silent unless it is asked. */
  get isStarted(): boolean {
    return this.#isStarted
  }

  /** A frame arrived: its text, or undefined where it is binary. `size` is in bytes. */
  receive(text: string | undefined, size: number): void {
    this.heard()
    if (this.connection.closed !== undefined) return
    const wait = this.#commands.take(this.#heardAt)
    const parsed = read(text, size)
    this.#queue.push(wait === undefined ? parsed : tooFast(parsed, wait))
    if (this.#queue.length > limits.REJECTIONS_PER_MINUTE) this.connection.close(4429, 'too many commands')
    else if (!this.#busy) this.#work()
  }

  /** Something was heard of the client. */
  heard(): void {
    this.#heardAt = this.#options.wallNow()
  }

  notice(code: string, message: string, more: object = {}): void {
    this.connection.reply({ type: 'notice', code, message, ...more, ts: this.#options.wallNow() })
  }

  /** What is to be done by the clock, looked at a few times a second. */
  check(now: Instant): void {
    const { connection, subscriptions } = this
    if (connection.closed !== undefined) return
    if (now - this.#heardAt >= limits.SILENCE) {
      connection.close(4408, 'nothing heard')
      return
    }
    if (now - this.#pingedAt >= limits.PING_EVERY) {
      this.#pingedAt = now
      this.#wire.ping()
    }
    for (const { id, query, resolved, metric } of subscriptions.overdue(now)) {
      const { failure } = metric.feed
      // What else went wrong is ours to read in the log: it may name hosts and files.
      const message = failure instanceof ApiError ? failure.message : 'there is no value yet'
      const fault = new CommandError('no_data', message, { sub_id: id })
      this.#error(fault, { symbol: query.symbol, metric: resolved.id })
    }
    connection.checkProgress(now)
    const { heartbeat, sentAt, isBehind } = connection
    if (!this.#isStarted || heartbeat === 0 || now - sentAt < heartbeat || isBehind) return
    const { epoch, isMarketOpen } = this.#options
    const count = subscriptions.size
    connection.reply({ type: 'heartbeat', ts: now, epoch, market_open: isMarketOpen(), subscriptions: count })
  }

  /** The connection is no more. What it held may be saved for the client to come back to. */
  end(): ReturnType<Subscriptions['end']> {
    this.connection.lost()
    this.#queue.length = 0
    return this.subscriptions.end()
  }

  /** Works on commands one after the other: replies come in the order of commands. */
  #work(): void {
    while (!this.#busy) {
      const next = this.#queue.shift()
      if (next === undefined || this.connection.closed !== undefined) return
      const done = this.#perform(next)
      if (!(done instanceof Promise)) continue
      this.#busy = true
      done.finally(() => {
        this.#busy = false
        this.#work()
      })
    }
  }

  #perform({ command, echo }: Parsed): MaybePromise<void> {
    const failed = (error: unknown) => {
      this.#options.onError(error)
      this.#reject(new CommandError('internal', 'the command could not be carried out'), echo)
    }
    try {
      const answered = command instanceof CommandError ? command : this.#execute(command)
      const done = andThen(answered, (reply) => {
        if (reply instanceof CommandError) this.#reject(reply, echo)
        else this.#send(reply, echo)
      })
      return done instanceof Promise ? done.catch(failed) : done
    } catch (error) {
      failed(error)
    }
  }

  #execute(command: Command): MaybePromise<reply.Reply | CommandError> {
    const { subscriptions, connection } = this
    const { catalog, usage, wallNow, isMarketOpen, id } = this.#options
    switch (command.action) {
      case 'subscribe':
        return andThen(subscriptions.subscribe(command.request), (opened) =>
          opened instanceof CommandError ? opened : reply.subscribed(opened, this.#shown())
        )
      case 'subscribe_many':
        return andThen(subscriptions.subscribeAll(command.requests), (all) => reply.subscribedMany(all, this.#shown()))
      case 'unsubscribe': {
        const removed = subscriptions.unsubscribe(command.target)
        return removed instanceof CommandError ? removed : reply.unsubscribed(removed, wallNow())
      }
      case 'list':
        return reply.listed(subscriptions, command.page, wallNow())
      case 'catalog':
        return { frame: { type: 'catalog', ...catalog.page(command), ts: wallNow() } }
      case 'status': {
        const facts = { connection_id: id, market_open: isMarketOpen(), config: this.#config() }
        return reply.status(this.#shown(), facts, usage)
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
        const lost = this.#options.takeOver(command.token)
        if (lost === undefined) {
          return new CommandError('resume_expired', 'nothing is kept under this token: subscribe anew')
        }
        return reply.resumed(subscriptions.restore(lost), this.#shown())
      }
    }
  }

  #shown(): reply.Shown {
    const { epoch, token, wallNow } = this.#options
    return { epoch, resume_token: token, ts: wallNow() }
  }

  #config(): reply.Config {
    return { heartbeat_ms: this.connection.heartbeat, batch: this.connection.batch }
  }

  /** Sends a reply, and after it the values of what it opened. */
  #send({ frame: { type, ...rest }, opened = [] }: reply.Reply, { req_id }: Parsed['echo']): void {
    this.connection.reply({ type, ...(req_id !== undefined && { req_id }), ...rest })
    for (const { subscription, snapshot } of opened) {
      this.#isStarted = true
      subscription.open = true
      subscription.snapshot = snapshot
      if (snapshot && subscription.metric.value !== undefined) subscription.offer()
    }
  }

  #reject(fault: CommandError, echo: Parsed['echo']): void {
    this.#error(fault, echo)
    const now = this.#options.wallNow()
    if (now - this.#rejectionsSince >= 60_000) {
      this.#rejectionsSince = now
      this.#rejections = 0
    }
    if (++this.#rejections >= limits.REJECTIONS_PER_MINUTE) this.connection.close(4429, 'too many rejected commands')
  }

  #error({ code, message, detail }: CommandError, echo: Parsed['echo']): void {
    this.connection.reply({ type: 'error', code, message, ...echo, ...detail, ts: this.#options.wallNow() })
  }
}

function read(text: string | undefined, size: number): Parsed {
  if (text === undefined) return { command: new CommandError('unsupported_frame', 'frames are JSON text'), echo: {} }
  if (size <= limits.CLIENT_FRAME) return parseCommand(text)
  const fault = new CommandError('frame_too_large', `a frame takes at most ${limits.CLIENT_FRAME} bytes`)
  return { command: fault, echo: {} }
}

/** A command beyond the rate is not carried out; it was read so that its reply can name it. */
function tooFast({ echo }: Parsed, wait: number): Parsed {
  return { command: new CommandError('rate_limited', 'too many commands', { retry_after_ms: wait }), echo }
}
