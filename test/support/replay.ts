import type { InjectOptions } from 'fastify'
import type { AnswerShape } from '../../src/api/compatible-shape.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { defaultPlans } from '../../src/api/plan.ts'
import { quoteBytes } from '../../src/api/rows/quote-table.ts'
import type { Zone } from '../../src/api/serializer.ts'
import { decodeHeader } from '../../src/archive/codec/decode-snapshot.ts'
import type { HistoryStore, StoredSnapshot } from '../../src/archive/history-store.ts'
import { endpoints as all } from '../../src/endpoints/index.ts'
import { strikeSums } from '../../src/exposure/by-strike.ts'
import { volumesByExpiration } from '../../src/flow/settled-totals.ts'
import type { PastMinutes } from '../../src/live/market-events.ts'
import { type Chain, chainOfRoot, headerOf } from '../../src/market/chain.ts'
import { type Dividend, withDividends } from '../../src/market/dividend.ts'
import type { Instant, IsoDate } from '../../src/market/units.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import { chainQuality } from '../../src/quality/chain-quality.ts'
import { adminRoutes } from '../../src/server/admin/admin-routes.ts'
import { AddressLimit, KeyRefusals, keylessRate } from '../../src/server/http/address-limit.ts'
import { withKeyInHeader } from '../../src/server/replay/live-only.ts'
import { createReplay } from '../../src/server/replay/replay.ts'
import { inferredPrints } from '../../src/tape/inferred-prints.ts'
import { engineWith, type TestTasks } from './engine-with.ts'
import { pricedOnce } from './priced-once.ts'
import { type ServiceOptions, service } from './service.ts'
import { usualDeadline } from './usual-deadline.ts'

export interface ReplayServiceOptions extends ServiceOptions {
  readonly history: HistoryStore | undefined
  readonly now?: () => Instant
  readonly from?: string
  readonly times?: Zone
  readonly shape?: AnswerShape
  readonly endpoints?: readonly Endpoint[]
  /** Contracts of chains that are held at once. */
  readonly contracts?: number
  /** Minute prices of a market that makes its prices up. */
  readonly generated?: PastMinutes
  /** Restores a chain from a snapshot; by default as the archive in memory does. */
  readonly restore?: (snapshot: StoredSnapshot, dividends?: readonly Dividend[]) => Promise<PricedChain>
}

/** New Year after the days that tests record. */
const newYear = Date.parse('2027-01-01T00:00:00Z')

/** The chain that an archive in memory holds, priced. */
export const restored = async ({ asOf, packed }: StoredSnapshot, dividends: readonly Dividend[] = []) =>
  pricedOnce(withDividends({ ...(packed as Chain), asOf }, dividends))

/** Sums of a restored chain by strike, over all its contracts or those of one root. */
export const summedBy =
  (restore: NonNullable<ReplayServiceOptions['restore']>): NonNullable<TestTasks['sumStrikes']> =>
  async ({ snapshot, symbol, dividends }) => {
    const chain = await restore(snapshot, dividends)
    const part = symbol === snapshot.symbol ? chain : chainOfRoot(chain, symbol)
    return part && strikeSums(part)
  }

/** Assesses a chain against the previous close that an archive in memory holds. */
export const assessedInMemory: NonNullable<TestTasks['assessPastChain']> = async ({ chain, before }) => {
  const whole = before && (before.packed as Chain)
  return chainQuality(chain, whole?.symbol === chain.symbol ? whole : whole && chainOfRoot(whole, chain.symbol))
}

/** Reads the underlying from a snapshot in memory. */
export const readInMemory: NonNullable<TestTasks['readUnderlying']> = async ({ snapshot, symbol }) => {
  const whole = snapshot.packed as Chain
  if (!Array.isArray(whole.expirations)) return decodeHeader(snapshot, symbol)
  const chain = whole.symbol === symbol ? whole : chainOfRoot(whole, symbol)
  return chain && headerOf(chain)
}

