import { expect, test } from 'vitest'
import { describePages, leadsTo, PATIENT, shows } from './browser.ts'
import { recorded, refusal } from './service.ts'

describePages('the symbol field', ({ service, open }) => {
  test('takes the best match on Enter, another by arrows or the pointer, and what was typed where nothing matches', async () => {
    service().rules.unshift(({ pathname }) => (/ZZZ/.test(pathname) ? refusal(404, 'symbol_not_found') : undefined))
    const { page, faults } = await open('#/overview/SPY', { refusals: true })
    await shows(page, '.rail', /Call wall/)
    const field = page.locator('#symbol')
    const offers = page.locator('#symbols [role=option]')
    const type = async (text: string) => {
      await page.keyboard.press('/')
      await page.keyboard.type(text)
      await expect.poll(() => offers.count(), PATIENT).toBeGreaterThan(0)
    }
    await type('qq')
    await expect.poll(() => offers.first().innerText(), PATIENT).toBe('QQQ')
    await expect.poll(() => field.getAttribute('aria-expanded'), PATIENT).toBe('true')
    await expect
      .poll(() => field.getAttribute('aria-activedescendant'), PATIENT)
      .toBe(await offers.first().getAttribute('id'))
    await page.keyboard.press('Enter')
    await leadsTo(page, '#/overview/QQQ')
    await shows(page, '.rail', /Call wall/)

    await type('aa')
    const [, second] = await offers.allInnerTexts()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await leadsTo(page, `#/overview/${second}`)

    await page.keyboard.press('/')
    await expect.poll(() => offers.allInnerTexts(), PATIENT).toEqual(['QQQ', 'SPY'])
    await offers.nth(1).click()
    await leadsTo(page, '#/overview/SPY')

    await type('zzzq')
    await page.keyboard.press('Escape')
    await expect.poll(() => field.inputValue(), PATIENT).toBe('SPY')
    await type('zzzq')
    await page.keyboard.press('Enter')
    await leadsTo(page, '#/overview/ZZZQ')
    await shows(page, '.banner', /ZZZQ is not known here\./)
    expect(faults).toEqual([])
  })

  test('takes every spelling of a class of shares, and shows that of the service', async () => {
    const body = { ...recorded('session'), symbol: 'BRK.B' }
    service().rules.unshift(({ pathname }) => (pathname.includes('/session/BRK') ? { body } : undefined))
    for (const typed of ['brk-b', 'brk/b', 'brk b']) {
      const { page } = await open('#/overview/SPY')
      await shows(page, '.rail', /Call wall/)
      await page.keyboard.press('/')
      await page.keyboard.type(typed)
      await page.keyboard.press('Enter')
      await leadsTo(page, '#/overview/BRK.B')
      await expect.poll(() => page.locator('#symbol').inputValue(), PATIENT).toBe('BRK.B')
      await shows(page, '.rail', /Call wall/)
      await page.context().close()
    }
  })

  test('waits for its symbols where somebody types faster than they arrive', async () => {
    service().rules.unshift(({ pathname }) =>
      pathname === '/v1/universe' ? { body: recorded('universe'), delay: 1500 } : undefined
    )
    const { page } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    await page.keyboard.press('/')
    await page.keyboard.type('qq')
    await page.keyboard.press('Enter')
    await leadsTo(page, '#/overview/QQQ')
  })
})
