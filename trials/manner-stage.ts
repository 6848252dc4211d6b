import { setTimeout as pause } from 'node:timers/promises'
import { Firings } from '../src/accounts/alerts/firings.ts'
import { AlertRules } from '../src/accounts/alerts/rules.ts'
import { Webhooks } from '../src/accounts/alerts/webhooks.ts'
import { Alerts } from '../src/alerts/alerts.ts'
import { pushSender } from '../src/alerts/push/push-sender.ts'
import { SnapshotRecorder } from '../src/archive/snapshot-recorder.ts'
import { createCboeFeed } from '../src/connectors/cboe/cboe-feed.ts'
import { endpoints } from '../src/endpoints/index.ts'
import { MarketEventBus } from '../src/live/market-events.ts'
import { latestSession } from '../src/market/calendar.ts'
import { type Chain, UNKNOWN } from '../src/market/chain.ts'
import { easternDate } from '../src/market/eastern.ts'
import { type Instant, isoInstant, MILLISECONDS_PER_MINUTE, type Ticker } from '../src/market/units.ts'
import type { PricedChain } from '../src/pricing/price-chain.ts'
import { catalogOf } from '../src/stream/catalog/catalog.ts'
import { type ResolvedMetric, resolveMetric } from '../src/stream/catalog/metric-id.ts'
import { queryOf, type StreamQuery } from '../src/stream/catalog/query.ts'
import { StreamServer } from '../src/stream/session/stream-server.ts'
import type { Engine } from '../src/workers/engine.ts'
import type { TestTasks } from '../test/support/engine-with.ts'
import { priced } from '../test/support/markets.ts'
import { memoryStore } from '../test/support/memory-store.ts'
import type { ScriptedSource } from '../test/support/scripted-source.ts'
import { type Service, service } from '../test/support/service.ts'
import { momentAt, startExchange, trueChain, yesterdaysClose } from './stand-in-exchange.ts'

// A service in process over a stand-in exchange, with a client of REST, a subscription to the stream, alerts and a recorder.
// Its clock is the trial's. Whatever a surface says is compared with what the exchange could truly say.

const SPY = 'SPY' as Ticker
/** Time between two polls: the pace of the exchange, and what a load may take. */
const POLL = 15_300
/** Time limit of the exchange for one payload, milliseconds of this machine. */
const TIME_LIMIT = 500
/** Polls to wait at most until a symbol is due again after failures. */
const MAX_BACK_OFF = 12
/** Age beyond which a chain of the exchange is stale: its delay of 20 minutes, three intervals, and one for the renewal. */
const STALE_AFTER = 20 * MILLISECONDS_PER_MINUTE + 4 * 15_000
const path = '/v1/exposure/gex/SPY'

/** The answer of REST at one moment. */
export interface RestAnswer {
  readonly status: number
  /** Age of the answer by its own moment, milliseconds; undefined without an answer. */
  readonly age: number | undefined
  readonly isStale: boolean
}

export interface Stage {
  readonly exchange: Awaited<ReturnType<typeof startExchange>>
  readonly faults: Set<string>
  /** How often the gate said what, by kind or reason. */
  readonly verdicts: Map<string, number>
  readonly said: { stream: string; isStreamStale: boolean; recorded: number }
  /** The time of the exchange: ours, unless the clock was set. */
  readonly trueNow: () => Instant
  setClock(off: number): void
  /** One poll of the exchange, by a request of a client. */
  poll(): Promise<RestAnswer>
  addAlerts(): Promise<void>
  fired(): Promise<number>
  close(): Promise<void>
}

/** The archive in memory keeps chains as they are, so there is nothing to decode. */
const unpacked = (inner: Engine): TestTasks => ({
  loadChain: ({ recorded, ...asked }) =>
    inner.run('loadChain', { ...asked, held: asked.held ?? (recorded?.packed as PricedChain | undefined) }),
  restoreChain: async ({ snapshot }) => priced(snapshot.packed as Chain)
})

