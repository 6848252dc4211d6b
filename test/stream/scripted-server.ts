import Type from 'typebox'
import type { Bundle } from '../../src/accounts/bundles.ts'
import { rowKey } from '../../src/api/annotations.ts'
import { endpoint } from '../../src/api/endpoint.ts'
import { envelope } from '../../src/api/envelope.ts'
import { apiError } from '../../src/api/error.ts'
import { combineExpirations, expirationSetParameters } from '../../src/api/expiration-filter.ts'
import type { MarketSource } from '../../src/api/market-source.ts'
import { symbolInPath, whole } from '../../src/api/params.ts'
import { Notional, Nullable, Price } from '../../src/api/quantity.ts'
import { isoInstant } from '../../src/market/units.ts'
import { catalogOf } from '../../src/stream/catalog/catalog.ts'
import type { StreamAnswer } from '../../src/stream/delivery/answer-source.ts'
import type { Wire } from '../../src/stream/delivery/websocket-frames.ts'
import { type Authorization, StreamServer, type StreamServerOptions } from '../../src/stream/session/stream-server.ts'
import type { StreamSession } from '../../src/stream/session/stream-session.ts'
import { idle as settle } from '../support/idle.ts'
import { clockAt, wednesday } from '../support/scripted-source.ts'
import { checkFrame, type Frame, framesIn } from './frames.ts'

const level = endpoint({
  id: 'exposure.gex',
  path: '/v1/exposure/gex/{symbol}',
  tag: 'exposure',
  summary: 'A level and its rows',
  plan: 'free',
  needs: ['chain'],
  params: {
    symbol: symbolInPath(),
    ...expirationSetParameters,
    min_oi: whole({ description: 'contracts', default: 0, minimum: 0, code: 'invalid_min_oi' })
  },
  combine: combineExpirations,
  replay: false,
  stream: true,
  response: Type.Object({
    ...envelope,
    net_gex: Nullable(Notional()),
    label: Type.String(),
    strikes: Type.Array(Type.Object({ strike: Price(), net_gex: Notional() }), rowKey('strike'))
  }),
  answer: () => ({ symbol: '', underlying_price: 0, as_of: '', net_gex: 0, label: '', strikes: [] })
})

/** A socket that accepts as many bytes as the test allows, and none while it is stopped. */
export class FakeWire implements Wire {
  readonly compressFrom = undefined
  readonly frames: Frame[] = []
  unsent = 0
  writes = 0
  pings = 0
  closed: readonly [number, string] | undefined
  /** While true nothing that is written leaves. */
  stopped = false
  readonly check: boolean

  constructor(check = true) {
    this.check = check
  }

  write(bytes: string): void {
    if (this.closed !== undefined) throw new Error('written after the end')
    this.writes++
    if (this.stopped) this.unsent += bytes.length
    const frames = framesIn(bytes)
    if (this.check) for (const frame of frames) checkFrame('server_frame', frame)
    this.frames.push(...frames)
  }

  writeCompressed(): void {
    throw new Error('compression was not offered')
  }

  ping(): void {
    this.pings++
  }

  close(code: number, reason: string): void {
    this.closed = [code, reason]
  }

  /** The frames since the last call. */
  taken(): readonly Frame[] {
    return this.frames.splice(0)
  }
}

export interface Client {
  readonly wire: FakeWire
  readonly session: StreamSession
  /** Sends a frame, which must fit the schema unless the test says otherwise. */
  send(frame: Frame, options?: { readonly valid?: boolean }): void
  /** Sends a frame and gives everything that came back meanwhile. */
  ask(frame: Frame, options?: { readonly valid?: boolean }): Promise<readonly Frame[]>
  /** The socket closes with a code of the client's, or without one. */
  drop(code?: number): void
}

export { idle as settle } from '../support/idle.ts'

export const bundle = (id = 'b1', blocks = 1, endsAt?: number): Bundle => ({ id, blocks, endsAt })

