import { Registry } from 'prom-client'
import type { TSchema } from 'typebox'
import { expect } from 'vitest'
import { Firings } from '../../../src/accounts/alerts/firings.ts'
import { AlertRules } from '../../../src/accounts/alerts/rules.ts'
import { Webhooks } from '../../../src/accounts/alerts/webhooks.ts'
import { UserDocuments } from '../../../src/accounts/documents.ts'
import { Alerts } from '../../../src/alerts/alerts.ts'
import { serviceKeyOf } from '../../../src/alerts/push/vapid.ts'
import type { Endpoint } from '../../../src/api/endpoint.ts'
import { answerName } from '../../../src/api/schema-names.ts'
import type { SchemaNode } from '../../../src/api/schema-node.ts'
import type { ChainSnapshot } from '../../../src/archive/history-store.ts'
import type { PastStrikes } from '../../../src/live/market-events.ts'
import { easternDate } from '../../../src/market/eastern.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { mountAdmin } from '../../../src/server/admin/admin.ts'
import { mountAlertMetrics } from '../../../src/server/alerts/alert-metrics.ts'
import { alertCharges, alertTerms } from '../../../src/server/alerts/alert-terms.ts'
import { mountAlerts } from '../../../src/server/alerts/mount-alerts.ts'
import { requestExample } from '../../../src/server/bulk/bulk-shapes.ts'
import { mountDocuments } from '../../../src/server/documents/mount-documents.ts'
import { mountEmbedTokens } from '../../../src/server/embed/embed-routes.ts'
import { mountHealth } from '../../../src/server/operations/health-endpoint.ts'
import { mountProbes } from '../../../src/server/operations/operations.ts'
import { coveragePath } from '../../../src/server/replay/replay-routes.ts'
import { createStream } from '../../../src/server/stream/stream-host.ts'
import { TimerQueue } from '../../../src/stream/delivery/timer-queue.ts'
import { memoryStore } from '../../support/memory-store.ts'
import { mountBulkOver } from '../../support/mount-bulk-over.ts'
import { published } from '../../support/published-push.ts'
import { replayService } from '../../support/replay.ts'
import { scriptedSource, wednesday } from '../../support/scripted-source.ts'
import { usualDeadline } from '../../support/usual-deadline.ts'

export interface Example {
  readonly request: string
  readonly answer: unknown
}

const figures = [2, 1, 0].map((minutes) => ({
  symbol: 'AAPL' as Ticker,
  asOf: wednesday - 60_000 * minutes,
  figures: {
    underlying_price: 100.3 - 0.1 * minutes,
    net_gex: 52_000 - 900 * minutes,
    gamma_flip: 98.75,
    call_wall: 105,
    put_wall: 95
  }
}))

const snapshotAt = ({ symbol, asOf }: (typeof figures)[number]): ChainSnapshot => ({
  chain: { ...scriptedSource().listing('AAPL')!, symbol, asOf },
  fidelity: 'recorded',
  missing: []
})

/** Net gamma by strike of these minutes. */
export const pastStrikes: PastStrikes = {
  columns: async () =>
    figures.map(({ asOf, figures: { net_gex } }) => ({
      asOf,
      strikes: Float64Array.of(95, 100, 105),
      values: Float64Array.of(-61_000, net_gex, 61_000)
    }))
}

