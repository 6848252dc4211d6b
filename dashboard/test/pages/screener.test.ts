import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fixed, level, price, usd } from '../../src/parts/format.ts'
import { shortDate } from '../../src/state/day/time.ts'
import { describePages, leadsTo, PATIENT, settled, shows, textOf } from './browser.ts'
import { type Json, recorded, refusal, type ScriptedAnswer } from './service.ts'

const spaced = (text: string) => text.replace(/\s/g, ' ')
const COUNT = 1000
const nameOf = (i: number) => `S${String(i).padStart(4, '0')}`

describePages('the screener', ({ service, open }) => {
  /** Answers screener requests and keeps their bodies. */
  const screens = (answerOf: (body: Json) => ScriptedAnswer | undefined = () => undefined) => {
    const bodies: Json[] = []
    service().rules.unshift((url, { body }) => {
      if (url.pathname !== '/v1/screener') return undefined
      bodies.push(body)
      return answerOf(body)
    })
    return bodies
  }
  const thousand = ({ offset = 0, limit }: Json): ScriptedAnswer => {
    const data = Array.from({ length: Math.min(limit, COUNT - offset) }, (_, i) => ({
      ...recorded('screener').data[0],
      symbol: nameOf(offset + i),
      price: offset + i
    }))
    const meta = { ...recorded('screener').meta, total_count: COUNT, universe_size: COUNT, offset, limit }
    return { body: { meta: { ...meta, returned_count: data.length }, data } }
  }

  test('shows the figures of the answer, and the reports to come', async () => {
    const { page, faults } = await open('#/screener/SPY')
    await shows(page, '.found', '10 of 10 symbols')
    const { data } = recorded('screener')
    await expect.poll(() => page.locator('.screen tbody tr').count(), PATIENT).toBe(data.length)
    for (const [i, row] of data.entries())
      for (const figure of [
        row.symbol,
        price(row.price),
        usd(row.net_gex),
        price(row.gamma_flip),
        level(row.call_wall)
      ])
        await shows(page, `.screen tbody tr >> nth=${i}`, figure)
    const { events } = recorded('calendar')
    for (const { symbol } of events) await shows(page, '.calendar', symbol)
    await page.getByRole('link', { name: 'Volatility' }).last().click()
    await shows(page, '.screen', fixed(data[0].vrp_20d, 2, 'signed'))
    expect(faults).toEqual([])
  })

  test('a part that is more than the whole is said to be that, and not in percent', async () => {
    const [first, second] = recorded('screener').data
    const data = [
      { ...first, zero_dte_pct_of_total: 505.3 },
      { ...second, zero_dte_pct_of_total: 100 }
    ]
    screens(() => ({ body: { meta: recorded('screener').meta, data } }))
    const { page } = await open('#/screener/SPY')
    const cells = page.locator('.screen tbody tr')
    await expect.poll(() => cells.first().innerText(), PATIENT).toMatch(/> 100\s%/)
    expect(await cells.first().innerText()).not.toContain('505')
    await expect.poll(() => cells.nth(1).innerText(), PATIENT).toMatch(/\s100(\.0)?\s%/)
    await expect
      .poll(() => cells.first().locator('td', { hasText: '> 100' }).getAttribute('title'), PATIENT)
      .toMatch(/More than all/)
  })

  test('a thousand symbols scroll: only those in sight are in the page and asked for', async () => {
    const bodies = screens(thousand)
    const { page } = await open('#/screener/SPY')
    await shows(page, '.found', /1.00\sK of 1.00\sK symbols/)
    const count = () => page.locator('.screen tbody tr').count()
    expect(await count()).toBeLessThan(60)
    await page.locator('.screen-box').evaluate((box) => box.scrollTo({ top: box.scrollHeight }))
    await shows(page, '.screen', nameOf(COUNT - 1))
    expect(await count()).toBeLessThan(60)
    await expect.poll(() => page.locator('.screen').getAttribute('aria-rowcount'), PATIENT).toBe(String(COUNT + 1))
    expect(bodies.map(({ offset = 0 }) => offset)).toEqual([0, 950])
    await page.locator('.screen-box').evaluate((box) => box.scrollTo({ top: 500 * 32 }))
    await shows(page, '.screen', nameOf(505))
    expect(bodies).toHaveLength(3)
  })

  test('conditions, formulas, sort and columns are in the address, and it restores them', async () => {
    const bodies = screens()
    const where = 'atm_iv > 25 and regime = negative_gamma'
    const { page } = await open('#/screener/SPY?view=volatility')
    await shows(page, '.found', '10 of 10 symbols')
    await page.locator('#where').fill(where)
    await page.keyboard.press('Enter')
    await leadsTo(page, /where=atm_iv/)
    await page.locator('#formula').fill('gap = price - gamma_flip')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'gap' }).click()
    await leadsTo(page, /sort=-gap/)
    await page.getByRole('link', { name: 'Tier 1' }).click()
    await leadsTo(page, /universe=tier1/)
    const wanted = {
      universe: { type: 'preset', value: 'tier1' },
      where,
      formulas: [{ alias: 'gap', expression: 'price - gamma_flip' }],
      sort: [{ formula: 'gap', direction: 'desc' }]
    }
    await expect.poll(() => bodies.at(-1), PATIENT).toMatchObject(wanted)
    const again = await open(new URL(page.url()).hash)
    await shows(again.page, '.found', '10 of 10 symbols')
    expect(bodies.at(-1)).toMatchObject(wanted)
    await expect.poll(() => again.page.locator('#where').inputValue(), PATIENT).toBe(where)
    await expect.poll(() => again.page.locator('th[aria-sort=descending]').innerText(), PATIENT).toMatch(/^gap/)
  })

  test('names of fields are offered while one is written', async () => {
    const { page } = await open('#/screener/SPY')
    await shows(page, '.found', '10 of 10 symbols')
    await page.locator('#where').click()
    await page.keyboard.type('price > 5 and zero_dte_p')
    await page.locator('.suggestions button').first().click()
    await expect.poll(() => page.locator('#where').inputValue(), PATIENT).toBe('price > 5 and zero_dte_pct_of_total ')
  })

  test('what the service does not understand is said, and the last rows stay', async () => {
    screens(({ where }) =>
      where === undefined
        ? undefined
        : refusal(400, 'validation_error', { message: 'unknown field atm_ivy (at position 0)' })
    )
    const { page } = await open('#/screener/SPY', { refusals: true })
    await shows(page, '.found', '10 of 10 symbols')
    await page.locator('#where').fill('atm_ivy > 1')
    await page.keyboard.press('Enter')
    await shows(page, '.question', 'Unknown field atm_ivy (at position 0).')
    await shows(page, '.screen', 'AAPL')
  })

  test('stars are kept by the reader, and are a list of symbols', async () => {
    const bodies = screens()
    const { page } = await open('#/screener/SPY')
    await shows(page, '.found', '10 of 10 symbols')
    await page.getByRole('button', { name: 'Star AMD' }).click()
    await page.getByRole('link', { name: 'QQQ' }).focus()
    await page.keyboard.press('s')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('stars')), PATIENT).toBe('AMD QQQ')
    await page.getByRole('link', { name: 'Stars' }).click()
    await expect.poll(() => bodies.at(-1).universe, PATIENT).toEqual({ type: 'custom', symbols: ['AMD', 'QQQ'] })
  })

  test('keys go from row to row, and a row opens its symbol', async () => {
    const { page } = await open('#/screener/SPY')
    await shows(page, '.found', '10 of 10 symbols')
    await page.getByRole('link', { name: 'AAPL' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await leadsTo(page, '#/overview/AMD')
    await page.goBack()
    await shows(page, '.found', '10 of 10 symbols')
    await page.locator('.screen tbody tr').nth(2).locator('td').nth(3).click()
    await leadsTo(page, '#/overview/AMZN')
    await page.keyboard.press('8')
    await leadsTo(page, '#/screener/AMZN')
  })

  test('each row says how old its figures are, and which of them lag', async () => {
    const { data } = recorded('screener')
    const [fresh, old, failing, unknown] = data.map(({ symbol }: Json) => symbol)
    const held = [
      { symbol: fresh, as_of: '2026-11-23T14:59:56.000Z', is_stale: false },
      { symbol: old, as_of: '2026-11-23T14:56:30.000Z', is_stale: false },
      { symbol: failing, as_of: '2026-11-23T14:00:00.000Z', is_stale: true }
    ]
    service().rules.unshift(({ pathname }) => {
      if (pathname === '/v1/symbols') return { body: { ...recorded('symbols'), held } }
      if (pathname !== '/v1/universe') return undefined
      const symbols = [{ symbol: old, tier: 1, is_pre_warmed: true, age_seconds: 210, is_late: true }]
      return { body: { ...recorded('universe'), as_of: '2026-11-23T15:00:00.000Z', symbols } }
    })
    const { page } = await open('#/screener/SPY')
    await shows(page, '.screen', /late, 3.min/)
    const ageOf = (symbol: string) =>
      page
        .locator('.screen tbody tr')
        .filter({ has: page.getByRole('link', { name: symbol, exact: true }) })
        .locator('td')
        .last()
    const ages = await Promise.all([fresh, old, failing, unknown].map((symbol) => ageOf(symbol).innerText()))
    expect(ages.map(spaced)).toEqual(['4 s', 'late, 3 min', 'late, 1 h', '–'])
    await expect.poll(() => ageOf(failing).getAttribute('title'), PATIENT).toBe('observed Mon 23 Nov, 09:00:00 ET')
  })

  test('lines of the day are asked one by one, and not where nothing is recorded', async () => {
    let flying = 0
    let most = 0
    service().rules.unshift((url) => {
      if (!url.pathname.includes('/series/')) return undefined
      most = Math.max(most, ++flying)
      setTimeout(() => flying--, 30)
      return { body: recorded('series'), delay: 30 }
    })
    const { page } = await open('#/screener/SPY')
    await expect.poll(() => page.locator('.spark svg').count(), PATIENT).toBe(10)
    expect(most).toBe(1)
    service().asked.length = 0
    service().rules.unshift((url) => (url.pathname.includes('/series/') ? refusal(404, 'no_data') : undefined))
    const other = await open('#/screener/SPY', { refusals: true })
    await shows(other.page, '.found', '10 of 10 symbols')
    const asked = () => service().asked.filter((path) => path.includes('/series/')).length
    await expect.poll(asked, PATIENT).toBe(3)
    await settled(other)
    expect(asked()).toBe(3)
  })

  test('a past moment has no screen: nothing is asked and nothing of now is shown', async () => {
    const { page } = await open('#/screener/SPY?at=2026-11-20T11:00:00')
    await shows(page, '.found', 'Screens look at the present: none is kept of a past moment. Show it live')
    await shows(page, '.calendar', /exists for the present only/)
    expect(service().asked.filter((path) => /screener|calendar/.test(path))).toEqual([])
    await page.locator('.found').getByRole('link', { name: 'Show it live' }).click()
    await shows(page, '.found', '10 of 10 symbols')
    await page.locator('.track input').fill('30')
    await shows(page, '.found', /none is kept of a past moment/)
    await expect.poll(() => page.locator('.screen').count(), PATIENT).toBe(0)
  })

  test('the first rows of a plan, a plan too low, no rows and no figure are told', async () => {
    const body = recorded('screener')
    const answers: readonly ScriptedAnswer[] = [
      { body: { meta: { ...body.meta, total_count: 20, tier: 'growth' }, data: body.data } },
      refusal(403, 'tier_restricted', { current_plan: 'basic', required_plan: 'growth' }),
      { body: { meta: { ...body.meta, total_count: 0, returned_count: 0 }, data: [] } },
      { body: { ...body, data: body.data.map((row: Json) => ({ ...row, gamma_flip: null })) } }
    ]
    const expected = [
      /20 of 10 symbols, the first 10 on this plan/,
      'Needs Growth; this key is Basic.',
      'No symbol meets the conditions.',
      /AAPL 223\.15 positive gamma \$13\.2 M – 220/
    ]
    for (const [i, answer] of answers.entries()) {
      service().rules.length = 0
      screens(() => answer)
      const { page } = await open('#/screener/SPY', { refusals: true })
      await shows(page, '.found', expected[i]!)
      await page.context().close()
    }
  })

  test('an answer that comes late is dropped', async () => {
    screens(({ where }) => {
      const body = recorded('screener')
      const isSlow = where === 'price > 1'
      return { body: { ...body, data: body.data.slice(0, isSlow ? 3 : 5) }, delay: isSlow ? 1500 : 0 }
    })
    const { page } = await open('#/screener/SPY?where=price+>+1')
    await page.evaluate(() => {
      location.hash = '#/screener/SPY?where=price+>+2'
    })
    await shows(page, '.screen', /IWM/)
    await page.waitForTimeout(1800)
    expect(await textOf(page, '.screen')).toContain('IWM')
  })

  test('the rows are given as a file, and reports stand beside their symbols', async () => {
    const { events } = recorded('calendar')
    const { symbol, earnings_date } = events[0]
    screens(() => {
      const body = recorded('screener')
      return { body: { ...body, data: body.data.map((row: Json, i: number) => (i === 0 ? { ...row, symbol } : row)) } }
    })
    const { page } = await open('#/screener/SPY')
    await shows(page, '.screen', shortDate(earnings_date))
    await page.locator('.found .menu summary').click()
    const [saved] = await Promise.all([
      page.waitForEvent('download', PATIENT),
      page.locator('.found').getByText('Figures, CSV').click()
    ])
    expect(saved.suggestedFilename()).toBe('SPY-found.csv')
    expect(readFileSync(await saved.path(), 'utf8')).toMatch(/^symbol,.*,as of \(UTC\),late$/m)
  })
})
