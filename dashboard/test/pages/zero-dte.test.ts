import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { fixed, level, percent, price, short, usd } from '../../src/parts/format.ts'
import { describePages, leadsTo, PATIENT, shows, textOf } from './browser.ts'
import { type Json, recorded, refusal, type ScriptedAnswer } from './service.ts'

/** Pixels of every canvas of the screen. */
const picturesOf = (page: Page) =>
  page.locator('main canvas').evaluateAll((all) => all.map((canvas) => (canvas as HTMLCanvasElement).toDataURL()))

describePages('0DTE', ({ service, open }) => {
  const answer = (path: RegExp, answerOf: (url: URL) => ScriptedAnswer | undefined) =>
    service().rules.unshift((url) => (path.test(url.pathname) ? answerOf(url) : undefined))

  test('shows the figures of the answers', async () => {
    const { page, faults } = await open('#/zero-dte/SPY')
    const zero = recorded('zero-dte')
    const { expected_move: move, regime, exposures, pin_risk: pin, decay, flow, liquidity, vol_context: vol } = zero
    await shows(page, '.regime', usd(exposures.net_gex))
    for (const figure of [
      regime.description,
      level(regime.gamma_flip),
      `${price(move.lower_bound)}\u2009–\u2009${price(move.upper_bound)}`,
      price(move.straddle_price),
      usd(decay.theta_per_hour_remaining),
      usd(exposures.net_chex)
    ])
      await shows(page, '.regime', figure)
    for (const figure of [
      `${fixed(pin.pin_score, 0)} at ${level(pin.magnet_strike)}`,
      ...Object.values(pin.components as Record<string, number>).map((each) => fixed(each, 0)),
      level(zero.levels.call_wall),
      level(zero.levels.put_wall),
      level(pin.max_pain),
      pin.description,
      decay.charm_description,
      vol.description
    ])
      await shows(page, '.rail', figure)
    await shows(page, '.rail', recorded('today-snapshot').flow_direction.description)
    for (const figure of [
      short(flow.call_volume),
      short(flow.put_volume),
      fixed(flow.pc_ratio_volume, 2),
      percent(vol.zero_dte_atm_iv, 'plain'),
      fixed(liquidity.execution_score, 0)
    ])
      await shows(page, '.day-facts', figure)
    await shows(page, '.hedging', usd(Math.abs(zero.hedging.spot_up_1pct.notional_usd)))
    expect(faults).toEqual([])
  })

  test('the pointer tells what expires at the strike beneath it', async () => {
    const { page } = await open('#/zero-dte/SPY')
    await shows(page, '.rail', /Call wall/)
    await page.locator('.stage').focus()
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => page.locator('.tip').count(), PATIENT).toBe(1)
    const [, strike] = /^(\d+)/.exec(await textOf(page, '.tip'))!
    const row = recorded('zero-dte').strikes.find((each: { strike: number }) => each.strike === Number(strike))
    await shows(page, '.tip', `Call ${short(row.call_gex)}`)
  })

  test('a day without an expiration says when the next one is and leads to the last session', async () => {
    const { symbol, underlying_price, as_of } = recorded('zero-dte')
    answer(/exposure\/zero-dte/, () => ({
      body: {
        symbol,
        underlying_price,
        as_of,
        market_open: true,
        expiration: null,
        no_zero_dte: true,
        message: 'SPY has no expiration today, Friday.',
        next_zero_dte_expiry: '2026-11-23'
      }
    }))
    const { page, faults } = await open('#/zero-dte/SPY')
    await shows(page, '.nothing', /no expiration today, Friday\. Next expiration: Mon 23 Nov/)
    await page.getByText('Replay the session before, Thu 19 Nov').click()
    await leadsTo(page, '#/zero-dte/SPY?at=2026-11-19T15:30:00')
    expect(faults).toEqual([])
  })

  test('a map that the plan lacks, and a tape that is not there, cost their pictures alone', async () => {
    answer(/today|heatmap/, () => refusal(403, 'tier_restricted', { current_plan: 'growth', required_plan: 'alpha' }))
    answer(/flow\/zero-dte\/series/, () => ({
      status: 503,
      headers: { 'retry-after': '2' },
      body: { error: 'data_loading', message: 'x', loading: 'prints of SPY', share: 0.425, read_to: null }
    }))
    const { page } = await open('#/zero-dte/SPY', { refusals: true })
    await shows(page, '.stage', 'No map. Needs Alpha; this key is Growth.')
    await shows(page, '.hedge-flow', 'Loading the prints of SPY: 42 % of the session so far; the page keeps asking.')
    await expect.poll(() => page.locator('.hedge-flow progress').getAttribute('value'), PATIENT).toBe('0.425')
    await shows(page, '.rail', /Call wall/)
    expect(await page.locator('.banner').count()).toBe(0)
  })

  test('a figure that does not exist is a dash', async () => {
    const zero = recorded('zero-dte')
    answer(/exposure\/zero-dte/, () => ({
      body: {
        ...zero,
        regime: { ...zero.regime, gamma_flip: null, distance_to_flip_sigmas: null },
        expected_move: { ...zero.expected_move, upper_bound: null, lower_bound: null, straddle_price: null },
        pin_risk: { ...zero.pin_risk, magnet_strike: null, distance_to_magnet_pct: null }
      }
    }))
    const { page } = await open('#/zero-dte/SPY')
    await shows(page, '.regime', /0DTE flip – .*Range left, 1σ – .*Straddle – /)
    await shows(page, '.rail', / at – ?– away/)
  })

  test('nothing later than the moment of a replay is ever drawn', async () => {
    const until = Date.parse('2026-11-20T11:00:00-05:00')
    const isLate = (text: string) => Date.parse(text) > until
    const poison: readonly (readonly [path: string, name: string, change: (body: Json) => void])[] = [
      [
        '/v1/series/',
        'series-today',
        ({ t, columns }) =>
          t.forEach((text: string, i: number) => {
            if (isLate(text)) for (const name of Object.keys(columns)) columns[name][i] *= 1.02
          })
      ],
      [
        '/zero-dte/series/',
        'today-series',
        ({ bars }) => {
          for (const bar of bars) if (isLate(bar.t)) bar.hedge_flow_cumulative_all = -9e12
        }
      ],
      [
        '/heatmap/',
        'today-heatmap',
        ({ bars }) => {
          for (const bar of bars) if (isLate(bar.t)) bar.values.fill(-9e12)
        }
      ]
    ]
    const pictures: (readonly string[])[] = []
    for (const isPoisoned of [false, true]) {
      service().rules.length = 0
      answer(/./, ({ pathname }) => {
        if (pathname.includes('/session/'))
          return { body: { ...recorded('session'), as_of: new Date(until).toISOString() } }
        const found = poison.find(([path]) => pathname.includes(path))
        if (found === undefined) return undefined
        const body = recorded(found[1])
        if (isPoisoned) found[2](body)
        return { body }
      })
      const { page } = await open('#/zero-dte/SPY?at=2026-11-20T11:00:00')
      await shows(page, '.rail', /Call wall/)
      await page.waitForLoadState('networkidle')
      await page.waitForTimeout(500)
      pictures.push(await picturesOf(page))
      await page.context().close()
    }
    expect(pictures[0]!.length).toBe(6)
    expect(pictures[1]).toEqual(pictures[0])
    expect(service().asked.every((path) => path.startsWith('/replay/'))).toBe(true)
  })

  test('an answer that comes late is dropped', async () => {
    answer(/exposure\/zero-dte/, ({ searchParams }) => {
      const at = searchParams.get('at')
      if (at === null) return undefined
      const isFirst = at.includes('10:00')
      const zero = recorded('zero-dte')
      return {
        body: { ...zero, regime: { ...zero.regime, gamma_flip: isFirst ? 111 : 222 } },
        delay: isFirst ? 1500 : 0
      }
    })
    const { page } = await open('#/zero-dte/SPY')
    await shows(page, '.rail', /Call wall/)
    for (const time of ['10:00', '10:30'])
      await page.evaluate((at) => {
        location.hash = `#/zero-dte/SPY?at=2026-11-20T${at}:00`
      }, time)
    await shows(page, '.regime', /222/)
    await page.waitForTimeout(1800)
    expect(await textOf(page, '.regime')).toContain('222')
  })

  test('keys choose the map and the scale, and the address brings both back', async () => {
    const { page } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    for (const [key, expected] of [
      ['3', /#\/zero-dte\/SPY$/],
      ['h', /heat=flow$/],
      ['k', /scale=linear/],
      ['m', /map=off/]
    ] as const) {
      await page.keyboard.press(key)
      await leadsTo(page, expected)
    }
    const again = await open(page.url().replace(/^.*#/, '#'))
    await shows(again.page, '.rail', /Call wall/)
    await expect
      .poll(() => again.page.locator('[aria-label="Map"]').getAttribute('aria-pressed'), PATIENT)
      .toBe('false')
    await expect
      .poll(() => again.page.locator('[aria-label="Map of flow"]').getAttribute('aria-pressed'), PATIENT)
      .toBe('true')
    await expect
      .poll(() => again.page.locator('[aria-label="Root scale"]').getAttribute('aria-pressed'), PATIENT)
      .toBe('false')
  })
})
