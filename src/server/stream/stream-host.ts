import { randomBytes, randomInt } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Bundles } from '../../accounts/bundles.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { MarketSource } from '../../api/market-source.ts'
import { steadyNow } from '../../facts/steady-clock.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { type Catalog, catalogOf } from '../../stream/catalog/catalog.ts'
import type { AnswerSource } from '../../stream/delivery/answer-source.ts'
import type { Hub } from '../../stream/delivery/hub.ts'
import { StreamServer, type StreamServerOptions } from '../../stream/session/stream-server.ts'
import type { Access } from '../http/access.ts'
import type { KeyRefusals } from '../http/address-limit.ts'
import type { RequestRecord } from '../http/exchange.ts'
import { type HandshakeOptions, Handshakes } from './handshakes.ts'
import { mountStreamMetrics } from './stream-metrics.ts'
import { mountStreamRoutes, mountUpgradeAdvice } from './stream-routes.ts'
import { attachStream } from './stream-socket.ts'
import { StreamTimer } from './stream-timer.ts'
import { type TimelyAnswersOptions, timelyAnswers } from './timely-answers.ts'

export interface StreamHostOptions
  extends Pick<TimelyAnswersOptions, 'requestDeadline' | 'after'>,
    Pick<StreamServerOptions, 'shared'> {
  readonly endpoints: readonly Endpoint[]
  readonly answers: AnswerSource
  readonly source: MarketSource
  readonly access: Access
  readonly bundles: Pick<Bundles, 'of'>
  readonly tickets: HandshakeOptions['tickets']
  readonly isReady: () => boolean
  readonly registry: Registry
  readonly keyRefusals: Pick<KeyRefusals, 'limited'>
  readonly onRequest: (record: RequestRecord) => void
  readonly onError: (error: unknown) => void
}

export interface StreamHost {
  /** All metrics of the stream. `hub` computes their values and passes them to connections and alerts. */
  readonly catalog: Catalog
  readonly hub: Hub
  /** Recomputes all subscribed metrics of a symbol. Called when newer market data has arrived. */
  changed(symbol: Ticker): void
  /** Recomputes the subscribed metrics of a symbol that depend on prints. Called when new prints have arrived. */
  tapeMoved(symbol: Ticker): void
  /** Closes connections whose key or bundle has ended. Called when accounts have changed. */
  accountsChanged(): void
  usedOf(bundleId: string): number
  mount(app: FastifyInstance): void
  /**
   * Makes the stream available at /ws of a host. May be called for several hosts. `alone` tells that the host serves
   * nothing else.
   */
  attach(app: FastifyInstance, how: { readonly alone: boolean }): void
  /**
   * Asks clients to leave, waits a while, and then closes the remaining connections. Resolves at once if there are
   * none.
   */
  stop(): Promise<void>
}

export function createStream(options: StreamHostOptions): StreamHost {
  const { endpoints, source, access, bundles, tickets, isReady, registry, keyRefusals, onRequest, onError } = options
  const timer = new StreamTimer(() => server.run())
  const server: StreamServer = new StreamServer({
    catalog: catalogOf(endpoints),
    answers: timelyAnswers(options.answers, { ...options, steadyNow }),
    source,
    wallNow: Date.now,
    steadyNow,
    arm: (at) => timer.arm(at),
    epoch: newEpoch(Date.now()),
    secret: () => randomBytes(18).toString('base64url'),
    random: Math.random,
    onError,
    shared: options.shared,
    ...mountStreamMetrics(registry, () => server)
  })
  const handshakes = new Handshakes({ access, bundles, server, tickets, isReady, wallNow: Date.now })
  return {
    catalog: server.catalog,
    hub: server.hub,
    changed: (symbol) => server.hub.changed(symbol),
    tapeMoved: (symbol) => server.hub.tapeMoved(symbol),
    accountsChanged: () => server.accountsChanged(),
    usedOf: (bundleId) => server.usedOf(bundleId),
    mount: (app) => mountStreamRoutes(app, { handshakes, access, keysInAddress: true }),
    attach(app, { alone }) {
      if (alone) mountStreamRoutes(app, { handshakes, access, keysInAddress: false })
      mountUpgradeAdvice(app)
      attachStream(app.server, { handshakes, keyRefusals, onRequest })
    },
    async stop() {
      await server.drain()
      timer.stop()
    }
  }
}

/** Creates a name for this run of the service: the date and four random letters. */
function newEpoch(now: Instant): string {
  const letters = Array.from({ length: 4 }, () => String.fromCharCode(97 + randomInt(26))).join('')
  return new Date(now).toISOString().slice(0, 10).replaceAll('-', '') + letters
}
