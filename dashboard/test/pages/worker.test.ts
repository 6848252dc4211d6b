import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { describePages, newPage, PATIENT, shows, startBrowser, textOf } from './browser.ts'
import { type Json, refusal, startService } from './service.ts'

const pages = join(import.meta.dirname, '../../../dist/dashboard')
const html = readFileSync(join(pages, 'index.html'), 'utf8')

/** Waits until a worker controls the page and has kept all it keeps. Gives the paths that are kept. */
async function keptBy(page: Page): Promise<readonly string[]> {
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state), PATIENT).toBe('activated')
  return page.evaluate(async () => {
    const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    return all.flat().map(({ url }) => new URL(url).pathname + new URL(url).search)
  })
}

test('the manifest names the page and icons that are there, of the sizes that it says', () => {
  const manifest = JSON.parse(readFileSync(join(pages, 'manifest.webmanifest'), 'utf8'))
  expect(manifest).toMatchObject({ name: 'gammawall', display: 'standalone', start_url: '/', scope: '/' })
  for (const { src, sizes, type } of manifest.icons as readonly { src: string; sizes: string; type: string }[]) {
    expect(existsSync(join(pages, src))).toBe(true)
    if (type !== 'image/png') continue
    const png = readFileSync(join(pages, src))
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, src).toBe(sizes)
  }
  expect(html).toContain('<link rel="manifest" href="/manifest.webmanifest"')
})

describePages('the worker', ({ service, open }) => {
  test('keeps the files of the page and nothing that was answered', async () => {
    const { page, faults } = await open('#/overview/SPY', { worker: true })
    await shows(page, '.rail', /Call wall/)
    const kept = await keptBy(page)
    expect(kept).toContain('/')
    expect(kept.filter((path) => !/^\/($|assets\/|mark\.svg|manifest\.webmanifest)/.test(path))).toEqual([])
    await page.reload()
    await shows(page, '.rail', /Call wall/)
    expect((await keptBy(page)).filter((path) => /^\/(v1|session|health)/.test(path))).toEqual([])
    expect(faults).toEqual([])
  })

  test('opens any screen without a connection, which says so and shows no figure', async () => {
    const own = await startService()
    const browser = await startBrowser()
    onTestFinished(() => browser.close())
    const { page } = await newPage(browser, [own.url], { worker: true, refusals: true })
    await page.goto(`${own.url}/#/overview/SPY`)
    await shows(page, '.rail', /Call wall/)
    await keptBy(page)
    await own.close()
    await page.context().setOffline(true)
    await page.reload()
    await shows(page, '.banner', 'This device is offline, so nothing new arrives; the page keeps trying.')
    await shows(page, '.state', /^Offline/)
    expect(await textOf(page, '.rail')).not.toMatch(/\d\d\d/)
    await page.goto(`${own.url}/#/volatility/SPY`)
    await expect.poll(() => page.locator('main h1').count(), PATIENT).toBe(1)
    await shows(page, '.state', /^Offline/)
  })

  test('says of an open page that nothing new arrives, with the moment of what stays', async () => {
    const { page } = await open('#/overview/SPY', { refusals: true })
    await shows(page, '.rail', /Call wall/)
    await page.clock.install()
    await page.reload()
    await shows(page, '.rail', /Call wall/)
    await page.context().setOffline(true)
    await expect
      .poll(async () => {
        await page.clock.runFor(5000)
        return page.locator('.banner').allInnerTexts()
      }, PATIENT)
      .toEqual([expect.stringMatching(/This device is offline.* What is shown is of \w+ \d+ \w+, \d\d:\d\d/)])
    await shows(page, '.state', /^Offline/)
  })

  test('lets a new release show itself at the next load', async () => {
    const { page } = await open('#/overview/SPY', { worker: true })
    await keptBy(page)
    service().files.set('/', html.replace('<title>', '<meta name="release" content="next"><title>'))
    onTestFinished(() => service().files.clear())
    await page.reload()
    expect(await page.locator('meta[name=release]').count()).toBe(1)
    await shows(page, '.rail', /Call wall/)
  })

  test('goes with all it keeps where the service wants none', async () => {
    const { page } = await open('#/overview/SPY', { worker: true })
    await keptBy(page)
    service().files.set('/', html.replace('<body', '<body data-worker="off"'))
    onTestFinished(() => service().files.clear())
    await page.reload()
    const left = () =>
      page.evaluate(async () => [
        ...(await caches.keys()),
        ...(await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope)
      ])
    await expect.poll(left, PATIENT).toEqual([])
  })
})