/** Opens a stage. The close of yesterday is in the archive. */
export async function openStage(): Promise<Stage> {
  const exchange = await startExchange()
  const events = new MarketEventBus()
  const store = memoryStore()
  await store.writeSnapshots([{ chain: trueChain(yesterdaysClose), fidelity: 'recorded', missing: [] }])
  const source = createCboeFeed({ url: exchange.url, timeLimit: TIME_LIMIT }) as ScriptedSource
  const at = service({ market: { source, events, archive: store }, tasks: unpacked })
  const { clock, live } = at
  const key = at.keyOn('alpha')
  const faults = new Set<string>()
  let off = 0
  const trueNow = (): Instant => clock.at - off
  exchange.clock = trueNow
  const { isTrue, isTruePrice, note } = truths(trueNow)

  const verdicts = new Map<string, number>()
  let ended = 0
  const end = (verdict?: string) => {
    ended++
    if (verdict !== undefined) verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1)
  }
  events.on('sourceAnswered', () => end())
  events.on('sourceFailed', () => end('failed'))
  events.on('olderDropped', () => end('older'))
  events.on('payloadRefused', ({ reason }) => end(reason))

  const said = { stream: '', isStreamStale: false, recorded: 0 }
  const recorder = new SnapshotRecorder({ store, every: 1, maxWaitingBytes: 1e9 })
  events.on('chainSwapped', (chain) => {
    if (recorder.record(chain)) said.recorded++
    if (!isTrue(chain)) faults.add(`recorded what is false: ${isoInstant(chain.asOf)}, spot ${chain.spot}`)
  })

  const stream = streamOver(at, faults)
  for (const name of ['chainSwapped', 'chainRestored'] as const) {
    events.on(name, ({ symbol }) => stream.hub.changed(symbol))
  }
  const resolved = resolveMetric(stream.catalog, 'exposure.gex.underlying_price') as ResolvedMetric
  const query = queryOf(resolved.operation, SPY, {}) as StreamQuery
  const metric = stream.hub.listen(resolved, query, 1000, {
    valueChanged() {
      const { value = '', feed } = metric
      Object.assign(said, { stream: value, isStreamStale: feed.stale })
      if (value !== '' && !isTruePrice(Number(value), feed.asOf)) faults.add(`streamed a false price, ${value}`)
    }
  })

  const { alerts, owner } = await alertsOver(at, stream, faults)

  /** Asks over REST and checks value, age, mark and status of the answer. */
  async function askRest(): Promise<RestAnswer> {
    const { statusCode: status, headers, body } = await at.ask(path, key)
    const held = [...live.loaded()][0]?.chain
    if (status !== 200) {
      faults.add(`status ${status} although there is a good chain`)
      return { status, age: undefined, isStale: false }
    }
    const { as_of, underlying_price: price } = JSON.parse(body)
    const age = clock.at - Date.parse(as_of)
    const isStale = headers['x-data-stale'] === 'true'
    if (held === undefined || !isTrue(held) || Math.abs(price - held.spot) > 0.006)
      faults.add(`served a false ${price}`)
    if (Math.abs(Number(headers['x-data-age']) - age / 1000) > 1)
      faults.add(`age ${headers['x-data-age']} for ${age / 1000}`)
    if (off === 0 && isStale !== age > STALE_AFTER) faults.add(`${isStale ? 'stale' : 'fresh'} at ${age / 1000} s`)
    return { status, age, isStale }
  }

  return {
    exchange,
    faults,
    verdicts,
    said,
    trueNow,
    setClock(by) {
      clock.pass(by - off)
      off = by
    },
    async poll() {
      const done = ended
      for (let tries = 0; tries < MAX_BACK_OFF && ended === done; tries++) {
        clock.pass(POLL)
        note()
        const { asked } = exchange
        live.poll()
        await at.ask(path, key)
        // Nothing is asked while the source is left alone after a failure.
        for (let wait = 0; exchange.asked === asked ? wait < 4 : ended === done && wait < 400; wait++) await pause(5)
      }
      for (const milliseconds of [0, 300]) {
        clock.pass(milliseconds)
        stream.run()
        await pause(2)
      }
      return askRest()
    },
    async addAlerts() {
      const gex: number = JSON.parse((await at.ask(path, key)).body).net_gex
      for (const [name, condition, value] of [
        ['net_gex', 'above', gex + 2 * Math.abs(gex)],
        ['net_gex', 'below', gex - 2 * Math.abs(gex)],
        ['underlying_price', 'above', 754],
        ['underlying_price', 'below', 726]
      ] as const) {
        const wanted = { symbol: 'SPY', metric: `exposure.gex.${name}`, params: {}, condition, value } as const
        await alerts.create(owner, { ...wanted, repeat: 'each_time', note: undefined, webhookUrl: undefined })
      }
    },
    fired: async () => (await alerts.events(owner, { limit: 100, offset: 0 })).length,
    async close() {
      await alerts.stop()
      await at.close()
      exchange.close()
    }
  }
}

