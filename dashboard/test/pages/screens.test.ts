import { expect, test } from 'vitest'
import { fixed, level, percent, price, short, usd } from '../../src/parts/format.ts'
import { shortDate } from '../../src/state/day/time.ts'
import { describePages, leadsTo, PATIENT, settled, shows, textOf } from './browser.ts'
import { recorded } from './service.ts'

describePages('the screens', ({ service, open }) => {
  test('the overview shows the figures of the answers', async () => {
    const { page, faults } = await open('#/overview/SPY')
    const [summary, levels, zero, changes, words] = ['summary', 'levels', 'zero-dte', 'oi-diff', 'narrative'].map(
      recorded
    )
    for (const figure of [
      usd(summary.exposures.net_gex),
      'Positive gamma',
      level(summary.gamma_flip),
      usd(summary.hedging_estimate.spot_up_1pct.notional_usd),
      usd(summary.exposures.net_dex),
      usd(summary.exposures.net_vex / 100),
      usd(summary.exposures.net_chex)
    ])
      await shows(page, '.regime', figure)
    await shows(page, '.rail', words.narrative.outlook)
    for (const name of ['gamma_flip', 'call_wall', 'put_wall', 'zero_dte_magnet'])
      await shows(page, '.rail', level(levels.levels[name]))
    for (const { oi_change } of changes.top_oi_changes.slice(0, 5))
      await shows(page, '.rail', short(oi_change, 'signed'))
    await shows(page, '.zero', price(zero.expected_move.straddle_price))
    await shows(page, '.zero', price(zero.expected_move.upper_bound))
    await shows(page, '.hedging', usd(Math.abs(zero.hedging.spot_up_1pct.notional_usd)))
    await shows(page, '.head', price(recorded('session').underlying_price))
    expect(faults).toEqual([])
  })

  test('the words on the chart are whole', async () => {
    const { page } = await open('#/overview/SPY')
    await shows(page, '.chart-legend', /Call wall/)
    const cutOff = () =>
      page
        .locator('.chart-legend, .chart .ladder h2')
        .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
    await expect.poll(cutOff, PATIENT).toEqual([0, 0])
  })

  for (const screen of ['expirations', 'zero-dte', 'volatility', 'hedging', 'premium', 'flow'])
    test(`no legend of ${screen} is cut off`, async () => {
      const { page } = await open(`#/${screen}/SPY`)
      await page.waitForLoadState('networkidle')
      await expect.poll(() => page.locator('.legend').count(), PATIENT).toBeGreaterThan(0)
      const cutOff = await page
        .locator('.legend')
        .evaluateAll((all) =>
          all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map((each) => each.textContent)
        )
      expect(cutOff).toEqual([])
    })

  test('a chart that is alone in its panel fills it', async () => {
    const { page } = await open('#/flow/SPY')
    await expect.poll(() => page.locator('.net-volume .plot canvas').count(), PATIENT).toBe(1)
    const unused = () =>
      page
        .locator('.net-volume')
        .evaluate((panel) => panel.querySelector('.tracks')!.clientHeight - panel.querySelector('.plot')!.clientHeight)
    await expect.poll(unused, PATIENT).toBe(0)
  })

  test('every caption that leads to how its figures are made names its page', async () => {
    const { page } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    const pages = () =>
      page
        .locator('.method')
        .evaluateAll((all) => all.map((each) => [each.textContent, (each as HTMLAnchorElement).pathname]))
    for (const named of [
      ['Gamma flip', '/docs/methods/gamma-flip'],
      ['Gamma by strike', '/docs/methods/gamma-exposure'],
      ['Levels', '/docs/methods/key-levels']
    ])
      await expect.poll(pages, PATIENT).toContainEqual(named)
  })

  test('the overview asks at most eleven questions, and for the alerts of the reader', async () => {
    const { page } = await open('#/overview/SPY')
    await shows(page, '.zero', /Straddle/)
    await page.waitForLoadState('networkidle')
    expect(service().asked.filter((path) => !/^\/v1\/(stream\/ticket|alerts)/.test(path)).length).toBeLessThanOrEqual(
      11
    )
  })

  test('the pointer tells what stands at the strike beneath it', async () => {
    const opened = await open('#/overview/SPY')
    const { page } = opened
    await shows(page, '.rail', /Call wall/)
    await settled(opened)
    const box = (await page.locator('.stage .ladder').boundingBox())!
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await shows(page, '.tip', /^\d+ /)
    const [, strike] = /^(\d+)/.exec(await textOf(page, '.tip'))!
    const row = recorded('gex').strikes.find((each: { strike: number }) => each.strike === Number(strike))
    await shows(page, '.tip', short(row.call_gex))
  })

  test('the expirations show each figure of the matrix, with spot between its strikes', async () => {
    const { page, faults } = await open('#/expirations/SPY')
    const matrix = recorded('matrix')
    await expect.poll(() => page.locator('.matrix tbody tr').count(), PATIENT).toBeGreaterThan(30)
    const rows = await page
      .locator('.matrix tbody tr')
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent!.trim())))
    for (const [strike, , ...cells] of rows) {
      const at = matrix.strikes.indexOf(Number(strike))
      expect(cells).toEqual(
        matrix.values[at].slice(0, 20).map((value: number | null) => (value === null ? '' : short(value, 'plain', 2)))
      )
    }
    // What is less than a hundredth of the largest figure is there, and not seen.
    const seen = await page
      .locator('.matrix tbody td:nth-child(n + 3)')
      .evaluateAll((all) =>
        all.map((cell) => [cell.textContent!.trim(), cell.querySelector('.hidden') === null] as const)
      )
    expect(seen.filter(([text, isSeen]) => text !== '' && !isSeen).length).toBeGreaterThan(0)
    expect(seen.filter(([text, isSeen]) => text !== '' && isSeen).length).toBeGreaterThan(0)
    await shows(page, '.matrix-panel .caption', /^(?:(?!per 1 %).)*per 1 %(?!.*per 1 %)/)
    await expect.poll(() => page.locator('.matrix .monthly').count(), PATIENT).toBeGreaterThan(0)
    await shows(page, '.spot-row th', new RegExp(`^${Math.floor(recorded('session').underlying_price)}$`))
    await shows(page, '.pain', level(recorded('maxpain').max_pain_strike))
    expect(faults).toEqual([])
  })

  test('volatility shows the chosen expiration and what it is worth', async () => {
    const { page, faults } = await open('#/volatility/SPY?expiry=2026-12-18')
    const slice = recorded('surface').svi_parameters.find(({ expiry }: { expiry: string }) => expiry === '2026-12-18')
    await shows(page, '.side', `${shortDate('2026-12-18')}, ${slice.days_to_expiry} days`)
    await shows(page, '.side', fixed(recorded('vix-state').vix, 2))
    const chips = await page
      .locator('.chips a')
      .evaluateAll((all) =>
        all.map(
          (chip) =>
            chip.querySelector('span')!.getBoundingClientRect().top -
            chip.querySelector('b')!.getBoundingClientRect().bottom
        )
      )
    expect(Math.min(...chips), 'days below their date').toBeGreaterThanOrEqual(0)
    for (const figure of [
      fixed(slice.atm_iv, 2),
      level(slice.forward),
      fixed(recorded('volatility').realized_vol.rv_20d, 2)
    ])
      await shows(page, '.side', figure)
    const [{ expectedMovePct }] = recorded('expected-move').expected_moves
    await shows(page, '.side', `±${percent(expectedMovePct, 'plain')}`)
    await page.locator('.chips a').first().press('ArrowRight')
    await leadsTo(page, 'expiry=')
    expect(faults).toEqual([])
  })
})
