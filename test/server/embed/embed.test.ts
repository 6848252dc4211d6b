import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { EMBEDDABLE_PANELS } from '../../../dashboard/src/state/page/embeddable-panels.ts'
import { plainBrand } from '../../../src/api/brand/brand.ts'
import { embedPanels } from '../../../src/app/dashboard-pages.ts'
import { endpoints } from '../../../src/endpoints/index.ts'
import { readPageFiles } from '../../../src/server/dashboard/dashboard-files.ts'
import { mountEmbedPages, mountEmbedTokens } from '../../../src/server/embed/embed-routes.ts'
import { EmbedTokens } from '../../../src/server/embed/tokens.ts'
import type { AllowedOrigins } from '../../../src/server/http/headers.ts'
import { madeUpSecrets } from '../../support/made-up-secrets.ts'
import { type Service, service } from '../../support/service.ts'

let running: Service
let key: string
beforeEach(() => {
  running = service()
  mountEmbedTokens(running.app, running.embedTokens, running.http)
  key = running.keyOn('alpha')
})
afterEach(() => running.close())

const ask = (payload: unknown, sent: string | undefined = key) =>
  running.ask('/v1/embed/token', sent, { method: 'POST', payload: payload as object })
const tokenFor = async (payload: unknown = { panel: 'ladder', symbol: 'SPY' }, sent = key) =>
  (await ask(payload, sent)).json().token as string
const withToken = (url: string, token: string, headers: Record<string, string> = {}) =>
  running.ask(url, undefined, { headers: { 'x-embed-token': token, ...headers } })

