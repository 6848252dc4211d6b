import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describePages, PATIENT, shows } from './browser.ts'
import { refusal } from './service.ts'

/** Screens about the symbol of the page. */
const SCREENS = [
  'overview',
  'expirations',
  'zero-dte',
  'volatility',
  'hedging',
  'premium',
  'lab',
  'flow',
  'ideas'
] as const

/** Numbers of three digits and more in the page, as they are written: figures, and not "0DTE" or "25 delta". */
async function figuresOf(page: Page): Promise<readonly string[]> {
  const text = await page.evaluate(() =>
    ['.head .spot', 'main']
      .map((each) => (document.querySelector(each) as HTMLElement | null)?.innerText ?? '')
      .join(' ')
  )
  const numbers = text.match(/\d[\d,.]*\d/g) ?? []
  return [...new Set(numbers.filter((each) => each.replace(/\D/g, '').length >= 3))]
}

const isSettled = (page: Page) => expect.poll(() => page.locator('main [aria-busy=true]').count(), PATIENT).toBe(0)

describePages('a figure stands under its own symbol and moment', ({ service, open }) => {
  // Held requests would keep the connections of the page from others, so they are told to come back.
  const hold = (about: RegExp) =>
    service().rules.unshift(({ pathname, search }) =>
      about.test(`${pathname}${search}`) ? refusal(503, 'data_loading', {}) : undefined
    )

  for (const screen of SCREENS) {
    test(`${screen}: of another symbol nothing stays, and of a later moment nothing`, async () => {
      hold(/QQQ/)
      const { page: bare } = await open(`#/${screen}/QQQ?at=2026-11-20T11:30:00`, { refusals: true })
      const { page } = await open(`#/${screen}/SPY?at=2026-11-20T11:30:00`, { refusals: true })
      await shows(page, '.head .spot', /\d{3}\.\d\d/)
      await isSettled(page)
      const ofSpy = await figuresOf(page)
      /** Figures of the page before, less those that a page shows which was never about that symbol. */
      const left = async () => {
        const fixed = await figuresOf(bare)
        return (await figuresOf(page)).filter((each) => ofSpy.includes(each) && !fixed.includes(each))
      }
      expect((await left()).length).toBeGreaterThan(4)
      const change = (address: string) =>
        page.evaluate((hash) => {
          location.hash = hash
        }, address)
      await change(`#/${screen}/QQQ?at=2026-11-20T11:30:00`)
      await expect.poll(left, PATIENT).toEqual([])
      await expect.poll(() => page.title(), PATIENT).toMatch(/^QQQ, Fri 20 Nov 11:30 · /)
      await change(`#/${screen}/SPY?at=2026-11-20T11:30:00`)
      await shows(page, '.head .spot', /\d{3}\.\d\d/)
      await isSettled(page)
      hold(/SPY/)
      await change(`#/${screen}/SPY?at=2026-11-20T10:30:00`)
      await expect.poll(left, PATIENT).toEqual([])
    })

    test(`${screen}: the first step from now into the past empties the figures of now`, async () => {
      hold(/at=2026/)
      const { page: bare } = await open(`#/${screen}/SPY?at=2026-11-20T10:30:00`, { refusals: true })
      const { page } = await open(`#/${screen}/SPY`, { refusals: true })
      await shows(page, '.head .spot', /\d{3}\.\d\d/)
      await isSettled(page)
      const ofNow = await figuresOf(page)
      const left = async () => {
        const fixed = await figuresOf(bare)
        return (await figuresOf(page)).filter((each) => ofNow.includes(each) && !fixed.includes(each))
      }
      expect((await left()).length).toBeGreaterThan(4)
      await page.evaluate((hash) => {
        location.hash = hash
      }, `#/${screen}/SPY?at=2026-11-20T10:30:00`)
      await expect.poll(left, PATIENT).toEqual([])
      await expect.poll(() => page.title(), PATIENT).toMatch(/^SPY, Fri 20 Nov 10:30 · /)
    })
  }
})
