import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describePages, leadsTo, PATIENT, shows, textOf } from './browser.ts'
import { type Json, recorded, refusal } from './service.ts'

const [flip] = recorded('alerts').alerts as Json[]
const PRICE = 'stockquote.current.mid'
const at695: Json = { ...flip, id: 'e0000000-0000-4000-8000-000000000001', note: null, webhook: null, value: 695 }

const boxOf = async (page: Page) => (await page.locator('.time-chart').boundingBox())!
const handle = (page: Page) => page.locator('.draft [role=slider]')

describePages('the alert line', ({ service, open }) => {
  /** Keeps alerts like the service, and the changes that are sent. */
  const keeping = (kept: Json[]) => {
    const changes: { readonly path: string; readonly body: Json }[] = []
    service().rules.unshift((url, { method, body }) => {
      if (!/^\/v1\/alerts(\/(?!events)|$)/.test(url.pathname)) return undefined
      if (method === 'GET') return { body: { alerts: kept, total: kept.length } }
      changes.push({ path: `${method} ${url.pathname}`, body })
      const id = url.pathname.split('/')[3]
      if (method === 'POST') kept.push({ ...at695, ...body, id: `new-${kept.length}`, state: 'armed' })
      if (method === 'PATCH')
        kept.splice(
          kept.findIndex((each) => each.id === id),
          1,
          { ...at695, ...body, id }
        )
      if (method === 'DELETE')
        kept.splice(
          kept.findIndex((each) => each.id === id),
          1
        )
      return { body: kept.at(-1) ?? at695 }
    })
    return changes
  }

  test('is placed by a press on the price axis, tied to a level near it, and set by its form', async () => {
    const changes = keeping([])
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.chart-legend', /Call wall 700/)
    const { x, y, width, height } = await boxOf(page)
    await page.mouse.click(x + width - 20, y + height * 0.3)
    await shows(page, '.alert-form', /Tell me when SPY/)
    await expect.poll(() => handle(page).getAttribute('aria-valuetext'), PATIENT).toMatch(/^SPY crosses \d{3}\.\d\d$/)
    await page.getByLabel('Price', { exact: true }).fill('695')
    await page.keyboard.press('Tab')
    await expect.poll(() => handle(page).getAttribute('aria-valuetext'), PATIENT).toBe('SPY crosses 695.00')
    await page.getByLabel('How the price gets there').selectOption('below')
    await page.getByLabel('How often').selectOption('each_time')
    await page.getByRole('button', { name: 'Set alert' }).click()
    await shows(page, '.alert-layer', 'falls below 695.00')
    await expect.poll(() => page.locator('.alert-form').count(), PATIENT).toBe(0)
    expect(changes).toEqual([
      {
        path: 'POST /v1/alerts',
        body: { symbol: 'SPY', metric: PRICE, condition: 'below', value: 695, repeat: 'each_time' }
      }
    ])
    expect(faults).toEqual([])
  })

  test('says while it is placed how often it would have fired, marks those bars, and forgets them with the draft', async () => {
    keeping([])
    // Four of the five sessions are recorded: of the first one nothing is known of the flip.
    service().rules.unshift(({ pathname }) => {
      if (!pathname.includes('/bars/')) return undefined
      const { columns, ...bars } = recorded('bars')
      const gamma_flip = columns.gamma_flip.map((value: number, i: number) => (i < 26 ? null : value))
      return { body: { ...bars, columns: { ...columns, gamma_flip } } }
    })
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.chart-legend', /Call wall 700/)
    await page.keyboard.press('a')
    await page.getByLabel('What it gets to').selectOption('a price')
    await page.getByLabel('Price', { exact: true }).fill('999')
    await page.keyboard.press('Tab')
    await shows(page, '.backtest', /^Would not have fired in the 5 sessions shown, by closes of 15-minute bars\.$/)
    expect(await page.locator('.would-fire').count()).toBe(0)
    const { c } = recorded('bars')
    const [middle] = [...c].sort((a: number, b: number) => a - b).slice(c.length / 2)
    await page.getByLabel('Price', { exact: true }).fill(middle.toFixed(2))
    await page.keyboard.press('Tab')
    await shows(
      page,
      '.backtest',
      /^Would have fired (once|\d+ times) in the 5 sessions shown.*; last on \d+ Nov \d\d:\d\d\.$/
    )
    const said = Number(/fired (\d+)/.exec(await textOf(page, '.backtest'))?.[1] ?? 1)
    await expect.poll(() => page.locator('.would-fire').count(), PATIENT).toBe(said)
    await page.getByLabel('What it gets to').selectOption('its flip, wherever it is')
    await shows(page, '.backtest', /For 26 of 11\d bars the level is not known, and they do not count\.$/)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.would-fire, .backtest').count(), PATIENT).toBe(0)
    expect(faults).toEqual([])
  })

  test('is tied to a level that is chosen by its name', async () => {
    const changes = keeping([])
    const { page } = await open('#/overview/SPY')
    await shows(page, '.chart-legend', /Call wall 700/)
    await page.getByRole('button', { name: 'Alert line' }).click()
    await page.getByLabel('What it gets to').selectOption('its flip, wherever it is')
    await expect.poll(() => handle(page).getAttribute('aria-valuetext'), PATIENT).toBe('SPY crosses its flip')
    await page.getByLabel('How the price gets there').selectOption('below')
    await page.getByRole('button', { name: 'Set alert' }).click()
    await expect.poll(() => page.locator('.alert-form').count(), PATIENT).toBe(0)
    const flip = { metric: 'exposure.summary.gamma_flip' }
    expect(changes).toEqual([
      {
        path: 'POST /v1/alerts',
        body: { symbol: 'SPY', metric: PRICE, condition: 'below', value: flip, repeat: 'once' }
      }
    ])
  })

  test('keys alone place, move, set, change and remove it', async () => {
    const changes = keeping([])
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.chart-legend', /Call wall 700/)
    await page.keyboard.press('a')
    await expect.poll(() => handle(page).evaluate((each) => each === document.activeElement), PATIENT).toBe(true)
    // Up to the wall at 700, where the line is tied to it.
    await expect
      .poll(async () => {
        await page.keyboard.press('PageUp')
        return handle(page).getAttribute('aria-valuetext')
      }, PATIENT)
      .toBe('SPY crosses its call wall')
    await expect.poll(() => page.getByLabel('What it gets to').inputValue(), PATIENT).toBe('call_wall')
    await page.keyboard.press('Enter')
    await shows(page, '.alert-layer [role=status]', 'Alert set: SPY crosses its call wall.')
    expect(changes.at(-1)?.body).toEqual({
      symbol: 'SPY',
      metric: PRICE,
      condition: 'crosses',
      value: { metric: 'exposure.levels.levels.call_wall' },
      repeat: 'once'
    })
    // The chart has the focus again, and the line comes after it.
    await expect.poll(() => page.evaluate(() => document.activeElement?.className), PATIENT).toContain('time-chart')
    const line = page.locator('.alert-line [role=slider]')
    await line.focus()
    await page.keyboard.press('ArrowUp')
    await shows(page, '.alert-line .alert-label', 'Enter sets it, Escape puts it back')
    await page.keyboard.press('Escape')
    await expect.poll(() => line.getAttribute('aria-valuetext'), PATIENT).toBe('SPY crosses its call wall')
    expect(changes).toHaveLength(1)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await shows(page, '.alert-layer [role=status]', /Alert moved: SPY crosses 70\d\.\d\d\./)
    expect(changes.at(-1)?.path).toBe('PATCH /v1/alerts/new-0')
    expect(changes.at(-1)?.body.value).toBeGreaterThan(700)
    await line.focus()
    await page.keyboard.press('Delete')
    await page.keyboard.press('Enter')
    await shows(page, '.alert-line .acts', 'Really remove?')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.alert-line').count(), PATIENT).toBe(0)
    expect(changes.at(-1)?.path).toBe('DELETE /v1/alerts/new-0')
    expect(faults).toEqual([])
  })

  test('is dragged by its handle, and what is refused is put back and said', async () => {
    const changes = keeping([at695])
    const { page } = await open('#/overview/SPY', { refusals: true })
    const line = page.locator('.alert-line [role=slider]')
    await expect.poll(() => line.getAttribute('aria-valuetext'), PATIENT).toBe('SPY crosses 695.00')
    const drag = async (by: number) => {
      const { x, y, width, height } = (await line.boundingBox())!
      await page.mouse.move(x + width / 2, y + height / 2)
      await page.mouse.down()
      await page.mouse.move(x + width / 2, y + height / 2 + by, { steps: 4 })
      await page.mouse.up()
    }
    await drag(20)
    await expect.poll(() => changes.at(-1)?.path, PATIENT).toBe(`PATCH /v1/alerts/${at695.id}`)
    const moved = changes.at(-1)!.body.value
    expect(moved).toBeLessThan(695)
    expect(page.url()).not.toContain('from=') // the chart itself stayed
    service().rules.unshift((_, { method }) =>
      method === 'PATCH' ? refusal(409, 'alert_limit', { message: 'the Free plan has room for 3 alerts' }) : undefined
    )
    await drag(20)
    await shows(page, '.alert-trouble', 'The Free plan has room for 3 alerts.')
    await expect.poll(() => line.getAttribute('aria-valuenow'), PATIENT).toBe(String(moved))
  })

  test('a plan that has no more alerts says so in the form, which stays', async () => {
    keeping([])
    service().rules.unshift((_, { method }) =>
      method === 'POST'
        ? refusal(409, 'alert_limit', { message: 'the Free plan has room for 3 alerts: remove one first' })
        : undefined
    )
    const { page } = await open('#/overview/SPY', { refusals: true })
    await shows(page, '.chart-legend', /Call wall 700/)
    await page.getByRole('button', { name: 'Alert line' }).click()
    await page.getByRole('button', { name: 'Set alert' }).click()
    await shows(page, '.alert-form [role=alert]', 'The Free plan has room for 3 alerts: remove one first.')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => page.locator('.alert-form').count(), PATIENT).toBe(0)
  })

  test('at a past moment there is none, which is said with the way to one', async () => {
    keeping([at695])
    const { page } = await open('#/overview/SPY?at=2026-11-20T11:30:00')
    await shows(page, '.chart-legend', /Call wall 700/)
    expect(await page.locator('.alert-line').count()).toBe(0)
    await page.keyboard.press('a')
    await shows(page, '.alert-form', 'Alerts watch the live market, and this is a past moment.')
    await page.getByRole('button', { name: 'Go live' }).click()
    await leadsTo(page, /#\/overview\/SPY$/)
    await shows(page, '.alert-form', /Tell me when SPY/)
    await shows(page, '.alert-layer', 'crosses 695.00')
  })

  test('is not left on the chart of another symbol', async () => {
    keeping([at695])
    const { page } = await open('#/overview/SPY')
    await shows(page, '.alert-layer', 'crosses 695.00')
    await page.keyboard.press('a')
    await shows(page, '.alert-form', /Tell me when SPY/)
    await page.evaluate(() => {
      location.hash = '#/overview/QQQ'
    })
    await shows(page, '.chart-legend', /^QQQ/)
    await expect.poll(() => page.locator('.alert-line, .alert-form').count(), PATIENT).toBe(0)
  })

  test.each([390, 768, 1100, 1440])('at a width of %i line, form and marks are whole', async (width) => {
    keeping([at695])
    const { page } = await open('#/overview/SPY', { width })
    await shows(page, '.alert-layer', 'crosses 695.00')
    await page.locator('.time-chart').scrollIntoViewIfNeeded()
    await page.keyboard.press('a')
    await shows(page, '.alert-form', /Set alert/)
    const outside = () =>
      page.evaluate(() => {
        const box = document.querySelector('.chart .price')!.getBoundingClientRect()
        return [
          ...document.querySelectorAll('.alert-form, .alert-form :not(option), .alert-handle, .fired-mark button')
        ]
          .map((part) => part.getBoundingClientRect())
          .filter(
            ({ left, right, top, bottom }) =>
              left < box.left - 1 || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1
          ).length
      })
    await expect.poll(outside, PATIENT).toBe(0)
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), PATIENT)
      .toBeLessThanOrEqual(0)
  })
})