describe('a token', () => {
  test('opens the answers of its panel about its symbol, counted against the key that asked for it', async () => {
    const growth = running.keyOn('growth')
    const answer = await ask({ panel: 'ladder', symbol: 'spy', seconds: 600 }, growth)
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    const { token, expires_at } = answer.json()
    expect(Date.parse(expires_at)).toBe(running.clock.now() + 600_000)
    expect(answer.headers['x-ratelimit-remaining']).toBe('2499')
    const levels = await withToken('/v1/exposure/levels/SPY', token)
    expect([levels.statusCode, levels.headers['x-ratelimit-remaining']]).toEqual([200, '2498'])
    expect(levels.body).toBe((await running.ask('/v1/exposure/levels/SPY', growth)).body)
    expect(levels.headers['cache-control']).toBe('private, no-cache')
    expect(running.records.every(({ plan }) => plan === 'growth')).toBe(true)
    expect(JSON.stringify(running.records)).not.toContain(token)
    expect(Buffer.from(token, 'base64url').toString()).not.toContain('gw_live_')
  })

  test.each([
    ['another symbol', '/v1/exposure/levels/QQQ', 403],
    ['another panel', '/v1/maxpain/SPY', 401],
    ['the account', '/v1/account', 401],
    ['the list of symbols', '/v1/symbols', 401],
    ['administration', '/v1/admin/users', 404],
    ['what is not there', '/nowhere', 404]
  ])('does not open %s', async (_what, url, status) => {
    expect((await withToken(url, await tokenFor())).statusCode).toBe(status)
  })

  test('does not buy another token', async () => {
    const token = await tokenFor()
    const answer = await running.ask('/v1/embed/token', undefined, {
      method: 'POST',
      payload: { panel: 'pain', symbol: 'QQQ' },
      headers: { 'x-embed-token': token }
    })
    expect(answer.statusCode).toBe(401)
  })

  test('does not open another symbol whose answer is kept already', async () => {
    const kept = '/v1/exposure/levels/AAPL'
    expect((await running.ask(kept, key)).statusCode).toBe(200)
    const answer = await withToken(kept, await tokenFor())
    expect([answer.statusCode, answer.json().error]).toEqual([403, 'embed_scope'])
  })

  test('opens no more than the plan of its key', async () => {
    const free = running.keyOn('free')
    const token = await tokenFor({ panel: 'ladder', symbol: 'SPY' }, free)
    expect((await withToken('/v1/exposure/levels/SPY', token)).json()).toMatchObject({ error: 'tier_restricted' })
    expect((await withToken('/v1/exposure/gex/SPY', token)).statusCode).toBe(403)
  })

  test('is over at its time, and within a second of its key', async () => {
    const token = await tokenFor({ panel: 'ladder', symbol: 'SPY', seconds: 60 })
    running.clock.pass(59_999)
    expect((await withToken('/v1/exposure/levels/SPY', token)).statusCode).toBe(200)
    running.clock.pass(1)
    const over = await withToken('/v1/exposure/levels/SPY', token)
    expect([over.statusCode, over.json().detail]).toEqual([
      401,
      'the token of the panel is over, or opens other answers'
    ])
    const next = await tokenFor()
    await running.accounts.keys.revoke(running.accounts.find(key)!.keyId, 'test')
    running.clock.pass(1000)
    expect((await withToken('/v1/exposure/levels/SPY', next)).statusCode).toBe(401)
  })

  test('that was changed, cut, signed elsewhere or made up opens nothing', async () => {
    const token = await tokenFor()
    const [claims, signature] = token.split('.')
    const grant = JSON.parse(Buffer.from(claims, 'base64url').toString())
    const other = Buffer.from(JSON.stringify({ ...grant, symbol: 'QQQ' })).toString('base64url')
    const { accounts, clock, embedTokens } = running
    const elsewhere = new EmbedTokens({
      panels: embedTokens.panels,
      accounts,
      secrets: madeUpSecrets(),
      now: clock.now
    })
    const wrong = [
      `${other}.${signature}`,
      `${claims}.`,
      claims,
      `${claims}.${signature.slice(0, -2)}`,
      `${token}.${signature}`,
      `.${signature}`,
      '.',
      'x'.repeat(5000),
      elsewhere.issue(grant)
    ]
    for (const each of wrong) {
      expect([each, (await withToken('/v1/exposure/levels/SPY', each)).statusCode]).toEqual([each, 401])
      expect((await withToken('/v1/exposure/levels/QQQ', each)).statusCode).toBe(401)
    }
  })

  test('lets its figures be as old as was said when it was asked for, and never newer than the plan', async () => {
    const asOf = async (token: string) => (await withToken('/v1/exposure/levels/SPY', token)).headers['x-data-age']
    const [usual, old] = [await tokenFor(), await tokenFor({ panel: 'ladder', symbol: 'SPY', age: 600 })]
    await asOf(old)
    running.clock.pass(300_000)
    expect(Number(await asOf(old))).toBeGreaterThanOrEqual(300)
    expect(Number(await asOf(usual))).toBeLessThan(300)
  })

  test('has a limit for each address, and one for all its viewers', async () => {
    const token = await tokenFor()
    const from = async (address: string) =>
      (
        await running.app.inject({
          url: '/v1/exposure/levels/SPY',
          headers: { 'x-embed-token': token },
          remoteAddress: address
        })
      ).statusCode
    const codes = []
    for (let k = 0; k < 130; k++) codes.push(await from('192.0.2.1'))
    expect(codes).toEqual([...Array(120).fill(200), ...Array(10).fill(429)])
    expect(await from('192.0.2.2')).toBe(200)
    const others = []
    for (let k = 0; k < 1200; k++) others.push(await from(`198.51.${k >> 6}.${k & 63}`))
    expect(others.filter((code) => code === 200)).toHaveLength(1200 - 121)
    expect((await running.ask('/v1/exposure/levels/SPY', key)).statusCode).toBe(200)
  })

  test('is counted apart for the user of its key', async () => {
    const token = await tokenFor()
    for (let k = 0; k < 3; k++) await withToken('/v1/exposure/levels/SPY', token)
    const { usage_by_day: days } = (await running.ask('/v1/account', key)).json()
    expect(days).toEqual([{ date: '2026-07-29', requests: 5, of_panels: 3 }])
    await running.quota.flush()
    expect((await running.ask('/v1/account', key)).json().usage_by_day).toEqual([{ ...days[0], requests: 6 }])
  })

  test('gives way to a key', async () => {
    const answer = await withToken('/v1/maxpain/SPY', await tokenFor(), { 'x-api-key': key })
    expect(answer.statusCode).toBe(200)
  })

  test.each([
    [{ panel: 'nothing', symbol: 'SPY' }, 'panel must be one of ladder, pain'],
    [{ panel: 'constructor', symbol: 'SPY' }, 'panel must be one of ladder, pain'],
    [{ panel: 'pain', symbol: '../SPY' }, 'symbol must be a ticker'],
    [{ panel: 'pain' }, 'symbol is missing'],
    [{ panel: 'pain', symbol: 'SPY', seconds: 59 }, 'seconds must be >= 60'],
    [{ panel: 'pain', symbol: 'SPY', seconds: 86_401 }, 'seconds must be <= 86400'],
    [{ panel: 'pain', symbol: 'SPY', user: 1 }, 'the field user is unknown'],
    [{ panel: 'p'.repeat(2000), symbol: 'SPY' }, undefined]
  ])('is not given for %j', async (payload, message) => {
    const answer = await ask(payload)
    if (message === undefined) expect(answer.statusCode).toBe(413)
    else expect([answer.statusCode, answer.json().message]).toEqual([400, message])
  })

  test('is given to a key alone', async () => {
    expect((await ask({ panel: 'pain', symbol: 'SPY' }, 'nonsense')).statusCode).toBe(401)
    const none = await running.app.inject({ method: 'POST', url: '/v1/embed/token', payload: {} })
    expect(none.statusCode).toBe(401)
  })
})

