import { expect, test } from 'vitest'
import { asks, describePages, leadsTo, PATIENT, shows } from './browser.ts'
import { type Json, recorded, refusal } from './service.ts'

const SECRET = 'whsec_shownthisonce'
const ALERTS: Json[] = recorded('alerts').alerts
const EVENTS: Json[] = recorded('alert-events').events
const [flip, gex, paused, done] = ALERTS

describePages('alerts', ({ service, open }) => {
  /** Requested changes, with their bodies. */
  const changes: { readonly path: string; readonly body: Json }[] = []
  /** Accepts changes like the service, if they have the header that other origins cannot send. */
  const admit = (answer: Json) => {
    changes.length = 0
    service().rules.unshift((url, { method, headers, body }) => {
      if (!url.pathname.startsWith('/v1/alerts') || method === 'GET') return undefined
      if (headers['x-gammawall'] !== '1') return refusal(403, 'forbidden')
      changes.push({ path: `${method} ${url.pathname}`, body })
      return { status: method === 'DELETE' ? 204 : 200, body: method === 'DELETE' ? undefined : answer }
    })
  }
  const lists = (alerts: readonly Json[], events: readonly Json[]) =>
    service().rules.unshift((url, { method }) => {
      if (method !== 'GET') return undefined
      if (url.pathname === '/v1/alerts') return { body: { alerts, total: alerts.length } }
      return url.pathname === '/v1/alerts/events' ? { body: { events, limit: 50, offset: 0 } } : undefined
    })

  test('lists each alert with its figure, its distance and its state, and what has fired', async () => {
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('9')
    await leadsTo(page, '#/alerts/SPY')
    const rows = page.locator('.rules tbody tr')
    await expect.poll(() => rows.count(), PATIENT).toBe(ALERTS.length)
    const texts = (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
    expect(texts[0]).toMatch(
      /SPY price the flip crosses gamma flip each time, to hooks\.example\.com 686\.12 – armed 2 20 Nov 14:40:31/
    )
    expect(texts[1]).toMatch(/SPX net GEX below 0 once 37\.7 ?B – armed 0/)
    expect(texts[2]).toContain('588.4 +1.97 % paused the plan opens 3 alerts')
    expect(texts[3]).toContain('above 14 once 14.08 −0.57 % done 1')
    await expect.poll(() => page.locator('.rules th span').first().getAttribute('title'), PATIENT).toBe(flip.metric)
    await shows(
      page,
      '.fired',
      '20 Nov 14:40:31 SPY price crossed gamma flip (686.4): 686.12. the flip delivered after 2 tries'
    )
    await shows(page, '.fired', 'given up after 9 tries status 500')
    await shows(page, '.fired', 'VIX price is above 14: 14.08. calm is over here')
    expect(faults).toEqual([])
  })

  test('a card leads to a new alert about its figure: a level wherever it is, an exposure at 0', async () => {
    const { page } = await open('#/overview/SPY?card=call_wall&tab=history')
    await page.locator('.card a', { hasText: 'Alert' }).click()
    await leadsTo(page, /#\/alerts\/SPY\?.*watch=call_wall/)
    const field = (name: string) => page.locator(`.new-alert [name=${name}]`)
    const filled = () => Promise.all([field('metric').inputValue(), field('value').inputValue()])
    await expect.poll(filled, PATIENT).toEqual(['price', 'call wall'])
    await page.goto(`${service().url}/#/alerts/SPY?watch=net_vex`)
    await expect.poll(filled, PATIENT).toEqual(['net VEX', '0'])
  })

  test('sets an alert on a number or on another figure, and shows the secret of a new webhook once', async () => {
    admit({ ...flip, webhook_secret: SECRET })
    const { page, faults } = await open('#/alerts/SPY')
    await shows(page, '.rules', /net GEX/)
    await expect
      .poll(() => page.locator('#metrics option').evaluateAll((all) => all.map((each) => each.getAttribute('value'))))
      .toContain('exposure.summary.hedging_estimate.spot_up_1pct.notional_usd')
    await page.locator('.new-alert input[name=symbol]').fill('qqq')
    await page.getByLabel('Number or metric').fill('1,600.50')
    await page.getByLabel('Fires when it').selectOption('above')
    await page.getByRole('button', { name: 'Set alert' }).click()
    await expect
      .poll(() => changes.at(-1)?.body, PATIENT)
      .toEqual({
        symbol: 'QQQ',
        metric: 'stockquote.current.mid',
        condition: 'above',
        value: 1600.5,
        repeat: 'once'
      })
    await expect.poll(() => page.locator('dialog .key').inputValue(), PATIENT).toBe(SECRET)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => page.locator('dialog .key').inputValue(), PATIENT).toBe('')
    expect(await page.content()).not.toContain(SECRET)
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(SECRET)

    await page.getByLabel('Number or metric').fill('exposure.levels.levels.call_wall')
    await page.getByLabel('How often').selectOption('each_time')
    await page.getByLabel('Note').fill('at the wall')
    await page.locator('.new-alert input[name=webhook]').fill('https://hooks.example.com/desk')
    await page.getByRole('button', { name: 'Set alert' }).click()
    await expect
      .poll(() => changes.at(-1)?.body, PATIENT)
      .toEqual({
        symbol: 'SPY',
        metric: 'stockquote.current.mid',
        condition: 'crosses',
        value: { metric: 'exposure.levels.levels.call_wall' },
        repeat: 'each_time',
        note: 'at the wall',
        webhook: { url: 'https://hooks.example.com/desk' }
      })
    expect(changes.map(({ path }) => path)).toEqual(['POST /v1/alerts', 'POST /v1/alerts'])
    expect(faults).toEqual([])
  })

  test('pauses and arms, and asks twice before an alert is removed', async () => {
    admit(flip)
    const { page } = await open('#/alerts/SPY')
    await shows(page, '.rules', /net GEX/)
    await page.getByRole('button', { name: 'Pause SPX net GEX below 0' }).click()
    await expect
      .poll(() => changes, PATIENT)
      .toEqual([{ path: `PATCH /v1/alerts/${gex.id}`, body: { state: 'paused' } }])
    await page.getByRole('button', { name: 'Arm VIX price above 14' }).click()
    await expect
      .poll(() => changes.at(-1), PATIENT)
      .toEqual({ path: `PATCH /v1/alerts/${done.id}`, body: { state: 'armed' } })
    const remove = page.locator('.rules tbody tr').nth(2).locator('button').last()
    await remove.click()
    await expect.poll(() => remove.innerText()).toMatch(/Really/)
    expect(changes).toHaveLength(2)
    await remove.click()
    await expect.poll(() => changes.at(-1)?.path, PATIENT).toBe(`DELETE /v1/alerts/${paused.id}`)
  })

  test('says what the webhook answers to a test', async () => {
    admit({ delivered: false, status: 503, failure: 'status 503' })
    const { page } = await open('#/alerts/SPY')
    await shows(page, '.rules', /net GEX/)
    await page.getByRole('button', { name: /^Test the webhook of SPY price/ }).click()
    await shows(page, '.told', 'hooks.example.com did not take a test: status 503.')
    expect(changes).toEqual([{ path: `POST /v1/alerts/${flip.id}/test`, body: {} }])
    admit({ delivered: true, status: 204, failure: null })
    await page.getByRole('button', { name: /^Test the webhook of SPY price/ }).click()
    await shows(page, '.told', 'hooks.example.com took a test.')
  })

  test('says why one was refused, and keeps what was written', async () => {
    service().rules.unshift((url, { method }) => {
      // The price comes later than the form.
      if (url.pathname.startsWith('/v1/market/session/')) return { body: recorded('session'), delay: 1500 }
      return url.pathname === '/v1/alerts' && method === 'POST' ? refusal(403, 'alert_limit', { limit: 3 }) : undefined
    })
    const { page } = await open('#/alerts/SPY', { refusals: true })
    await shows(page, '.rules', /net GEX/)
    await expect.poll(() => page.getByLabel('Number or metric').inputValue(), PATIENT).toMatch(/^\d+\.\d\d$/)
    await page.locator('.new-alert input[name=symbol]').focus()
    await expect.poll(() => page.locator('#alert-symbols option').count(), PATIENT).toBeGreaterThan(100)
    await page.getByLabel('Note').fill('one too many')
    await page.getByRole('button', { name: 'Set alert' }).click()
    await shows(page, '.refused', 'Alert limit.')
    await expect.poll(() => page.getByLabel('Note').inputValue(), PATIENT).toBe('one too many')
  })

  test('without any it says how it goes, and at a past moment that alerts are of the live market', async () => {
    lists([], [])
    const { page, faults } = await open('#/alerts/SPY?at=2026-11-20T11:00:00')
    await shows(page, '.rules', 'No alerts yet.')
    await shows(page, '.fired', 'Nothing has fired yet.')
    await shows(page, '.rules', 'of the live market, whatever moment is shown')
    expect(service().asked.filter((path) => path.startsWith('/replay/v1/alerts'))).toEqual([])
    expect(faults).toEqual([])
  })

  test('what fires is told by the browser on every screen, to who let it, and nothing that had fired before', async () => {
    const { page } = await open()
    await page.clock.install()
    await page.addInitScript(() => {
      const notified: string[] = []
      class Heard {
        static permission = 'granted'
        constructor(_title: string, { body }: { readonly body: string }) {
          notified.push(body)
        }
      }
      Object.assign(globalThis, { Notification: Heard, notified })
    })
    lists(ALERTS, EVENTS.slice(1))
    await page.goto(`${service().url}/#/overview/SPY`)
    await shows(page, '.rail', /Call wall/)
    await asks(service(), /^\/v1\/alerts\/events/)
    const notified = () =>
      page.evaluate(() => (globalThis as unknown as { readonly notified: readonly string[] }).notified)
    expect(await notified()).toEqual([])
    lists(ALERTS, EVENTS)
    await expect
      .poll(async () => {
        await page.clock.runFor(5000)
        return notified()
      }, PATIENT)
      .toEqual(['SPY price crossed gamma flip (686.4): 686.12. the flip'])
  })
})