/** Three minutes of AAPL before the moment of the scripted day. */
export const examplesHistory = () => memoryStore({ snapshots: figures.map(snapshotAt), bars: [], records: [], figures })

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The live host with all its routes, and the replay host, in process on the scripted day. */
function everyHost(endpoints: readonly Endpoint[]) {
  const history = examplesHistory()
  const running = replayService({
    history,
    endpoints,
    market: { source: scriptedSource(), archive: history, pastStrikes }
  })
  const { app, http, access, live, answers, accounts, database, clock, quota, embedTokens, tickets } = running
  const registry = new Registry()
  const onError = (error: unknown) => {
    throw error
  }
  const stream = createStream({
    endpoints: http.endpoints,
    answers,
    source: live,
    access,
    bundles: accounts.bundles,
    tickets,
    isReady: () => true,
    ...usualDeadline,
    registry,
    keyRefusals: http.keyRefusals,
    onRequest: () => {},
    onError
  })
  const rules = new AlertRules(database)
  const alerts = new Alerts({
    rules,
    firings: new Firings(database),
    webhooks: new Webhooks(database, clock.now),
    database,
    hub: stream.hub,
    catalog: stream.catalog,
    timers: new TimerQueue(clock.now, () => {}),
    wallNow: clock.now,
    marketNow: () => live.now(),
    quality: (symbol) => live.quality(symbol),
    source: () => 'scripted',
    isRestored: () => false,
    termsOf: (userId) => alertTerms(userId, { accounts, access, today: () => easternDate(live.now()) }),
    allowPrivate: true,
    post: async () => ({ delivered: true, status: 204, failure: undefined }),
    push: { contact: undefined, key: async () => serviceKeyOf(published.senderPrivate) },
    random: () => 0.5,
    ...alertCharges(accounts, quota),
    onError,
    ...mountAlertMetrics(registry, () => rules.counts())
  })
  const { plans } = http
  const { authenticate, usesSession } = access
  const reason = { reason: 'spot_off_options', message: 'its own options contradict the spot' } as const
  const doubt = { symbol: 'KO' as Ticker, ...reason, settledBy: 'two polls agree with it', since: clock.now() }
  const doubtControl = { doubts: [doubt], accept: () => doubt } as never
  mountAdmin(app, {
    accounts,
    quota,
    plans,
    database,
    doubtControl,
    reload: async () => ['plan growth: daily_limit 3000, before 2500'],
    wallNow: clock.now,
    authenticate,
    usesSession,
    admins: 'enterprise'
  })
  mountAlerts(app, alerts, { authenticate, counting: http })
  mountDocuments(app, new UserDocuments(database, clock.now), { authenticate, counting: http })
  const jobs = mountBulkOver(running, { history, onFault: onError })
  mountEmbedTokens(app, embedTokens, http)
  mountHealth(app, [{ name: 'market data', check: () => 'Healthy' }])
  mountProbes(
    app,
    () => true,
    () => undefined
  )
  stream.mount(app)
  const close = async () => {
    await alerts.stop()
    await jobs.stop()
    await stream.stop()
    await running.close()
  }
  return { ...running, close }
}