describe('the page of a panel', () => {
  const mount = async (origins: AllowedOrigins) => {
    const folder = mkdtempSync(join(tmpdir(), 'gammawall-embed-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'index.html'), 'whole')
    writeFileSync(join(folder, 'embed.html'), 'panel')
    const page = readPageFiles(folder)!.get('embed.html')!
    const { app, embedTokens: tokens, isOwnHost } = running
    mountEmbedPages(app, { page, tokens, isOwnHost, origins, brand: () => plainBrand })
  }

  test.each([
    [[], "frame-ancestors 'none'"],
    [['https://a.example', 'https://b.example'], 'frame-ancestors https://a.example https://b.example'],
    ['*', 'frame-ancestors *']
  ] as const)('may be framed by %j alone', async (origins, directive) => {
    await mount(origins)
    const answer = await running.ask('/embed/ladder/SPY?theme=dark')
    expect([answer.statusCode, answer.body]).toEqual([200, 'panel'])
    const policy = String(answer.headers['content-security-policy'])
    expect(policy.split('; ').at(-1)).toBe(directive)
    expect(policy).toContain("default-src 'none'; script-src 'self'")
    for (const url of [
      '/embed/nothing/SPY',
      '/embed/ladder/..%2fSPY',
      '/embed/ladder',
      '/embed/ladder/SPY/more',
      '/embed/toString/SPY'
    ])
      expect([url, (await running.ask(url)).statusCode]).toEqual([url, 404])
    expect((await running.ask('/embed/ladder/SPY', undefined, { headers: { host: 'evil.example' } })).statusCode).toBe(
      421
    )
  })
})

test('a token can be had for exactly the panels that the dashboard offers to other pages', () => {
  expect(Object.keys(embedPanels).sort()).toEqual([...EMBEDDABLE_PANELS].sort())
})

test.each(Object.entries(embedPanels))('the panel %s is drawn from endpoints about one symbol', (_panel, ids) => {
  for (const id of ids) {
    const endpoint = endpoints.find((each) => each.id === id)
    expect(endpoint?.path).toMatch(/\{(symbol|ticker)\}/)
    expect(endpoint?.symbols({ symbol: 'SPY', ticker: 'SPY' } as never)).toEqual(['SPY'])
  }
})
