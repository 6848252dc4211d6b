import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describePages, leadsTo, PATIENT, shows } from './browser.ts'
import { recorded } from './service.ts'

describePages('keys of the chart and of screens', ({ open }) => {
  test('y opens the card of the figure in focus, or of the first one, and closes it', async () => {
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    await page.keyboard.press('y')
    await leadsTo(page, /card=net_gex/)
    await page.keyboard.press('Escape')
    await leadsTo(page, /SPY$/)
    await page.locator('.rail [data-card=call_wall]').focus()
    await page.keyboard.press('y')
    await leadsTo(page, /card=call_wall/)
    await page.keyboard.press('y')
    expect(faults).toEqual([])
  })

  test('g and a letter go to a screen, any screen key does too, and Escape or another key ends it', async () => {
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    await page.keyboard.press('g')
    await shows(page, '.go-list', /o Overview e Expirations 0 0DTE v Volatility/)
    await page.keyboard.press('f')
    await leadsTo(page, '#/flow/SPY')
    await expect.poll(() => page.locator('.go-list').count(), PATIENT).toBe(0)
    for (const [keys, address] of [
      ['gh', '#/hedging/SPY'],
      ['g9', '#/alerts/SPY'],
      ['go', '#/overview/SPY']
    ] as const) {
      for (const key of keys) await page.keyboard.press(key)
      await leadsTo(page, address)
    }
    await page.keyboard.press('g')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.go-list').count(), PATIENT).toBe(0)
    await page.keyboard.press('o')
    await leadsTo(page, '#/flow/SPY')
    await page.keyboard.press('g')
    await page.locator('.go-list').getByRole('link', { name: 'Lab' }).click()
    await leadsTo(page, '#/lab/SPY')
    expect(faults).toEqual([])
  })

  test('v, or the menu, shows the seen bars as a table with the rows of its file', async () => {
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    await shows(page, '.chart-legend', /^SPY 15m/)
    await page.keyboard.press('v')
    const table = page.getByRole('dialog', { name: 'SPY, bars of 15m' })
    await shows(page, '#bars-table', 'begins (New York)')
    const { c } = recorded('bars')
    const rows = table.locator('tbody tr')
    await expect.poll(() => rows.count(), PATIENT).toBe(c.length)
    await expect.poll(() => rows.last().locator('th').innerText(), PATIENT).toBe('2026-11-20 11:45')
    const heads = () => table.locator('thead th').allInnerTexts()
    await expect
      .poll(heads, PATIENT)
      .toEqual(expect.arrayContaining(['close (USD)', 'volume', 'Call wall (USD)', 'At-the-money IV']))
    // The price of now stands in the last bar.
    expect(
      await rows
        .nth(c.length - 2)
        .locator('td')
        .nth(3)
        .innerText()
    ).toBe(c.at(-2).toFixed(2))
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      table.getByRole('button', { name: 'Figures, CSV' }).click()
    ])
    expect(file.suggestedFilename()).toBe('SPY-bars.csv')
    const [comment, columns, ...lines] = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n')
    expect(comment).toMatch(/^# Bars of 15m, SPY, 2026-11-20T\d\d:\d\d:\d\d New York, source synthetic$/)
    expect(columns).toContain('close (USD),volume,Call wall (USD)')
    expect(lines).toHaveLength(c.length)
    await page.keyboard.press('Escape')
    await expect.poll(() => table.count(), PATIENT).toBe(0)
    await page.locator('.stage .menu summary').click()
    await page.getByRole('button', { name: 'Seen bars' }).click()
    await shows(page, '#bars-table', '2026-11-20 11:45')
    expect(faults).toEqual([])
  })

  test('c begins to compare with other symbols in the chart, and keeps its meaning on Volatility', async () => {
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.chart-legend', /^SPY 15m/)
    await page.keyboard.press('c')
    await expect
      .poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).name), PATIENT)
      .toBe('symbols')
    await page.keyboard.type('qqq')
    await page.keyboard.press('Enter')
    await leadsTo(page, 'compare=QQQ')
    const { page: second } = await open('#/volatility/SPY')
    await shows(second, 'main', /Smile/)
    await second.keyboard.press('c')
    await leadsTo(second, 'compare=1d')
    expect(faults).toEqual([])
  })
})
