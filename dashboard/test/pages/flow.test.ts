import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { level, percent, short, usd } from '../../src/parts/format.ts'
import { asks, describePages, leadsTo, PATIENT, shows, textOf } from './browser.ts'
import { type Json, recorded, refusal, type ScriptedAnswer } from './service.ts'

const plain = (text: string) => text.replace(/\s/g, ' ')
const nameOf = ({ strike, right }: Json) => `${level(strike)} ${right === 'C' ? 'call' : 'put'}`
const premiumOf = ({ price, size }: Json) => price * size * 100

const chip = (page: Page, name: string) => page.locator('.pressure').getByRole('link', { name, exact: true })

describePages('flow', ({ service, open }) => {
  const answer = (path: RegExp, answerOf: (url: URL) => ScriptedAnswer | undefined) =>
    service().rules.unshift((url) => (path.test(url.pathname) ? answerOf(url) : undefined))

  test('says beside its lean which part of the session was read so far', async () => {
    answer(/\/flow\/signals\/SPY\/summary$/, () => ({
      body: recorded('signals-summary'),
      headers: { 'x-flow-partial': 'session=0.034; since=2026-11-20T16:40:00.000Z' }
    }))
    const { page } = await open('#/flow/SPY')
    await shows(page, '.regime', 'loading: since 11:40, 3 % of the session')
  })

  test('shows the tape, the signals and the sums of the answers', async () => {
    const { page, faults } = await open('#/flow/SPY')
    const [risk, tilt, sums] = ['dealer-risk', 'signals-summary', 'tape-summary'].map(recorded)
    await shows(page, '.regime', usd(tilt.bullish_premium))
    for (const figure of [
      risk.description,
      usd(risk.live_net_gex),
      usd(tilt.net_directional_premium, 'signed'),
      usd(tilt.bearish_premium),
      short(sums.netVolume, 'signed')
    ])
      await shows(page, '.regime', figure)
    const { trades } = recorded('prints')
    await expect.poll(() => page.locator('.tape tbody tr').count(), PATIENT).toBe(trades.length)
    const tape = await page.locator('.tape tbody tr').allInnerTexts()
    trades.forEach((each: Json, i: number) => {
      const row = plain(tape[i]!)
      expect(row).toContain(nameOf(each))
      expect(row).toContain(plain(usd(premiumOf(each))))
    })
    const { signals } = recorded('signals')
    await expect.poll(() => page.locator('.signals tbody tr').count(), PATIENT).toBe(signals.length)
    const shown = await page.locator('.signals tbody tr').allInnerTexts()
    signals.forEach((each: Json, i: number) => {
      const row = plain(shown[i]!)
      for (const text of [String(each.score), nameOf(each), each.intent, usd(each.premium)])
        expect(row).toContain(plain(text))
    })
    const [{ symbol, netNotional }] = recorded('leaders').buyers
    await shows(page, '.leaders', plain(`${symbol} ▲ ${usd(netNotional, 'signed')}`))
    await shows(page, '.leaders', percent(recorded('outliers').outliers[0].imbalancePct, 'plain'))
    expect(faults).toEqual([])
  })

  test('filters choose prints and signals, ask the service where it knows better, and stand in the address', async () => {
    const { page } = await open('#/flow/SPY')
    const { trades } = recorded('prints')
    const { signals } = recorded('signals')
    const rows = (panel: string) => page.locator(`${panel} tbody tr`)
    await expect.poll(() => rows('.tape').count(), PATIENT).toBe(trades.length)
    await page.getByLabel('Side', { exact: true }).selectOption('buy')
    await expect
      .poll(() => rows('.tape').count(), PATIENT)
      .toBe(trades.filter(({ side }: Json) => side === 'buy').length)
    await page.getByLabel('Right', { exact: true }).selectOption('P')
    await leadsTo(page, /side=buy&right=P$/)
    await expect
      .poll(() => rows('.tape').count(), PATIENT)
      .toBe(trades.filter(({ side, right }: Json) => side === 'buy' && right === 'P').length)
    await page.getByLabel('Tag', { exact: true }).selectOption('golden')
    const isGolden = ({ side, right, tags }: Json) => side === 'buy' && right === 'P' && tags.includes('golden')
    await expect.poll(() => rows('.signals').count(), PATIENT).toBe(signals.filter(isGolden).length)
    await page.getByLabel('Minimum premium', { exact: true }).selectOption('10000')
    const { blocks } = recorded('blocks')
    const isLarge = (each: Json) => each.side === 'buy' && each.right === 'P' && premiumOf(each) >= 10_000
    await expect.poll(() => rows('.tape').count(), PATIENT).toBe(blocks.filter(isLarge).length)
    await asks(service(), /\/blocks\?/, /minSize=25/)
    const again = await open('#/flow/SPY?side=sell&right=C&tag=sweep&expiry=2026-11-20')
    await expect.poll(() => again.page.getByLabel('Side', { exact: true }).inputValue(), PATIENT).toBe('sell')
    await expect.poll(() => again.page.getByLabel('Tag', { exact: true }).inputValue(), PATIENT).toBe('sweep')
    await asks(service(), /\/recent\?/, /expiry=2026-11-20/)
  })

  test('draws hedging pressure of the chosen expirations beside what is usual', async () => {
    const { page, faults } = await open('#/flow/SPY')
    const [delta, sizes, gamma] = ['right', 'size', 'none'].map((split) => recorded(`hedge-flow-${split}`))
    const usual = ({ low, median, high, sessions }: Json) =>
      `usual at this time: ${usd(low)} to ${usd(high)}, median ${usd(median)}, of ${sessions} sessions`
    await shows(page, '.pressure', `Delta ${usd(delta.bars.at(-1).cumulative, 'signed')}`)
    await shows(page, '.pressure', `Gamma ${usd(gamma.bars.at(-1).cumulative, 'signed')} per 1 %`)
    await shows(page, '.pressure', usual(delta.usual))
    await shows(page, '.pressure', usual(gamma.usual))
    await shows(page, '.pressure', '90 % of contracts with a known side.')
    const [small, medium, large] = sizes.totals.map(({ value }: Json) => usd(value))
    await shows(page, '.pressure .by-size', `small to 10 ${small} medium to 99 ${medium} large from 100 ${large}`)
    expect(await textOf(page, '.pressure')).not.toContain('Counts from')
    await expect.poll(() => page.locator('.pressure canvas').count(), PATIENT).toBe(2)
    await chip(page, 'next').press('Enter')
    await leadsTo(page, /#\/flow\/SPY\?scope=next$/)
    await asks(service(), /hedge-flow/, /scope=next&measure=delta&split=right/)
    await shows(page, '.pressure', 'expiring Mon 23 Nov, since the open')
    await chip(page, 'vega').click()
    await leadsTo(page, /scope=next&greek=vega$/)
    await asks(service(), /hedge-flow/, /scope=next&measure=vega&split=none/)
    await shows(page, '.pressure', /Vega \S+ \S per vol point/)
    await page.goBack()
    await page.goBack()
    await leadsTo(page, /#\/flow\/SPY$/)
    await shows(page, '.pressure', 'all expirations, since the open')
    expect(faults).toEqual([])
  })

  test('hedging pressure of another choice is not shown under this one', async () => {
    answer(/hedge-flow/, ({ searchParams }) =>
      searchParams.get('scope') === 'rest'
        ? refusal(403, 'tier_restricted', { current_plan: 'basic', required_plan: 'growth' })
        : undefined
    )
    const { page } = await open('#/flow/SPY', { refusals: true })
    await shows(page, '.pressure', /Delta \S+ B/)
    await chip(page, 'rest').click()
    await shows(page, '.pressure', 'Needs Growth; this key is Basic.')
    await expect.poll(() => page.locator('.pressure canvas').count(), PATIENT).toBe(0)
    await chip(page, '0DTE').click()
    await shows(page, '.pressure', 'expiring today, since the open')
    await expect.poll(() => page.locator('.pressure canvas').count(), PATIENT).toBe(2)
  })

  test('hedging pressure says where it begins, and when there is nothing to draw', async () => {
    const change = (more: object) =>
      answer(/hedge-flow/, ({ searchParams }) => {
        const [scope, measure] = [searchParams.get('scope'), searchParams.get('measure')]
        return { body: { ...recorded(`hedge-flow-${searchParams.get('split')}`), scope, measure, ...more } }
      })
    change({ recorded_from: '2026-11-20T15:12:30.000Z', usual: null })
    const late = await open('#/flow/SPY')
    await shows(late.page, '.pressure', 'Counts from 10:12:30.')
    expect(await textOf(late.page, '.pressure')).not.toContain('usual')
    change({ recorded_from: null, bars: [], totals: [], usual: null, sided_share: null })
    const empty = await open('#/flow/SPY')
    await shows(empty.page, '.pressure', 'No trades yet while greeks were known.')
    const today = await open('#/flow/SPY?scope=0dte')
    await shows(today.page, '.pressure', 'No trades today in options that expire today while greeks were known.')
  })

  test('hedging pressure draws and sums nothing of later than the moment of a replay', async () => {
    const until = Date.parse('2026-11-20T11:00:00-05:00')
    answer(/session/, () => ({ body: { ...recorded('session'), as_of: new Date(until).toISOString() } }))
    const { page } = await open('#/flow/SPY?at=2026-11-20T11:00:00')
    const seen = (split: string) =>
      recorded(`hedge-flow-${split}`).bars.filter(({ t }: Json) => Date.parse(t) + 300_000 <= until)
    await shows(page, '.pressure', `Delta ${usd(seen('right').at(-1).cumulative, 'signed')}`)
    const small = seen('size').reduce((sum: number, { parts }: Json) => sum + parts.small, 0)
    await shows(page, '.pressure .by-size', `small to 10 ${usd(small)}`)
    // In these answers the usual range and the share of sides describe 11:54.
    expect(await textOf(page, '.pressure')).not.toMatch(/usual|known side/)
    await page.locator('.pressure .menu summary').click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByText('Figures, CSV').locator('visible=true').click()
    ])
    const [, columns, ...rows] = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n')
    expect(columns).toContain('delta (USD since the open, all expirations)')
    expect(columns).toContain('gamma (USD per 1 %, since the open)')
    expect(rows).toHaveLength(seen('right').length)
    expect(rows.at(-1)).toMatch(/^2026-11-20T11:00:00,/)
  })

  test('nothing of later than the moment of a replay is listed or drawn', async () => {
    const until = Date.parse('2026-11-20T11:00:00-05:00')
    answer(/session/, () => ({ body: { ...recorded('session'), as_of: new Date(until).toISOString() } }))
    answer(/recent/, () => {
      const body = recorded('prints')
      body.trades[0].ts = '2026-11-20T15:59:59.000Z'
      return { body }
    })
    const { page } = await open('#/flow/SPY?at=2026-11-20T11:00:00')
    await expect.poll(() => page.locator('.tape tbody tr').count(), PATIENT).toBe(1)
    await shows(page, '.tape tbody tr', '10:59:59')
    expect(service().asked.every((path) => path.startsWith('/replay/'))).toBe(true)
  })

  test('without prints of its own a source costs the tape and no other panel', async () => {
    answer(/recent/, () => ({
      status: 502,
      body: {
        error: 'upstream_unavailable',
        message: 'the tape is temporarily unavailable: it is inferred from volumes'
      }
    }))
    answer(/leaderboard|outliers/, () => ({ body: { ...recorded('leaders'), buyers: [], sellers: [], outliers: [] } }))
    const { page } = await open('#/flow/SPY', { refusals: true })
    await shows(page, '.tape', 'The tape is temporarily unavailable: it is inferred from volumes.')
    await shows(page, '.signals', /bullish|bearish/)
    await shows(page, '.leaders', /No symbol traded in this window\./)
    expect(await page.locator('.banner').count()).toBe(0)
  })

  test('a plan too low costs its panels and no other', async () => {
    answer(/signals|options|stocks/, () =>
      refusal(403, 'tier_restricted', { current_plan: 'growth', required_plan: 'alpha' })
    )
    const { page } = await open('#/flow/SPY', { refusals: true })
    for (const panel of ['.tape', '.signals', '.leaders', '.net-volume'])
      await shows(page, panel, 'Needs Alpha; this key is Growth.')
    await shows(page, '.regime', usd(recorded('dealer-risk').live_net_gex))
  })

  test('no print of the choice is a sentence, and a panel gives its figures as a file', async () => {
    const { page } = await open('#/flow/SPY?least=1000000&tag=whale')
    await shows(page, '.tape', 'No trade matches.')
    await shows(page, '.signals', 'No signal matches.')
    await page.keyboard.press('o')
    await page.evaluate(() => {
      location.hash = '#/flow/SPY'
    })
    await shows(page, '.tape', /bought/)
    await page.locator('.tape .menu summary').click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByText('Figures, CSV').locator('visible=true').click()
    ])
    expect(file.suggestedFilename()).toBe('SPY-tape.csv')
    const [about, , first] = readFileSync(await file.path(), 'utf8').split('\n')
    expect(about).toMatch(/^# Tape, SPY, 2026-11-20T.*, source synthetic$/)
    const [print] = recorded('prints').trades
    expect(first).toContain(`${print.ts},${print.expiry},${print.strike},${print.right},${print.side},${print.size}`)
  })
})
