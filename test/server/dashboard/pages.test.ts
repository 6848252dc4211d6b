import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { plainBrand } from '../../../src/api/brand/brand.ts'
import { readPageFiles } from '../../../src/server/dashboard/dashboard-files.ts'
import { mountPages } from '../../../src/server/dashboard/pages.ts'
import { listen } from '../../../src/server/http/listen.ts'
import { OpenLink } from '../../../src/server/sessions/open-link.ts'
import { type Service, type ServiceOptions, service } from '../../support/service.ts'

const page = `<!doctype html><title>gammawall</title>${'<p>levels</p>'.repeat(200)}`
const script = `console.log(${'1+'.repeat(2000)}1)`
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', host: '127.0.0.1:8080' }

let folder: string
let running: Service
let link: OpenLink

/** A built dashboard, as the build leaves it, over a service. */
async function started(options: ServiceOptions = {}): Promise<void> {
  running = service(options)
  const { app, accounts, sessions, isOwnHost } = running
  const keyId = accounts.find(running.keyOn('alpha'))!.keyId
  link = new OpenLink(running.clock.now)
  const files = readPageFiles(folder)!
  const trustProxy = options.trustProxy ?? false
  mountPages(app, { files, isOwnHost, accounts, sessions, open: { link, keyId }, trustProxy, brand: () => plainBrand })
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gammawall-pages-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), page)
  writeFileSync(join(folder, 'embed.html'), page)
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
  writeFileSync(join(folder, 'worker.js'), script)
  writeFileSync(join(folder, 'manifest.webmanifest'), '{}')
  writeFileSync(join(folder, 'assets/index-4f3a.js'), script)
  writeFileSync(join(folder, 'assets/inter-1b2c.woff2'), Buffer.alloc(4000))
  writeFileSync(join(folder, 'assets/odd name.js'), script)
  symlinkSync('/etc/hostname', join(folder, 'assets/outside.js'))
  await started()
})
afterEach(async () => {
  await running.close()
  rmSync(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = browser) => running.ask(url, undefined, { headers })

describe('the page', () => {
  test('is at / for browsers, to be asked for again each time, and may do what it needs alone', async () => {
    const answer = await get('/')
    expect([answer.statusCode, answer.body]).toEqual([200, page])
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'accept, accept-encoding, cookie',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff'
    })
    expect(answer.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; " +
        "frame-ancestors 'none'"
    )
    expect(answer.headers['strict-transport-security']).toBeUndefined()
    const again = await get('/', { ...browser, 'if-none-match': String(answer.headers['etag']) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect(again.headers['content-security-policy']).toBe(answer.headers['content-security-policy'])
  })

  test.each([
    { accept: '*/*' },
    { accept: 'application/json' },
    {}
  ])('is not there for a program that sends %j, as before', async (headers) => {
    const answer = await get('/', { host: '127.0.0.1', ...(headers as Record<string, string>) })
    expect([answer.statusCode, answer.json().error]).toEqual([404, 'not_found'])
  })

  test('is refused under a name that somebody else pointed at this machine', async () => {
    for (const url of ['/', '/favicon.svg', '/assets/index-4f3a.js']) {
      const answer = await get(url, { ...browser, host: 'evil.example' })
      expect([url, answer.statusCode, answer.json().error]).toEqual([url, 421, 'misdirected'])
    }
    expect((await get('/', { ...browser, host: 'dash.example' })).statusCode).toBe(200)
  })

  test('takes GET and HEAD alone', async () => {
    const head = await running.app.inject({ method: 'HEAD', url: '/', headers: browser })
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', `${page.length}`])
    for (const url of ['/', '/assets/index-4f3a.js', '/favicon.svg'])
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'] as const) {
        const answer = await running.app.inject({ method, url, headers: browser })
        expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS'])
      }
  })
})

describe('its files', () => {
  test('are kept for ever where their name changes with them', async () => {
    const answer = await get('/assets/index-4f3a.js')
    expect([answer.statusCode, answer.body]).toEqual([200, script])
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable'
    })
    const icon = await get('/favicon.svg')
    expect([icon.body, icon.headers['cache-control']]).toEqual(['<svg/>', 'public, max-age=3600'])
  })

  test('that make it an app are sent as what they are, the worker never from a cache of the way', async () => {
    const worker = await get('/worker.js')
    expect(worker.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': expect.stringContaining("connect-src 'self'")
    })
    const manifest = await get('/manifest.webmanifest')
    expect(manifest.headers['content-type']).toBe('application/manifest+json; charset=utf-8')
    for (const url of ['/worker.js', '/manifest.webmanifest'])
      expect((await get(url, { ...browser, host: 'evil.example' })).statusCode).toBe(421)
  })

  test('about methods have moved to the documentation', async () => {
    const answer = await get('/methods/gamma-flip.html')
    expect([answer.statusCode, answer.headers['location']]).toEqual([301, '/docs/methods/gamma-flip'])
    expect((await get('/methods/index.html')).headers['location']).toBe('/docs/methods')
    for (const url of [
      '/methods/',
      '/methods/../index.html',
      '/methods/%2e%2e/index.html',
      '/methods/%2f/evil.example/x.html'
    ])
      expect((await get(url)).statusCode, url).toBe(404)
  })

  test('come compressed where that gains anything, and as they are where it does not', async () => {
    const packed = async (url: string, encoding: string) => {
      const answer = await get(url, { ...browser, 'accept-encoding': encoding })
      return { sent: answer.headers['content-encoding'], bytes: answer.rawPayload, vary: answer.headers['vary'] }
    }
    const br = await packed('/assets/index-4f3a.js', 'gzip, deflate, br')
    expect([br.sent, brotliDecompressSync(br.bytes).toString(), br.vary]).toEqual(['br', script, 'accept-encoding'])
    const gzip = await packed('/', 'gzip, br;q=0')
    expect([gzip.sent, gunzipSync(gzip.bytes).toString()]).toEqual(['gzip', page])
    expect((await packed('/assets/inter-1b2c.woff2', 'br')).sent).toBeUndefined()
    expect((await packed('/favicon.svg', 'br')).sent).toBeUndefined()
    expect((await packed('/', 'identity')).sent).toBeUndefined()
  })

  test.each([
    '/assets/',
    '/assets/nothing.js',
    '/assets/..%2findex.html',
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..%5c..%5cpackage.json',
    '/assets/%252e%252e%252findex.html',
    '/assets//etc/hostname',
    '/assets/%2fetc%2fhostname',
    '/assets/index-4f3a.js%00.html',
    '/assets/%ff',
    '/assets/outside.js',
    '/assets/odd%20name.js',
    '/assets/constructor',
    '/assets/__proto__',
    '/index.html',
    '/embed.html',
    '/assets'
  ])('are found by the names of the list: %s is not there', async (url) => {
    const answer = await get(url)
    expect([answer.statusCode, answer.json().error]).toEqual([404, 'not_found'])
  })

  test('are found by the names of the list, also where nothing tidies the address first', async () => {
    const port = Number(new URL(await listen(running.app, '127.0.0.1', 0)).port)
    for (const path of [
      '/assets/../index.html',
      '/assets/../../../../etc/hostname',
      '/../etc/hostname',
      '/assets/./x'
    ]) {
      const socket = connect(port, '127.0.0.1')
      socket.end(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/html\r\nconnection: close\r\n\r\n`)
      expect((await text(socket)).slice(0, 12)).toBe('HTTP/1.1 404')
    }
  })

  test('are read once: what changes in the folder later is not seen', async () => {
    writeFileSync(join(folder, 'index.html'), 'changed')
    rmSync(join(folder, 'assets/index-4f3a.js'))
    expect((await get('/')).body).toBe(page)
    expect((await get('/assets/index-4f3a.js')).body).toBe(script)
  })

  test('are undefined where no dashboard was built', async () => {
    rmSync(join(folder, 'index.html'))
    expect(readPageFiles(folder)).toBeUndefined()
    expect(readPageFiles(join(folder, 'nowhere'))).toBeUndefined()
  })
})

describe('the link of the start', () => {
  const inject = (url: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
    running.app.inject({ url, headers: { ...browser, ...headers }, remoteAddress })

  test('opens one session of the demo key and leads to the page', async () => {
    const once = link.issue()
    const answer = await inject(`/?open=${once}`)
    expect([answer.statusCode, answer.headers['location'], answer.body]).toEqual([303, '/', ''])
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    expect(answer.headers['set-cookie']).toMatch(/^gw_session=[\w-]+\.[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; /)
    const cookie = String(answer.headers['set-cookie']).split(';')[0]
    const mine = await get('/v1/exposure/levels/SPY', { host: browser.host, cookie })
    expect(mine.statusCode).toBe(200)
    expect(running.records.at(-1)).toMatchObject({ plan: 'alpha' })
    expect(JSON.stringify(running.records)).not.toContain(once)
  })

  test('is good for one use', async () => {
    const once = link.issue()
    expect((await inject(`/?open=${once}`)).statusCode).toBe(303)
    const replayed = await inject(`/?open=${once}`)
    expect([replayed.statusCode, replayed.headers['set-cookie']]).toEqual([401, undefined])
  })

  test('lets a browser through that it opened before, without another session', async () => {
    const once = link.issue()
    const cookie = String((await inject(`/?open=${once}`)).headers['set-cookie']).split(';')[0]
    const twice = await inject(`/?open=${once}`, { cookie })
    expect([twice.statusCode, twice.headers['set-cookie']]).toEqual([303, undefined])
  })

  test('is over after ten minutes, and once another one is issued', async () => {
    const first = link.issue()
    const second = link.issue()
    expect((await inject(`/?open=${first}`)).statusCode).toBe(401)
    running.clock.pass(10 * 60_000)
    expect((await inject(`/?open=${second}`)).statusCode).toBe(401)
    const third = link.issue()
    running.clock.pass(10 * 60_000 - 1)
    expect((await inject(`/?open=${third}`)).statusCode).toBe(303)
  })

  test('is not used up by a program that only looks where it leads', async () => {
    const once = link.issue()
    const looked = await running.app.inject({ method: 'HEAD', url: `/?open=${once}`, headers: browser })
    expect([looked.statusCode, looked.headers['set-cookie']]).toEqual([200, undefined])
    expect((await inject(`/?open=${once}`)).statusCode).toBe(303)
  })

  test('is followed on the machine itself alone', async () => {
    const once = link.issue()
    expect((await inject(`/?open=${once}`, {}, '192.168.1.20')).statusCode).toBe(401)
    expect((await inject(`/?open=${once}`, { host: 'dash.example' })).statusCode).toBe(401)
    expect((await inject(`/?open=${once}`, { host: 'evil.example' })).statusCode).toBe(401)
    expect((await inject(`/?open=${once}`)).statusCode).toBe(303)
  })

  test('is not followed through a proxy on the same machine', async () => {
    await running.close()
    await started({ trustProxy: true })
    const once = link.issue()
    expect((await inject(`/?open=${once}`, { 'x-forwarded-for': '203.0.113.9' })).statusCode).toBe(401)
    expect((await inject(`/?open=${once}`)).statusCode).toBe(303)
  })

  test('is guessed as often as a key: not without end', async () => {
    await running.close()
    await started({ wrongKeys: { burst: 3, perMinute: 3 } })
    const statuses: number[] = []
    for (let k = 0; k < 5; k++) statuses.push((await inject(`/?open=${'A'.repeat(43)}`)).statusCode)
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    for (const odd of ['/?open=', '/?open=a&open=b', `/?open=${'A'.repeat(5000)}`]) {
      expect((await inject(odd)).statusCode).toBe(429)
    }
  })

  test('opens nothing once its key is revoked', async () => {
    const once = link.issue()
    for (const { id } of await running.accounts.keys.list()) await running.accounts.keys.revoke(id, 'test')
    running.clock.pass(1000)
    expect((await inject(`/?open=${once}`)).statusCode).toBe(401)
  })
})
