import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { TABS } from '../../src/state/page/place.ts'
import { asks, describePages, leadsTo, PATIENT, shows, textOf } from './browser.ts'
import { refusal } from './service.ts'

/** Answers that cards alone request. */
const OF_CARDS = /\/v1\/(exposure\/(explain|attribution|bands|models)|series)\//

const pathOf = (asked: string) => asked.split('?')[0]

const focused = (page: Page) => page.evaluate(() => document.activeElement?.id || document.activeElement?.className)

describePages('the card of a figure', ({ service, open }) => {
  const ofCards = () => service().asked.filter((path) => OF_CARDS.test(path))

  test('opens by a click on a figure of the strip, asks only for the shown tab, and gives the focus back', async () => {
    const { page, faults } = await open('#/overview/SPY?at=2026-11-20T11:54:00')
    await shows(page, '.regime', /Net GEX/)
    await shows(page, '.chart-legend', /Call wall/)
    expect(ofCards()).toEqual([])
    await page.locator('.figures [data-card=net_gex]').click()
    await shows(page, '.card', /Net GEX \$7\.85 B/)
    await shows(page, '.card', 'Price moved +$9.03 B, open interest −$1.25 B, volatility −$1.06 B.')
    await expect.poll(() => focused(page), PATIENT).toBe('card-why')
    await page.waitForLoadState('networkidle')
    expect(ofCards().map(pathOf)).toEqual(['/replay/v1/exposure/attribution/SPY'])
    // The card changes the address, which must not ask for the screen again: a replay asks for nothing twice.
    const asked = service().asked.filter((path) => path.startsWith('/replay'))
    expect(asked).toEqual([...new Set(asked)])

    await page.keyboard.press('ArrowRight')
    await shows(page, '.card', /Largest contracts .* 700 call Fri 15 Jan/)
    await expect.poll(() => focused(page), PATIENT).toBe('card-rests')
    await page.keyboard.press('ArrowRight')
    await shows(page, '.card', 'Between $1.81 B and $9.23 B in 90 of 100 cases.')
    await shows(page, '.card', 'Net gamma is positive by 2 of 4 dealer models.')
    await expect.poll(() => focused(page), PATIENT).toBe('card-sure')
    await page.keyboard.press('End')
    await shows(page, '.card', /highest \$13\.9 B on Mon 16 Nov/)
    await leadsTo(page, /card=net_gex&tab=history/)
    await expect.poll(() => focused(page), PATIENT).toBe('card-history')
    expect(ofCards().slice(1).map(pathOf).sort()).toEqual([
      '/replay/v1/exposure/bands/SPY',
      '/replay/v1/exposure/explain/SPY',
      '/replay/v1/exposure/models/SPY',
      '/replay/v1/series/SPY'
    ])
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.card').count(), PATIENT).toBe(0)
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-card')), PATIENT)
      .toBe('net_gex')
    expect(faults).toEqual([])
  })

  test('opens by Enter on a level, with its lead, and Back closes it', async () => {
    const { page } = await open('#/overview/SPY')
    await shows(page, '.levels', /Call wall/)
    await page.locator('.levels [data-card=call_wall]').focus()
    await page.keyboard.press('Enter')
    await shows(page, '.card', '700 leads 5.1 to 1 · a wall with this margin moved overnight 2 of 100 times')
    await shows(page, '.card', /Net gamma at 700 was \$\S+ B and is \$7\.66 B\./)
    await page.goBack()
    await expect.poll(() => page.locator('.card').count(), PATIENT).toBe(0)
  })

  test('explains a change since the open, and since a moment that is picked in the chart', async () => {
    const { page } = await open('#/overview/SPY?card=net_gex', { refusals: true })
    await shows(page, '.card', /Price moved/)
    await page.locator('.since button', { hasText: 'Open' }).click()
    await asks(service(), /attribution/, /since=open/)
    const box = (await page.locator('.time-chart').boundingBox())!
    await page.mouse.click(box.x + 200, box.y + 200)
    await leadsTo(page, /since=2026-11-\d\dT\d\d:\d\d:00/)
    await asks(service(), /attribution/, /since=2026-11-/)
    await shows(page, '.since', /\d\d Nov \d\d:\d\d/)
    // A figure since an earlier choice does not stay where the newest has none.
    service().rules.unshift(({ pathname, search }) =>
      pathname.includes('attribution') && search === '' ? refusal(404, 'no_data') : undefined
    )
    await page.locator('.since button', { hasText: 'Last close' }).click()
    await shows(page, '.card', 'No session before this one is recorded.')
    expect(await textOf(page, '.card')).not.toMatch(/Price moved/)
  })

  test('a plan that is too low is told once in each tab, with the plan that has it', async () => {
    service().rules.unshift(({ pathname }) =>
      OF_CARDS.test(pathname)
        ? refusal(403, 'tier_restricted', { current_plan: 'basic', required_plan: 'growth' })
        : undefined
    )
    const { page } = await open('#/overview/SPY?card=call_wall', { refusals: true })
    for (const tab of TABS) {
      await page.locator(`#card-${tab}`).click()
      await shows(page, '.card', 'Needs Growth; this key is Basic.')
      await page.waitForLoadState('networkidle')
      expect((await textOf(page, '.card')).split('Needs Growth').length - 1, tab).toBe(1)
    }
  })

  test('a first session says that there is no close before', async () => {
    service().rules.unshift(({ pathname }) => (pathname.includes('attribution') ? refusal(404, 'no_data') : undefined))
    const { page } = await open('#/overview/SPY?card=net_gex', { refusals: true })
    await shows(page, '.card', 'No session before this one is recorded.')
  })

  test('a wall without a second candidate and a flip that does not exist say so', async () => {
    service().rules.unshift(({ pathname, searchParams }) => {
      if (!pathname.includes('explain')) return undefined
      const isWall = searchParams.get('metric') === 'call_wall'
      const basis = {
        sigma_sources: { own_mid: 0, twin: 0, smile: 0 },
        quote_age: null,
        spreads: { median_pct: null, p95_pct: null },
        left_out: []
      }
      const wall = { rows: [{ strike: 700, value: 5 }], margin: null, moved_overnight: null }
      return {
        body: {
          symbol: 'SPY',
          as_of: '2026-11-20T16:54:00.000Z',
          metric: searchParams.get('metric'),
          value: isWall ? 700 : null,
          null_reason: isWall ? null : 'one_sided',
          contributions: null,
          crossings: isWall ? null : [],
          candidates: isWall ? wall : null,
          rests_on: basis
        }
      }
    })
    const { page } = await open('#/overview/SPY?card=call_wall&tab=rests')
    await shows(page, '.card', '700 is the only strike with any.')
    await page.locator('.figures [data-card=gamma_flip]').click()
    await shows(page, '.card', 'There is no gamma flip. Net gamma has one sign at every price within 50 %.')
  })

  for (const tab of TABS)
    test(`${tab}: of another symbol and of a later moment no digit stays`, async () => {
      const hold = (about: RegExp) =>
        service().rules.unshift(({ pathname, search }) =>
          about.test(`${pathname}${search}`) ? refusal(503, 'data_loading', {}) : undefined
        )
      const address = (symbol: string, time: string) =>
        `#/overview/${symbol}?at=2026-11-20T${time}:00&card=net_gex&tab=${tab}`
      const change = (hash: string) =>
        page.evaluate((to) => {
          location.hash = to
        }, hash)
      const figures = async () => (await textOf(page, '#card-contents')).match(/\d[\d.,]*/g) ?? []
      const { page } = await open(address('SPY', '11:30'), { refusals: true })
      await expect.poll(async () => (await figures()).length, PATIENT).toBeGreaterThan(0)
      hold(/QQQ/)
      await change(address('QQQ', '11:30'))
      await expect.poll(figures, PATIENT).toEqual([])
      await shows(page, '.card > header', /Net GEX –/)
      await change(address('SPY', '11:30'))
      await expect.poll(async () => (await figures()).length, PATIENT).toBeGreaterThan(0)
      hold(/SPY/)
      await change(address('SPY', '10:30'))
      await expect.poll(figures, PATIENT).toEqual([])
      expect(service().asked.filter((path) => OF_CARDS.test(path) && !path.startsWith('/replay/'))).toEqual([])
    })

  test('on a phone the card is a sheet at the foot that leaves the figures above it in sight', async () => {
    const { page } = await open('#/overview/SPY', { width: 390, height: 844 })
    await shows(page, '.regime', /Net GEX/)
    await page.locator('.figures [data-card=net_gex]').click()
    await shows(page, '.card', /Price moved/)
    await expect
      .poll(async () => {
        const { x, y, width, height } = (await page.locator('.card').boundingBox())!
        return [x, Math.round(y + height), width, y > 200]
      }, PATIENT)
      .toEqual([0, 844, 390, true])
    await page.locator('.card .close').click()
    await expect.poll(() => page.locator('.card').count(), PATIENT).toBe(0)
  })
})
