import { expect, test } from 'vitest'
import { describePages, leadsTo, PATIENT, shows, textOf } from './browser.ts'
import { type Json, recorded, refusal } from './service.ts'

const fidelity = [
  { from: '2026-11-12', to: '2026-11-13', level: 'imported', missing: ['trade_tape'] },
  { from: '2026-11-16', to: '2026-11-20', level: 'recorded', missing: [] }
]

describePages('the sessions that can be replayed', ({ service, open }) => {
  const covered = (body: Json = { symbol: 'SPY', fidelity }) =>
    service().rules.unshift((url, { isReplay }) => (isReplay && url.pathname === '/v1/tickers' ? { body } : undefined))

  test('stand in a calendar behind the date, and one of them is shown by its day', async () => {
    covered()
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    await page.locator('.timeline .date').click()
    await shows(page, '#calendar', /12 Nov 2026 to 20 Nov 2026; imported ones have a ring\./)
    await shows(page, '#calendar', 'November 2026')
    const days = () => page.locator('#calendar .weeks button').allTextContents()
    await expect.poll(days, PATIENT).toEqual(['12', '13', '16', '17', '18', '19', '20'])
    await expect.poll(() => page.locator('#calendar .weeks button.imported').count(), PATIENT).toBe(2)
    await page.getByRole('button', { name: 'Previous month' }).click()
    await shows(page, '#calendar', 'October 2026')
    expect(await page.locator('#calendar .weeks button').count()).toBe(0)
    await page.getByRole('button', { name: 'Next month' }).click()
    await page.getByRole('button', { name: 'Tue 17 Nov, recorded' }).click()
    await leadsTo(page, 'at=2026-11-17T16:00:00')
    await expect.poll(() => page.locator('#calendar').count(), PATIENT).toBe(0)
    expect(faults).toEqual([])
  })

  test('of a symbol that was never recorded are none', async () => {
    service().rules.unshift((url) => (url.pathname === '/v1/tickers' ? refusal(404, 'no_coverage') : undefined))
    const { page } = await open('#/overview/TLT', { refusals: true })
    await page.locator('.timeline .date').click()
    await shows(page, '#calendar', 'Nothing has been recorded for TLT yet.')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('#calendar').count(), PATIENT).toBe(0)
  })

  test('are named where a moment has no data, the nearest as a link, and no later figure stays', async () => {
    covered()
    const { page } = await open('#/overview/SPY', { refusals: true })
    await shows(page, '.rail', /Call wall/)
    service().rules.unshift(({ searchParams }) =>
      searchParams.get('at')?.startsWith('2026-08') ? refusal(404, 'no_data') : undefined
    )
    await page.evaluate(() => {
      location.hash = '#/overview/SPY?at=2026-08-03T11:00:00'
    })
    await shows(page, '.banner', 'Nothing had been recorded for SPY by Mon 3 Aug 2026, 11:00.')
    await shows(page, '.banner', 'The nearest session recorded: Thu 12 Nov 2026')
    expect(await textOf(page, '.rail')).not.toMatch(/Call wall/)
    await page.locator('.banner a').click()
    await leadsTo(page, 'at=2026-11-12T16:00:00')
    await expect.poll(() => page.locator('.banner').count(), PATIENT).toBe(0)
  })

  test('are said to be imported where they are', async () => {
    const headers = { 'x-replay-fidelity': 'imported', 'x-replay-as-of': '2026-11-12T16:00:00' }
    service().rules.unshift((url) =>
      /summary/.test(url.pathname) ? { body: recorded('summary'), headers } : undefined
    )
    const { page } = await open('#/overview/SPY?at=2026-11-12T16:00:00')
    await shows(page, '.state', /Replay imported/)
  })
})
