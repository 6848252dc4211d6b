import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import type { SubscribeItem } from '../../src/api/stream-frames.ts'
import { usedOnce } from '../support/schemas-used-once.ts'

// A server of the stream that is simple enough for a test to say what it does and when.

type Frame = Readonly<Record<string, unknown>> & { readonly action?: string; readonly req_id?: number }

/** How one connection reaches its client. */
export interface Line {
  send(text: string): void
  /** Ends it with a close code; without one as a broken line ends. */
  end(code?: number): void
}

const schema = resolve(import.meta.dirname, '../../../shared/contract/streaming.schema.json')
const validators = existsSync(schema) ? validatorsOf(JSON.parse(readFileSync(schema, 'utf8'))) : undefined
if (validators === undefined) console.log('skipped: frames are not checked, the schema is not beside the project')

function validatorsOf(document: { readonly $id: string }) {
  const ajv = new Ajv2020({ ...usedOnce })
  addFormats.default(ajv)
  ajv.addSchema(document)
  const of = (name: string) => ajv.compile({ $ref: `${document.$id}#/$defs/${name}` })
  return { client: of('client_frame'), server: of('server_frame') }
}

function checked(side: 'client' | 'server', frame: object): void {
  const validate = validators?.[side]
  expect(validate === undefined || validate(frame) ? [] : [frame, validate.errors]).toEqual([])
}

/** State that a server keeps of a lost connection. */
interface Kept {
  readonly ids: Map<string, SubscribeItem>
}

/**
 * A server that acknowledges, remembers and resumes as the contract says, and sends the frames that a test gives it.
 */
export class ScriptedServer {
  readonly connections: ServedConnection[] = []
  readonly kept = new Map<string, Kept>()
  epoch = 'epoch1'
  /** A reply of the test's own instead of the usual one; undefined for the usual one, null for none at all. */
  override: (frame: Frame, connection: ServedConnection) => object | undefined | null = () => undefined

  connect(line: Line): ServedConnection {
    const connection = new ServedConnection(this, line)
    this.connections.push(connection)
    return connection
  }

  /** The newest connection. */
  get last(): ServedConnection {
    return this.connections.at(-1)!
  }
}

let tokens = 0

export class ServedConnection {
  /** Every command that arrived, in order. */
  readonly commands: Frame[] = []
  token = `r_${++tokens}`
  #ids = new Map<string, SubscribeItem>()
  readonly #server: ScriptedServer
  readonly #line: Line

  constructor(server: ScriptedServer, line: Line) {
    this.#server = server
    this.#line = line
  }

  get ids(): readonly string[] {
    return [...this.#ids.keys()]
  }

  receive(text: string): void {
    const frame = JSON.parse(text) as Frame
    checked('client', frame)
    this.commands.push(frame)
    const own = this.#server.override(frame, this)
    if (own === null) return
    this.send({ req_id: frame.req_id, ts: Date.now(), ...(own ?? this.#reply(frame)) })
  }

  send(frame: object): void {
    checked('server', frame)
    this.#line.send(JSON.stringify(frame))
  }

  /** Sends a value for the only subscription, or the one that is named. */
  update(seq: number, value: unknown, more: object = {}): void {
    this.send({ type: 'update', sub_id: this.ids[0], seq, ts: 1_778_603_400_000 + seq, value, ...more })
  }

  /** Ends the connection. Its subscriptions are kept unless the code means that the client left. */
  end(code?: number): void {
    if (code !== 1000) this.#server.kept.set(this.token, { ids: this.#ids })
    this.#line.end(code)
  }

  error(code: string, message: string, more: object = {}) {
    return { type: 'error', code, message, ts: Date.now(), ...more }
  }

  #reply(frame: Frame): object {
    switch (frame.action) {
      case 'subscribe':
        return this.#refusal(frame as never) ?? { ...this.#add(frame as never), ...this.#ack('subscribe') }
      case 'subscribe_many': {
        const results = (frame['items'] as SubscribeItem[]).map((item, index) => {
          const refusal = this.#refusal(item)
          return refusal === undefined
            ? { index, ...this.#add(item) }
            : { index, error: { code: refusal.code, message: refusal.message } }
        })
        return { ...this.#ack('subscribe_many'), results }
      }
      case 'unsubscribe':
        this.#ids.delete(frame['sub_id'] as string)
        return { type: 'ack', action: 'unsubscribe', removed: [frame['sub_id']] }
      case 'resume':
        return this.#resume(frame['token'] as string)
      case 'configure':
        return { type: 'ack', action: 'configure', config: { heartbeat_ms: 5000, batch: false, ...configured(frame) } }
      case 'ping':
        return { type: 'pong' }
      case 'catalog':
        return { type: 'catalog', version: 'one', count: 1, page: 1, pages: 1, metrics: [this.#row(frame)] }
      default:
        return this.error('unknown_action', 'no such action')
    }
  }

  /** Catalog row of the requested metric: an amount in USD. */
  #row({ prefix }: Frame) {
    const about = { value_type: 'number', nullable: true, unit: 'usd-notional', operation: 'GET /v1', key_field: null }
    const more = { selectors: [], params: [], short_forms: [], recompute: 'tick', cost: 1, min_cadence_ms: 0 }
    const id = prefix === 'exposure.unknown' ? 'exposure.unknown.net_gex' : (prefix ?? 'exposure.gex.net_gex')
    return { id, ...about, ...more }
  }

  #ack(action: string) {
    return { type: 'ack', action, resume_token: this.token }
  }

  #refusal({ metric }: SubscribeItem) {
    const candidates = ['exposure.gex.net_gex', 'exposure.dex.net_dex']
    if (metric.includes('wrong')) return this.error('ambiguous_metric', 'several metrics have it', { candidates })
    return metric.includes('unknown') ? this.error('unknown_metric', 'no such metric') : undefined
  }

  #add(item: SubscribeItem) {
    const { symbol, metric, params = {}, cadence_ms = 1000 } = item
    const same = [...this.#ids].find(([, had]) => had.symbol === symbol && had.metric === metric)?.[0]
    const sub_id = same ?? `s_${this.#ids.size + 1}`
    this.#ids.set(sub_id, item)
    const place = { sub_id, symbol, metric, params, cadence_ms, state: 'active', replaced: same !== undefined }
    return { ...place, epoch: this.#server.epoch, cost: 1 }
  }

  #resume(token: string): object {
    const kept = this.#server.kept.get(token)
    if (kept === undefined) return this.error('resume_expired', 'subscribe anew')
    this.#server.kept.delete(token)
    this.#ids = kept.ids
    const subscriptions = [...kept.ids].map(([sub_id, { symbol, metric, params = {}, cadence_ms = 1000 }]) => {
      const state = { on_change: false, state: 'active', last_seq: null, cost: 1, created_ts: 0 }
      return { sub_id, symbol, metric, params, cadence_ms, ...state }
    })
    return { ...this.#ack('resume'), epoch: this.#server.epoch, subscriptions }
  }
}

function configured({ action: _, req_id: __, ...config }: Frame): object {
  return config
}
