import type {
  Action,
  Asked,
  Batch,
  ErrorFrame,
  Heartbeat,
  Notice,
  Reply,
  ReplyFrame,
  Update
} from '../api/stream-frames.ts'
import { PacedCommands } from './paced-commands.ts'

/** A server frame that is not a reply to a command. */
export type Arrival = Update | Notice | Heartbeat | ErrorFrame

export interface ClientConnectionEvents {
  readonly opened: () => void
  readonly arrived: (arrival: Arrival) => void
  /** Called once when the connection closes, by either side. */
  readonly ended: (code: number, reason: string) => void
}

/** Reply to a command, an error of the server, or undefined if the connection was lost first. */
export type CommandOutcome<A extends Action> = Reply<A> | ErrorFrame | undefined

interface Waiting {
  readonly text: string
  readonly settle: (outcome: CommandOutcome<never>) => void
}

/** Close code that stands for a connection that ended without one. */
const WITHOUT_CODE = 1006

/**
 * One WebSocket connection with the commands that await replies on it. Replies are passed on synchronously, because the
 * first update of a new subscription may follow in the same turn.
 */
export class ClientConnection {
  readonly #socket: Socket
  readonly #events: ClientConnectionEvents
  readonly #commands: PacedCommands
  readonly #waiting = new Map<number, Waiting>()
  #sent = 0
  #isOver = false
  /** Time when the last frame arrived, milliseconds of `performance.now()`. */
  receivedAt = performance.now()
  hasReceived = false
  /** Token that restores the subscriptions on another connection. */
  resumeToken: string | undefined

  constructor(socket: Socket, events: ClientConnectionEvents) {
    this.#socket = socket
    this.#events = events
    this.#commands = new PacedCommands((text) => socket.send(text))
    socket.addEventListener('open', () => {
      this.receivedAt = performance.now()
      if (!this.#isOver) events.opened()
    })
    socket.addEventListener('message', ({ data }) => this.#read(data))
    socket.addEventListener('error', () => {}) // a close event with the reason follows
    socket.addEventListener('close', ({ code, reason }) => this.#end(code, reason))
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0
  }

  send<A extends Action>(command: Asked<A>, settle: (outcome: CommandOutcome<A>) => void): void {
    if (this.#isOver) {
      settle(undefined)
      return
    }
    const id = ++this.#sent
    const text = JSON.stringify({ ...command, req_id: id })
    this.#waiting.set(id, { text, settle: settle as Waiting['settle'] }) // the reply matches the command
    this.#commands.put(text)
  }

  /** Closes the connection. No callback but `ended` is called after this. */
  close(): void {
    this.#socket.close(1000)
    this.#end(1000, '')
  }

  /** Ends a silent connection without waiting for a close frame, which may never come. */
  abandon(): void {
    this.#socket.close()
    this.#end(WITHOUT_CODE, 'silent')
  }

  #read(data: unknown): void {
    if (this.#isOver || typeof data !== 'string') return
    this.receivedAt = performance.now()
    this.hasReceived = true
    const frame = frameOf(data)
    if (frame === undefined) return
    if (isBatch(frame)) for (const update of frame.updates) this.#events.arrived(update)
    else if (isReply(frame)) this.#settle(frame)
    else this.#events.arrived(frame)
  }

  #settle(frame: ReplyWithId): void {
    const { req_id: id } = frame
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return
    if ('code' in frame && frame.code === 'rate_limited') {
      // The command was not executed, so it is sent again later.
      setTimeout(() => this.#waiting.has(id) && this.#commands.put(waiting.text), frame.retry_after_ms ?? 1000)
      return
    }
    if ('resume_token' in frame) this.resumeToken = frame.resume_token
    this.#waiting.delete(id)
    waiting.settle(frame as CommandOutcome<never>)
  }

  #end(code: number, reason: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#commands.stop()
    const unanswered = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { settle } of unanswered) settle(undefined)
    this.#events.ended(code, reason)
  }
}

type ReplyWithId = ReplyFrame & { readonly req_id: number }

const isBatch = (frame: Batch | ReplyWithId | Arrival): frame is Batch => frame.type === 'batch'
const isReply = (frame: ReplyWithId | Arrival): frame is ReplyWithId => 'req_id' in frame

/** Parses a frame; undefined for other text. */
function frameOf(text: string): Batch | ReplyWithId | Arrival | undefined {
  try {
    const json = JSON.parse(text)
    return typeof json?.type === 'string' ? json : undefined
  } catch {
    return undefined
  }
}

/** The part of a WebSocket that we use. Browsers, Node 22 and the package ws have it. */
export interface Socket {
  send(text: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'open' | 'error', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { readonly code: number; readonly reason: string }) => void): void
}

export type SocketConstructor = new (address: string) => Socket

/** WebSocket class of the platform. Node 20 has none; there, pass the WebSocket class of the package ws. */
export function platformSocket(): SocketConstructor {
  const { WebSocket } = globalThis as { readonly WebSocket?: SocketConstructor }
  if (WebSocket !== undefined) return WebSocket
  throw new Error('this platform has no WebSocket: give createClient one, such as that of the package ws')
}
