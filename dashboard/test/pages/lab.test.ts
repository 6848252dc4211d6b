import { expect, test } from 'vitest'
import { fixed, level, price } from '../../src/parts/format.ts'
import { asks, describePages, leadsTo, PATIENT, shows, textOf } from './browser.ts'
import { type Json, recorded, refusal, type ScriptedAnswer } from './service.ts'

const SPREAD = 'legs=+1C700@2026-12-18,-1C710@2026-12-18'

describePages('the lab', ({ service, open }) => {
  /** Answers requests about structures and keeps their bodies. */
  const structures = (answerOf: (body: Json) => ScriptedAnswer | undefined = () => undefined) => {
    const bodies: Json[] = []
    service().rules.unshift((url, { body }) => {
      if (url.pathname !== '/v1/structures/pnl') return undefined
      bodies.push(body)
      return answerOf(body)
    })
    return bodies
  }
  const quoteOf = (type: string, strike: number) =>
    recorded('quotes').find((each: Json) => each.type === type && each.strike === strike)

  test('shows the figures of the answers, and asks with the quotes of the legs', async () => {
    const bodies = structures()
    const { page, faults } = await open(`#/lab/SPY?${SPREAD}&ahead=7`)
    const { breakevens, max_profit, max_loss, pnl_curve, scenario_grid: grid } = recorded('pnl')
    await shows(page, '.side', `Break-even ${level(breakevens[0])}`)
    await shows(page, '.side', /Kelly .*Probability of profit \d/)
    for (const figure of [
      `Debit ${price(grid.entry_cost)}`,
      `Maximum profit ${fixed(max_profit, 2, 'signed')}`,
      `Maximum loss ${fixed(max_loss, 2, 'signed')}`,
      `Model value ${price(grid.base_value)}`,
      fixed(recorded('kelly').sizing.kelly_pct, 2),
      recorded('kelly').recommendation
    ])
      await shows(page, '.side', figure)
    for (const greek of Object.values<number>(recorded('structure-greeks').position_greeks))
      await shows(page, '.side', fixed(greek, 4, 'signed'))
    const middle = (pnl_curve.length - 1) / 2
    const day = grid.axes.days_forward.indexOf(7)
    await shows(page, '.payoff .reading', `at expiry ${fixed(pnl_curve[middle].pnl, 2, 'signed')}`)
    await shows(
      page,
      '.payoff .reading',
      `in 7 days ${fixed(grid.pnl[day][1][middle], 2, 'signed')}, ${fixed(grid.pnl[day][0][middle], 2, 'signed')} to ${fixed(grid.pnl[day][2][middle], 2, 'signed')}`
    )
    await shows(page, '.outcomes', `best ${fixed(grid.best.pnl, 2, 'signed')} at ${level(grid.best.underlying)}`)
    const [first, second] = [quoteOf('C', 700), quoteOf('C', 710)]
    expect(bodies.at(-1).legs).toMatchObject([
      { action: 'buy', type: 'call', strike: 700, premium: first.mid, impliedVol: first.implied_vol, quantity: 1 },
      { action: 'sell', type: 'call', strike: 710, premium: second.mid, impliedVol: second.implied_vol, quantity: 1 }
    ])
    expect(bodies.at(-1).scenarios).toMatchObject({ spot: recorded('session').underlying_price, today: '2026-11-20' })
    expect(faults).toEqual([])
  })

  test('the pointer tells the outcome beneath it, and a press on the map chooses its day', async () => {
    const { page } = await open(`#/lab/SPY?${SPREAD}`)
    const { pnl_curve, scenario_grid: grid } = recorded('pnl')
    await shows(page, '.payoff .reading', /at expiry/)
    const curve = (await page.locator('.payoff .plot-over').boundingBox())!
    await page.mouse.move(curve.x + curve.width - 1, curve.y + 20)
    await shows(page, '.payoff .reading', `at expiry ${fixed(pnl_curve.at(-1).pnl, 2, 'signed')}`)
    const map = (await page.locator('.outcomes .plot-over').boundingBox())!
    await page.mouse.move(map.x + map.width / 2, map.y + 1)
    await shows(page, '.outcomes .reading', `in 14 days at ${level(grid.axes.underlying.at(-1))}`)
    await shows(page, '.outcomes .reading', fixed(grid.pnl[2][1].at(-1), 2, 'signed'))
    await page.mouse.click(map.x + map.width / 2, map.y + map.height / 2)
    await leadsTo(page, /ahead=14/)
    await shows(page, '.payoff .legend', /in 14 days/)
  })

  test('legs are picked from the chain and changed in their rows; the address holds them', async () => {
    const { page } = await open('#/lab/SPY')
    await shows(page, '.payoff', 'Pick legs from the chain, or start from a structure above it.')
    await page.getByRole('button', { name: /^Buy the 700 call at/ }).click()
    await leadsTo(page, /legs=\+1C700@2026-12-18$/)
    await page.getByRole('button', { name: /^Sell the 710 call at/ }).click()
    await leadsTo(page, SPREAD)
    await shows(page, '.legs-rows', price(quoteOf('C', 700).mid))
    await page.getByRole('button', { name: 'Sell, turn leg 2' }).click()
    await leadsTo(page, /,\+1C710@2026-12-18$/)
    await page.getByLabel('Strike of leg 2').selectOption('705')
    await page.getByLabel('Contracts of leg 2').fill('3')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Call, turn leg 2' }).click()
    await leadsTo(page, /legs=\+1C700@2026-12-18,\+3P705@2026-12-18$/)
    await page.getByRole('button', { name: 'Remove leg 1' }).click()
    await leadsTo(page, /legs=\+3P705@2026-12-18$/)
    await page.goBack()
    await leadsTo(page, /legs=\+1C700@2026-12-18,\+3P705@2026-12-18$/)
    await page.getByRole('button', { name: 'Straddle' }).click()
    await leadsTo(page, /legs=\+1C689@2026-12-18,\+1P689@2026-12-18$/)
    await page.getByRole('button', { name: 'No legs' }).click()
    await leadsTo(page, /#\/lab\/SPY$/)
  })

  test('what a slider passes is not asked: one request for each rest of it', async () => {
    const bodies = structures()
    const { page } = await open(`#/lab/SPY?${SPREAD}`)
    await shows(page, '.side', /Break-even \d/)
    await page.waitForTimeout(400)
    const before = bodies.length
    const slider = page.locator('.legs .sliders input').nth(1)
    await slider.evaluate((input: HTMLInputElement) => {
      for (let value = 1; value <= 12; value++) {
        input.value = String(value)
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
    })
    await leadsTo(page, /shock=12/)
    await expect.poll(() => bodies.length, PATIENT).toBe(before + 1)
    await page.waitForTimeout(400)
    expect(bodies.length).toBe(before + 1)
    expect(bodies.at(-1).scenarios.volShocks).toEqual([0.07, 0.12, 0.17])
  })

  test('an address restores the picture', async () => {
    const bodies = structures()
    const { page } = await open(`#/lab/SPY?${SPREAD}&range=7&ahead=21&shock=-3&drift=12`)
    await shows(page, '.payoff .legend', /in 21 days, volatility −3 pts/)
    await shows(page, '.side', /Break-even \d/)
    const { spotShocksPct, volShocks } = bodies.at(-1).scenarios
    expect([spotShocksPct[0], spotShocksPct.at(-1)]).toEqual([-7, 7])
    expect(volShocks).toEqual([-0.08, -0.03, 0.02])
    await asks(service(), /^\/v1\/pricing\/kelly.*strike=700&dte=28.*mu=0.12/)
    await shows(page, '.legs .sliders', /Days ahead 21/)
  })

  test('a replay rests on the quotes of its moment alone', async () => {
    const bodies = structures()
    service().rules.unshift((url, { isReplay }) => {
      if (url.pathname.includes('/session/'))
        return {
          body: { ...recorded('session'), date: '2026-11-19', as_of: '2026-11-19T16:00:00.000Z', underlying_price: 680 }
        }
      if (!url.pathname.startsWith('/optionquote/')) return undefined
      return { body: recorded('quotes').map((each: Json) => ({ ...each, mid: isReplay ? 7 : 999 })) }
    })
    const { page } = await open(`#/lab/SPY?${SPREAD}&at=2026-11-19T11:00:00`)
    await shows(page, '.side', /Break-even \d/)
    expect(bodies.every(({ legs }) => legs.every((leg: Json) => leg.premium === 7))).toBe(true)
    expect(bodies.at(-1).scenarios).toMatchObject({ today: '2026-11-19', spot: 680 })
    const figuresAlone = /structures|kelly/
    expect(service().asked.every((path) => path.startsWith('/replay/') || figuresAlone.test(path))).toBe(true)
  })

  test('an answer that comes late is dropped', async () => {
    structures(({ scenarios }) => {
      const isSlow = scenarios.volShocks[1] === 0
      return { body: { ...recorded('pnl'), breakevens: [isSlow ? 111 : 222] }, delay: isSlow ? 1500 : 0 }
    })
    const { page } = await open(`#/lab/SPY?${SPREAD}`)
    await expect.poll(() => service().asked.filter((path) => path.includes('pnl')).length, PATIENT).toBe(1)
    await page.evaluate((spread) => {
      location.hash = `#/lab/SPY?${spread}&shock=5`
    }, SPREAD)
    await shows(page, '.side', /Break-even 222/)
    await page.waitForTimeout(1800)
    expect(await textOf(page, '.side')).toContain('Break-even 222')
  })

  test('a leg that is not listed, and one without a volatility, are told apart', async () => {
    service().rules.unshift((url) =>
      url.pathname.startsWith('/optionquote/')
        ? {
            body: recorded('quotes').map((each: Json) =>
              each.strike === 710 ? { ...each, implied_vol: null, svi_vol: null } : each
            )
          }
        : undefined
    )
    const { page } = await open('#/lab/SPY?legs=+1C701.5@2026-12-18,-1C710@2026-12-18')
    await shows(page, '.legs', 'The 701.50 call of 18 Dec is not listed: choose another strike or date.')
    await shows(page, '.legs', 'The quote of the 710 call of 18 Dec gives no volatility.')
    await shows(page, '.side', 'Break-even –')
    expect(service().asked.filter((path) => path.includes('structures'))).toEqual([])
  })

  test('a plan too low costs its part and no other; a loss without a limit says so', async () => {
    structures(() => ({ body: { ...recorded('pnl'), max_loss: null } }))
    service().rules.unshift((url) =>
      url.pathname.includes('kelly')
        ? refusal(403, 'tier_restricted', { current_plan: 'basic', required_plan: 'growth' })
        : undefined
    )
    const { page } = await open(`#/lab/SPY?${SPREAD}`, { refusals: true })
    await shows(page, '.side', 'Maximum loss no limit')
    await shows(page, '.side', 'Needs Growth; this key is Basic.')
    service().rules.length = 0
    structures(() => refusal(403, 'tier_restricted', { current_plan: 'free', required_plan: 'basic' }))
    const other = await open(`#/lab/SPY?${SPREAD}`, { refusals: true })
    await shows(other.page, '.payoff', 'Needs Basic; this key is Free.')
    await shows(other.page, '.quotes', '700')
  })

  test('a panel gives its figures and its picture, and the key 7 opens the screen', async () => {
    const { page } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    await page.keyboard.press('7')
    await leadsTo(page, '#/lab/SPY')
    await page.getByRole('button', { name: 'Call spread' }).click()
    await shows(page, '.side', /Break-even \d/)
    for (const [panel, item, file] of [
      ['.payoff', 'Figures, CSV', 'SPY-payoff.csv'],
      ['.outcomes', 'Picture, PNG', 'SPY-outcomes.png']
    ] as const) {
      await page.locator(`${panel} .menu summary`).click()
      const [saved] = await Promise.all([
        page.waitForEvent('download', PATIENT),
        page.locator(panel).getByText(item).click()
      ])
      expect(saved.suggestedFilename()).toBe(file)
    }
  })
})
