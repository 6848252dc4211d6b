import { expect, test } from 'vitest'
import { describePages, leadsTo, PATIENT, shows, textOf } from './browser.ts'
import { KEY, recorded, refusal, type ScriptedAnswer } from './service.ts'

describePages('the states', ({ service, open }) => {
  const answer = (path: RegExp, answerOf: () => ScriptedAnswer | undefined) =>
    service().rules.unshift((url) => (path.test(url.pathname) ? answerOf() : undefined))

  test('a plan too low costs its panel and no other', async () => {
    answer(/term-structure/, () => refusal(403, 'tier_restricted', { current_plan: 'free', required_plan: 'growth' }))
    const { page } = await open('#/overview/SPY', { refusals: true })
    await shows(page, '.by-expiration', 'Needs Growth; this key is Free.')
    await shows(page, '.zero', /Straddle/)
  })

  test('of a symbol that was never recorded the day is drawn from here on', async () => {
    answer(/bars|matrix/, () => refusal(404, 'no_data'))
    const { page } = await open('#/overview/TLT', { refusals: true })
    await shows(page, '.stage', /Nothing has been recorded for TLT yet: its day appears from now on/)
    await shows(page, '.rail', /Call wall/)
  })

  test('where the levels begin is said, and days of prices alone fill the chart before', async () => {
    const opened = Date.parse(recorded('session').open) / 1000
    answer(/bars/, () => ({ body: { ...recorded('bars'), recorded: [[opened + 9120, opened + 9300, 'minutes']] } }))
    const { page } = await open('#/overview/SPY')
    await shows(page, '.stage', 'Levels recorded since 12:02.')
    service().rules.length = 0
    answer(/bars/, () => ({ body: { ...recorded('bars'), recorded: [] } }))
    const second = await open('#/overview/SPY')
    await shows(second.page, '.stage', 'Levels of SPY are recorded from now on: the past shows its price alone.')
  })

  test('while the past of a synthetic market is made, the chart says how far it is, and no longer', async () => {
    const opened = Date.parse(recorded('session').open) / 1000
    let made = 84
    answer(/bars/, () => ({ body: { ...recorded('bars'), recorded: [[opened - 400_000, opened, 'closes']] } }))
    answer(/^\/health$/, () => {
      const health = recorded('health')
      const making = { making: 'QQQ 2026-11-19', making_of: 'QQQ', stored: 0, made, to_make: 369 }
      const checks = health.checks.map((check: { name: string; details: object }) =>
        check.name === 'history' && made < 369 ? { ...check, details: { ...check.details, ...making } } : check
      )
      return { body: { ...health, checks } }
    })
    const { page } = await open('#/overview/SPY')
    await shows(
      page,
      '.stage .note-in',
      'The past of this synthetic market is being made: 84 of 369 snapshots, now QQQ of 19 Nov. What is drawn is whole.'
    )
    made = 369
    await expect.poll(() => textOf(page, '.stage'), PATIENT).not.toContain('is being made')
  })

  test('what has expired is hedged no more', async () => {
    answer(/zero-dte/, () => ({ body: { ...recorded('zero-dte'), expired: true } }))
    const { page } = await open('#/overview/SPY')
    await shows(page, '.panel.hedging', 'Expired options are no longer hedged.')
  })

  test('a day without an expiration says when the next one is', async () => {
    const { symbol, underlying_price, as_of } = recorded('zero-dte')
    const none = {
      market_open: true,
      expiration: null,
      no_zero_dte: true,
      message: 'none',
      next_zero_dte_expiry: '2026-11-23'
    }
    answer(/zero-dte/, () => ({ body: { symbol, underlying_price, as_of, ...none } }))
    const { page } = await open('#/overview/SPY')
    await shows(page, '.zero', 'Nothing expires today; the next expiration is 23 Nov.')
    expect(await textOf(page, '.rail')).not.toContain('0DTE call wall')
  })

  test('a figure that does not exist is a dash', async () => {
    answer(/summary/, () => ({ body: { ...recorded('summary'), gamma_flip: null, regime: 'undetermined' } }))
    const { page } = await open('#/overview/SPY')
    await shows(page, '.regime', /Gamma flip –/)
    await expect
      .poll(() => page.locator('.regime dd.flip').getAttribute('title'), PATIENT)
      .toMatch(/This figure is not available here/)
  })

  test('a used-up quota is told with the moment it begins anew, and the last figures stay', async () => {
    const { page } = await open('#/overview/SPY?at=2026-11-20T10:30:00', { refusals: true })
    await shows(page, '.rail', /Call wall/)
    answer(/^\/v1\/(?!stream)/, () => ({
      status: 429,
      body: { error: 'Quota exceeded', message: 'x', reset_at: '2026-11-24T00:00:00Z' }
    }))
    await page.evaluate(() => {
      location.hash = '#/overview/SPY?at=2026-11-20T11:00:00'
    })
    await shows(page, '.banner', 'used up. They begin anew Mon 23 Nov 19:00 ET')
    await shows(page, '.rail', /Call wall/)
  })

  test('a source that is down leaves the last good figures', async () => {
    const { page } = await open('#/overview/SPY?at=2026-11-20T10:30:00', { refusals: true })
    await shows(page, '.zero', /Straddle/)
    answer(/^\/v1\/exposure/, () => refusal(502, 'upstream_unavailable'))
    await page.evaluate(() => {
      location.hash = '#/overview/SPY?at=2026-11-20T11:00:00'
    })
    await shows(page, '.banner', /data source is down/)
    await shows(page, '.zero', /Straddle/)
  })

  test('a caption names the moment of its figures where the head has another one', async () => {
    const levels = recorded('levels')
    const earlier = (minutes: number) => new Date(Date.parse(recorded('session').as_of) - minutes * 60_000).toJSON()
    const { page } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    await page.waitForLoadState('networkidle')
    expect(await textOf(page, '.rail > header:first-of-type')).not.toMatch(/\d:\d\d/)
    service().rules.unshift(({ pathname }) =>
      pathname.includes('/levels/') ? { body: { ...levels, as_of: earlier(20) } } : undefined
    )
    await page.reload()
    await shows(page, '.rail > header:first-of-type', /Levels 11:34/)
    service().rules.unshift(({ pathname }) =>
      pathname.includes('/levels/') ? { body: { ...levels, as_of: earlier(24 * 60) } } : undefined
    )
    await page.reload()
    await shows(page, '.rail > header:first-of-type', /Levels Thu 19 Nov 11:54/)
  })

  test('stale, delayed and closed are said in words', async () => {
    answer(/summary/, () => ({ body: recorded('summary'), headers: { 'x-data-age': '905', 'x-data-stale': 'true' } }))
    const first = await open('#/overview/SPY')
    await shows(first.page, '.state', /Stale/)
    service().rules.length = 0
    answer(/summary/, () => ({ body: recorded('summary'), headers: { 'x-data-age': '905' } }))
    const second = await open('#/overview/SPY')
    await shows(second.page, '.state', /Delayed 15 min old/)
    service().rules.length = 0
    const closed = { ...recorded('session'), as_of: '2026-11-20T23:30:00.000Z', status: 'closed' }
    answer(/session/, () => ({ body: { ...closed, last_close: recorded('summary').as_of } }))
    const third = await open('#/overview/SPY')
    await shows(third.page, '.state', /Closed opens Mon 09:30 11:54:/)
    expect(await third.page.locator('.shell').innerText()).not.toContain('18:30')
    service().rules.length = 0
    const weekend = { ...closed, as_of: '2026-11-22T15:00:00.000Z', status: 'holiday' }
    answer(/session/, () => ({ body: { ...weekend, last_close: recorded('summary').as_of } }))
    const fourth = await open('#/overview/SPY')
    await shows(fourth.page, '.state', /Closed opens Mon 09:30 Fri 11:54 ET/)
    await shows(fourth.page, '.rail > header:first-of-type', /^Levels( ⋯)?$/)
  })

  test('an unknown symbol names its nearest neighbours', async () => {
    answer(/SPYY$/, () => refusal(404, 'symbol_not_found'))
    const { page } = await open('#/overview/SPYY', { refusals: true })
    await shows(page, '.banner', /SPYY is not known here\. SPY/)
    await shows(page, '.state', /No such symbol/)
    expect(await textOf(page, '.stage')).not.toContain('from now on')
    await page.locator('.banner a').first().click()
    await leadsTo(page, '#/overview/SPY')
  })

  test('data that is not good says how good it is, and leads to the reasons', async () => {
    const fault = {
      id: 'spread',
      value: 31,
      unit: 'percent',
      deduction: 28,
      state: 'failed',
      text: 'Spreads are wide.'
    }
    answer(/quality/, () => ({ body: { ...recorded('quality'), score: 72, checks: [fault] } }))
    answer(/summary/, () => ({ body: recorded('summary'), headers: { 'x-data-quality': '84.9' } }))
    const { page } = await open('#/overview/SPY')
    await shows(page, '.head', /Data 84/)
    await page.locator('.head .badge', { hasText: 'Data' }).click()
    await leadsTo(page, '#/status/SPY')
    await shows(page, '.quality', /Data SPY: 72 of 100.*Spreads are wide\. −28/)
    service().rules.length = 0
    const { page: good } = await open('#/overview/SPY')
    await shows(good, '.rail', /Call wall/)
    expect(await textOf(good, '.head')).not.toContain('Data')
  })

  test('data that was made up says so', async () => {
    const { page } = await open('#/overview/SPY')
    await shows(page, '.badge', 'Synthetic')
  })

  test('without a session the door asks for a key and opens the address that was asked for', async () => {
    let isIn = false
    service().rules.unshift((url, { body }) => {
      if (url.pathname === '/session') {
        isIn = body?.key === KEY
        return undefined
      }
      return isIn ? undefined : { status: 401, body: { detail: 'Invalid API key' } }
    })
    const { page } = await open('#/volatility/SPY?expiry=2026-12-18', { refusals: true })
    await page.locator('#key').fill('gw_live_wrong')
    await page.keyboard.press('Enter')
    await shows(page, '.door', /does not know this key/)
    await page.locator('#key').fill(KEY)
    await page.keyboard.press('Enter')
    await shows(page, '.side', /18 Dec, \d+ days/)
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(KEY)
    isIn = false
    await page.keyboard.press('1')
    await shows(page, '.door', /API key/)
  })
})