describePages('notifications', ({ service, open }) => {
  const PATH = '/v1/alerts/browsers'
  const changes: { readonly path: string; readonly body: Json }[] = []
  const known = () => changes.some(({ path }) => path.startsWith('POST'))

  /** The alerts screen of a browser whose push service gives subscriptions, or none. */
  async function opened(permission: 'granted' | 'denied', { isReachable = true } = {}) {
    changes.length = 0
    service().rules.unshift((url, { method, body, headers }) => {
      if (!url.pathname.startsWith(PATH)) return undefined
      if (method === 'GET')
        return { body: { public_key: 'BKEY', browsers: known() ? [{ id: 'b1' }] : [], total: known() ? 1 : 0 } }
      if (headers['x-gammawall'] !== '1') return refusal(403, 'forbidden')
      changes.push({ path: `${method} ${url.pathname}`, body })
      return { body: { id: 'b1', host: 'push.example', delivered: false, status: 403, failure: 'it answered 403' } }
    })
    const made = await open(undefined, { worker: true })
    await made.page.addInitScript(
      ([granted, reachable]) => {
        const subscription = {
          toJSON: () => ({
            endpoint: 'https://push.example/1',
            keys: { p256dh: 'P', auth: 'A' },
            expirationTime: null
          }),
          unsubscribe: async () => localStorage.removeItem('subscribed') === undefined
        }
        Object.assign(PushManager.prototype, {
          getSubscription: async () => (localStorage.getItem('subscribed') === null ? null : subscription),
          subscribe: async ({ applicationServerKey: key }: { applicationServerKey: string }) => {
            if (reachable !== 'yes') throw new DOMException('no push service', 'AbortError')
            localStorage.setItem('subscribed', key)
            return subscription
          }
        })
        const asking = {
          get permission() {
            return localStorage.getItem('allowed') ?? 'default'
          },
          async requestPermission() {
            localStorage.setItem('allowed', granted!)
            return granted
          }
        }
        Object.assign(globalThis, { Notification: asking })
      },
      [permission, isReachable ? 'yes' : 'no']
    )
    await made.page.goto(`${service().url}/#/alerts/SPY`)
    await shows(made.page, '.fired', /Notify me in this browser/)
    await keptBy(made.page)
    return made
  }

  test('are switched on and off for this browser, also after the page was opened anew', async () => {
    const { page, faults } = await opened('granted')
    await page.getByRole('button', { name: 'Notify me in this browser' }).click()
    const on = page.getByRole('button', { name: 'This browser notifies you' })
    await expect.poll(() => on.getAttribute('aria-pressed'), PATIENT).toBe('true')
    const body = { endpoint: 'https://push.example/1', keys: { p256dh: 'P', auth: 'A' } }
    expect(changes).toEqual([{ path: `POST ${PATH}`, body }])
    await expect.poll(() => page.evaluate(() => localStorage.getItem('subscribed')), PATIENT).toBe('BKEY')
    await page.reload()
    await on.waitFor()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await shows(page, '.told', 'The push service did not take a test: it answered 403.')
    await on.click()
    await shows(page, '.fired', /Notify me in this browser/)
    expect(changes.map(({ path }) => path).slice(1)).toEqual([`POST ${PATH}/b1/test`, `DELETE ${PATH}/b1`])
    await expect.poll(() => page.evaluate(() => localStorage.getItem('subscribed')), PATIENT).toBeNull()
    expect(faults).toEqual([])
  })

  test('end with the session of who signs out', async () => {
    const { page } = await opened('granted')
    await page.getByRole('button', { name: 'Notify me in this browser' }).click()
    await shows(page, '.fired', /This browser notifies you/)
    await page.goto(`${service().url}/#/account/SPY`)
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await expect.poll(() => changes.at(-1)?.path, PATIENT).toBe(`DELETE ${PATH}/b1`)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('subscribed')), PATIENT).toBeNull()
  })

  test('that are blocked, or whose push service is out of reach, are said', async () => {
    const blocked = await opened('denied')
    await blocked.page.getByRole('button', { name: 'Notify me in this browser' }).click()
    await shows(blocked.page, '.fired', /Notifications are blocked in this browser/)
    const away = await opened('granted', { isReachable: false })
    await away.page.getByRole('button', { name: 'Notify me in this browser' }).click()
    await shows(away.page, '.told', /could not reach its push service/)
    expect(changes).toEqual([])
  })
})
