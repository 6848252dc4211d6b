import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Service, startService, temporaryFolder } from '../../../test/support/started-service.ts'
import { level, price, usd } from '../../src/parts/format.ts'
import { hasBrowser, newPage, shows, startBrowser, textOf } from './browser.ts'

/** Starting may build the service first, and first answers price whole chains. */
const SLOW = 400_000
const SOON = { timeout: 60_000 }

/** Requests about the day are refused with 404, which a browser logs, until a first moment is recorded. */
const OF_THE_DAY = ['/v1/series/SPY?every=1m', '/v1/exposure/matrix/SPY?by=time&every=5m']

/** A foreign site whose server holds a key and gives its page panel tokens. */
class Site {
  readonly #server: Server
  /** Tokens to give, in turn; the last one repeats. */
  tokens: (string | 'fresh')[] = ['fresh']
  /** Number of requests for a token. */
  asked = 0

  constructor(service: () => Service) {
    this.#server = createServer(async (request, response) => {
      if (request.url === '/token') {
        this.asked++
        response.end(await this.token(service()))
      } else {
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end(pageOf(service().base, await this.token(service())))
      }
    })
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server.close()
  }

  async token(service: Service): Promise<string> {
    const next = this.tokens.length > 1 ? this.tokens.shift()! : this.tokens[0]!
    if (next !== 'fresh') return next
    const body = JSON.stringify({ panel: 'levels', symbol: 'SPY', seconds: 60 })
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
    return String((await service.ask('/v1/embed/token', service.keys.alpha, init)).json!['token'])
  }
}

const pageOf = (service: string, token: string) => `<!doctype html>
<script src="${service}/embed/element.js"></script>
<gammawall-panel panel="levels" symbol="SPY" theme="light" token="${token}"></gammawall-panel>
<script>
  addEventListener('gammawall-token', async ({ target }) => {
    target.token = await (await fetch('/token')).text()
  })
</script>`