describePages('the marks of what fired', ({ service, open }) => {
  const fires = (...moments: readonly string[]) =>
    service().rules.unshift(({ pathname }) => {
      if (pathname !== '/v1/alerts/events') return undefined
      const [first] = recorded('alert-events').events
      const events = moments.map((at, i) => ({ ...first, id: `fired-${i}`, at, as_of: at }))
      return { body: { events, limit: 200, offset: 0 } }
    })
  const marks = (page: Page) => page.locator('.fired-mark button')

  test('say what fired and when, on hover and on focus', async () => {
    fires('2026-11-20T16:31:00.000Z', '2026-11-18T15:05:00.000Z')
    const { page, faults } = await open('#/overview/SPY')
    await expect.poll(() => marks(page).count(), PATIENT).toBe(2)
    const sentence = '18 Nov 10:05:00 SPY price crossed gamma flip (686.4): 686.12. the flip'
    await expect.poll(() => marks(page).first().getAttribute('aria-label'), PATIENT).toBe(`Fired: ${sentence}`)
    await marks(page).first().hover()
    await shows(page, '.fired-mark:first-child .words-of-mark', sentence)
    await marks(page).last().focus()
    await expect.poll(() => page.locator('.fired-mark .words-of-mark').last().isVisible(), PATIENT).toBe(true)
    expect(faults).toEqual([])
  })

  test('are of the symbol and no later than the moment of the page', async () => {
    fires('2026-11-20T16:31:00.000Z', '2026-11-20T15:05:00.000Z', '2026-11-18T15:05:00.000Z')
    const { page } = await open('#/overview/SPY?at=2026-11-20T11:00:00')
    await expect.poll(() => marks(page).count(), PATIENT).toBe(2)
    expect(await textOf(page, '.chart')).not.toContain('11:31')
    const { page: other } = await open('#/overview/QQQ')
    await shows(other, '.chart-legend', /^QQQ/)
    await other.waitForLoadState('networkidle')
    expect(await marks(other).count()).toBe(0)
  })
})

