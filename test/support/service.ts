import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { type Account, Accounts } from '../../src/accounts/accounts.ts'
import { EndedSessions } from '../../src/accounts/ended-sessions.ts'
import { StoredQuota } from '../../src/accounts/quota.ts'
import { openDatabase } from '../../src/accounts/sqlite.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { defaultPlans, type PlanId, type Plans } from '../../src/api/plan.ts'
import { endpoints as all } from '../../src/endpoints/index.ts'
import type { After } from '../../src/facts/bounded-wait.ts'
import { LiveMarket, type LiveOptions } from '../../src/live/live-market.ts'
import { MarketEventBus } from '../../src/live/market-events.ts'
import { Answers } from '../../src/server/answers/answers.ts'
import { EmbedTokens } from '../../src/server/embed/tokens.ts'
import { createAccess } from '../../src/server/http/access.ts'
import { AddressLimit, KeyRefusals } from '../../src/server/http/address-limit.ts'
import { capabilitiesOf } from '../../src/server/http/capabilities.ts'
import type { RequestRecord } from '../../src/server/http/exchange.ts'
import { liveHost } from '../../src/server/http/host.ts'
import { createHttp, type HttpOptions } from '../../src/server/http/http-server.ts'
import { mountMoved } from '../../src/server/replay/moved.ts'
import { ownHosts } from '../../src/server/sessions/own-host.ts'
import { mountSessions, signInFailureRate } from '../../src/server/sessions/session-routes.ts'
import { Sessions } from '../../src/server/sessions/sessions.ts'
import { Tickets } from '../../src/server/stream/tickets.ts'
import type { Engine } from '../../src/workers/engine.ts'
import { inlineEngine } from '../../src/workers/inline.ts'
import { engineWith, type TestTasks } from './engine-with.ts'
import { madeUpAssumptions } from './made-up.ts'
import { madeUpSecrets } from './made-up-secrets.ts'
import { tapesAt } from './plain-tapes.ts'
import { clockAt, type ScriptedSource, scriptedSource, wednesday } from './scripted-source.ts'
import { usersBeside } from './user-beside.ts'
import { usualDeadline } from './usual-deadline.ts'

export interface ServiceOptions extends Partial<Pick<HttpOptions, 'trustProxy' | 'corsOrigin' | 'drain'>> {
  readonly endpoints?: readonly Endpoint[]
  /** How the waits of requests are ended, if not by the process's timers. */
  readonly after?: After
  readonly cacheBytes?: number
  /** The market behind it, and how its callers' waits are ended; a scripted one and the process's timers otherwise. */
  readonly market?: Partial<Pick<LiveOptions, 'events' | 'after' | 'archive' | 'tapes' | 'pastStrikes'>> & {
    readonly source: ScriptedSource
  }
  /** Rate limit of an address without a key; practically unlimited by default. */
  readonly rate?: { readonly burst: number; readonly perMinute: number }
  /** Whether browser sessions of this machine go uncounted. */
  readonly freeHere?: boolean
  /** Plans that are sold; by default the usual ones. */
  readonly plans?: Plans
  /** Tasks that are done in another way than by the engine inside. */
  readonly tasks?: (inner: Engine) => TestTasks
  /** Lets no answer of an endpoint be made before it resolves. */
  readonly beforeAnswer?: (endpoint: string) => Promise<void>
  /** How often an address may come with a wrong key or none; likewise. */
  readonly wrongKeys?: { readonly burst: number; readonly perMinute: number }
}

const unlimited = { burst: 1e9, perMinute: 1e9 }