/** Asks every operation once, with the examples of its required parameters. Returns the answers by operation id. */
export async function askedExamples(endpoints: readonly Endpoint[]): Promise<Readonly<Record<string, Example>>> {
  const service = everyHost(endpoints)
  const key = service.keyOn('enterprise')
  const examples: Record<string, Example> = {}
  const names = new Map<string, string>()

  async function ask(
    operation: string,
    method: Method,
    url: string,
    payload?: unknown,
    { headers = {}, schema = {} }: { readonly headers?: Record<string, string>; readonly schema?: TSchema } = {}
  ) {
    const sent = { method, ...(payload !== undefined && { payload: payload as object }) }
    const response = await service.ask(url, key, { ...sent, headers })
    expect(response.statusCode, `${method} ${url}: ${response.body}`).toBeLessThan(300)
    if (response.body === '') return undefined
    const isJson = `${response.headers['content-type']}`.startsWith('application/json')
    const answer: unknown = isJson ? response.json() : response.body
    examples[operation] = {
      request: steady(`${method} ${url}`, names),
      answer: short(answer, names, schema as SchemaNode)
    }
    return answer as Readonly<Record<string, string>>
  }

  for (const endpoint of endpoints) {
    const { path, params, body, response } = endpoint
    const query = new URLSearchParams()
    let url = path
    for (const [name, { in: place, required, example }] of Object.entries(params)) {
      if (place === 'path') url = url.replace(`{${name}}`, example)
      else if (required) query.set(name, example)
    }
    if (query.size > 0) url += `?${query}`
    const method = body === undefined ? 'get' : 'post'
    const name = `${method}${answerName(endpoint)}`
    await ask(name, method === 'get' ? 'GET' : 'POST', url, body?.example, { schema: response })
  }

  await ask('postBulk', 'POST', '/v1/bulk', { ...requestExample, fields: ['exposures.net_gex', 'gamma_flip'] })
  await ask('postBulkColumns', 'POST', '/v1/bulk/columns', { ...requestExample, fields: ['gamma_flip'] })
  const job = (await ask('createBulkJob', 'POST', '/v1/bulk/jobs', { request: { ...requestExample, format: 'csv' } }))!
  const ofJob = `/v1/bulk/jobs/${job['id']}`
  await expect.poll(async () => (await service.ask(ofJob, key)).json().state).toBe('done')
  await ask('listBulkJobs', 'GET', '/v1/bulk/jobs')
  await ask('getBulkJob', 'GET', ofJob)
  await ask('getBulkPart', 'GET', `${ofJob}/parts/1`)
  await ask('cancelBulkJob', 'DELETE', ofJob)
  await ask('getHealth', 'GET', '/health')
  await ask('getLivez', 'GET', '/livez')
  await ask('getReadyz', 'GET', '/readyz')
  const user = (await ask('createUser', 'POST', '/v1/admin/users', { email: 'ada@example.com', plan: 'alpha' }))!
  const admin = `/v1/admin/users/${user['id']}`
  await ask('listUsers', 'GET', '/v1/admin/users')
  await ask('getUser', 'GET', admin)
  await ask('changeUser', 'PATCH', admin, { plan: 'growth' })
  const made = (await ask('createKey', 'POST', `${admin}/keys`, { name: 'laptop' }))!
  await ask('listKeys', 'GET', `${admin}/keys`)
  const turned = (await ask('rotateKey', 'POST', `/v1/admin/keys/${made['id']}/rotate`, {}))!
  await ask('revokeKey', 'DELETE', `/v1/admin/keys/${turned['id']}`)
  await ask('grantBundle', 'PUT', `${admin}/bundle`, { blocks: 1 })
  await ask('listBundles', 'GET', '/v1/admin/bundles')
  await ask('revokeBundle', 'DELETE', `${admin}/bundle`)
  await ask('removeUser', 'DELETE', admin)
  await ask('listDoubts', 'GET', '/v1/admin/doubts')
  await ask('acceptDoubted', 'POST', '/v1/admin/symbols/KO/accept')
  await ask('listAudit', 'GET', '/v1/admin/audit')
  await ask('listPlans', 'GET', '/v1/admin/plans')
  await ask('reloadSettings', 'POST', '/v1/admin/reload')

  const rule = { symbol: 'SPY', metric: 'stockquote.current.mid', condition: 'above', value: 100 }
  const webhook = { url: 'https://example.com/hook' }
  const alert = (await ask('createAlert', 'POST', '/v1/alerts', { ...rule, webhook, note: 'SPY is above 100' }))!
  const own = `/v1/alerts/${alert['id']}`
  await expect.poll(async () => (await service.ask(own, key)).json().state).toBe('done')
  await ask('listAlerts', 'GET', '/v1/alerts')
  await ask('listAlertEvents', 'GET', '/v1/alerts/events')
  await ask('getAlert', 'GET', own)
  await ask('changeAlert', 'PATCH', own, { state: 'paused' })
  await ask('testAlert', 'POST', `${own}/test`, {})
  await ask('rotateAlertSecret', 'POST', `${own}/secret`, {})
  await ask('removeAlert', 'DELETE', own)

  const keys = { p256dh: published.receiver, auth: published.auth }
  const endpoint = 'https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV'
  const browser = (await ask('addBrowser', 'POST', '/v1/alerts/browsers', { endpoint, keys }))!
  await ask('listBrowsers', 'GET', '/v1/alerts/browsers')
  await ask('testBrowser', 'POST', `/v1/alerts/browsers/${browser['id']}/test`, {})
  await ask('removeBrowser', 'DELETE', `/v1/alerts/browsers/${browser['id']}`)

  await ask('putDocument', 'PUT', '/v1/me/watchlists/stars', { symbols: ['SPY', 'QQQ'] })
  await ask('listDocuments', 'GET', '/v1/me/watchlists')
  await ask('getDocument', 'GET', '/v1/me/watchlists/stars')
  await ask('removeDocument', 'DELETE', '/v1/me/watchlists/stars')

  await ask('createEmbedToken', 'POST', '/v1/embed/token', { panel: 'ladder', symbol: 'SPY' })
  const caller = (await service.accounts.users.list()).find(({ plan }) => plan === 'enterprise')!
  await service.accounts.bundles.grant(caller, { blocks: 1 }, 'test')
  service.clock.pass(5000) // until the bundle is looked up anew
  await ask('getStreamCatalog', 'GET', '/v1/stream/catalog')
  await ask('createStreamTicket', 'POST', '/v1/stream/ticket')
  await ask(
    'createSession',
    'POST',
    '/session',
    { key },
    { headers: { host: 'dash.example', origin: 'https://dash.example' } }
  )
  const coverage = await service.past(`${coveragePath}?symbol=AAPL`, { with: key })
  expect(coverage.statusCode, coverage.body).toBe(200)
  examples['getCoverage'] = { request: `GET ${coveragePath}?symbol=AAPL`, answer: short(coverage.json(), names) }
  await service.close()
  return examples
}