describePages('the morning brief', ({ service, open }) => {
  const sessionOf = (change: object) =>
    service().rules.unshift(({ pathname }) =>
      pathname.includes('/session/') ? { body: { ...recorded('session'), ...change } } : undefined
    )
  const beforeOpen = { as_of: '2026-11-20T13:40:00.000Z', status: 'pre' }

  test('tells the narrative before the open and just after it, until it is closed for the day', async () => {
    sessionOf(beforeOpen)
    const { page, faults } = await open('#/overview/SPY')
    const { narrative } = recorded('narrative')
    for (const part of ['outlook', 'gex_change', 'key_levels', 'zero_dte', 'flow'])
      await shows(page, '.brief', narrative[part])
    await shows(page, '.brief', /^SPY, brief of Fri 20 Nov/)
    await page.getByRole('button', { name: 'Close the brief of this day' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.brief').count(), PATIENT).toBe(0)
    await page.reload()
    await shows(page, '.chart-legend', /Call wall/)
    expect(await page.locator('.brief').count()).toBe(0)
    sessionOf({ as_of: '2026-11-23T14:45:00.000Z', date: '2026-11-23', open: '2026-11-23T14:30:00.000Z' })
    await page.reload()
    await shows(page, '.brief', /brief of Mon 23 Nov/)
    expect(faults).toEqual([])
  })

  test('is not there within the session, nor without a narrative', async () => {
    const { page } = await open('#/overview/SPY')
    await shows(page, '.rail', /Hedging flows/)
    expect(await page.locator('.brief').count()).toBe(0)
    sessionOf(beforeOpen)
    service().rules.unshift(({ pathname }) =>
      pathname.includes('/narrative/') ? refusal(403, 'tier_restricted', { required_plan: 'growth' }) : undefined
    )
    const { page: second } = await open('#/overview/SPY', { refusals: true })
    await shows(second, '.rail', /Call wall/)
    await second.waitForLoadState('networkidle')
    expect(await second.locator('.brief').count()).toBe(0)
  })
})