/** A stream server over answers and a clock that the test makes; `epoch` names it among several. */
export function scriptedServer({
  shared,
  epoch = '20260729test'
}: Partial<Pick<StreamServerOptions, 'shared' | 'epoch'>> = {}) {
  const clock = clockAt(wednesday)
  /** `wallOff`: how far the wall clock was set, milliseconds; the steady clock runs on. */
  const market = { now: wednesday, wallOff: 0, unknown: new Set<string>() }
  const answers = new Map<string, { version: number; body: object; asOf: number }>()
  const refusals = new Map<string, Error>()
  const asked: { readonly symbol: string; readonly at: number; readonly maxAge: number }[] = []
  const errors: unknown[] = []
  const counts = { sent: 0, skipped: 0 }
  let gate: Promise<void> | undefined

  const snapshotOf = (symbol: string): StreamAnswer => {
    const refusal = refusals.get(symbol)
    if (refusal !== undefined) throw refusal
    const answer = answers.get(symbol)
    if (answer === undefined) throw apiError('symbol_not_found')
    const body = Buffer.from(JSON.stringify({ symbol, as_of: isoInstant(answer.asOf), ...answer.body }))
    return { answer: { version: `${answer.version}`, body }, chains: [{ asOf: answer.asOf, delay: 0, spot: 100 }] }
  }
  const source = {
    now: () => market.now,
    chain: (symbol: string) => (market.unknown.has(symbol) ? undefined : {}),
    isStale: () => false
  } as unknown as MarketSource
  const server = new StreamServer({
    catalog: catalogOf([level]),
    answers: {
      ready(_endpoint, params, { maxAge }) {
        const symbol = params['symbol'] as string
        asked.push({ symbol, at: clock.at, maxAge })
        return gate === undefined ? snapshotOf(symbol) : undefined
      },
      async load(_endpoint, params) {
        await gate
        return snapshotOf(params['symbol'] as string)
      }
    },
    source,
    wallNow: () => clock.at + market.wallOff,
    steadyNow: clock.steadyNow,
    arm: () => {},
    epoch,
    shared,
    secret: () => `secret${asked.length}-${Math.random().toString(36).slice(2)}`,
    random: () => 0.5,
    onError: (error) => errors.push(error),
    onSent: (frames) => (counts.sent += frames),
    onSkipped: (frames) => (counts.skipped += frames)
  })

  /** Gives a symbol a new answer, and notifies the server. */
  const publish = (symbol: string, body: object, { tell = true } = {}) => {
    const before = answers.get(symbol)
    answers.set(symbol, { version: (before?.version ?? 0) + 1, body, asOf: market.now })
    if (tell) server.hub.changed(symbol)
  }

  /** Lets time pass in steps, everything due in each of them done. */
  const pass = async (milliseconds: number, step = 10) => {
    for (const end = clock.at + milliseconds; clock.at < end; ) {
      const by = Math.min(step, end - clock.at)
      clock.at += by
      market.now += by
      server.run()
      await settle()
    }
  }

  const connect = (holder: Bundle = bundle(), authorization?: () => Authorization, check = true): Client => {
    const wire = new FakeWire(check)
    const usual = () => ({ isKeyValid: true, bundle: holder })
    const session = server.open(server.nextId(), wire, { bundle: holder, authorization: authorization ?? usual })
    const send = (frame: Frame, { valid = true } = {}) => {
      if (valid) checkFrame('client_frame', frame)
      const text = JSON.stringify(frame)
      session.receive(text, text.length)
    }
    return {
      wire,
      session,
      send,
      async ask(frame, options) {
        wire.taken()
        send(frame, options)
        await settle()
        return wire.taken()
      },
      drop: (code = 1006) => server.closed(session, code)
    }
  }

  /** Lets no question be answered until the returned function is called. */
  const hold = () => {
    let open = () => {}
    gate = new Promise((resolve) => (open = resolve))
    return () => {
      gate = undefined
      open()
    }
  }

  return { server, clock, market, answers, refusals, asked, errors, counts, publish, pass, connect, hold }
}

export const netGex = 'exposure.gex.net_gex'
