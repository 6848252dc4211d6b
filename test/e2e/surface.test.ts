import { networkInterfaces } from 'node:os'
import { beforeAll, describe, expect, test } from 'vitest'
import { planIds } from '../../src/api/plan.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { hasEngine } from '../support/engine.ts'
import {
  type Answer,
  ask,
  eventually,
  type Service,
  startService,
  temporaryFolder
} from '../support/started-service.ts'

// Everything an operator or a browser meets beside the answers themselves, on the service as it is built.

let service: Service
/** Every key that went over the wire, valid or not: none may be found in the log. */
const sent = new Set<string>()

beforeAll(async () => {
  service = await startService(temporaryFolder(), ['--universe', 'SPY', '--workers', '1', '--log-level', 'trace'])
  await eventually('the service to be ready', async () => (await get('/readyz')).status === 200 || undefined)
})

const get = (path: string) => ask(service.base + path)

function withKey(path: string, key: string, init: RequestInit = {}): Promise<Answer> {
  sent.add(key)
  return service.ask(path, key, init)
}

function within1Second(path: string, key: string, status: number): Promise<true> {
  return eventually(`${path} to be ${status}`, async () => (await withKey(path, key)).status === status || undefined, 1)
}

const asJson = (method: string, body: unknown): RequestInit => {
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

describe('the documentation', () => {
  test('/openapi.json describes every endpoint and says nothing of this machine', async () => {
    const { status, headers, text, json } = await get('/openapi.json')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(json).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), info: { title: 'gammawall' } })
    const paths = Object.keys(json!['paths'] as object)
    for (const { path } of endpoints) expect(paths).toContain(path)
    for (const path of ['/health', '/v1/admin/users']) expect(paths).toContain(path)
    expect(text).not.toContain(service.data)
    const unchanged = { 'if-none-match': headers.get('etag')! }
    expect((await fetch(`${service.base}/openapi.json`, { headers: unchanged })).status).toBe(304)
  })

  test.each([
    ['/postman.json', 'item'],
    ['/widgets.json', 'openbb_exposure_gex_strikes'],
    ['/apps.json', '0'],
    ['/udf/config', 'supported_resolutions']
  ])('%s is there for other programs, without a key', async (path, part) => {
    const { status, headers, json } = await get(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(Object.keys(json!)).toContain(part)
  })

  test('/swagger is a page whose parts all come from this service', async () => {
    const { status, headers, text } = await get('/swagger')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'self'/)
    const parts = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address)
    expect(parts.length).toBeGreaterThanOrEqual(4)
    const kinds: Readonly<Record<string, RegExp>> = { js: /javascript/, css: /^text\/css/, png: /^image\/png/ }
    for (const part of parts) {
      const address = new URL(part, `${service.base}/swagger`)
      expect(address.origin).toBe(service.base)
      const asset = await fetch(address)
      expect([part, asset.status]).toEqual([part, 200])
      const kind = kinds[address.pathname.split('.').pop()!]
      expect(asset.headers.get('content-type')).toMatch(kind)
      expect((await asset.arrayBuffer()).byteLength).toBeGreaterThan(100)
    }
    expect((await get('/swagger/')).status).toBe(200)
  })
})

describe('probes', () => {
  test.each([
    ['/livez', 'alive\n'],
    ['/readyz', 'ready\n']
  ])('%s answers on both ports without a key', async (path, expected) => {
    for (const base of [service.base, service.operations]) {
      const { status, headers, text } = await ask(base + path)
      expect([status, text, headers.get('cache-control')]).toEqual([200, expected, 'no-store'])
    }
  })

  test('/health names each component and how long it took to judge itself', async () => {
    const { status, headers, json } = await get('/health')
    expect([status, headers.get('x-ratelimit-limit')]).toEqual([200, null])
    const healthy = (name: string) => ({ name, status: 'Healthy', duration: expect.any(Number) })
    const recording = hasEngine && {
      details: expect.objectContaining({ written: expect.any(Number), waiting: expect.any(Number), lost: 0 })
    }
    const names = ['accounts', 'market_data', 'earnings', 'history', 'storage'].concat(
      hasEngine ? ['open_interest_estimate', 'exposure_bands', 'customer_sides'] : []
    )
    // The history check also reports what is recorded.
    const checks = names.map((name) => ({ ...healthy(name), ...(name === 'history' && recording) }))
    expect(json).toEqual({ status: 'Healthy', duration: expect.any(Number), checks })
  })
})

describe('the admin port', () => {
  test('has the metrics, and the REST port has not', async () => {
    const { status, headers, text } = await ask(`${service.operations}/metrics`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(text).toMatch(/^gammawall_requests_total\{route="\/readyz",plan="none",status="200"\} \d+$/m)
    expect(text).toMatch(/^gammawall_snapshots_held 1$/m)
    expect((await get('/metrics')).status).toBe(404)
    for (const path of ['/v1/account', '/openapi.json']) expect((await ask(service.operations + path)).status).toBe(404)
  })

  test('is on the loopback address alone, wherever the REST port listens', async () => {
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal)
    if (outside === undefined) return console.log('skipped: this machine has no address but the loopback one')
    expect(new URL(service.operations).hostname).toBe('127.0.0.1')
    for (const { port } of [new URL(service.operations), new URL(service.base)]) {
      await expect(fetch(`http://${outside.address}:${port}/livez`)).rejects.toThrow('fetch failed')
    }
  })
})

