import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { WebSocket } from 'ws'
import { usedOnce } from '../test/support/schemas-used-once.ts'
import type { ClientFrame } from './hostile-frames.ts'

// Open connections of the stream: every frame that arrives is checked, every command must have its reply.

/** Milliseconds until a command counts as unanswered. */
const PATIENCE = 60_000

/** Frames that come by themselves and answer nothing. */
const unasked = ['update', 'batch', 'heartbeat', 'notice']

/** Why the service may end a connection that misbehaves: contract of the stream, its table of closes, and RFC 6455. */
const expectedCloses: ReadonlySet<number> = new Set([1002, 1003, 1007, 1009, 4408, 4409, 4410, 4429])

export interface Exchanged {
  /** The type of the reply and its code where it is an error, or `closed` and the code. */
  readonly reply: string
  readonly fault: string | undefined
}

export type FrameCheck = (frame: unknown) => string | undefined

/** Checks frames against the schema of the contract. */
export function frameCheck(schemaFile: string): FrameCheck {
  const ajv = new Ajv2020({ ...usedOnce })
  addFormats.default(ajv)
  const schema: { readonly $id: string } = JSON.parse(readFileSync(schemaFile, 'utf8'))
  ajv.addSchema(schema)
  const check = ajv.compile({ $ref: `${schema.$id}#/$defs/server_frame` })
  return (frame) => (check(frame) ? undefined : ajv.errorsText(check.errors?.slice(-3), { dataVar: 'frame' }))
}

/** One connection at a time for one key, opened again when the service has ended it. */
export class StreamConnection {
  readonly #address: string
  readonly #key: string
  readonly #check: FrameCheck
  #socket: WebSocket | undefined
  #onFrame: (frame: Readonly<Record<string, unknown>>) => void = () => {}
  #onClose: (code: number) => void = () => {}
  #turn: Promise<unknown> = Promise.resolve()
  /** The first frame that came by itself and was not as declared. */
  #unaskedFault: string | undefined

  constructor(address: string, key: string, check: FrameCheck) {
    this.#address = address
    this.#key = key
    this.#check = check
  }

  /** Sends a frame and waits for its reply; frames of one connection take turns. */
  exchange(frame: ClientFrame): Promise<Exchanged> {
    const done = this.#turn.then(() => this.#exchange(frame))
    this.#turn = done.catch(() => {})
    return done
  }

  close(): void {
    this.#socket?.terminate()
  }

  async #exchange({ data, text }: ClientFrame): Promise<Exchanged> {
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      const refused = await this.#open()
      if (refused !== undefined) return refused
    }
    const answered = new Promise<Exchanged>((resolve) => {
      const timer = setTimeout(() => resolve({ reply: 'none', fault: 'no reply to a command' }), PATIENCE)
      const settle = (exchanged: Exchanged) => {
        clearTimeout(timer)
        resolve(exchanged)
      }
      this.#onFrame = (frame) => {
        const type = String(frame['type'])
        if (unasked.includes(type)) return
        settle({ reply: type === 'error' ? `error ${frame['code']}` : type, fault: this.#check(frame) })
      }
      this.#onClose = (code) =>
        settle({ reply: `closed ${code}`, fault: expectedCloses.has(code) ? undefined : `closed with ${code}` })
    })
    this.#socket!.send(data, { binary: !text })
    const exchanged = await answered
    const fault = exchanged.fault ?? this.#unaskedFault
    this.#unaskedFault = undefined
    return { ...exchanged, fault }
  }

  /**
   * Opens the connection. A refused handshake (too many in a short time) is reported and tried again with the next
   * frame.
   */
  #open(): Promise<Exchanged | undefined> {
    const socket = new WebSocket(`${this.#address}/ws`, { headers: { 'x-api-key': this.#key } })
    this.#socket = socket
    socket.on('message', (data) => {
      let frame: Record<string, unknown>
      try {
        frame = JSON.parse(String(data))
      } catch {
        this.#unaskedFault ??= `no JSON: ${String(data).slice(0, 200)}`
        return
      }
      if (unasked.includes(String(frame['type']))) this.#unaskedFault ??= this.#faultOf(frame)
      this.#onFrame(frame)
    })
    socket.on('close', (code) => this.#onClose(code))
    return new Promise((resolve) => {
      socket.once('open', () => resolve(undefined))
      socket.once('unexpected-response', (_request, answer) => {
        answer.resume()
        socket.terminate()
        const { statusCode = 0 } = answer
        resolve({ reply: `refused ${statusCode}`, fault: statusCode === 429 ? undefined : `handshake ${statusCode}` })
      })
      socket.on('error', (error) => resolve({ reply: 'error', fault: `handshake: ${error.message}` }))
    })
  }

  #faultOf(frame: unknown): string | undefined {
    const fault = this.#check(frame)
    return fault && `${fault}: ${JSON.stringify(frame).slice(0, 500)}`
  }
}
