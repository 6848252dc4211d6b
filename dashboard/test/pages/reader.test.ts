import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describePages, leadsTo, PATIENT, shows } from './browser.ts'
import { keeping } from './keeping.ts'
import { type Json, recorded, refusal } from './service.ts'

describePages('the palette', ({ open }) => {
  test('leads to symbols, screens and actions by keys alone', async () => {
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    const field = page.getByRole('combobox', { name: 'Symbol, screen or action' })
    await page.keyboard.press('Control+k')
    await expect.poll(() => field.evaluate((each) => each === document.activeElement), PATIENT).toBe(true)
    await field.fill('qqq')
    await expect.poll(() => page.locator('#palette [aria-selected=true]').innerText(), PATIENT).toMatch(/^QQQ/)
    await page.keyboard.press('Enter')
    await leadsTo(page, '#/overview/QQQ')
    await page.keyboard.press('Control+k')
    await field.fill('vola')
    await page.keyboard.press('Enter')
    await leadsTo(page, '#/volatility/QQQ')
    await page.keyboard.press('Control+k')
    await field.fill('dark')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme']), PATIENT).toBe('light')
    await page.keyboard.press('Control+k')
    await field.fill('e')
    const first = await page.locator('#palette [aria-selected=true]').innerText()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.locator('#palette [aria-selected=true]').innerText(), PATIENT).not.toBe(first)
    await expect.poll(() => field.getAttribute('aria-activedescendant'), PATIENT).toBe('palette-1')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('#palette').count(), PATIENT).toBe(0)
    expect(faults).toEqual([])
  })

  test.each([390, 1440])('has a control at a width of %i, and an action of it acts on the page', async (width) => {
    const { page } = await open('#/flow/SPY', { width, height: 844 })
    await shows(page, '.tape', /bought/)
    if (width === 390) {
      await page.locator('.phone-tabs summary').click()
      await page.locator('.phone-tabs').getByRole('button', { name: 'Find' }).click()
    } else await page.getByRole('button', { name: /^Find a symbol/ }).click()
    await page.getByRole('combobox', { name: 'Symbol, screen or action' }).fill('alert line')
    await page.locator('#palette [role=option]').first().click()
    await leadsTo(page, '#/overview/SPY')
    await shows(page, '.alert-form', /Tell me when SPY/)
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), PATIENT)
      .toBeLessThanOrEqual(0)
  })
})

