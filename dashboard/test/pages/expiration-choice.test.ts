import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { usd } from '../../src/parts/format.ts'
import { describePages, leadsTo, PATIENT, shows, textOf } from './browser.ts'
import { type Json, recorded, refusal, type ScriptedAnswer } from './service.ts'

const SET = /[?&](expirations|dte_max|expiry_type)=/
const MONTHLIES = ['2026-12-18', '2027-01-15', '2027-02-19']

describePages('the choice of expirations', ({ service, open }) => {
  const answer = (path: RegExp, answerOf: (url: URL) => ScriptedAnswer | undefined) =>
    service().rules.unshift((url) => (path.test(url.pathname) ? answerOf(url) : undefined))
  const isOfSet = ({ search }: URL) => SET.test(search)
  /** Answers that name a set, with a net gamma of their own. */
  const answerSets = (dates: readonly string[], delay = 0) =>
    answer(/exposure\/(summary|gex|levels|profile|matrix)/, (url) => {
      if (!isOfSet(url)) return undefined
      const [, name] = /exposure\/([a-z]+)/.exec(url.pathname)!
      const body: Json = recorded(name!)
      const scope = { filter: dates.join(), expirations: dates, contracts: 100 }
      const exposures = { ...body.exposures, net_gex: 1.5e9 }
      return { body: { ...body, ...(name === 'summary' && { exposures }), scope }, delay }
    })
  /** The query of the newest request of a path. */
  const newest = (path: string) => {
    const asked = service().asked.findLast((each) => each.includes(path))
    return asked === undefined ? undefined : SET.test(asked) ? asked.slice(asked.search(SET) + 1) : 'all'
  }
  const isAskedWith = (path: string, query: string) => expect.poll(() => newest(path), PATIENT).toContain(query)
  const openChoice = async (page: Page) => {
    await page.locator('.choice summary').click()
    await shows(page, '.choice .dates', 'Fri 18 Dec')
  }
  const choose = async (page: Page, name: string) => {
    if (!(await page.getByRole('group', { name: 'Sets of expirations' }).isVisible())) await openChoice(page)
    await page.locator('.choice').getByLabel(name).check()
  }

  test('stands beside the dealer model: what can be of a set follows, the rest says that it does not', async () => {
    answerSets(MONTHLIES)
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.regime', usd(recorded('summary').exposures.net_gex))
    await shows(page, '.rail', /Call wall/)
    await shows(page, '.choice', 'Expirations: All')
    expect(await page.locator('.model').count()).toBe(0)
    expect(service().asked.filter((each) => SET.test(each) || each.includes('/v1/options/'))).toEqual([])
    await choose(page, 'Monthlies')
    await leadsTo(page, /#\/overview\/SPY\?expirations=monthly$/)
    await shows(page, '.regime', usd(1.5e9))
    await shows(page, '.choice', 'Expirations: Monthlies')
    await shows(page, '.choice', '3 dates to 19 Feb 2027')
    await shows(page, '.regime', 'of all gross gamma')
    await shows(page, '.rail', 'Levels monthlies')
    await shows(page, '.ladder', 'monthlies')
    await shows(page, '.rail', 'Open interest since yesterday of all expirations')
    await shows(page, '.rail', 'Reading of all expirations')
    await shows(page, '.by-expiration', 'of all expirations')
    await shows(page, '.stage > .price', 'map and lines through time of all expirations')
    for (const region of ['.zero', '.panel.hedging']) expect(await textOf(page, region)).not.toMatch(/monthlies|of all/)
    for (const path of ['summary', 'gex', 'levels']) await isAskedWith(`/exposure/${path}/`, 'expiry_type=monthly')
    for (const path of ['/bars/', '/matrix/', '/narrative/', '/term-structure/', '/oi-diff/', '/zero-dte/'])
      await expect.poll(() => newest(path), { ...PATIENT, message: path }).toBe('all')
    await page.goBack()
    await leadsTo(page, /#\/overview\/SPY$/)
    await shows(page, '.regime', usd(recorded('summary').exposures.net_gex))
    await expect.poll(() => page.locator('.model').count(), PATIENT).toBe(0)
    expect(faults).toEqual([])
  })

  test('stands in the address and holds on every screen of exposures, for models too', async () => {
    answerSets(MONTHLIES)
    const { page, faults } = await open('#/hedging/SPY?expirations=7d&vol=3')
    await shows(page, '.gamma-profile', 'expiring within 7 days')
    await shows(page, '.side', 'Dealers trade expiring within 7 days')
    await shows(page, '.side', 'words of all expirations')
    await shows(page, '.through-day', 'of all expirations')
    const profiles = () => service().asked.filter((each) => /\/profile\/.*dte_max=7/.test(each)).length
    await expect.poll(profiles, PATIENT).toBe(2)
    await page.getByLabel('Dealers assumed').focus()
    await isAskedWith('/exposure/models/', 'dte_max=7')
    await page.getByLabel('Dealers assumed').blur()
    await page.keyboard.press('2')
    await leadsTo(page, /#\/expirations\/SPY\?.*expirations=7d/)
    await shows(page, '.matrix-panel', 'expiring within 7 days')
    await shows(page, '.by-date', 'expiring within 7 days')
    await isAskedWith('by=expiration', 'dte_max=7')
    await expect
      .poll(
        () =>
          service()
            .asked.filter((each) => each.includes('/maxpain/'))
            .sort(),
        PATIENT
      )
      .toEqual(['/v1/maxpain/SPY?dte_max=7', '/v1/maxpain/SPY?expiration=2026-11-20'])
    await page.keyboard.press('3')
    await shows(page, '.choice', 'Expirations Today other screens: Within 7 days')
    await shows(page, '.rail', /Call wall/)
    await expect.poll(() => newest('/exposure/zero-dte/'), PATIENT).toBe('all')
    await page.keyboard.press('4')
    await leadsTo(page, /#\/volatility\/SPY\?.*expirations=7d/)
    await page.keyboard.press('1')
    await shows(page, '.rail', 'Levels expiring within 7 days')
    expect(faults).toEqual([])
  })

  test('takes several of the listed dates, and without any all expirations', async () => {
    answerSets(['2026-12-18', '2027-01-15'])
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    await choose(page, '15 Jan 2027')
    await leadsTo(page, /expirations=2027-01-15$/)
    await choose(page, 'Fri 18 Dec')
    await leadsTo(page, /expirations=2026-12-18,2027-01-15$/)
    await shows(page, '.choice summary', '18 Dec, 15 Jan 2027')
    await shows(page, '.rail', 'Levels expiring on 2 dates')
    await isAskedWith('/exposure/levels/', 'expirations=2026-12-18%2C2027-01-15')
    await page.locator('.rail .menu summary').first().click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.rail').getByText('Figures, CSV').locator('visible=true').first().click()
    ])
    expect(readFileSync(await file.path(), 'utf8').split('\n')[0]).toMatch(/, expiring 2026-12-18 2027-01-15$/)
    await openChoice(page)
    for (const date of ['Fri 18 Dec', '15 Jan 2027']) await page.locator('.choice').getByLabel(date).uncheck()
    await leadsTo(page, /#\/overview\/SPY$/)
    await expect.poll(() => page.locator('.choice').getByLabel('All').isChecked(), PATIENT).toBe(true)
    expect(faults).toEqual([])
  })

  test('says while figures are still of the set before', async () => {
    answerSets(MONTHLIES, 3000)
    const { page } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    await choose(page, 'Monthlies')
    await shows(page, '.choice', 'still all expirations')
    await shows(page, '.rail', 'Levels all expirations')
    await shows(page, '.choice', '3 dates to 19 Feb 2027')
    await shows(page, '.rail', 'Levels monthlies')
  })

  test('refused by the plan costs the panels that ask for it, and no others', async () => {
    answer(/./, (url) =>
      isOfSet(url) ? refusal(403, 'tier_restricted', { current_plan: 'basic', required_plan: 'growth' }) : undefined
    )
    const { page, faults } = await open('#/overview/SPY', { refusals: true })
    await shows(page, '.rail', /Call wall/)
    await choose(page, 'Today')
    for (const region of ['.regime', '.rail', '.ladder']) await shows(page, region, 'Needs Growth; this key is Basic.')
    expect(await textOf(page, '.regime')).not.toContain('Positive gamma')
    expect(await textOf(page, '.rail')).not.toContain('Call wall')
    await shows(page, '.zero', /Straddle/)
    await shows(page, '.rail', 'Reading of all expirations')
    await page.keyboard.press('Escape')
    await page.locator('.choice summary').blur()
    await page.keyboard.press('2')
    await shows(page, '.matrix-panel', 'Needs Growth; this key is Basic.')
    await shows(page, '.by-date', 'Needs Growth; this key is Basic.')
    await shows(page, '.pain', /Max pain \d/)
    await choose(page, 'All')
    await shows(page, '.matrix', /\d+d/)
    expect(faults).toEqual([])
  })

  test('leaves out dates that another symbol does not list, and keeps sets by the calendar', async () => {
    answerSets(MONTHLIES)
    answer(/\/v1\/options\/QQQ/, () => {
      const { expirations, ...rest } = recorded('options')
      const others = expirations.filter(({ expiration }: Json) => expiration !== '2026-12-24')
      return { body: { ...rest, symbol: 'QQQ', expirations: others } }
    })
    const { page, faults } = await open('#/overview/SPY?expirations=2026-12-18,2026-12-24')
    await shows(page, '.rail', 'Levels expiring on 2 dates')
    const go = async (symbol: string) => {
      await page.keyboard.press('/')
      await page.keyboard.type(symbol)
      await page.keyboard.press('Enter')
    }
    await go('QQQ')
    await leadsTo(page, /#\/overview\/QQQ\?expirations=2026-12-18$/)
    await shows(page, '.choice', 'QQQ does not list 24 Dec')
    await page.goBack()
    await leadsTo(page, /#\/overview\/SPY\?expirations=2026-12-18,2026-12-24$/)
    await page.evaluate(() => (location.hash = '#/overview/SPY?expirations=2026-12-24'))
    await shows(page, '.choice summary', '24 Dec')
    await go('QQQ')
    await leadsTo(page, /#\/overview\/QQQ$/)
    await shows(page, '.choice', 'QQQ does not list 24 Dec')
    await shows(page, '.rail', /Call wall/)
    await page.evaluate(() => (location.hash = '#/overview/SPY?expirations=45d'))
    await shows(page, '.choice summary', 'Within 45 days')
    await go('QQQ')
    await leadsTo(page, /#\/overview\/QQQ\?expirations=45d$/)
    await shows(page, '.rail', 'Levels expiring within 45 days')
    expect(faults).toEqual([])
  })

  test('of a link stays as it is, and says what is not listed', async () => {
    answerSets(['2026-12-18'])
    const { page } = await open('#/overview/SPY?expirations=2026-12-18,2026-12-19')
    await shows(page, '.choice', '1 of 2 listed')
    await openChoice(page)
    await shows(page, '.choice .dates', 'Sat 19 Dec not listed')
    expect(page.url()).toMatch(/expirations=2026-12-18,2026-12-19$/)
  })

  test('works by keys alone, and closes at a press elsewhere', async () => {
    answerSets(MONTHLIES)
    const { page } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    await page.getByLabel('Dealers assumed').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const list = page.getByRole('group', { name: 'Single dates' })
    await expect.poll(() => list.isVisible(), PATIENT).toBe(true)
    await shows(page, '.choice .dates', 'Fri 18 Dec')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await leadsTo(page, /expirations=0dte$/)
    await page.keyboard.press('ArrowDown')
    await leadsTo(page, /expirations=7d$/)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await leadsTo(page, /expirations=2026-11-20$/)
    await page.keyboard.press('Escape')
    await expect.poll(() => list.isVisible(), PATIENT).toBe(false)
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent), PATIENT)
      .toMatch(/^Expirations: 20 Nov/)
    await page.keyboard.press('Enter')
    await expect.poll(() => list.isVisible(), PATIENT).toBe(true)
    await page.locator('.regime .word').click()
    await expect.poll(() => list.isVisible(), PATIENT).toBe(false)
  })

  test('opens inside the window on a phone', async () => {
    answerSets(MONTHLIES)
    for (const screen of ['overview', 'expirations', 'hedging']) {
      const { page } = await open(`#/${screen}/SPY?expirations=2026-12-18,2027-01-15`, { width: 390, height: 844 })
      await openChoice(page)
      const inside = async () => {
        const box = (await page.locator('.choice .drop > div').boundingBox())!
        return box.x >= 0 && box.y >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844
      }
      await expect.poll(inside, PATIENT).toBe(true)
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), PATIENT)
        .toBeLessThanOrEqual(0)
      await page.context().close()
    }
  })
})
