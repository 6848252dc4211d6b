import { randomBytes, randomInt } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Bundles } from '../../accounts/bundles.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { MarketSource } from '../../api/source.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { catalogOf } from '../../stream/catalog/catalog.ts'
import type { AnswerSource } from '../../stream/delivery/answer-source.ts'
import { StreamServer } from '../../stream/session/stream-server.ts'
import type { Access } from '../http/access.ts'
import type { RequestRecord } from '../http/record.ts'
import { StreamClock } from './clock.ts'
import { Handshakes } from './handshake.ts'
import { mountStreamMetrics } from './metrics.ts'
import { mountStreamRoutes, mountUpgradeAdvice } from './routes.ts'
import { attachStream } from './socket.ts'

export interface StreamOptions {
  readonly endpoints: readonly Endpoint[]
  readonly answers: AnswerSource
  readonly source: MarketSource
  readonly access: Access
  readonly bundles: Pick<Bundles, 'of'>
  readonly isReady: () => boolean
  readonly registry: Registry
  readonly onRequest: (record: RequestRecord) => void
  /** A fault of ours, for the log. */
  readonly onError: (error: unknown) => void
}

/** The stream of one process. */
export interface StreamService {
  /** Says that the market holds something newer of a symbol. */
  changed(symbol: Ticker): void
  /** Tickets and catalog on the REST host. */
  mount(app: FastifyInstance): void
  /** The channel itself, at /ws of a host; `alone` where that host serves nothing else. */
  attach(app: FastifyInstance, how: { readonly alone: boolean }): void
  /** Lets clients leave, then ends what is left; at once where there are none. */
  stop(): Promise<void>
}

export function createStream(options: StreamOptions): StreamService {
  const { endpoints, answers, source, access, bundles, isReady, registry, onRequest, onError } = options
  const clock = new StreamClock((now) => channel.run(now))
  const channel: StreamServer = new StreamServer({
    catalog: catalogOf(endpoints),
    answers,
    source,
    wallNow: Date.now,
    arm: (at) => clock.arm(at),
    epoch: newEpoch(Date.now()),
    secret: () => randomBytes(18).toString('base64url'),
    random: Math.random,
    onError,
    ...mountStreamMetrics(registry, () => channel)
  })
  const handshakes = new Handshakes({ access, bundles, channel, isReady, wallNow: Date.now })
  return {
    changed: (symbol) => channel.hub.changed(symbol),
    mount: (app) => mountStreamRoutes(app, { handshakes, access, keysInAddress: true }),
    attach(app, { alone }) {
      if (alone) mountStreamRoutes(app, { handshakes, access, keysInAddress: false })
      mountUpgradeAdvice(app)
      attachStream(app.server, { handshakes, onRequest })
    },
    async stop() {
      await channel.drain()
      clock.stop()
    }
  }
}

/** Names a run of the service: its day and four letters that tell the runs of a day apart. */
function newEpoch(now: Instant): string {
  const letters = Array.from({ length: 4 }, () => String.fromCharCode(97 + randomInt(26))).join('')
  return new Date(now).toISOString().slice(0, 10).replaceAll('-', '') + letters
}