describePages('what the service keeps of its reader', ({ service, open }) => {
  const star = (page: Page, symbol: string) => page.getByRole('button', { name: `Star ${symbol}` }).click()

  test('stars and settings come from the service, and changes go there', async () => {
    const kept = new Map<string, Json>([
      ['watchlists/stars', { symbols: ['IWM', 'AMD'] }],
      ['settings/page', { steps: 'done', theme: 'light', later: 'kept' }]
    ])
    const changes = keeping(service(), kept)
    const { page, faults } = await open('#/screener/SPY')
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme']), PATIENT).toBe('light')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('stars')), PATIENT).toBe('IWM AMD')
    await shows(page, '.found', /AAPL/)
    expect(changes).toEqual([])
    await star(page, 'AAPL')
    await expect.poll(() => kept.get('watchlists/stars'), PATIENT).toEqual({ symbols: ['IWM', 'AMD', 'AAPL'] })
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('t')
    await expect.poll(() => kept.get('settings/page'), PATIENT).toEqual({ steps: 'done', theme: 'dark', later: 'kept' })
    expect(changes.every(({ held }) => held !== undefined)).toBe(true)
    expect(faults).toEqual([])
  })

  test('what only the browser had is taken along', async () => {
    const kept = new Map<string, Json>([['settings/page', { steps: 'done' }]])
    const changes = keeping(service(), kept)
    const { page } = await open()
    await page.addInitScript(() => localStorage.setItem('stars', 'TLT GLD'))
    await page.goto(`${service().url}/#/overview/SPY`)
    await expect.poll(() => kept.get('watchlists/stars'), PATIENT).toEqual({ symbols: ['TLT', 'GLD'] })
    expect(changes.map(({ path }) => path)).toEqual(['watchlists/stars'])
  })

  test.each([
    ['Keep mine', ['IWM', 'AAPL']],
    ['Take theirs', ['SPY']]
  ])('a change that meets one of another device asks: %s', async (choice, symbols) => {
    const kept = new Map<string, Json>([
      ['watchlists/stars', { symbols: ['IWM'] }],
      ['settings/page', { steps: 'done' }]
    ])
    keeping(service(), kept)
    const { page } = await open('#/screener/SPY', { refusals: true })
    await expect.poll(() => page.evaluate(() => localStorage.getItem('stars')), PATIENT).toBe('IWM')
    await shows(page, '.found', /AAPL/)
    kept.set('watchlists/stars', { symbols: ['SPY'] })
    await star(page, 'AAPL')
    await shows(page, '.banner', 'Your stars were changed on another device too.')
    expect(kept.get('watchlists/stars')).toEqual({ symbols: ['SPY'] })
    await page.getByRole('button', { name: choice }).click()
    await expect.poll(() => kept.get('watchlists/stars'), PATIENT).toEqual({ symbols })
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('stars')), PATIENT)
      .toBe((symbols as readonly string[]).join(' '))
    await expect.poll(() => page.locator('.banner').count(), PATIENT).toBe(0)
  })

  test('what the service cannot keep stays in the browser, which is said', async () => {
    keeping(service(), new Map([['settings/page', { steps: 'done' }]]))
    service().rules.unshift((_, { method }) =>
      method === 'PUT'
        ? refusal(409, 'document_limit', { message: 'no more documents of this kind can be kept: remove one first' })
        : undefined
    )
    const { page } = await open('#/screener/SPY', { refusals: true })
    await shows(page, '.found', /AAPL/)
    await star(page, 'AAPL')
    await shows(page, '.banner', /kept in this browser alone\. No more documents of this kind can be kept/)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('stars')), PATIENT).toBe('AAPL')
  })

  test('a new reader is asked three things once, and each answer is at work', async () => {
    const kept = new Map<string, Json>()
    keeping(service(), kept)
    const made: Json[] = []
    service().rules.unshift((url, { method, body }) => {
      if (url.pathname !== '/v1/alerts' || method !== 'POST') return undefined
      made.push(body)
      return { body: recorded('alerts').alerts[0] }
    })
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.welcome', 'New here? Three short steps')
    await page.getByRole('button', { name: 'Begin' }).click()
    await page.locator('#first-steps').getByLabel('QQQ').check()
    await page.getByLabel('Other symbols').fill('xlf, smh')
    await page.getByLabel('Charting program').selectOption('thinkscript')
    await page.getByLabel('Price crosses the gamma flip').check()
    await page.getByLabel('Net gamma turns negative').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await leadsTo(page, '#/overview/QQQ')
    const metric = 'stockquote.current.mid'
    expect(made).toEqual([
      {
        symbol: 'QQQ',
        metric,
        condition: 'crosses',
        value: { metric: 'exposure.summary.gamma_flip' },
        repeat: 'each_time'
      },
      {
        symbol: 'QQQ',
        metric: 'exposure.summary.exposures.net_gex',
        condition: 'below',
        value: 0,
        repeat: 'each_time'
      }
    ])
    await expect.poll(() => kept.get('watchlists/stars'), PATIENT).toEqual({ symbols: ['QQQ', 'XLF', 'SMH'] })
    await expect.poll(() => kept.get('settings/page'), PATIENT).toEqual({ program: 'thinkscript', steps: 'done' })
    await page.reload()
    await shows(page, '.rail', /Call wall/)
    await page.waitForLoadState('networkidle')
    expect(await page.locator('.welcome').count()).toBe(0)
    expect(faults).toEqual([])
  })

  test('the steps may be declined, and stand behind the list of keys', async () => {
    const kept = new Map<string, Json>()
    keeping(service(), kept)
    const { page } = await open('#/overview/SPY', { width: 390, height: 844 })
    await shows(page, '.welcome', 'New here?')
    await page.getByRole('button', { name: 'Not now' }).click()
    await expect.poll(() => kept.get('settings/page'), PATIENT).toEqual({ steps: 'done' })
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('?')
    await page.getByRole('button', { name: 'First steps' }).click()
    await shows(page, '#first-steps', /What do you trade\?.*Where do you chart\?.*What should wake you\?/)
    await shows(page, '#first-steps', 'Save')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('#first-steps').count(), PATIENT).toBe(0)
  })
})