/** What the exchange could truly say by now: the chains of the moments at which it was asked, and of earlier ones. */
function truths(trueNow: () => Instant) {
  const chains = new Map<Instant, Chain>()
  const moments = new Set<Instant>()
  const truthOf = (moment: Instant) => {
    if (!chains.has(moment)) chains.set(moment, trueChain(moment))
    return chains.get(moment)!
  }
  /** Moments whose chain may be stated under a time: its own, and later ones, since times of trades may stand still. */
  const momentsOf = (asOf: Instant) => {
    const newest = momentAt(trueNow())
    const own = asOf <= newest + 1000 ? [asOf] : []
    // Before the first trade of a day the exchange shows the close before.
    if (asOf < latestSession(newest).open) own.push(yesterdaysClose)
    return [...own, ...[...moments].filter((moment) => moment >= asOf)]
  }
  return {
    note: () => void moments.add(momentAt(trueNow())),
    isTrue: (chain: Chain) => momentsOf(chain.asOf).some((moment) => isAlike(chain, truthOf(moment))),
    isTruePrice: (price: number, asOf: Instant) =>
      momentsOf(asOf).some((moment) => Math.abs(truthOf(moment).spot - price) < 0.006)
  }
}

function streamOver({ answers, live, clock }: Service, faults: Set<string>): StreamServer {
  return new StreamServer({
    catalog: catalogOf(endpoints),
    answers,
    source: live,
    wallNow: clock.now,
    steadyNow: clock.steadyNow,
    arm: () => {},
    epoch: 'trial',
    secret: () => 'secret',
    random: () => 0.5,
    onError: (error) => faults.add(`the stream failed: ${error}`),
    onSent: () => {},
    onSkipped: () => {}
  })
}

async function alertsOver({ accounts, database, clock, live }: Service, stream: StreamServer, faults: Set<string>) {
  const { id: userId, email } = await accounts.users.create({ email: 'alerts@example.com', plan: 'alpha' }, 'test')
  const alerts = new Alerts({
    rules: new AlertRules(database),
    firings: new Firings(database),
    webhooks: new Webhooks(database, clock.now),
    database,
    hub: stream.hub,
    catalog: stream.catalog,
    timers: stream.timers,
    wallNow: clock.now,
    marketNow: () => live.now(),
    quality: (symbol) => live.quality(symbol),
    source: () => 'cboe',
    isRestored: (symbol, asOf) => live.isRestored(symbol, asOf),
    termsOf: () => ({ limit: 10, cadence: 1000, freshness: 1000, planName: 'Alpha', refusalOf: () => undefined }),
    allowPrivate: false,
    post: async () => ({ delivered: true, status: 200, failure: undefined }),
    push: pushSender(database),
    random: () => 0.5,
    charge: () => true,
    refund: () => {},
    onFired: () => {},
    onAttempt: () => {},
    onError: (error) => faults.add(`alerts failed: ${error}`)
  })
  alerts.start()
  return { alerts, owner: { userId, email } }
}

/** Whether two chains say the same: price, open interest, quotes, and volume where it is known. */
function isAlike(one: Chain, other: Chain): boolean {
  if (one.size !== other.size || Math.abs(one.spot - other.spot) > 1e-6) return false
  const same = (name: 'strike' | 'bid' | 'ask' | 'openInterest') =>
    one[name].every((value, i) => Math.abs(value - other[name][i]) < 1e-9 || Object.is(value, other[name][i]))
  const isSameDay = easternDate(one.asOf) === easternDate(other.asOf)
  const isSameVolume = one.volume.every((value, i) => value === UNKNOWN || value === (isSameDay ? other.volume[i] : 0))
  return isSameVolume && same('strike') && same('openInterest') && same('bid') && same('ask')
}
