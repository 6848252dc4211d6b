import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Drawn } from '../../src/charts/time/scene.ts'
import { asks, describePages, leadsTo, PATIENT, shows, textOf } from './browser.ts'
import { type Json, recorded, refusal } from './service.ts'

interface Layers {
  readonly draws: number
  readonly layers: readonly Drawn[]
}

/** Reads the last drawing of the chart. */
const drawn = (page: Page) =>
  page.locator('.time-chart').evaluate((box) => (box as unknown as { layers: () => Layers }).layers())

async function layerOf(page: Page, id: string): Promise<Drawn | undefined> {
  return (await drawn(page)).layers.find((each) => each.id === id)
}

const barsOf = async (page: Page) => (await layerOf(page, 'candles'))?.bars
const hasDrawn = (page: Page) => expect.poll(() => barsOf(page), PATIENT).toBeDefined()

async function boxOf(page: Page) {
  return (await page.locator('.time-chart').boundingBox())!
}

const COUNT = recorded('bars').dt.length

describePages('the chart', ({ service, open }) => {
  test('draws all that is known of five days in one request, and names its parts', async () => {
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    await expect
      .poll(async () => (await drawn(page)).layers.map(({ id }) => id), PATIENT)
      .toEqual(['map', 'volume', 'cone', 'candles', 'levels', 'labels', 'panes', 'profile', 'spot'])
    await expect.poll(() => barsOf(page), PATIENT).toEqual([0, COUNT - 1])
    const { h, l } = recorded('bars')
    expect((await layerOf(page, 'candles'))!.prices![1]).toBeGreaterThanOrEqual(Math.max(...h))
    expect((await layerOf(page, 'candles'))!.prices![0]).toBeCloseTo(Math.min(...l), 6)
    const asked = service().asked.filter((path) => path.includes('/bars/') && path.includes('fields='))
    expect(asked).toHaveLength(1)
    expect(decodeURIComponent(asked[0]!)).toMatch(/every=15m&from=2026-11-12&fields=call_wall,.*net_gex,atm_iv$/)
    await shows(page, '.chart-legend', /SPY 15m Fri 20 Nov 11:45 .*Call wall 700 Put wall 650 Flip 683\.\d\d/)
    const label = await page.locator('.time-chart').getAttribute('aria-label')
    expect(label).toMatch(
      /^Price and levels of SPY, bars of 15m from 2026-11-16 to 2026-11-20, last 6\d\d\.\d\d, Call wall 700/
    )
    expect(faults).toEqual([])
  })

  test('is moved by wheel, drag, axis and double click, and the address keeps it', async () => {
    const { page, faults } = await open('#/overview/SPY')
    await hasDrawn(page)
    const { x, y, width, height } = await boxOf(page)
    const [middle, top] = [x + width * 0.4, y + height * 0.3]
    await page.mouse.move(middle, top)
    await page.mouse.wheel(0, -600)
    await leadsTo(page, /from=2026-11-1\dT\d\d:\d\d/)
    await expect.poll(async () => (await barsOf(page))![0], PATIENT).toBeGreaterThan(0)
    const [first, last] = (await barsOf(page))!
    expect(last - first).toBeLessThan(COUNT * 0.7)
    const whole = page.url()
    await page.mouse.wheel(200, 0)
    await expect.poll(() => page.url(), PATIENT).not.toBe(whole)
    await expect.poll(async () => (await barsOf(page))![0], PATIENT).toBeGreaterThan(first)
    await page.mouse.down()
    await page.mouse.move(middle + 400, top, { steps: 4 })
    await page.mouse.up()
    await expect.poll(async () => (await barsOf(page))![0], PATIENT).toBeLessThan(first)
    await page.mouse.move(x + width - 20, top)
    await page.mouse.down()
    await page.mouse.move(x + width - 20, top + 80, { steps: 3 })
    await page.mouse.up()
    await leadsTo(page, /range=\d/)
    const address = page.url()
    const seen = await barsOf(page)
    await page.reload()
    await hasDrawn(page)
    expect(page.url()).toBe(address)
    const again = (await barsOf(page))!
    for (const k of [0, 1] as const) expect(Math.abs(again[k] - seen![k])).toBeLessThanOrEqual(1)
    await page.mouse.dblclick(middle, top)
    await leadsTo(page, /#\/overview\/SPY$/)
    await expect.poll(() => barsOf(page), PATIENT).toEqual([0, COUNT - 1])
    expect(faults).toEqual([])
  })

  test('the crosshair tells each bar and does not draw the picture again', async () => {
    const { page } = await open('#/overview/SPY')
    await hasDrawn(page)
    await shows(page, '.rail', /Call wall/)
    await page.waitForLoadState('networkidle')
    const { x, y, width, height } = await boxOf(page)
    await page.mouse.move(x + 200, y + height * 0.4)
    await shows(page, '.chart-legend', /Mon 16 Nov|Tue 17 Nov/)
    const { draws } = await drawn(page)
    for (let step = 0; step < 20; step++) await page.mouse.move(x + 200 + step * 12, y + height * 0.4)
    await shows(page, '.chart-legend', /Tue 17 Nov|Wed 18 Nov/)
    expect((await drawn(page)).draws).toBe(draws)
    await page.mouse.move(x + width / 2, y + height + 200)
    await shows(page, '.chart-legend', /Fri 20 Nov 11:45/)
  })

  test('keys move the crosshair bar by bar, and a reader of the screen hears it', async () => {
    const { page } = await open('#/overview/SPY')
    await hasDrawn(page)
    await page.locator('.time-chart').focus()
    const words = recorded('bars')
    const spoken = () => textOf(page, '.price [aria-live=polite]')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await shows(page, '.chart-legend', /Fri 20 Nov 11:30/)
    await expect.poll(spoken, PATIENT).toContain(`Fri 20 Nov 11:30, close ${words.c.at(-2).toFixed(2)}`)
    await page.keyboard.press('Shift+ArrowLeft')
    await shows(page, '.chart-legend', /Thu 19 Nov 15:30/)
    await page.keyboard.press('Escape')
    await shows(page, '.chart-legend', /Fri 20 Nov 11:45/)
    expect(page.url()).toMatch(/#\/overview\/SPY$/) // the arrows of the page, which travel in time, stay still
    await page.keyboard.press('ArrowUp')
    await shows(page, '.tip', /^69\d Call/)
  })

  test('period, bars, levels, panes and layers stand in the address and are restored from it', async () => {
    const { page, faults } = await open('#/overview/SPY')
    await hasDrawn(page)
    await page.getByRole('button', { name: '20d', exact: true }).click()
    await leadsTo(page, /range=20d$/)
    await asks(service(), /every=1h/, /from=2026-10-20/)
    await page.getByRole('button', { name: '30m', exact: true }).click()
    await leadsTo(page, /range=20d&every=30m$/)
    await asks(service(), /every=30m/)
    await page.locator('.drop summary', { hasText: 'Levels' }).click()
    await page.getByLabel('0DTE walls and magnet').uncheck()
    await leadsTo(page, /levels=-zero_dte/)
    await expect.poll(() => textOf(page, '.chart-legend'), PATIENT).not.toContain('0DTE')
    await page.locator('.drop summary', { hasText: 'Panes' }).click()
    await page.getByLabel('0DTE pin score').check()
    await leadsTo(page, /panes=net_gex,atm_iv,zero_dte\.pin_score/)
    await asks(service(), /zero_dte\.pin_score/)
    await page.getByRole('button', { name: 'Strikes' }).click()
    await page.getByRole('button', { name: 'Expected move' }).click()
    await page.getByRole('button', { name: 'Gamma map' }).click()
    await leadsTo(page, /strikes=off&cone=off/)
    const { page: second } = await open(page.url().slice(page.url().indexOf('#')))
    await expect
      .poll(async () => (await drawn(second)).layers.map(({ id }) => id), PATIENT)
      .toEqual(['volume', 'candles', 'levels', 'labels', 'panes', 'spot'])
    expect(faults).toEqual([])
  })

  test('keys choose the period and the length of a bar', async () => {
    const { page } = await open('#/overview/SPY')
    await shows(page, '.chart-legend', /^SPY 15m/)
    await page.keyboard.press('b')
    await leadsTo(page, 'every=30m')
    await page.keyboard.press('Shift+Digit4')
    await leadsTo(page, /range=3m$/)
    await page.keyboard.press('Shift+Digit2')
    await leadsTo(page, /SPY$/)
  })

  test('other symbols are drawn in percent, and never in place of the one of the page', async () => {
    const { page } = await open('#/overview/SPY?compare=QQQ,IWM')
    await expect.poll(() => layerOf(page, 'compared'), PATIENT).toBeDefined()
    for (const symbol of ['QQQ', 'IWM']) await asks(service(), new RegExp(`/v1/bars/${symbol}\\?every=15m`))
    await shows(page, '.chart-legend', /^SPY/)
    service().rules.unshift((url) =>
      url.pathname.includes('/bars/QQQ') ? { body: { ...recorded('bars'), symbol: 'TLT' } } : undefined
    )
    const { page: second } = await open('#/overview/QQQ')
    await shows(second, '.rail', /Call wall/)
    await second.waitForLoadState('networkidle')
    expect(await barsOf(second)).toBe(undefined)
    expect(await second.locator('.chart-legend').count()).toBe(0)
  })

  test('in a replay nothing after the moment is drawn, whatever answers hold', async () => {
    const poison = (answer: Json) => ({
      ...answer,
      c: answer.c.map((close: number, i: number) => (i > 109 ? 999 : close))
    })
    service().rules.unshift((url) => {
      if (url.pathname.includes('/bars/')) return { body: poison(recorded('bars')) }
      if (url.pathname.includes('/session/'))
        return { body: { ...recorded('session'), as_of: '2026-11-20T15:50:00.000Z' } }
      return undefined
    })
    const { page } = await open('#/overview/SPY?at=2026-11-20T10:50:00')
    await hasDrawn(page)
    // 26 bars a day of 16 to 19 November, and five from 09:30 to 10:45 of which each is over.
    await expect.poll(async () => (await barsOf(page))![1], PATIENT).toBe(4 * 26 + 4)
    expect((await layerOf(page, 'candles'))!.prices![1]).toBeLessThan(700)
    await expect.poll(() => layerOf(page, 'map'), PATIENT).toBeDefined()
    expect((await layerOf(page, 'map'))!.bars![1]).toBeLessThanOrEqual(4 * 26 + 5)
    await page.locator('.time-chart').focus()
    await page.keyboard.press('ArrowLeft')
    await shows(page, '.chart-legend', /Fri 20 Nov 10:30/)
    expect(await textOf(page, 'main')).not.toContain('999')
    expect(
      service()
        .asked.filter((path) => path.includes('/bars/'))
        .every((path) => path.startsWith('/replay/'))
    ).toBe(true)
  })

  test('a plan that has prices alone shows them, and one that has days alone shows days', async () => {
    service().rules.unshift(({ pathname, searchParams }) => {
      if (!pathname.includes('/bars/')) return undefined
      if (searchParams.has('fields'))
        return refusal(403, 'tier_restricted', { current_plan: 'free', required_plan: 'growth' })
      return searchParams.get('every') === '1d'
        ? undefined
        : refusal(403, 'tier_restricted', { current_plan: 'free', required_plan: 'basic' })
    })
    const { page } = await open('#/overview/SPY', { refusals: true })
    await hasDrawn(page)
    await expect.poll(() => barsOf(page), PATIENT).toEqual([0, recorded('bars-days').dt.length - 1])
    await shows(page, '.chart', 'Levels through time need a higher plan')
    await shows(page, '.chart-legend', /SPY 1d Fri 20 Nov/)
  })

  test('where hardly anything is recorded within days, whole days fill the chart', async () => {
    service().rules.unshift(({ pathname, searchParams }) => {
      if (!pathname.includes('/bars/') || searchParams.get('every') === '1d') return undefined
      const { dt, o, h, l, c, v, columns, ...rest } = recorded('bars')
      const few = (column: readonly unknown[]) => column.slice(0, 2)
      const fields = Object.fromEntries(Object.entries<unknown[]>(columns).map(([name, all]) => [name, few(all)]))
      return { body: { ...rest, dt: few(dt), o: few(o), h: few(h), l: few(l), c: few(c), v: few(v), columns: fields } }
    })
    const { page } = await open('#/overview/SPY')
    await asks(service(), /every=1d&from=2026-08-/)
    await expect.poll(() => barsOf(page), PATIENT).toEqual([0, recorded('bars-days').dt.length - 1])
    await shows(page, '.chart', 'Levels recorded since 30 Oct.')
  })

  test('a period without a price says so and leads on', async () => {
    const none = { ...recorded('bars'), t0: null, dt: [], o: [], h: [], l: [], c: [], v: [], columns: {}, recorded: [] }
    service().rules.unshift(({ pathname }) => (pathname.includes('/bars/') ? { body: none } : undefined))
    const { page } = await open('#/overview/SPY?every=15m')
    await shows(page, '.chart', 'No prices of SPY are kept for this period.')
    await page.getByRole('button', { name: 'Show all days' }).click()
    await leadsTo(page, /range=all$/)
    await asks(service(), /every=1d&from=2000-01-01/)
  })

  test('the strip names the sessions that are seen, moves them by drag and by keys, and shows nothing later', async () => {
    const { page } = await open('#/overview/SPY')
    const strip = page.locator('.strip[role=slider]')
    const said = () => strip.getAttribute('aria-valuetext')
    await expect.poll(said, PATIENT).toBe('Mon 16 Nov to Fri 20 Nov')
    await strip.focus()
    await page.keyboard.press('ArrowLeft')
    await leadsTo(page, /from=2026-11-13T09:30&to=2026-11-19T16:00/)
    await asks(service(), /\/bars\/SPY.*from=2026-11-12/)
    const { x, y, width } = (await strip.boundingBox())!
    await page.mouse.move(x + width * 0.9, y + 10)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.6, y + 10, { steps: 4 })
    await page.mouse.up()
    await leadsTo(page, /from=2026-1[01]-\d\dT09:30&to=2026-1[01]-\d\dT16:00/)
    const { page: past } = await open('#/overview/SPY?at=2026-11-18T12:00:00')
    const days = recorded('bars-days').dt.length
    await expect.poll(() => past.locator('.strip i').count(), PATIENT).toBe(days - 3)
  })

  test('by touch a swipe pans and a long press brings the crosshair', async () => {
    const opened = async () => {
      const { page } = await open('#/overview/SPY', { width: 390, height: 844 })
      await hasDrawn(page)
      await page.waitForLoadState('networkidle')
      await page.locator('.time-chart').scrollIntoViewIfNeeded()
      return page
    }
    let page = await opened()
    const { x, y } = await boxOf(page)
    const touch = (type: string, left: number, top: number) =>
      page.locator('.time-chart').evaluate(
        (box, [kind, clientX, clientY]) => {
          box.setPointerCapture = () => {} // an event made by a script has no pointer to capture
          const given = { pointerId: 1, pointerType: 'touch', button: 0, bubbles: true, clientX, clientY }
          box.dispatchEvent(new PointerEvent(kind, given as PointerEventInit))
        },
        [type, left, top] as [string, number, number]
      )
    await touch('pointerdown', x + 60, y + 200)
    await touch('pointermove', x + 160, y + 200)
    await touch('pointerup', x + 160, y + 200)
    await leadsTo(page, /from=2026-11-1/)
    page = await opened()
    await touch('pointerdown', x + 60, y + 200)
    await shows(page, '.chart-legend', /1[67] Nov/)
    await touch('pointerup', x + 60, y + 200)
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), PATIENT)
      .toBeLessThanOrEqual(0)
  })
})
