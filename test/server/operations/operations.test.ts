import { createServer } from 'node:http'
import Fastify from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newKey } from '../../../src/accounts/key.ts'
import {
  noSettlements,
  type SettlementAccuracy,
  settlementAccuracy
} from '../../../src/flow/open-interest/settlement.ts'
import type { Ticker } from '../../../src/market/units.ts'
import type { PricedChain } from '../../../src/pricing/price-chain.ts'
import { createMetrics } from '../../../src/server/operations/metrics.ts'
import { createOperations, mountProbes, type OperationsOptions } from '../../../src/server/operations/operations.ts'
import type { Profile } from '../../../src/server/operations/profiling.ts'

/** The samples of a scrape, by name and labels as they are printed. */
function samplesOf(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))])
  )
}

const token = 'the token of the operator'
const asOperator = { 'x-control-token': token }

function operations(more: Partial<OperationsOptions> = {}) {
  const metrics = createMetrics()
  const state = { ready: true }
  const app = createOperations({ metrics, isReady: () => state.ready, token, ...more })
  onTestFinished(() => app.close())
  return { app, metrics, state, scrape: async () => samplesOf((await app.inject('/metrics')).body) }
}

describe('the metrics of the service', () => {
  test('are text in the Prometheus format, with those of the process among them', async () => {
    const { app } = operations()
    const response = await app.inject('/metrics')
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(response.body).toMatch(/^# TYPE process_resident_memory_bytes gauge$/m)
    expect(response.body).toMatch(/^# TYPE nodejs_eventloop_lag_p99_seconds gauge$/m)
    expect(response.body).toMatch(/^# TYPE gammawall_requests_total counter$/m)
    expect(response.body).toMatch(/^# TYPE gammawall_request_seconds histogram$/m)
    for (const line of response.body.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
      expect(line).toMatch(/^[a-z_:][a-z0-9_:]*(\{([a-z_]+="[^"]*",?)+\})? (-?[0-9.e+-]+|Nan|[+-]Inf)$/)
    }
  })

  test('count requests by route, plan and status', async () => {
    const { metrics, scrape } = operations()
    const route = '/v1/exposure/gex/{symbol}'
    for (let i = 0; i < 3; i++) metrics.request(route, 'growth', 200, 0.002)
    metrics.request(route, 'growth', 404, 0.001)
    metrics.request(route, 'free', 403, 0.0001)
    metrics.request('/health', 'none', 200, 0.0001)
    const samples = await scrape()
    const count = (at: string, plan: string, status: number) =>
      samples.get(`gammawall_requests_total{route="${at}",plan="${plan}",status="${status}"}`)
    expect(count(route, 'growth', 200)).toBe(3)
    expect(count(route, 'growth', 404)).toBe(1)
    expect(count(route, 'free', 403)).toBe(1)
    expect(count('/health', 'none', 200)).toBe(1)
    expect(count('/health', 'free', 200)).toBeUndefined()
  })

  test('count what tapes took in, from session to session, and what went wrong with it', async () => {
    const { metrics, scrape } = operations()
    metrics.taped('SPY' as Ticker, 'option', 50)
    metrics.taped('SPY' as Ticker, 'option', 80)
    metrics.taped('SPY' as Ticker, 'stock', 7)
    metrics.taped('QQQ' as Ticker, 'option', 5)
    metrics.taped('SPY' as Ticker, 'option', 20) // the tape of the next session
    metrics.tapeTrouble('refused', 12)
    metrics.tapeTrouble('refused', 1)
    const samples = await scrape()
    expect(samples.get('gammawall_tape_rows_total{kind="option"}')).toBe(105)
    expect(samples.get('gammawall_tape_rows_total{kind="stock"}')).toBe(7)
    expect(samples.get('gammawall_tape_troubles_total{kind="refused"}')).toBe(13)
  })

  test('time requests in cumulative buckets, each bound belonging to its own bucket', async () => {
    const { metrics, scrape } = operations()
    const seconds = [0.0002, 0.0005, 0.00051, 0.1, 9, 11, 12]
    for (const each of seconds) metrics.request('/r', 'free', 200, each)
    const samples = await scrape()
    for (const bound of [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]) {
      const within = seconds.filter((each) => each <= bound).length
      expect(samples.get(`gammawall_request_seconds_bucket{le="${bound}",route="/r"}`), `${bound}`).toBe(within)
    }
    expect(samples.get('gammawall_request_seconds_bucket{le="+Inf",route="/r"}')).toBe(seconds.length)
    expect(samples.get('gammawall_request_seconds_count{route="/r"}')).toBe(seconds.length)
    expect(samples.get('gammawall_request_seconds_sum{route="/r"}')).toBeCloseTo(32.10121, 9)
  })

  test('a request that was never timed is counted and leaves the sum as it was', async () => {
    const { metrics, scrape } = operations()
    metrics.request('/r', 'free', 200, 1)
    metrics.request('/r', 'free', 200, Number.NaN)
    const samples = await scrape()
    expect(samples.get('gammawall_request_seconds_sum{route="/r"}')).toBe(1)
    expect(samples.get('gammawall_request_seconds_count{route="/r"}')).toBe(2)
  })

  test('read the same when nothing happened between two scrapes', async () => {
    const { metrics, scrape } = operations()
    metrics.request('/r', 'free', 200, 0.01)
    metrics.lookup(true)
    metrics.load('synthetic', 'loaded', 0.3)
    const own = (samples: ReadonlyMap<string, number>) => [...samples].filter(([name]) => name.startsWith('gammawall_'))
    const first = own(await scrape())
    expect(own(await scrape())).toEqual(first)
  })

  test('count look-ups and loads', async () => {
    const { metrics, scrape } = operations()
    metrics.lookup(true)
    metrics.lookup(true)
    metrics.lookup(false)
    metrics.load('cboe', 'loaded', 0.2)
    metrics.load('cboe', 'loaded', 0.7)
    metrics.load('cboe', 'failed', 20)
    const samples = await scrape()
    expect(samples.get('gammawall_answer_lookups_total{result="hit"}')).toBe(2)
    expect(samples.get('gammawall_answer_lookups_total{result="miss"}')).toBe(1)
    expect(samples.get('gammawall_source_loads_total{source="cboe",result="loaded"}')).toBe(2)
    expect(samples.get('gammawall_source_loads_total{source="cboe",result="failed"}')).toBe(1)
    expect(samples.get('gammawall_source_load_seconds_count{source="cboe"}')).toBe(3)
    expect(samples.get('gammawall_source_load_seconds_sum{source="cboe"}')).toBeCloseTo(20.9, 9)
  })

  test('read the state of the service at the moment of the scrape', async () => {
    const { metrics, scrape } = operations()
    const chain = (sources: readonly number[]) =>
      ({ size: sources.length, sigmaSource: Uint8Array.from(sources) }) as unknown as PricedChain
    const held = [
      { chain: chain([1, 1, 2, 0]), observedAt: 70_000, late: false },
      { chain: chain([1, 3]), observedAt: 40_000, late: true }
    ]
    const state = {
      bytes: 10,
      queue: 3,
      rates: 'default' as 'default' | 'implied',
      settlements: undefined as SettlementAccuracy | undefined,
      bandsHeld: {} as Partial<Record<'gex' | 'dex' | 'vex' | 'chex', number>>
    }
    const recorder = { failure: undefined, written: 40, waiting: 3, waitingBytes: 9, lost: 2 }
    metrics.observe({
      budgets: () => [{ source: 'tradier', budget: { perMinute: 120, given: 37 } }],
      cacheBytes: () => state.bytes,
      doubts: () => 7,
      engineQueue: () => state.queue,
      held: () => held.values(),
      ratesFrom: () => state.rates,
      recorded: () => recorder,
      streams: () => [{ source: 'tradier', streams: { contracts: 480, maxContracts: 500, without: 3 } }],
      scans: () => ({ taken: 40, refused: 2 }),
      sessionFiles: () => ({ reads: { hit: 30, miss: 4 }, bytes: 5e9 }),
      settlements: () => state.settlements,
      bandsHeld: () => state.bandsHeld,
      customers: () => ({ fits: 5, contradicts: 2, not_shown: 1 }),
      wallNow: () => 100_000
    })
    const samples = await scrape()
    expect(samples.get('gammawall_answer_cache_bytes')).toBe(10)
    expect(samples.get('gammawall_engine_queue')).toBe(3)
    const groups = ['fits', 'contradicts', 'not_shown'].map((verdict) =>
      samples.get(`gammawall_customer_groups{verdict="${verdict}"}`)
    )
    expect(groups).toEqual([5, 2, 1])
    expect(samples.get('gammawall_source_doubts')).toBe(7)
    expect(samples.get('gammawall_snapshots_held')).toBe(2)
    const snapshots = ['written', 'waiting', 'lost'].map((name) => samples.get(`gammawall_recorded_snapshots_${name}`))
    expect(snapshots).toEqual([40, 3, 2])
    expect(samples.get('gammawall_snapshot_oldest_seconds')).toBe(60)
    expect(samples.get('gammawall_snapshots_late')).toBe(1)
    expect(samples.get('gammawall_source_requests{source="tradier"}')).toBe(37)
    expect(samples.get('gammawall_source_requests_per_minute{source="tradier"}')).toBe(120)
    const streamed = ['contracts', 'contracts_most', 'symbols_without_stream'].map((name) =>
      samples.get(`gammawall_source_${name}{source="tradier"}`)
    )
    expect(streamed).toEqual([480, 500, 3])
    const scans = ['taken', 'refused'].map((result) => samples.get(`gammawall_payload_scans_total{result="${result}"}`))
    expect(scans).toEqual([40, 2])
    const reads = ['hit', 'miss'].map((result) => samples.get(`gammawall_session_file_reads_total{result="${result}"}`))
    expect(reads).toEqual([30, 4])
    expect(samples.get('gammawall_session_files_bytes')).toBe(5e9)
    const sources = ['own_mid', 'twin', 'smile', 'none'].map((name) =>
      samples.get(`gammawall_sigma_sources{source="${name}"}`)
    )
    expect(sources).toEqual([3, 1, 1, 1])
    const origins = (from: typeof samples) =>
      ['configured', 'implied', 'default'].map((origin) => from.get(`gammawall_rates_from{origin="${origin}"}`))
    expect(origins(samples)).toEqual([0, 0, 1])
    const estimate = (from: typeof samples) =>
      ['explained', 'correlation', 'best_confidence'].map((figure) =>
        from.get(`gammawall_open_interest_estimate{figure="${figure}"}`)
      )
    expect(estimate(samples)).toEqual([undefined, undefined, undefined])
    state.settlements = { ...settlementAccuracy(noSettlements), explained: 0.3, bestConfidence: 0.4 }
    state.bandsHeld = { gex: 0.9, chex: 0.85 }
    state.rates = 'implied'
    state.bytes = 20
    held.length = 0
    const later = await scrape()
    expect(origins(later)).toEqual([0, 1, 0])
    expect(estimate(later)).toEqual([0.3, undefined, 0.4])
    const bands = ['gex', 'dex', 'chex'].map((measure) => `gammawall_bands_held_ratio{measure="${measure}"}`)
    expect(bands.map((name) => samples.get(name))).toEqual([undefined, undefined, undefined])
    expect(bands.map((name) => later.get(name))).toEqual([0.9, undefined, 0.85])
    expect(later.get('gammawall_answer_cache_bytes')).toBe(20)
    expect(later.get('gammawall_snapshot_oldest_seconds')).toBe(0)
    expect(later.get('gammawall_sigma_sources{source="own_mid"}')).toBe(0)
  })

  test('of two services in one process are kept apart', async () => {
    const [one, other] = [operations(), operations()]
    one.metrics.request('/r', 'free', 200, 0.01)
    expect((await other.scrape()).has('gammawall_requests_total{route="/r",plan="free",status="200"}')).toBe(false)
  })

  test('escape what a label holds', async () => {
    const { app, metrics } = operations()
    metrics.request('/a"b\n{x="1"} 9', 'free', 200, 0.01)
    const { body } = await app.inject('/metrics')
    expect(body).toContain('route="/a\\"b\\n{x=\\"1\\"} 9"')
  })
})

describe('probes', () => {
  test('readyz says what hinders a service that could answer, for as long as it does', async () => {
    let reason: string | undefined = 'the disk is full'
    const { app } = operations({ hindrance: () => reason })
    const hindered = await app.inject('/readyz')
    expect([hindered.statusCode, hindered.body]).toEqual([503, 'not ready: the disk is full\n'])
    expect((await app.inject('/livez')).statusCode).toBe(200)
    reason = undefined
    expect((await app.inject('/readyz')).statusCode).toBe(200)
  })

  test('livez answers as long as the process does, readyz only while the service can answer', async () => {
    const { app, state } = operations()
    expect((await app.inject('/livez')).statusCode).toBe(200)
    expect((await app.inject('/readyz')).statusCode).toBe(200)
    state.ready = false
    expect((await app.inject('/livez')).statusCode).toBe(200)
    const { statusCode, body, headers } = await app.inject('/readyz')
    expect([statusCode, body, headers['cache-control']]).toEqual([503, 'not ready\n', 'no-store'])
  })

  test('can be mounted on another port too', async () => {
    const app = Fastify()
    mountProbes(app, () => true)
    expect((await app.inject('/readyz')).body).toBe('ready\n')
    expect((await app.inject({ method: 'HEAD', url: '/livez' })).statusCode).toBe(200)
  })
})

describe('the profile', () => {
  const url = '/debug/cpu-profile'

  test('is a .cpuprofile of what the thread did meanwhile', async () => {
    const { app } = operations()
    const recording = app.inject({ method: 'POST', url: `${url}?seconds=1`, headers: asOperator })
    const until = performance.now() + 300
    while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve))
    const response = await recording
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-disposition']).toContain('.cpuprofile')
    const { nodes, samples, timeDeltas, startTime, endTime } = response.json()
    expect(nodes[0].callFrame.functionName).toBe('(root)')
    expect(samples.length).toBe(timeDeltas.length)
    expect(samples.length).toBeGreaterThan(10)
    expect(endTime).toBeGreaterThan(startTime)
  })

  /** A profile that the test can end. */
  function handProfile() {
    const asked: number[] = []
    let finish = () => {}
    const profile: Profile = (seconds, signal) => {
      asked.push(seconds)
      return new Promise((resolve) => {
        finish = () => resolve({ nodes: [] })
        signal.addEventListener('abort', () => resolve({ nodes: ['cut short'] }))
      })
    }
    return { asked, profile, finish: () => finish() }
  }

  test('is recorded one at a time', async () => {
    const { asked, profile, finish } = handProfile()
    const { app } = operations({ profile })
    const first = app.inject({ method: 'POST', url, headers: asOperator })
    await expect.poll(() => asked.length).toBe(1)
    expect((await app.inject({ method: 'POST', url, headers: asOperator })).statusCode).toBe(409)
    finish()
    expect((await first).statusCode).toBe(200)
    const next = app.inject({ method: 'POST', url: `${url}?seconds=60`, headers: asOperator })
    await expect.poll(() => asked.length).toBe(2)
    finish()
    expect((await next).statusCode).toBe(200)
    expect(asked).toEqual([10, 60])
  })

  test('ends when its caller hangs up, and the next one may begin', async () => {
    const { asked, profile } = handProfile()
    const { app } = operations({ profile })
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const hangUp = new AbortController()
    const caller = fetch(address + url, { method: 'POST', headers: asOperator, signal: hangUp.signal }).catch(
      () => 'gone'
    )
    await expect.poll(() => asked.length).toBe(1)
    hangUp.abort()
    expect(await caller).toBe('gone')
    await expect
      .poll(async () => {
        const again = new AbortController()
        setTimeout(() => again.abort(), 50)
        await fetch(address + url, { method: 'POST', headers: asOperator, signal: again.signal }).catch(() => {})
        return asked.length
      })
      .toBeGreaterThan(1)
  })

  test('does not hold up the end of the service', async () => {
    const { asked, profile } = handProfile()
    const { app } = operations({ profile })
    const recording = app.inject({ method: 'POST', url, headers: asOperator })
    await expect.poll(() => asked.length).toBe(1)
    await app.close()
    expect((await recording).json()).toEqual({ nodes: ['cut short'] })
  })

  test('a profile that fails frees its place and tells no details', async () => {
    let calls = 0
    const profile: Profile = async () => {
      calls++
      throw new Error('inspector: /secret/path is busy')
    }
    const { app } = operations({ profile })
    for (let i = 1; i <= 2; i++) {
      const { statusCode, body } = await app.inject({ method: 'POST', url, headers: asOperator })
      expect([statusCode, body, calls]).toEqual([500, 'it failed\n', i])
    }
  })

  test.each([
    '0',
    '61',
    '-1',
    '1.5',
    '1e1',
    '',
    '0x10',
    ' 5',
    '9999999999',
    'NaN',
    '5&seconds=6',
    '%00'
  ])('seconds=%s is refused', async (seconds) => {
    const { asked, profile } = handProfile()
    const { app } = operations({ profile })
    expect(
      (await app.inject({ method: 'POST', url: `${url}?seconds=${seconds}`, headers: asOperator })).statusCode
    ).toBe(400)
    expect(asked).toEqual([])
  })

  test.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' }
  ])('is not recorded for a web page: %j', async (headers) => {
    const { asked, profile } = handProfile()
    const { app } = operations({ profile })
    expect((await app.inject({ method: 'POST', url, headers: { ...asOperator, ...headers } })).statusCode).toBe(403)
    expect(asked).toEqual([])
  })

  test.each([
    ['none', {}],
    ['another', { 'x-control-token': 'the token of an attacker' }],
    ['a part of it', { 'x-control-token': token.slice(0, -1) }],
    ['an API key', { 'x-api-key': token }]
  ])('is not recorded without the token of the operator: %s', async (_, headers) => {
    const { asked, profile } = handProfile()
    const { app } = operations({ profile })
    const { statusCode, body } = await app.inject({ method: 'POST', url, headers })
    expect([statusCode, body]).toEqual([401, expect.stringContaining('service.json')])
    expect((await app.inject({ method: 'POST', url, query: { token }, headers })).statusCode).toBe(401)
    expect(asked).toEqual([])
  })

  test('is not recorded by a GET, which any link can make', async () => {
    const { app } = operations()
    expect((await app.inject(url)).statusCode).toBe(404)
  })
})

test.each([
  '/',
  '/v1/account',
  '/debug/heap-snapshot',
  '/metrics/..%2f',
  '/%E0%A4%A',
  `/${newKey()}`
])('GET %s on the operations port is refused plainly, without an echo', async (url) => {
  const { app } = operations()
  const { statusCode, body, headers } = await app.inject(url)
  expect([400, 404]).toContain(statusCode)
  expect(headers['content-type']).toMatch(/^text\/plain/)
  expect(body).toMatch(/^[a-z ]+\n$/)
})

test('a large or unreadable body on the operations port is refused plainly', async () => {
  const { app } = operations({ profile: async () => ({}) })
  const post = (payload: string, type: string) =>
    app.inject({ method: 'POST', url: '/debug/cpu-profile', payload, headers: { ...asOperator, 'content-type': type } })
  for (const [payload, type] of [
    ['x'.repeat(5000), 'text/plain'],
    ['{', 'application/json'],
    ['<a/>', 'application/xml']
  ]) {
    const { statusCode, body } = await post(payload, type)
    expect([400, 413, 415]).toContain(statusCode)
    expect(body).toBe('the request cannot be read\n')
  }
})

test('the operations port opens nothing when its address is taken', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as { port: number }
  const { app } = operations()
  await expect(app.listen({ host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
