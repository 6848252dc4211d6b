import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { SCREEN_IDS, SCREENS, type Screen } from '../../src/state/page/screens.ts'
import { describePages, PATIENT, settled, shows } from './browser.ts'

/** The content policy blocks foreign scripts, but a debugger may add one. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const EXAMINED: readonly (readonly [screen: Screen, region: string, text: RegExp, query?: string])[] = [
  ['overview', '.rail', /Call wall/],
  ['overview', '.rail', /dealers all short/, '?dealers=all_short'],
  ['overview', '.rail', /monthlies/, '?expirations=monthly'],
  ['overview', '.card', /Price moved/, '?card=net_gex'],
  ['overview', '.card', /Candidates/, '?card=call_wall&tab=rests'],
  ['overview', '.card', /in 90 of 100 draws.*dealer models/, '?card=gamma_flip&tab=sure'],
  ['overview', '.card', /highest/, '?card=net_gex&tab=history'],
  ['expirations', '.matrix', /\d+d/],
  ['expirations', '.card', /Price moved/, '?card=net_gex&of=2026-11-27'],
  ['expirations', '.matrix-panel', /expiring within 7 days/, '?expirations=7d'],
  ['zero-dte', '.rail', /Call wall/],
  ['zero-dte', '.card', /in 90 of 100/, '?card=net_gex&of=0dte&tab=sure'],
  ['volatility', '.side', /At the money/],
  ['volatility', '.card', /Implied volatility/, '?card=atm_iv'],
  ['hedging', '.side', /spot/],
  ['hedging', '.side', /expiring 18 Dec/, '?expirations=2026-12-18'],
  ['hedging', '.card', /Price moved/, '?card=net_vex'],
  ['premium', '.side', /Realized/],
  ['screener', '.found', /AAPL/],
  ['lab', '.side', /Break-even \d/, '?legs=+1C700@2026-12-18,-1C710@2026-12-18'],
  ['flow', '.tape', /bought/],
  ['flow', '.pressure', /Vega/, '?scope=next&greek=vega'],
  ['flow', '.card', /Hedging pressure/, '?card=flow.hedge.delta'],
  ['ideas', '.idea', /Why/],
  ['ideas', '.idea', /Past reports/, '?idea=report'],
  ['alerts', '.rules', /net GEX/],
  ['account', '.keys', /demo/],
  ['workspace', '#panel-1 .chart-legend', /Call wall/],
  ['workspace', '#panel-3', /Call wall/, '?layout=zero-dte-desk'],
  ['status', '.held', /SPY/]
]

/** Rules of axe that look at colours and are on by default. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

const SIZES = [
  [1440, 900],
  [390, 844]
] as const

test('every screen is among those that are examined', () => {
  expect([...new Set(EXAMINED.map(([screen]) => screen))].sort()).toEqual([...SCREEN_IDS].sort())
})

test('themes differ in colours alone, so that only those are examined in both', () => {
  const styles = new URL('../../src/style/', import.meta.url)
  const themed = readdirSync(styles).flatMap((file) =>
    [...readFileSync(new URL(file, styles), 'utf8').matchAll(/\[data-theme="\w+"\] \{([^}]*)\}/g)].map(
      ([, rule]) => rule
    )
  )
  expect(themed.length).toBe(2)
  const [dark, light] = themed.map((rule) => [...rule.matchAll(/^ *([\w-]+): (.+);$/gm)])
  expect(light.map(([, name]) => name)).toEqual(dark.map(([, name]) => name))
  const values = [...dark, ...light].flatMap(([, name, value]) => (name === 'color-scheme' ? [] : [value]))
  for (const value of values) expect(value).toMatch(/^(#[0-9a-f]{6}([0-9a-f]{2})?|var\(--[\w-]+\))$/)
})

// Readers go from screen to screen in one page, so these tests do too: opening each anew takes a third of their time.
for (const [width, height] of SIZES)
  describePages(`for everybody at ${width}`, ({ open }) => {
    for (const [screen, region, text, query = ''] of EXAMINED)
      test(`${screen}${query} has no violation, dark or light, and scrolls no page sideways`, async () => {
        const opened = await open(`#/${screen}/SPY${query}`, { theme: 'dark', width, height, goesOn: true })
        const { page } = opened
        await expect.poll(() => page.title(), PATIENT).toMatch(new RegExp(`· ${SCREENS[screen].title}$`))
        await shows(page, region, text)
        await settled(opened)
        if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
        expect(await violationsOf(page), 'dark').toEqual([])
        await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
        await page.keyboard.press('t')
        await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('light')
        // The heading of a panel that is being renewed takes its new colour half a second later.
        await expect.poll(() => violationsOf(page, COLOR_RULES), { ...PATIENT, message: 'light' }).toEqual([])
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), PATIENT)
          .toBeLessThanOrEqual(0)
        await page.keyboard.press('t')
        await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
      })
  })

describePages('for everybody', ({ service, open }) => {
  for (const theme of ['dark', 'light'] as const)
    test(`the open choice of expirations has no violation, ${theme}`, async () => {
      const { page } = await open('#/overview/SPY?expirations=2026-12-18,2026-12-19', { theme })
      await page.locator('.choice summary').click()
      await shows(page, '.choice .dates', /Sat 19 Dec not listed/)
      await page.waitForLoadState('networkidle')
      await page.evaluate(axe)
      expect(await violationsOf(page)).toEqual([])
    })

  for (const theme of ['dark', 'light'] as const)
    test(`the open list of levels to export has no violation, ${theme}`, async () => {
      service().rules.unshift(({ pathname }) =>
        pathname.includes('/chart-levels/') ? { body: 'call_wall=700' } : undefined
      )
      const { page } = await open('#/overview/SPY', { theme })
      await page.locator('.chart-tools summary', { hasText: 'Export' }).click()
      await shows(page, '.export-levels', /Copy levels/)
      await page.waitForLoadState('networkidle')
      await page.evaluate(axe)
      expect(await violationsOf(page)).toEqual([])
    })

  for (const theme of ['dark', 'light'] as const)
    test(`an alert line that is being placed and the marks of what fired have no violation, ${theme}`, async () => {
      const { page } = await open('#/overview/SPY', { theme })
      await shows(page, '.chart-legend', /Call wall/)
      await expect.poll(() => page.locator('.fired-mark').count(), PATIENT).toBeGreaterThan(0)
      await page.keyboard.press('a')
      await shows(page, '.alert-form', /Set alert/)
      await page.waitForLoadState('networkidle')
      await page.evaluate(axe)
      expect(await violationsOf(page)).toEqual([])
    })

  for (const theme of ['dark', 'light'] as const)
    test(`palette, first steps and the welcome have no violation, ${theme}`, async () => {
      service().rules.unshift(({ pathname }) =>
        pathname === '/v1/me/settings' ? { body: { documents: [] } } : undefined
      )
      const { page } = await open('#/overview/SPY', { theme })
      await shows(page, '.welcome', /New here/)
      await page.evaluate(axe)
      await page.keyboard.press('Control+k')
      await shows(page, '#palette', /Alert line/)
      expect(await violationsOf(page), 'palette').toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Begin' }).click()
      await shows(page, '#first-steps', /What do you trade/)
      expect(await violationsOf(page), 'first steps').toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      expect(await violationsOf(page), 'first steps on a phone').toEqual([])
    })

  for (const theme of ['dark', 'light'] as const)
    test(`the front door has no violation, ${theme}`, async () => {
      service().rules.unshift(() => ({ status: 401 }))
      const { page } = await open('#/overview/SPY', { theme, refusals: true })
      await shows(page, '.door', /API key/)
      await page.evaluate(axe)
      expect(await violationsOf(page)).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      expect(await violationsOf(page), 'on a phone').toEqual([])
    })

  for (const theme of ['dark', 'light'] as const)
    test(`the open settings of a panel have no violation, ${theme}`, async () => {
      const { page } = await open('#/workspace/SPY', { theme })
      await shows(page, '#panel-1 .chart-legend', /Call wall/)
      await page.locator('#panel-1 summary').first().click()
      await page.locator('#panel-1').getByLabel('Link', { exact: true }).selectOption('green')
      await shows(page, '#panel-1 .drop[open]', /Back to|Hold/)
      await page.waitForLoadState('networkidle')
      await page.evaluate(axe)
      expect(await violationsOf(page)).toEqual([])
    })

  test('in the colours of the reader what means something by its colour keeps it, and the screen shown is marked', async () => {
    const { page } = await open('#/overview/SPY', { forcedColors: true })
    await shows(page, '.rail', /Call wall/)
    await page.waitForLoadState('networkidle')
    await page.evaluate(axe)
    expect(await violationsOf(page)).toEqual([])
    const styleOf = (selector: string, name: 'backgroundImage' | 'backgroundColor' | 'borderBottomColor') =>
      page
        .locator(selector)
        .first()
        .evaluate((element, of) => getComputedStyle(element)[of], name)
    expect(await styleOf('.gauge', 'backgroundImage')).toMatch(/^linear-gradient/)
    expect(await styleOf('.hedges .sell', 'backgroundColor')).not.toBe(await styleOf('.hedges .buy', 'backgroundColor'))
    const marked = await styleOf('.head nav a[aria-current]', 'borderBottomColor')
    expect(await styleOf('.head nav a:not([aria-current])', 'borderBottomColor')).not.toBe(marked)
  })

  test('the overview asks for at most eleven answers', async () => {
    const { page } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    await page.waitForLoadState('networkidle')
    // Besides these: what is the reader's own, such as alerts.
    const answers = service().asked.filter((path) => !/^\/(session$|v1\/(stream\/ticket$|alerts))/.test(path))
    expect(answers).toContainEqual(expect.stringMatching(/^\/v1\/exposure\/summary/))
    expect(answers.length, answers.join(' ')).toBeLessThanOrEqual(11)
  })
})

/** Violations of these rules; without a list, of all. */
function violationsOf(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  return page.evaluate(async (runOnly) => {
    type Axe = { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    const { axe } = globalThis as unknown as { readonly axe: Axe }
    const found = await axe.run(runOnly === undefined ? {} : { runOnly })
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  }, rules)
}