/** Infers prints from snapshots that an archive in memory holds. */
export const inferredInMemory: NonNullable<TestTasks['inferPrints']> = async ({ snapshots, soFar }) =>
  inferredPrints(
    snapshots.map(({ asOf, packed }) => ({ ...(packed as Chain), asOf })),
    soFar
  )

/** Writes the quotes of a snapshot in memory. */
const writtenInMemory: NonNullable<TestTasks['writeQuotes']> = async ({
  snapshot: { asOf, fidelity, packed },
  ...part
}) => quoteBytes({ chain: { ...(packed as Chain), asOf }, fidelity }, part)

/** Adds up the volumes of a close that an archive in memory holds. */
export const settledInMemory: NonNullable<TestTasks['settledVolumes']> = async ({ snapshot: { packed } }) =>
  volumesByExpiration(packed as Chain)

/** Both hosts in process, with one set of accounts: what `service` starts, and the replay host over an archive. */
export function replayService(options: ReplayServiceOptions) {
  const { history, endpoints = all, restore = restored, now = () => newYear, contracts, generated } = options
  const live = service({ ...options, endpoints })
  const { access, quota, clock, records } = live
  /** Snapshots that were turned into chains, in order, and chains that were forgotten. */
  const made: string[] = []
  const forgotten: string[] = []
  const restoreChain: TestTasks['restoreChain'] = ({ snapshot, dividends }) => {
    made.push(`${snapshot.symbol} ${new Date(snapshot.asOf).toISOString()}`)
    return restore(snapshot, dividends)
  }
  const ofMemory = {
    assessPastChain: assessedInMemory,
    inferPrints: inferredInMemory,
    settledVolumes: settledInMemory,
    writeQuotes: writtenInMemory
  }
  const others = options.restore === undefined ? ofMemory : {}
  const engine = {
    ...engineWith(
      { restoreChain, sumStrikes: summedBy(restore), readUnderlying: readInMemory, ...others },
      live.engine
    ),
    forget: ({ symbol, asOf }: { readonly symbol: string; readonly asOf: Instant }, givesBack = false) => {
      forgotten.push(`${symbol} ${new Date(asOf).toISOString()}${givesBack ? ', memory given back' : ''}`)
    }
  }
  const {
    app: replay,
    mounted,
    host: pastHost
  } = createReplay({
    endpoints,
    liveOnly: withKeyInHeader(adminRoutes),
    history,
    reason: undefined,
    from: (options.from ?? '2017-01-03') as IsoDate,
    times: options.times ?? 'utc',
    shape: options.shape ?? 'plain',
    now,
    cacheBytes: options.cacheBytes ?? 1e7,
    version: '1.2.3',
    ...(contracts !== undefined && { contracts }),
    generated,
    engine,
    access,
    quota,
    plans: defaultPlans,
    capabilitiesOf: live.capabilities,
    keyless: new AddressLimit({ ...keylessRate, now: clock.now }),
    keyRefusals: new KeyRefusals(new AddressLimit({ burst: 1e9, perMinute: 1e9, now: clock.now }), false),
    dataSource: () => 'synthetic',
    ...usualDeadline,
    after: options.after ?? usualDeadline.after,
    wallNow: clock.now,
    trustProxy: false,
    corsOrigin: options.corsOrigin ?? '*',
    onRequest: (record) => records.push(record)
  })

  const key = live.keyOn('alpha')
  /** Asks the replay host, with an Alpha key unless another is given; null for none. */
  const past = (url: string, { with: other, headers, ...more }: InjectOptions & { with?: string | null } = {}) => {
    const sent = other === undefined ? key : other
    return replay.inject({ url, headers: { ...(sent !== null && { 'x-api-key': sent }), ...headers }, ...more })
  }
  const close = async () => {
    await replay.close()
    await live.close()
  }
  return { ...live, replay, mounted, pastHost, pastEngine: engine, past, key, made, forgotten, close }
}

export type ReplayService = ReturnType<typeof replayService>
