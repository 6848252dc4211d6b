import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { fixed, short } from '../../src/parts/format.ts'
import { asks, describePages, leadsTo, PATIENT, shows, textOf } from './browser.ts'
import { type Json, recorded, refusal } from './service.ts'

const spaced = (text: string) => text.replace(/\s/g, ' ')
const pictureOf = (page: Page) =>
  page.locator('.history canvas').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL())

describePages('the risk premium', ({ service, open }) => {
  test('shows the figures of the answers', async () => {
    const { page, faults } = await open('#/premium/SPY')
    const { vrp, directional, term_vrp, strategy_scores, net_harvest_score, gex_conditioned } = recorded('vrp')
    await shows(page, '.regime', 'Harvestable')
    for (const figure of [
      fixed(vrp.atm_iv, 2),
      fixed(vrp.rv_20d, 2),
      fixed(vrp.vrp_20d, 2, 'signed'),
      `${vrp.percentile} of 60 days`,
      `${net_harvest_score} of 100`
    ])
      await shows(page, '.regime', figure)
    await shows(page, '.side', gex_conditioned.interpretation)
    for (const score of Object.values<number>(strategy_scores)) await shows(page, '.side', ` ${score}`)
    await shows(page, '.side', fixed(directional.downside_vrp, 2, 'signed'))
    await shows(page, '.side', fixed(recorded('spot-vol-correlation').spot_vol_correlation_60d, 2, 'signed'))
    const dispersion = recorded('dispersion')
    await shows(page, '.side', fixed(dispersion.implied_correlation, 2))
    await shows(page, '.side', `${fixed(dispersion.implied_vol_index * 100, 2)} / `)
    for (const { dte, vrp: premium } of term_vrp)
      await shows(page, '.panel.term', `${dte}d ${fixed(premium, 2, 'signed')}`)
    const { estimators } = recorded('realized')
    for (const { rv10, rv20, rv30 } of Object.values<Json>(estimators))
      await shows(page, '.estimates', [rv10, rv20, rv30].map((each) => fixed(each, 2)).join(' '))
    const forecast = recorded('forecast')
    await shows(page, '.forecast', `long run ${fixed(forecast.garch.long_run_vol_annualized, 2)}`)
    await shows(page, '.forecast', `EWMA ${fixed(forecast.ewma.next_day_forecast, 2)}`)
    const { expiries, chain_execution_score } = recorded('liquidity')
    await expect.poll(() => page.locator('.liquidity-rows tbody tr').count(), PATIENT).toBe(expiries.length)
    const rows = await page.locator('.liquidity-rows tbody tr').allInnerTexts()
    for (const [i, { execution_score, label, atm_oi }] of expiries.entries()) {
      expect(spaced(rows[i]!)).toContain(`${execution_score} ${label}`)
      expect(spaced(rows[i]!)).toContain(spaced(short(atm_oi)))
    }
    await shows(page, '.liquidity', `chain ${chain_execution_score}`)
    await shows(page, '.reading', `implied ${fixed(vrp.atm_iv, 2)} realized ${fixed(vrp.rv_20d, 2)}`)
    expect(faults).toEqual([])
  })

  test('has no axes before there are figures', async () => {
    const { page } = await open()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/v1/vrp/SPY/history*', async (route) => {
      await released
      await route.continue()
    })
    await page.goto(`${service().url}/#/premium/SPY`)
    await shows(page, '.regime', 'Harvestable')
    const canvas = page.locator('.history canvas')
    await expect.poll(() => canvas.count(), PATIENT).toBe(1)
    await expect.poll(() => canvas.isVisible(), PATIENT).toBe(false)
    release()
    await expect.poll(() => canvas.isVisible(), PATIENT).toBe(true)
  })

  test('the pointer tells the day beneath it', async () => {
    const { page } = await open('#/premium/SPY')
    await shows(page, '.reading', /Fri 20 Nov/)
    const box = (await page.locator('.history .plot-over').boundingBox())!
    await page.mouse.move(box.x + 1, box.y + box.height / 2)
    const [first] = recorded('vrp-history').history
    await shows(page, '.reading', `implied ${fixed(first.atm_iv, 2)} realized ${fixed(first.rv_20d, 2)}`)
  })

  test('a stretch of days and a basket are in the address, and it restores them', async () => {
    const { page } = await open('#/premium/SPY?days=30&basket=AAPL,MSFT')
    await shows(page, '.side', /Implied correlation/)
    await expect.poll(() => page.locator('.history .choices [aria-current]').innerText(), PATIENT).toBe('30d')
    await expect.poll(() => page.locator('.basket input').inputValue(), PATIENT).toBe('AAPL MSFT')
    await asks(service(), /dispersion\?.*symbols=AAPL%2CMSFT(&|$)/)
    await page.locator('.basket input').fill('nvda, amd')
    await page.keyboard.press('Enter')
    await leadsTo(page, '#/premium/SPY?days=30&basket=NVDA,AMD')
    await page.getByText('1y', { exact: true }).click()
    await leadsTo(page, 'days=365')
    expect(service().asked.filter((path) => path.includes('/history')).length).toBe(1)
  })

  test('nothing later than the moment of a replay is drawn', async () => {
    const pictures: string[] = []
    for (const poison of [false, true]) {
      service().rules.length = 0
      service().rules.unshift((url) => {
        if (url.pathname.includes('/session/'))
          return { body: { ...recorded('session'), as_of: '2026-10-15T16:00:00.000Z', date: '2026-10-15' } }
        if (url.pathname.endsWith('/history')) {
          const body = recorded('vrp-history')
          for (const day of body.history) if (poison && day.date > '2026-10-15') day.atm_iv = 90
          return { body }
        }
        const body = { ...recorded('vrp'), as_of: '2026-10-15T16:00:00.000Z' }
        return /^\/v1\/vrp\//.test(url.pathname) ? { body } : undefined
      })
      const { page } = await open('#/premium/SPY?at=2026-10-15T12:00:00')
      await shows(page, '.reading', /Thu 15 Oct/)
      await page.waitForLoadState('networkidle')
      await page.waitForTimeout(300)
      pictures.push(await pictureOf(page))
      await page.context().close()
    }
    expect(pictures[1]).toBe(pictures[0])
    expect(service().asked.every((path) => path.startsWith('/replay/'))).toBe(true)
  })

  test('an answer that comes late is dropped', async () => {
    service().rules.unshift((url) => {
      if (!/\/v1\/vrp\/[A-Z]+$/.test(url.pathname)) return undefined
      const isSlow = url.pathname.endsWith('QQQ')
      const body = { ...recorded('vrp'), symbol: url.pathname.split('/')[3], net_harvest_score: isSlow ? 11 : 22 }
      return { body, delay: isSlow ? 1500 : 0 }
    })
    const { page } = await open('#/premium/QQQ')
    await page.evaluate(() => {
      location.hash = '#/premium/IWM'
    })
    await shows(page, '.regime', /22 of 100/)
    await page.waitForTimeout(1800)
    expect(await textOf(page, '.regime')).toContain('22 of 100')
  })

  test('missing figures are dashes, warnings are sentences, and no records say so', async () => {
    service().rules.unshift((url) => {
      if (url.pathname.endsWith('/history')) return { body: { symbol: 'SPY', days: 365, data_points: 0, history: [] } }
      if (!/^\/v1\/vrp\//.test(url.pathname)) return undefined
      const { vrp, regime, ...rest } = recorded('vrp')
      return {
        body: {
          ...rest,
          vrp: { ...vrp, z_score: null, percentile: null, history_days: 0 },
          regime: { ...regime, vrp_regime: null },
          strategy_scores: null,
          net_harvest_score: null,
          term_vrp: [],
          warnings: ['negative_gamma', 'insufficient_history_for_zscore']
        }
      }
    })
    const { page } = await open('#/premium/SPY')
    await shows(page, '.regime', /No rank yet.*Percentile – of 0 days Z-score –.*Harvest score –/)
    await shows(page, '.history', /Nothing has been recorded for SPY yet: its days appear from now on/)
    await shows(page, '.panel.term', /No horizon has both implied and realized volatility/)
    await shows(
      page,
      '.side',
      /Dealers are short gamma: moves are amplified\. Too few days have been recorded for a rank\./
    )
    await shows(page, '.side', /Short put spread – Short strangle –/)
  })

  test('a plan too low costs the panels that need more and no others', async () => {
    service().rules.unshift((url) =>
      /vrp|realized|forecast|dispersion/.test(url.pathname)
        ? refusal(403, 'tier_restricted', { current_plan: 'growth', required_plan: 'alpha' })
        : undefined
    )
    const { page } = await open('#/premium/SPY', { refusals: true })
    for (const panel of ['.regime', '.history', '.estimates', '.forecast'])
      await shows(page, panel, 'Needs Alpha; this key is Growth.')
    await shows(page, '.liquidity', /chain \d+/)
    await shows(page, '.side', /strongly inverse/i)
  })

  test('a panel gives its figures and its picture as files', async () => {
    const { page } = await open('#/premium/SPY')
    await shows(page, '.reading', /Fri 20 Nov/)
    for (const [item, file] of [
      ['Figures, CSV', 'SPY-history.csv'],
      ['Picture, PNG', 'SPY-history.png']
    ] as const) {
      await page.locator('.history .menu summary').click()
      const [saved] = await Promise.all([
        page.waitForEvent('download', PATIENT),
        page.locator('.history').getByText(item).click()
      ])
      expect(saved.suggestedFilename()).toBe(file)
    }
  })

  test('the key 6 opens it', async () => {
    const { page } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    await page.keyboard.press('6')
    await leadsTo(page, '#/premium/SPY')
    await shows(page, '.regime', 'Harvestable')
  })
})
