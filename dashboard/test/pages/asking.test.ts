import type { Page, WebSocketRoute } from 'playwright-core'
import { expect, test } from 'vitest'
import { describePages, PATIENT, shows, textOf } from './browser.ts'

/** Tells the page that it is visible or hidden, as a browser does when its tab is left. */
const see = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)

describePages('asking', ({ service, open }) => {
  const asked = (path: RegExp) => service().asked.filter((each) => path.test(each)).length
  const summaries = () => asked(/^\/v1\/exposure\/summary/)

  test('without a stream the page asks as often as the plan has newer figures, and not while nobody sees it', async () => {
    const { page } = await open()
    await page.clock.install()
    await page.goto(`${service().url}/#/overview/SPY`)
    await shows(page, '.rail', /Call wall/)
    expect(summaries()).toBe(1)
    expect(asked(/\/account/)).toBe(0)
    await page.clock.runFor(15_000)
    await expect.poll(summaries, PATIENT).toBe(2)
    // A plan with new data each second is polled every five seconds, which is the shortest interval.
    await expect.poll(() => asked(/\/account/), PATIENT).toBe(1)
    await page.waitForTimeout(500)
    await page.clock.runFor(5000)
    await expect.poll(summaries, PATIENT).toBe(3)
    await page.waitForTimeout(500)
    await see(page, true)
    await page.clock.runFor(60_000)
    await page.waitForTimeout(500)
    expect(summaries()).toBe(3)
    await see(page, false)
    await expect.poll(summaries, PATIENT).toBe(4)
    expect(asked(/\/account/)).toBe(1)
  })

  test('once the stream is lost for ten seconds the page asks again', async () => {
    const { page } = await open(undefined, { refusals: true })
    const ticket = { ticket: 'once', expires_at: '2026-11-20T17:00:00Z' }
    service().rules.unshift((url) =>
      url.pathname === '/v1/stream/ticket' ? (isUp ? { body: ticket } : { status: 503, body: {} }) : undefined
    )
    let isUp = true
    const sockets: WebSocketRoute[] = []
    await page.routeWebSocket(/\/ws\?/, (socket) => void sockets.push(socket))
    await page.clock.install()
    await page.goto(`${service().url}/#/overview/SPY`)
    await shows(page, '.state', 'Live')
    await shows(page, '.rail', /Call wall/)
    // The first interval is the default, since the plan is not known while a page opens.
    await page.clock.runFor(15_000)
    await expect.poll(summaries, PATIENT).toBe(2)
    isUp = false
    await sockets[0]!.close({ code: 1012 })
    await shows(page, '.state', 'Reconnecting')
    await page.clock.runFor(10_000)
    await expect.poll(summaries, PATIENT).toBe(3)
    expect(await textOf(page, '.state')).toContain('Reconnecting')
  })

  test('where the requests of a day are counted, it asks every five minutes', async () => {
    service().headers.set('x-ratelimit-remaining', '240')
    const { page } = await open()
    await page.clock.install()
    await page.goto(`${service().url}/#/overview/SPY`)
    await shows(page, '.rail', /Call wall/)
    await page.waitForTimeout(1000)
    await page.clock.runFor(250_000)
    await page.waitForTimeout(500)
    expect(summaries()).toBe(1)
    await page.clock.runFor(60_000)
    await expect.poll(summaries, PATIENT).toBe(2)
    expect(asked(/\/account/)).toBe(0)
  })

  test('the day is asked for where the time slider stands still, and not at what it passes', async () => {
    const moments = (name: string) =>
      service()
        .asked.filter((each) => each.startsWith(`/replay/v1/${name}/`) && !each.includes('every=1d'))
        .map((each) => new URL(each, 'http://x').searchParams.get('at')!.slice(11, 16))
    const { page } = await open()
    await page.clock.install()
    await page.goto(`${service().url}/#/overview/SPY?at=2026-11-20T15:00:00`)
    await expect.poll(() => [moments('bars'), moments('exposure/matrix')], PATIENT).toEqual([['15:00'], ['15:00']])
    await shows(page, '.rail', /Call wall/)
    // No time passes between the steps, however busy the machine is.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 2000)
    for (const time of ['15:10', '15:20', '15:30'])
      await page.evaluate((at) => {
        const moved = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }))
        location.hash = `#/overview/SPY?at=2026-11-20T${at}:00`
        return moved.then(() => undefined)
      }, time)
    await page.clock.resume()
    await expect
      .poll(() => [moments('bars'), moments('exposure/matrix')], PATIENT)
      .toEqual([
        ['15:00', '15:30'],
        ['15:00', '15:30']
      ])
    expect(moments('exposure/summary').at(-1)).toBe('15:30')
  })

  test('while a replay plays, the moment that comes next is asked ahead, and once', async () => {
    const moments = () =>
      service()
        .asked.filter((each) => each.startsWith('/replay/v1/exposure/summary'))
        .map((each) => new URL(each, 'http://x').searchParams.get('at')!.slice(11, 16))
    const { page, faults } = await open('#/overview/SPY?at=2026-11-20T10:00:00')
    await shows(page, '.rail', /Call wall/)
    await page.keyboard.press(' ')
    await expect.poll(() => moments().length, PATIENT).toBeGreaterThanOrEqual(4)
    const shown = () => new URL(page.url().replace('#', '')).searchParams.get('at')!.slice(11, 16)
    // While the day plays, a step that arrives late shows the moment that was requested in advance.
    await expect.poll(() => moments().at(-1)! > shown(), PATIENT).toBe(true)
    await page.keyboard.press(' ')
    await page.waitForTimeout(500)
    const all = moments()
    expect(all.slice(0, 3)).toEqual(['10:00', '10:05', '10:10'])
    expect(new Set(all).size).toBe(all.length)
    expect(all).toContain(shown())
    expect(faults).toEqual([])
  })
})
