import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describePages, shows } from './browser.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const SCREENS: readonly (readonly [screen: string, region: string, text: RegExp, query?: string])[] = [
  ['overview', '.rail', /Call wall/],
  ['overview', '.rail', /dealers all short/, '?dealers=all_short'],
  ['expirations', '.matrix', /\d+d/],
  ['zero-dte', '.rail', /Call wall/],
  ['volatility', '.side', /At the money/],
  ['hedging', '.side', /spot/],
  ['premium', '.side', /Realized/],
  ['screener', '.found', /AAPL/],
  ['lab', '.side', /Break-even \d/, '?legs=+1C700@2026-12-18,-1C710@2026-12-18'],
  ['flow', '.tape', /bought/],
  ['alerts', '.rules', /net GEX/],
  ['account', '.keys', /demo/],
  ['status', '.held', /SPY/]
]

const SIZES = [
  [1440, 900],
  [390, 844]
] as const

describePages('for everybody', ({ open }) => {
  for (const [screen, region, text, query = ''] of SCREENS)
    for (const [width, height] of SIZES)
      test(`${screen}${query} at ${width} has no violation, dark or light, and scrolls no page sideways`, async () => {
        const { page } = await open(`#/${screen}/SPY${query}`, { theme: 'dark', width, height })
        await shows(page, region, text)
        await page.waitForLoadState('networkidle')
        // The policy of the page lets no foreign script in: the debugger may bring one.
        await page.evaluate(axe)
        expect(await violationsOf(page), 'dark').toEqual([])
        await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
        await page.keyboard.press('t')
        await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('light')
        expect(await violationsOf(page), 'light').toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      })
})

function violationsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    type Axe = { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    const found = await (globalThis as unknown as { axe: Axe }).axe.run()
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  })
}
