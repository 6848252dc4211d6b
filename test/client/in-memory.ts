import type { Socket, SocketConstructor } from '../../src/client/client-connection.ts'
import type { StreamEvent } from '../../src/client/stream.ts'
import { type ClientStreamOptions, Stream } from '../../src/client/stream.ts'
import { ScriptedServer, type ServedConnection } from './scripted-server.ts'

type Listeners = Record<'open' | 'error' | 'message' | 'close', ((event: never) => void)[]>

/** A stream and its server in one process, joined without a network, so that a test owns the clock. */
export function joined(options: Omit<ClientStreamOptions, 'onEvent'> = {}, ticket = async () => 'ticket') {
  const server = new ScriptedServer()
  const events: StreamEvent[] = []
  const reach = { answers: true }
  const stream = new Stream(
    { url: 'ws://test', WebSocket: socketTo(server, reach), ticket, random: () => 1 },
    { ...options, onEvent: (event) => events.push(event) }
  )
  return { server, stream, events, reach }
}

/** The constructor of sockets that lead to a server of this process, as long as it can be reached. */
export function socketTo(server: ScriptedServer, reach: { readonly answers: boolean }): SocketConstructor {
  return class implements Socket {
    readonly #listeners: Listeners = { open: [], error: [], message: [], close: [] }
    #served: ServedConnection | undefined
    #isOver = false

    constructor() {
      queueMicrotask(() => {
        if (!reach.answers) return
        this.#served = server.connect({
          send: (data) => this.#tell('message', { data }),
          end: (code = 1006) => this.#end(code)
        })
        this.#tell('open', {})
      })
    }

    addEventListener(type: keyof Listeners, listener: (event: never) => void): void {
      this.#listeners[type].push(listener)
    }

    send(text: string): void {
      queueMicrotask(() => this.#isOver || this.#served?.receive(text))
    }

    close(code?: number): void {
      queueMicrotask(() => this.#end(code ?? 1005))
    }

    #tell(type: keyof Listeners, event: object): void {
      if (!this.#isOver || type === 'close') for (const listener of this.#listeners[type]) listener(event as never)
    }

    #end(code: number): void {
      if (this.#isOver) return
      this.#isOver = true
      this.#tell('close', { code, reason: '' })
    }
  }
}
