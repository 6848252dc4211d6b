import { expect, test } from 'vitest'
import { asks, describePages, leadsTo, PATIENT, shows, textOf } from './browser.ts'
import { recorded, refusal } from './service.ts'

describePages('the ideas', ({ service, open }) => {
  test('stand by decision and score, the best is open with its reasons, and another by a press', async () => {
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    await page.keyboard.press('i')
    await leadsTo(page, '#/ideas/SPY')
    await shows(page, '.signals', /Volatility carry/)
    const ranked = () => page.locator('.idea-list .decision').allInnerTexts()
    await expect.poll(async () => (await ranked()).length, PATIENT).toBe(10)
    const order = (await ranked()).map((text) => text.split(/\s/)[0])
    expect(order).toEqual([...order].sort((a, b) => DECISIONS.indexOf(a!) - DECISIONS.indexOf(b!)))
    const best = await page.locator('.idea-list [aria-current] b').innerText()
    await shows(page, '.idea h2', best)
    await page.locator('.idea-list a', { hasText: 'Dealer regime' }).click()
    await leadsTo(page, 'idea=dealer-regime')
    for (const reason of recorded('signal-dealer-regime').why) await shows(page, '.idea', reason)
    expect(faults).toEqual([])
  })

  test('lead to the lab with the legs of a structure, and to an alert about their score', async () => {
    const { page } = await open('#/ideas/SPY?idea=flow-anomaly')
    const [{ legs, expiry }] = recorded('signal-flow-anomaly').best_structures
    await shows(page, '.idea', `Sell ${legs[0].quantity} × ${legs[0].strike} ${legs[0].type}`)
    const payoff = () => page.locator('.idea-payoff .pays').getAttribute('d')
    await expect.poll(payoff, PATIENT).toMatch(/^M0 \d+(L\d+ \d+){3}$/)
    await page.getByRole('link', { name: 'Open in Lab' }).click()
    await leadsTo(page, `#/lab/SPY?legs=-1C${legs[0].strike}@${expiry},+1C${legs[1].strike}@${expiry}&expiry=${expiry}`)
    await page.goBack()
    await page.getByRole('link', { name: 'Tell me when it changes' }).click()
    await leadsTo(page, '#/alerts/SPY')
    await expect
      .poll(() => page.locator('.new-alert [name=metric]').inputValue(), PATIENT)
      .toBe('strategies.flow_anomaly.score')
    await expect.poll(() => page.locator('.new-alert [name=value]').inputValue(), PATIENT).toBe('70')
  })

  test('tell of a company what its report is priced at and what earlier ones brought', async () => {
    const { page, faults } = await open('#/ideas/SPY')
    await page.locator('.calendar li a').first().click()
    await leadsTo(page, /#\/ideas\/[A-Z]+\?idea=report/)
    const symbol = await page.locator('.calendar li a').first().innerText()
    await shows(page, '.idea h2', `Report of ${symbol}`)
    await asks(service(), new RegExp(`^/v1/earnings/expected-move/${symbol}`))
    await shows(page, '.idea', /Priced over usual 0\.58/)
    await shows(page, '.idea .list', recorded('report-history').history[0].date)
    expect(faults).toEqual([])
  })

  test('say why there is no report, and that a past moment has none', async () => {
    service().rules.unshift(({ pathname }) =>
      pathname.startsWith('/v1/earnings/expected-move') ? refusal(404, 'no_data') : undefined
    )
    const { page } = await open('#/ideas/SPY?idea=report', { refusals: true })
    await shows(page, '.idea', 'No data.')
    service().asked.length = 0
    await page.evaluate(() => {
      location.hash += '&at=2026-11-20T11:00:00'
    })
    await shows(page, '.idea', 'Reports are known for the present only. Show it live')
    expect(service().asked.filter((path) => path.includes('/earnings/'))).toEqual([])
  })

  test('have the volatility premium as a tab, which keeps its address and its key', async () => {
    const { page, faults } = await open('#/ideas/SPY')
    await shows(page, '.signals', /Volatility carry/)
    await page.getByRole('link', { name: 'Volatility premium' }).click()
    await leadsTo(page, '#/premium/SPY')
    await shows(page, 'main', /Harvestable/)
    await shows(page, '.ideas-tabs [aria-current]', /^Volatility premium$/)
    await shows(page, '.head nav [aria-current]', /^Ideas$/)
    await page.getByRole('link', { name: 'Signals and reports' }).click()
    await leadsTo(page, '#/ideas/SPY')
    await page.keyboard.press('6')
    await leadsTo(page, '#/premium/SPY')
    const { page: old } = await open('#/premium/QQQ?days=30')
    await shows(old, 'main h1', 'Risk premium of QQQ')
    expect(faults).toEqual([])
  })

  test('a plan too low costs its rows and no other', async () => {
    service().rules.unshift(({ pathname }) =>
      /strategies\/(skew|vol-carry)/.test(pathname)
        ? refusal(403, 'tier_restricted', { current_plan: 'growth', required_plan: 'alpha' })
        : undefined
    )
    const { page } = await open('#/ideas/SPY', { refusals: true })
    await shows(page, '.signals', /Skew Needs Alpha; this key is Growth\./)
    await expect.poll(() => page.locator('.idea-list .decision').count(), PATIENT).toBe(8)
    await shows(page, '.idea h2', /\w/)
    expect(await textOf(page, '.idea')).not.toContain('Needs Alpha')
  })
})

const DECISIONS = ['Candidate', 'Neutral', 'Avoid', 'Too']