describe.skipIf(!hasBrowser)('the built service', () => {
  let service: Service
  let browser: Browser
  let site: Site
  let stranger: Site
  beforeAll(async () => {
    site = await new Site(() => service).start()
    stranger = await new Site(() => service).start()
    const args = ['--as-of', '2026-07-29T11:00', '--universe', 'SPY', '--record', 'SPY', '--embed-origin', site.origin]
    service = await startService(temporaryFolder(), args)
    await vi.waitFor(async () => {
      for (const path of OF_THE_DAY) expect((await service.ask(path, service.keys.alpha)).status).toBe(200)
    }, SOON)
    browser = await startBrowser()
  }, SLOW)
  // An open page would keep one of the places that the plan has for streams.
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
  })
  afterAll(async () => {
    await browser?.close()
    site?.stop()
    stranger?.stop()
    await service?.stop()
  }, SLOW)

  const answer = async (path: string) => JSON.parse((await service.ask(path, service.keys.alpha)).text)
  const opened = async (address: string) => {
    const made = await newPage(browser, [service.base])
    const response = await made.page.request.post(`${service.base}/session`, { data: { key: service.keys.alpha } })
    expect(response.status()).toBe(200)
    await made.page.goto(`${service.base}/${address}`)
    return made
  }
  const panelOf = (page: Page) => page.frameLocator('gammawall-panel iframe')
  const embedded = async (from: Site) => {
    const made = await newPage(browser, [service.base, from.origin], { refusals: true })
    await made.page.goto(from.origin)
    return made
  }

  test('opens by the link of its start, and shows the figures that it answers', { timeout: SLOW }, async () => {
    const { page, faults } = await newPage(browser, [service.base])
    const [link] = /http:\S+\?open=\S+/.exec(service.stdout())!
    await page.goto(link)
    await page.goto(`${service.base}/#/overview/SPY`)
    const summary = await answer('/v1/exposure/summary/SPY')
    const { levels } = await answer('/v1/exposure/levels/SPY')
    await expect.poll(() => textOf(page, '.regime'), SOON).toContain(level(summary.gamma_flip))
    expect(await textOf(page, '.regime')).toContain(usd(summary.exposures.net_gex).replace(/\s/g, ' '))
    await expect.poll(() => textOf(page, '.rail'), SOON).toContain(level(levels.call_wall))
    expect(await textOf(page, '.rail')).toContain(level(levels.put_wall))
    await shows(page, '.head', price(summary.underlying_price))
    await shows(page, '.state', /Live/)
    await shows(page, '.badge', 'Synthetic')
    expect(faults).toEqual([])
  })

  test('a new folder has a chart that is filled from edge to edge, with levels and a map', {
    timeout: SLOW
  }, async () => {
    const { page } = await opened('#/overview/SPY')
    type Layers = { readonly layers: readonly { readonly id: string; readonly bars?: readonly [number, number] }[] }
    const drawn = () =>
      page.locator('.time-chart').evaluate((box) => (box as unknown as { layers: () => Layers }).layers().layers)
    const barsOf = async (id: string) => (await drawn()).find((each) => each.id === id)?.bars
    // Five sessions of quarters of an hour: four whole ones and the running one.
    await expect.poll(async () => ((await barsOf('candles')) ?? [0, 0])[1], SOON).toBeGreaterThan(4 * 26)
    expect((await barsOf('candles'))![0]).toBe(0)
    await expect
      .poll(async () => (await drawn()).map(({ id }) => id), SOON)
      .toEqual(expect.arrayContaining(['map', 'candles', 'levels', 'profile']))
    expect(await page.locator('main').innerText()).not.toMatch(/(^|\n|\. )Nothing /)
  })

  test('says of a figure how it is made, on a page of its own', { timeout: SLOW }, async () => {
    const { page, faults } = await opened('#/overview/SPY')
    await expect.poll(() => textOf(page, '.regime'), SOON).toContain('Gamma flip')
    const [made] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Gamma flip' }).click()
    ])
    await expect.poll(() => made.locator('h1').innerText(), SOON).toBe('Gamma flip')
    const ground = () => made.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    await expect.poll(ground, SOON).toBe('rgb(9, 12, 18)') // as dark as the browser asks for
    expect(await made.evaluate(() => getComputedStyle(document.body).maxWidth)).toBe('780px')
    expect(faults).toEqual([])
  })

  test('goes by the dealer model of its address, streamed too', { timeout: SLOW }, async () => {
    const { page, faults } = await opened('#/overview/SPY?dealers=all_short')
    const summary = await answer('/v1/exposure/summary/SPY?dealer_model=all_short')
    const { levels } = await answer('/v1/exposure/levels/SPY?dealer_model=all_short')
    const net = usd(summary.exposures.net_gex).replace(/\s/g, ' ')
    await expect.poll(() => textOf(page, '.regime'), SOON).toContain(net)
    await expect.poll(() => textOf(page, '.rail'), SOON).toContain(level(levels.put_wall))
    expect(await textOf(page, '.rail')).not.toMatch(/(?<!0DTE )Call wall/)
    await shows(page, '.state', /Live/)
    await page.waitForTimeout(2000) // time for the stream to bring every figure again
    expect(await textOf(page, '.regime')).toContain(net)
    expect(faults).toEqual([])
  })

  test('goes by the expirations of its address, streamed too', { timeout: SLOW }, async () => {
    const { page, faults } = await opened('#/overview/SPY?expirations=monthly')
    const summary = await answer('/v1/exposure/summary/SPY?expiry_type=monthly')
    const net = usd(summary.exposures.net_gex).replace(/\s/g, ' ')
    const dates = summary.scope.expirations.length
    expect(net).not.toBe(usd((await answer('/v1/exposure/summary/SPY')).exposures.net_gex).replace(/\s/g, ' '))
    await expect.poll(() => textOf(page, '.regime'), SOON).toContain(net)
    await shows(page, '.choice', `${dates} dates to`)
    await shows(page, '.rail', 'Levels monthlies')
    await shows(page, '.state', /Live/)
    await page.waitForTimeout(2000) // time for the stream to bring every figure again
    expect(await textOf(page, '.regime')).toContain(net)
    expect(faults).toEqual([])
  })

  test('says on the status page what it holds and records', { timeout: SLOW }, async () => {
    const { page, faults } = await opened('#/status/SPY')
    await expect.poll(() => textOf(page, '.held'), SOON).toContain('SPY')
    await shows(page, '.checks', 'Market data Healthy')
    await expect.poll(() => textOf(page, '.recorder'), SOON).toMatch(/Snapshots written [1-9]/)
    await shows(page, '.reach', 'Stream connected')
    expect(faults).toEqual([])
  })

  test('closes the door of a session whose key is revoked', { timeout: SLOW }, async () => {
    const admin = (path: string, method: string, body?: object) =>
      service.ask(`/v1/admin/${path}`, service.keys.enterprise, {
        method,
        ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
      })
    const user = (await admin('users', 'POST', { email: 'desk@example.com', plan: 'alpha' })).json!
    const made = (await admin(`users/${user['id']}/keys`, 'POST', {})).json!
    const { page } = await newPage(browser, [service.base], { refusals: true })
    await page.request.post(`${service.base}/session`, { data: { key: made['key'] } })
    await page.goto(`${service.base}/#/account/SPY`)
    await expect.poll(() => textOf(page, '.own'), SOON).toContain('desk@example.com')
    expect((await admin(`keys/${made['id']}`, 'DELETE')).status).toBe(200)
    await page.waitForTimeout(1500)
    await page.keyboard.press('1')
    await expect.poll(() => page.locator('.door').count(), SOON).toBe(1)
  })

  test('shows a panel on an allowed page, as high as it is, without a cookie', { timeout: SLOW }, async () => {
    const { page, faults } = await embedded(site)
    const { levels } = await answer('/v1/exposure/levels/SPY')
    await expect.poll(() => panelOf(page).locator('table.levels').innerText(), SOON).toContain(level(levels.call_wall))
    const heightOf = (element: Locator) => element.evaluate((found) => found.getBoundingClientRect().height)
    // The panel may still grow, so both heights are measured until they agree.
    await expect
      .poll(async () => {
        const inside = await heightOf(panelOf(page).locator('body'))
        return (await heightOf(page.locator('iframe'))) - inside
      }, SOON)
      .toBeCloseTo(0, -1)
    expect(await panelOf(page).locator('html').getAttribute('data-theme')).toBe('light')
    expect(
      await panelOf(page)
        .locator('html')
        .evaluate(() => location.href)
    ).not.toContain('token')
    expect(await page.context().cookies()).toEqual([])
    await page.locator('gammawall-panel').evaluate((panel) => panel.setAttribute('theme', 'dark'))
    await expect.poll(() => panelOf(page).locator('html').getAttribute('data-theme'), SOON).toBe('dark')
    expect(faults).toEqual([])
  })

  test('asks its page for another token where one is over', { timeout: SLOW }, async () => {
    site.asked = 0
    site.tokens = ['bm8=.bm8=', 'fresh']
    const { page } = await embedded(site)
    const { levels } = await answer('/v1/exposure/levels/SPY')
    await expect.poll(() => panelOf(page).locator('table.levels').innerText(), SOON).toContain(level(levels.call_wall))
    expect(site.asked).toBe(1)
  })

  test('is framed by no other page', { timeout: SLOW }, async () => {
    const { page, faults } = await embedded(stranger)
    await expect.poll(() => faults.join(), SOON).toMatch(/frame-ancestors/)
    expect(page.frames().filter((frame) => frame.url().startsWith(service.base))).toEqual([])
  })

  test('listens to its own page alone', { timeout: SLOW }, async () => {
    const { page } = await newPage(browser, [service.base], { refusals: true })
    await page.goto(`${service.base}/embed/levels/SPY#token=none&page=${encodeURIComponent('https://other.example')}`)
    await shows(page, '.foot', /Waiting for a token from its page/)
    // Sent by the panel itself instead of the page it named.
    await page.evaluate(() => postMessage({ gammawall: 'change', theme: 'light', symbol: 'QQQ' }, '*'))
    await page.waitForTimeout(500)
    await shows(page, '.foot', /SPY/)
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  })
})
