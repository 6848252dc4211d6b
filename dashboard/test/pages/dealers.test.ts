import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { usd } from '../../src/parts/format.ts'
import { describePages, leadsTo, PATIENT, shows, textOf } from './browser.ts'
import { recorded, refusal, type ScriptedAnswer } from './service.ts'

const SHORT = 'dealer_model=all_short'

describePages('what dealers are taken to hold', ({ service, open }) => {
  const answer = (path: RegExp, answerOf: (url: URL) => ScriptedAnswer | undefined) =>
    service().rules.unshift((url) => (path.test(url.pathname) ? answerOf(url) : undefined))
  /** Whether the newest request of a path names the model. */
  const isByModel = (path: string) =>
    service()
      .asked.findLast((each) => each.includes(path))
      ?.includes(SHORT)
  const isAsked = (path: string, byModel: boolean) =>
    expect.poll(() => isByModel(path), { ...PATIENT, message: path }).toBe(byModel)

  test('is chosen beside the regime: what rests on it follows, the rest says that it does not', async () => {
    answer(/summary/, ({ searchParams }) => {
      if (!searchParams.has('dealer_model')) return undefined
      const summary = recorded('summary')
      const exposures = { ...summary.exposures, net_gex: -36e9 }
      return { body: { ...summary, dealer_model: 'all_short', regime: 'negative_gamma', exposures } }
    })
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.regime', usd(recorded('summary').exposures.net_gex))
    await shows(page, '.rail', /Call wall/)
    expect(await page.locator('.model').count()).toBe(0)
    await page.getByLabel('Dealers assumed').selectOption('Short every option')
    await leadsTo(page, '#/overview/SPY?dealers=all_short')
    await shows(page, '.regime', usd(-36e9))
    await shows(page, '.regime', 'Negative gamma')
    for (const region of ['.rail', '.zero', '.hedging', '.ladder']) await shows(page, region, 'dealers all short')
    await shows(page, '.stage > .price', 'map and lines through time by the convention')
    await shows(page, '.by-expiration', 'by the convention')
    await shows(page, '.rail', 'Reading by the convention')
    for (const path of ['summary', 'gex', 'levels', 'zero-dte']) await isAsked(`/exposure/${path}/`, true)
    for (const path of ['/bars/', '/matrix/', '/narrative/', '/term-structure/', '/oi-diff/'])
      await isAsked(path, false)
    await page.getByLabel('Dealers assumed').selectOption('Long calls, short puts')
    await leadsTo(page, /#\/overview\/SPY$/)
    await shows(page, '.regime', usd(recorded('summary').exposures.net_gex))
    await expect.poll(() => page.locator('.model').count(), PATIENT).toBe(0)
    expect(faults).toEqual([])
  })

  test('stands in the address and holds on every screen that rests on it', async () => {
    const { page, faults } = await open('#/hedging/SPY?dealers=all_short&vol=3')
    await shows(page, '.side', 'Dealers trade dealers all short')
    await shows(page, '.side', 'words by the convention')
    await shows(page, '.through-day', 'by the convention')
    const profiles = () => service().asked.filter((each) => each.includes('/profile/') && each.includes(SHORT)).length
    await expect.poll(profiles, PATIENT).toBe(2)
    await page.keyboard.press('2')
    await leadsTo(page, /#\/expirations\/SPY\?.*dealers=all_short/)
    await shows(page, '.matrix-panel', 'dealers all short')
    await isAsked('by=expiration', true)
    await shows(page, '.pain', /\d/)
    expect(await textOf(page, '.pain')).not.toContain('dealers')
    await page.keyboard.press('3')
    await shows(page, '.rail', 'Levels of today dealers all short')
    await shows(page, '.decay', 'charm by the convention')
    await isAsked('/exposure/zero-dte/', true)
    await expect.poll(() => page.getByLabel('Dealers assumed').inputValue(), PATIENT).toBe('all_short')
    expect(faults).toEqual([])
  })

  test('is compared once somebody looks at the choice, and what is not known cannot be chosen', async () => {
    const { agreement, models } = recorded('models')
    const why = 'No option of SPY has printed in this session.'
    answer(/exposure\/models/, () => ({
      body: {
        ...recorded('models'),
        models: models.map((each: { id: string }) =>
          each.id === 'tape' ? { ...each, available: false, reason: why } : each
        )
      }
    }))
    const { page } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    await page.waitForLoadState('networkidle')
    const compared = () => service().asked.filter((each) => each.includes('/exposure/models/')).length
    expect(compared()).toBe(0)
    await page.getByLabel('Dealers assumed').focus()
    await shows(page, '.dealers', `${100 * agreement} % of models agree on the regime`)
    expect(compared()).toBe(1)
    const tape = page.locator('.dealers option[value=tape]')
    await expect.poll(() => tape.isDisabled(), PATIENT).toBe(true)
    await expect.poll(() => tape.getAttribute('title'), PATIENT).toBe(why)
  })

  test('without figures leaves those of no other model behind', async () => {
    const why = 'the dealer model tape is not available: No option of SPY has printed in this session.'
    answer(/exposure/, ({ searchParams }) =>
      searchParams.get('dealer_model') === 'tape' ? refusal(404, 'no_data', { message: why }) : undefined
    )
    const { page } = await open('#/overview/SPY', { refusals: true })
    await shows(page, '.regime', usd(recorded('summary').exposures.net_gex))
    await shows(page, '.rail', /Call wall/)
    await page.getByLabel('Dealers assumed').selectOption("Opposite of today's tape")
    for (const region of ['.regime', '.rail', '.zero', '.panel.hedging', '.ladder'])
      await shows(page, region, 'The dealer model tape is not available')
    expect(await textOf(page, '.regime')).not.toContain('Positive gamma')
    expect(await textOf(page, '.rail')).not.toContain('Call wall')
  })

  test('stands in the files of a panel that goes by it, and of no other', async () => {
    const { page } = await open('#/overview/SPY?dealers=all_short')
    await shows(page, '.rail', /Call wall/)
    await shows(page, '.by-expiration', 'by the convention')
    const headOf = async (panel: string) => {
      await page.locator(`${panel} .menu summary`).first().click()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.locator(panel).getByText('Figures, CSV').locator('visible=true').first().click()
      ])
      return readFileSync(await file.path(), 'utf8').split('\n')[0]
    }
    expect(await headOf('.rail')).toMatch(/source synthetic, dealers all short$/)
    expect(await headOf('.stage')).toMatch(/dealers all short, map and lines through time by the convention$/)
    expect(await headOf('.by-expiration')).toMatch(/source synthetic$/)
  })

  test('has room on a phone', async () => {
    const { page } = await open('#/overview/SPY?dealers=all_short', { width: 390, height: 844 })
    await shows(page, '.ladder', 'dealers all short')
    await shows(page, '.stage > .price', 'map and lines through time by the convention')
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), PATIENT)
      .toBeLessThanOrEqual(0)
  })
})