/** The REST interface in process: a scripted market, accounts in a temporary folder, one clock for everything. */
export function service(options: ServiceOptions = {}) {
  const { endpoints = all, cacheBytes = 1e7, trustProxy = false, corsOrigin = '*' } = options
  const { rate = unlimited, wrongKeys = unlimited, plans = defaultPlans } = options
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-test-'))
  const clock = clockAt(wednesday)
  const source = options.market?.source ?? scriptedSource()
  const database = openDatabase(folder)
  const accounts = new Accounts(database, plans, clock.now)
  const beside = usersBeside(folder)
  const quota = new StoredQuota(database, {
    now: clock.now,
    onError: (error) => {
      throw error
    }
  })
  const listed = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  const inner = inlineEngine({ connector: source, assumptions: madeUpAssumptions, endpoints: listed })
  /** Ids of the questions that were computed, in order. */
  const computed: string[] = []
  const answerEndpoint: TestTasks['answerEndpoint'] = async (task) => {
    computed.push(task.endpoint)
    await options.beforeAnswer?.(task.endpoint)
    return inner.run('answerEndpoint', task)
  }
  const engine = engineWith({ answerEndpoint, ...options.tasks?.(inner) }, inner)
  const events = options.market?.events ?? new MarketEventBus()
  const market = {
    universe: [],
    marketNow: clock.now,
    wallNow: clock.now,
    steadyNow: clock.steadyNow,
    ...options.market,
    events
  }
  const live = new LiveMarket({ engine, tapes: tapesAt(wednesday), ...market, source })
  const answers = new Answers({ engine, cacheBytes, steadyNow: clock.steadyNow })
  events.on('chainSwapped', (chain) => answers.renew(chain))
  const records: RequestRecord[] = []
  const capable = {
    plans,
    bundles: accounts.bundles,
    usedOf: () => 0,
    hasHistory: true,
    admins: 'enterprise'
  } as const
  const capabilities = (account: Account) => capabilitiesOf(account, capable)
  const isOwnHost = ownHosts(['dash.example'])
  const panels = { ladder: ['exposure.gex', 'exposure.levels'], pain: ['maxpain.current'] }
  const secrets = madeUpSecrets()
  const ofBrowser = { accounts, secrets, now: clock.now }
  const embedTokens = new EmbedTokens({ ...ofBrowser, panels })
  const ended = new EndedSessions(database, clock.now)
  const sessions = new Sessions({ ...ofBrowser, ended, isOwnHost, freeHere: options.freeHere ?? false })
  const tickets = new Tickets({ ...ofBrowser, sessions })
  const access = createAccess(accounts, plans, { sessions, embedTokens })
  const http: HttpOptions = {
    endpoints,
    host: liveHost(live, access),
    engine,
    answers,
    access,
    keyless: new AddressLimit({ ...rate, now: clock.now }),
    keyRefusals: new KeyRefusals(new AddressLimit({ ...wrongKeys, now: clock.now }), trustProxy),
    ...(options.drain !== undefined && { drain: options.drain }),
    quota,
    plans,
    capabilitiesOf: capabilities,
    dataSource: () => source.name,
    ...usualDeadline,
    after: options.after ?? usualDeadline.after,
    steadyNow: clock.steadyNow,
    wallNow: clock.now,
    trustProxy,
    corsOrigin,
    onRequest: (record) => records.push(record)
  }
  const app = createHttp(http)
  mountMoved(app, http)
  const failures = new KeyRefusals(new AddressLimit({ ...signInFailureRate, now: clock.now }), trustProxy)
  mountSessions(app, { accounts, sessions, isOwnHost, failures, trustProxy, wallNow: clock.now })

  let users = 0
  /** The key of a new user on a plan. */
  const keyOn = (plan: PlanId, subscribedOn = '2026-04-01') =>
    beside.add({ email: `user-${++users}@example.com`, plan, subscribedOn }, clock.now())
  const ask = (url: string, key?: string, { headers, ...more }: InjectOptions = {}) =>
    app.inject({ url, headers: { ...(key !== undefined && { 'x-api-key': key }), ...headers }, ...more })
  const close = async () => {
    await app.close()
    await quota.close()
    beside.close()
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    app,
    ask,
    http,
    access,
    secrets,
    sessions,
    tickets,
    embedTokens,
    isOwnHost,
    engine,
    clock,
    source,
    live,
    answers,
    quota,
    database,
    accounts,
    capabilities,
    keyOn,
    records,
    computed,
    close
  }
}

export type Service = ReturnType<typeof service>
