import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { closeServer } from './close-server.ts'

/** A local stream server that records what clients send; each vendor's subclass answers in its own way. */
export abstract class SocketVendor<Message> {
  protected readonly http = createServer()
  readonly #sockets: WebSocketServer
  /** Messages received on each connection, in order. */
  readonly received: Message[][] = []

  /** `path`: where connections are let in; undefined: everywhere. */
  constructor(path?: string) {
    this.#sockets = new WebSocketServer({ server: this.http, path })
    this.#sockets.on('connection', (socket, request) => {
      const messages: Message[] = []
      this.received.push(messages)
      this.greet(socket, request)
      socket.on('message', (data) => {
        const message = this.read(data as Buffer)
        messages.push(message)
        this.receive(message, socket)
      })
    })
  }

  /** Called for each new connection. */
  protected greet(_socket: WebSocket, _request: IncomingMessage): void {}

  protected read(data: Buffer): Message {
    return JSON.parse(String(data)) as Message
  }

  /** Handles a message of a client. */
  protected abstract receive(message: Message, socket: WebSocket): void

  /** Listens until the test ends. */
  async start(): Promise<this> {
    await this.listen()
    onTestFinished(() => this.close())
    return this
  }

  /** Listens until it is closed. */
  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.http.listen(0, '127.0.0.1', resolve))
    return this
  }

  /** Its address without a protocol. */
  get host(): string {
    return `127.0.0.1:${(this.http.address() as AddressInfo).port}`
  }

  get clients(): readonly WebSocket[] {
    return [...this.#sockets.clients]
  }

  /** Ends every connection, with a code and words where they are given, else as a line that breaks. */
  cut(code?: number, reason?: string): void {
    for (const client of this.clients) {
      if (code === undefined) client.terminate()
      else client.close(code, reason)
    }
  }

  async close(): Promise<void> {
    this.cut()
    this.#sockets.close()
    await closeServer(this.http)
  }
}