describe('administration', () => {
  test('is refused to every other plan, which learns what it takes', async () => {
    for (const plan of planIds.filter((id) => id !== 'enterprise')) {
      for (const path of ['/v1/admin/users', '/v1/admin/audit', '/v1/admin/plans']) {
        const { status, headers, json } = await withKey(path, service.keys[plan]!)
        expect([plan, status, headers.get('cache-control')]).toEqual([plan, 403, 'no-store'])
        expect(json).toMatchObject({ status: 'ERROR', error: 'tier_restricted', required_plan: 'Enterprise' })
      }
    }
    const body = asJson('POST', { email: 'x@b.c', plan: 'free' })
    expect((await withKey('/v1/admin/users', service.keys.alpha!, body)).status).toBe(403)
    expect((await get('/v1/admin/users')).status).toBe(401)
  })

  test('makes users and keys that work at once, and changes and ends them within a second', async () => {
    const admin = service.keys.enterprise!
    const made = await withKey('/v1/admin/users', admin, asJson('POST', { email: 'new@b.c', plan: 'basic' }))
    expect([made.status, made.json?.['plan']]).toEqual([201, 'basic'])
    const user = `/v1/admin/users/${made.json?.['id']}`
    const issued = await withKey(`${user}/keys`, admin, asJson('POST', { name: 'notebook' }))
    const key = String(issued.json?.['key'])
    expect([issued.status, issued.headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect((await withKey('/v1/exposure/dex/SPY', key)).status).toBe(200)
    expect((await withKey(user, admin, asJson('PATCH', { plan: 'free' }))).json).toMatchObject({ plan: 'free' })
    await within1Second('/v1/exposure/dex/SPY', key, 403)
    const ended = await withKey(`/v1/admin/keys/${issued.json?.['id']}`, admin, { method: 'DELETE' })
    expect([ended.status, ended.json?.['revoked_at']]).toEqual([200, expect.any(String)])
    await within1Second('/v1/account', key, 401)
    expect((await withKey(user, admin, { method: 'DELETE' })).status).toBe(200)
    expect((await withKey(user, admin)).status).toBe(404)
    const { json } = await withKey('/v1/admin/audit?limit=5', admin)
    const actions = (json!['entries'] as readonly { readonly action: string; readonly actor: string }[]).map(
      (entry) => {
        expect(entry.actor).toBe('demo-enterprise@gammawall.local')
        return entry.action
      }
    )
    expect(actions).toEqual(['user.remove', 'key.revoke', 'user.set_plan', 'key.create', 'user.create'])
  })
})

/** Cookies of the browsers that signed in; the log must not contain them. */
const cookies: string[] = []

describe('a browser', () => {
  test('is signed in once and asks live and past at one origin, until it signs out', async () => {
    const page = { origin: service.base, 'sec-fetch-site': 'same-origin' }
    const signIn = await fetch(`${service.base}/session`, {
      ...asJson('POST', { key: service.keys.alpha }),
      headers: { ...page, 'content-type': 'application/json' }
    })
    const [cookie] = signIn.headers.get('set-cookie')!.split(';')
    cookies.push(cookie)
    const status = async (path: string, headers: Record<string, string> = page, method = 'GET') =>
      (await fetch(service.base + path, { method, headers: { ...headers, cookie } })).status
    expect(await status('/v1/account')).toBe(200)
    expect(await status('/replay/v1/exposure/levels/SPY?at=nonsense')).toBe(hasEngine ? 400 : 503)
    expect((await fetch(`${service.replay}/v1/account`, { headers: { ...page, cookie } })).status).toBe(401)
    expect(await status('/v1/account', { origin: 'https://evil.example' })).toBe(401)
    expect(await status('/ws')).toBe(426)
    expect(await status('/session', page, 'DELETE')).toBe(204)
    expect(await status('/v1/account')).toBe(401)
  })
})

describe('the log', () => {
  test('is JSON lines on standard error in which no key can be found', async () => {
    const mistyped = `gw_live_${'x'.repeat(38)}`
    for (const key of [...Object.values(service.keys), mistyped, 'not-a-key-at-all']) {
      sent.add(key)
      await withKey('/v1/account', key)
      for (const query of [`apiKey=${key}`, `a=b&apiKey=${key}&apiKey=${key}`, `apikey=${key}`, `key=${key}`]) {
        for (const path of [
          '/v1/account',
          '/v1/exposure/levels/SPY',
          '/v1/exposure/gex/SPY',
          '/v1/nowhere',
          '/health'
        ]) {
          await get(`${path}?${query}`)
        }
      }
      await get(`/v1/exposure/history/SPY?apiKey=${key}`)
      await get(`/v1/exposure/levels/%zz?apiKey=${key}`)
      await withKey('/v1/structures/pnl', key, asJson('POST', { legs: key }))
      await get(`/v1/exposure/levels/${key}`)
      await ask(`${service.operations}/metrics?apiKey=${key}`)
    }
    const metrics = (await ask(`${service.operations}/metrics`)).text
    const { code, stdout, stderr } = await service.stop()
    expect(code).toBe(0)
    const lines = stderr.trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(100)
    for (const line of lines) {
      const { level, time, msg } = JSON.parse(line)
      expect(line).toMatch(/^\{"level":\d+,"time":"/)
      expect([typeof level, typeof msg, new Date(time).toISOString()]).toEqual(['number', 'string', time])
      expect(level, line).toBeLessThan(40)
    }
    expect(sent.size).toBeGreaterThan(7)
    // A string that is not shaped like a key cannot be recognized as one in a path.
    const secrets = [...sent].filter((key) => key.startsWith('gw_live_'))
    for (const key of secrets) for (const text of [stderr, metrics]) expect(text).not.toContain(key.slice(8))
    expect(stderr).not.toMatch(/apikey/i)
    expect(cookies).toHaveLength(1)
    for (const cookie of cookies) expect(stderr + stdout).not.toContain(cookie.split('=')[1])
    expect(stdout.match(/gw_live_/g)).toHaveLength(planIds.length + 1) // the startupBanner: each plan, and the line to paste
  })
})
