import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { asks, describePages, leadsTo, PATIENT, shows } from './browser.ts'
import { recorded } from './service.ts'

/** Screens besides the overview that have figures with cards, and a region that is there once their figures are. */
const SCREENS = [
  ['expirations', '.matrix', /\d+d/],
  ['zero-dte', '.rail', /Call wall/],
  ['volatility', '.side', /Implied \d/],
  ['hedging', '.side', /spot/],
  ['flow', '.tape', /bought/]
] as const

const AT = '?at=2026-11-20T11:54:00'
const card = (page: Page) => page.locator('.card')
const isClosed = (page: Page) => expect.poll(() => card(page).count(), PATIENT).toBe(0)

describePages('cards of figures on other screens', ({ service, open }) => {
  /** Answers for metrics and fields of which none is recorded. */
  const answerAll = () =>
    service().rules.unshift(({ pathname, searchParams }) => {
      const [metric, fields] = [searchParams.get('metric'), searchParams.get('fields')]
      if (pathname.includes('/explain/') && metric !== null)
        return { body: { ...recorded(`explain-${metric.startsWith('net_') ? 'net_gex' : 'call_wall'}`), metric } }
      if (!pathname.includes('/series/') || fields === null || fields.includes(',')) return undefined
      const series = recorded('series-today')
      return { body: { ...series, columns: { [fields]: series.columns['zero_dte.pin_score'] } } }
    })

  for (const [screen, region, text] of SCREENS)
    test(`${screen}: every figure opens its own card by Enter, with its value, and Escape gives the focus back`, async () => {
      answerAll()
      const { page, faults } = await open(`#/${screen}/SPY${AT}`)
      await shows(page, region, text)
      await page.waitForLoadState('networkidle')
      const keys = await page
        .locator('main [data-card]')
        .evaluateAll((all) => [...new Set(all.map((each) => (each as HTMLElement).dataset['card']!))])
      expect(keys.length).toBeGreaterThan(0)
      for (const key of keys) {
        const figure = page.locator(`main [data-card="${key}"]`).first()
        const value = await figure.innerText()
        await figure.focus()
        await page.keyboard.press('Enter')
        await expect.poll(() => card(page).locator('h2').count(), { ...PATIENT, message: key }).toBe(1)
        if (/\d/.test(value)) await shows(page, '.card h2 b', /\d/)
        await expect
          .poll(() => page.evaluate(() => document.activeElement?.getAttribute('role')), { ...PATIENT, message: key })
          .toBe('tab')
        await page.keyboard.press('Escape')
        await isClosed(page)
        await expect
          .poll(() => page.evaluate(() => (document.activeElement as HTMLElement).dataset['card']), PATIENT)
          .toBe(key)
      }
      expect(faults).toEqual([])
    })

  test('a figure of what expires today is explained by what expires today, and its history is that of the session', async () => {
    answerAll()
    const { page } = await open(`#/zero-dte/SPY${AT}`)
    await shows(page, '.regime', /Net GEX \$/)
    await page.locator('.figures [data-card="net_gex@0dte"]').click()
    await leadsTo(page, /card=net_gex&of=0dte/)
    await shows(page, '.card', /expiring today/)
    await asks(service(), /attribution/, /expirations=0dte/)
    for (const [tab, path] of [
      ['rests', /explain/],
      ['sure', /bands/],
      ['sure', /models/]
    ] as const) {
      await page.locator(`#card-${tab}`).click()
      await asks(service(), path, /expirations=0dte/)
    }
    await page.locator('#card-history').click()
    await asks(service(), /series/, /fields=zero_dte\.net_gex/, /every=5m/)
    await shows(page, '.card', /Lowest \$.* at \d\d:\d\d, highest \$.* at \d\d:\d\d\./)
    await expect
      .poll(() => page.locator('.card .command').inputValue(), PATIENT)
      .toContain('metric=net_gex&expirations=0dte')
    // An alert would be about all expirations.
    expect(await page.locator('.card .actions a', { hasText: 'Alert' }).count()).toBe(0)
    expect(
      service().asked.filter((path) => /explain|bands|models|attribution/.test(path) && !/0dte/.test(path))
    ).toEqual([])
  })

  test('a sum of the matrix and a max pain are explained by their expiration', async () => {
    answerAll()
    const { page } = await open(`#/expirations/SPY${AT}`)
    await shows(page, '.matrix', /\d+d/)
    const sum = page.locator('.matrix .sum [data-card]').nth(1)
    const date = (await sum.getAttribute('data-card'))!.split('@')[1]!
    await sum.click()
    await asks(service(), /attribution/, new RegExp(`expirations=${date}`))
    await page.locator('#card-history').click()
    await shows(page, '.card', 'The service keeps no history of this figure for a part of the expirations.')
    await page.locator('.card .close').click()
    await isClosed(page)
    await page.locator('.pain-facts [data-card]').click()
    await asks(service(), /explain/, /metric=max_pain/, /expirations=2026-11-20/)
    await shows(page, '.card', /Max pain \d+/)
  })

  test('what a slider supposes has no card, what stands has one', async () => {
    const { page } = await open('#/hedging/SPY')
    await shows(page, '.regime', /Gamma \$/)
    expect(await page.locator('.figures [data-card=net_gex]').count()).toBe(1)
    await page.evaluate(() => {
      location.hash = '#/hedging/SPY?move=1'
    })
    await expect.poll(() => page.locator('.figures [data-card]').count(), PATIENT).toBe(0)
    await shows(page, '.regime', /Gamma \$/)
  })

  test('a figure that is recorded and not explained has its history alone', async () => {
    answerAll()
    const { page } = await open(`#/volatility/SPY${AT}`)
    await shows(page, '.side', /Implied \d/)
    await page.locator('.side [data-card=atm_iv]').click()
    await asks(service(), /series/, /fields=atm_iv/, /every=1d/)
    expect(await page.locator('.card [role=tab]').allInnerTexts()).toEqual(['History'])
    await shows(page, '.card', /Implied volatility \d+\.\d %/)
  })

  test('figures of the screener lead to the card of their symbol', async () => {
    const { page } = await open('#/screener/SPY')
    await shows(page, '.found', /AAPL/)
    const row = page.locator('.screen tr', { hasText: 'AAPL' })
    await row.locator('a.figure-button').first().click()
    await leadsTo(page, /#\/overview\/AAPL\?card=net_gex/)
    await shows(page, '.card', /Net GEX/)
    await page.goBack()
    await leadsTo(page, '#/screener/')
  })

  test('another screen begins without the card', async () => {
    const { page } = await open('#/overview/SPY?card=net_gex&tab=history')
    await shows(page, '.card', /highest/)
    await page.keyboard.press('3')
    await leadsTo(page, /#\/zero-dte\/SPY$/)
    await isClosed(page)
    await page.goBack()
    await shows(page, '.card', /highest/)
  })

  test('on a phone a tap opens the card as a sheet at the foot', async () => {
    for (const [screen, region, text] of SCREENS) {
      const { page } = await open(`#/${screen}/SPY${AT}`, { width: 390, height: 844 })
      await shows(page, region, text)
      answerAll()
      await page.locator('main [data-card]').first().click()
      await expect
        .poll(
          async () => {
            const box = await card(page).boundingBox()
            return box && [Math.round(box.x), Math.round(box.y + box.height), Math.round(box.width), box.y > 200]
          },
          { ...PATIENT, message: screen }
        )
        .toEqual([0, 844, 390, true])
      const sides = () =>
        page.locator('.card .close').evaluate((each) => [getComputedStyle(each).width, getComputedStyle(each).height])
      await expect.poll(sides, PATIENT).toEqual(['44px', '44px'])
      await page.locator('.card .close').click()
      await isClosed(page)
      await page.context().close()
    }
  })

  test('no line break parts an amount of a sentence, however narrow the card is', async () => {
    const { page } = await open(`#/overview/SPY${AT}&card=net_gex`)
    await shows(page, '.card', 'Price moved +$9.03 B, open interest −$1.25 B, volatility −$1.06 B.')
    const linesOf = (width: number) =>
      page.evaluate((px) => {
        const contents = document.querySelector<HTMLElement>('#card-contents')!
        contents.style.width = `${px}px`
        const text = contents.querySelector('p b')!
        const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT)
        const places: (readonly [node: Node, offset: number])[] = []
        let whole = ''
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          for (let i = 0; i < node.textContent!.length; i++) places.push([node, i])
          whole += node.textContent
        }
        const topOf = (at: number) => {
          const range = document.createRange()
          range.setStart(...places[at]!)
          range.setEnd(places[at]![0], places[at]![1] + 1)
          return Math.round(range.getBoundingClientRect().top)
        }
        return [...whole.matchAll(/[+−]\$[\d.]+\s\w/g)].map(
          ({ index, 0: amount }) => new Set([...amount].map((_, i) => topOf(index + i))).size
        )
      }, width)
    for (let width = 110; width <= 360; width += 10) expect(await linesOf(width), `${width} px`).toEqual([1, 1, 1])
  })

  test('the overview names no card of another set of expirations', async () => {
    const { page } = await open(`#/overview/SPY${AT}&card=net_gex&of=0dte`)
    await shows(page, '.card', /expiring today/)
    await shows(page, '.card > header', /Net GEX \$/)
    await shows(page, '.figures [data-card=net_gex]', /\d/)
    await expect
      .poll(() => page.locator('.figures [data-card=net_gex]').getAttribute('aria-expanded'), PATIENT)
      .toBe('false')
  })
})