const MAX_ROWS = 3

/** Fields whose values are made at random or follow the wall clock, and what stands in their place. */
const stand: Readonly<Record<string, unknown>> = {
  key: 'gw_live_the-key-itself',
  hint: 'abcd',
  key_hint: 'abcd',
  webhook_secret: 'whsec_the-secret-itself',
  ticket: 'the-ticket-itself',
  expires_at: '2026-07-29T16:00:00.000Z',
  usage_today: 7,
  token: 'the-token-itself',
  version: '1',
  duration: 0.1,
  milliseconds: 12
}

/**
 * An answer with at most three rows in each array, or as many as its schema asks for, floats at nine digits, and ids and
 * secrets that do not change.
 */
function short(value: unknown, names: Map<string, string>, node: SchemaNode = {}, field = ''): unknown {
  if (Object.hasOwn(stand, field) && value !== null && typeof value !== 'object') return stand[field]
  if (typeof value === 'string') return steady(value, names)
  if (typeof value === 'number') return Number.isInteger(value) ? value : Number(value.toPrecision(9))
  if (Array.isArray(value)) {
    const { items, minItems = 0 } = shapeOf(node, 'array')
    return value.slice(0, Math.max(MAX_ROWS, minItems)).map((item) => short(item, names, items))
  }
  if (typeof value !== 'object' || value === null) return value
  const { properties = {} } = shapeOf(node, 'object')
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, short(inner, names, properties[name], name)])
  )
}

/** The schema of arrays or objects in a schema that allows others too, such as null. */
function shapeOf(node: SchemaNode, type: 'array' | 'object'): SchemaNode & { readonly minItems?: number } {
  return node.type === type ? node : (node.anyOf?.find((shape) => shape.type === type) ?? {})
}

/** A text with its random ids numbered in the order in which they appear. */
function steady(text: string, names: Map<string, string>): string {
  const numbered = text.replaceAll(/bj_[0-9A-Z]{26}/g, `bj_${'1'.padStart(26, '0')}`)
  return numbered.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
    if (!names.has(id)) names.set(id, `00000000-0000-4000-8000-${`${names.size + 1}`.padStart(12, '0')}`)
    return names.get(id)!
  })
}
