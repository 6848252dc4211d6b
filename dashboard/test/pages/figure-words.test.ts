import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { narrative } from '../../../src/wording/narrative.ts'
import { zeroDteReasons } from '../../../src/wording/strategy-reasons.ts'
import { describePages, PATIENT, shows, textOf } from './browser.ts'
import { recorded } from './service.ts'

/** A percentage of four digits or more, which no reader can use. */
const ABSURD = /\d[\d,]{3,}(\.\d+)?\s?%/

const words = async (page: Page) => (await page.locator('main').innerText()).replace(/\s+/g, ' ')

/** The eight sentences of the service about a market whose net gamma turned positive over night. */
const turned = narrative({
  symbol: 'SPY',
  spot: 689,
  regime: 'positive_gamma',
  gap: undefined,
  netGex: 12.03e9,
  priorGex: -265.7e6,
  changePercent: -4628.48,
  vannaPerPoint: 1.2e10,
  charm: { net: -2.1e9, span: 'both' },
  flip: 680.99,
  callWall: 700,
  putWall: 650,
  callWallAbove: 700,
  putWallBelow: 650,
  sameDayPercent: 30.1,
  expiresToday: true,
  expiredToday: false,
  vix: 13.88,
  topChanges: []
})

describePages('the words of figures', ({ service, open }) => {
  test('across zero say that a figure turned, and no percentage', async () => {
    service().rules.unshift(({ pathname }) => {
      if (pathname.includes('/narrative/')) return { body: { ...recorded('narrative'), narrative: turned } }
      if (!pathname.includes('/attribution/')) return undefined
      const { gex, ...rest } = recorded('attribution')
      return { body: { ...rest, gex: { ...gex, from: -265.7e6, to: 12.03e9 } } }
    })
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.rail', 'Net gamma turned positive: $12.03 billion, from -$265.7 million at the previous close.')
    expect(await words(page)).not.toMatch(ABSURD)
    await page.locator('[data-card=net_gex]').first().click()
    await shows(page, '.card', /−\$266 M → \$12\.0 B, turned positive/)
    for (const part of ['Rests on', 'How sure', 'History']) {
      await page.locator('.card').getByRole('tab', { name: part }).click()
      await page.waitForLoadState('networkidle')
      expect(await words(page)).not.toMatch(ABSURD)
    }
    expect(faults).toEqual([])
  })

  test('give the 0DTE share as a part of gross gamma, and of net gamma never more than all of it', async () => {
    const share = { net_gex: 60e6, pct_of_total_gex: 505, pct_of_gross_gex: 30.06, expiration: '2026-11-20' }
    service().rules.unshift(({ pathname }) => {
      if (pathname.includes('/summary/')) return { body: { ...recorded('summary'), zero_dte: share } }
      if (!pathname.includes('/exposure/zero-dte/')) return undefined
      const zero = recorded('zero-dte')
      return { body: { ...zero, exposures: { ...zero.exposures, ...share } } }
    })
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.regime', /0DTE share 30\s%/)
    expect(await words(page)).not.toMatch(/505\s?%/)
    const { page: today } = await open('#/zero-dte/SPY')
    await shows(today, '.regime', /30\s% of the chain's gross gamma/)
    expect(await words(today)).not.toMatch(/505\s?%/)
    const { page: screener } = await open('#/screener/SPY')
    await shows(screener, '.found', /> 100\s%/)
    expect(
      await screener
        .getByText(/> 100\s%/)
        .first()
        .getAttribute('title')
    ).toMatch(/^More than all of it/)
    const found = await textOf(screener, '.found')
    const shares = [...JSON.stringify(recorded('screener')).matchAll(/"zero_dte_pct_of_total":([\d.]+)/g)]
    const above = shares.map(([, text]) => Number(text)).filter((part) => part > 100)
    expect(above.length).toBeGreaterThan(1)
    for (const part of above) expect(found).not.toContain(part.toFixed(1))
    expect(faults).toEqual([])
  })

  test("tell the flip of today's options from that of all of them, wherever both stand", async () => {
    const { page, faults } = await open('#/zero-dte/SPY')
    const { gamma_flip: todays } = recorded('zero-dte').regime
    await shows(page, '.regime', `0DTE flip ${todays}`)
    expect(await words(page)).not.toMatch(/(^|[^E] )(gamma )?flip \d/i)
    const reasons = zeroDteReasons({
      ...FIGURES,
      flip: todays,
      distance: 0.4
    })
    service().rules.unshift(({ pathname }) =>
      pathname.includes('/strategies/zero-dte/')
        ? { body: { ...recorded('signal-zero-dte'), why: reasons.why, avoid_if: reasons.avoidIf } }
        : undefined
    )
    const { page: ideas } = await open('#/ideas/SPY?idea=zero-dte')
    await shows(ideas, '.idea', `above the gamma flip of this expiration at ${todays}.`)
    await shows(ideas, '.idea', `Spot falls below the gamma flip of this expiration at ${todays}.`)
    await expect.poll(() => words(ideas), PATIENT).not.toMatch(new RegExp(`flip at ${todays}`))
    expect(faults).toEqual([])
  })
})

const FIGURES = {
  callWall: 700,
  putWall: 650,
  position: 'between_walls_above_flip',
  isBelowFlip: false,
  dampening: 1,
  maxPain: 685,
  painDistance: 0.6,
  minutesToClose: 200,
  concentration: 50,
  openInterest: 100_000,
  moveOfDay: 4,
  consumed: 40
} as unknown as Parameters<typeof zeroDteReasons>[0]
