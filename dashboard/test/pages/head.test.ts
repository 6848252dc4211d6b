import { expect, test } from 'vitest'
import { describePages, PATIENT, shows } from './browser.ts'
import { recorded, type ScriptedAnswer } from './service.ts'

const STATES: readonly (readonly [address: string, pill: RegExp, answer: ScriptedAnswer])[] = [
  ['#/flow/SPY', /Live|Delayed|Connecting/, {}],
  ['#/overview/SPY', /Stale/, { body: recorded('summary'), headers: { 'x-data-age': '905', 'x-data-stale': 'true' } }],
  [
    '#/overview/SPY?at=2026-11-20T12:10:00',
    /Replay/,
    { body: recorded('summary'), headers: { 'x-replay-fidelity': 'imported' } }
  ]
]

describePages('the head', ({ service, open }) => {
  test.each([
    768, 1100, 1280, 1440
  ])('has every link whole or in its menu at a width of %i, whatever its state', async (width) => {
    for (const [address, pill, answer] of STATES) {
      service().rules.length = 0
      service().rules.unshift(({ pathname }) => {
        if (pathname.startsWith('/v1/recorded/')) return { body: { sessions: [{ moments: ['10:30:00', '11:30:00'] }] } }
        return pathname.includes('/summary/') && answer.body !== undefined ? answer : undefined
      })
      const { page } = await open(address, { width })
      await shows(page, '.state', pill)
      const seen = () =>
        page.evaluate(() => {
          const nav = document.querySelector('.head nav')!.getBoundingClientRect()
          const links = [...document.querySelectorAll('.head nav a')].map((link) => ({
            name: link.textContent,
            box: link.getBoundingClientRect(),
            isCurrent: link.hasAttribute('aria-current')
          }))
          const isIn = (box: DOMRect) =>
            box.left >= nav.left - 1 && box.right <= nav.right + 1 && box.top < nav.bottom - 8
          const isCut = (box: DOMRect) => box.top < nav.bottom - 8 && box.right > nav.right + 1
          return {
            cut: links.filter(({ box }) => isCut(box)).map(({ name }) => name),
            missing: links.filter(({ box }) => !isIn(box)).map(({ name }) => name),
            current: links.filter(({ box, isCurrent }) => isCurrent && isIn(box)).length,
            hasMenu: getComputedStyle(document.querySelector('.head .more')!).display !== 'none',
            wide: document.documentElement.scrollWidth
          }
        })
      // Late answers change the head once more, so that one reading may fall between two sizes.
      const fitting = async () => {
        const { cut, missing, current, hasMenu, wide } = await seen()
        return { cut, current, wide, isMenuAsNeeded: hasMenu === missing.length > 0 }
      }
      const whole = { cut: [], current: 1, wide: width, isMenuAsNeeded: true }
      await expect.poll(fitting, { ...PATIENT, message: address }).toEqual(whole)
      if ((await seen()).hasMenu) {
        await page.locator('.head .more summary').click()
        await expect.poll(() => page.locator('.head .more a').count(), PATIENT).toBe(10)
        await page.locator('.head .more a', { hasText: 'Lab' }).click()
        await shows(page, '.head nav a[aria-current]', 'Lab')
      }
      await page.context().close()
    }
  })

  test.each([360, 390])('is one row on a phone of %i, and the foot leads to every screen', async (width) => {
    for (const [address, pill, answer] of STATES) {
      service().rules.length = 0
      service().rules.unshift(({ pathname }) =>
        pathname.includes('/summary/') && answer.body !== undefined ? answer : undefined
      )
      const { page } = await open(address, { width, height: 844 })
      await shows(page, '.state', pill)
      const seen = () =>
        page.evaluate(() => {
          const boxOf = (element: Element) => element.getBoundingClientRect()
          const parts = [...document.querySelectorAll('.head > *, .phone-tabs > *')].filter(
            (part) => boxOf(part).width > 0
          )
          return {
            head: boxOf(document.querySelector('.head')!).height,
            outside: parts.filter((part) => boxOf(part).left < 0 || boxOf(part).right > innerWidth).length,
            tabs: [...document.querySelectorAll('.phone-tabs > *')]
              .map((tab) => tab.querySelector('summary') ?? tab)
              .map((tab) => tab.textContent),
            foot: innerHeight - boxOf(document.querySelector('.phone-tabs')!).bottom,
            wide: document.documentElement.scrollWidth
          }
        })
      const tabs = ['Overview', 'Expirations', '0DTE', 'Alerts', 'More']
      const whole = { head: 48, outside: 0, tabs, foot: 0, wide: width }
      await expect.poll(seen, { ...PATIENT, message: address }).toEqual(whole)
      for (const screen of ['Lab', 'Account']) {
        await page.locator('.phone-tabs summary').click()
        await page.locator('.phone-tabs .menu a', { hasText: screen }).click()
        await expect.poll(() => page.url(), PATIENT).toContain(`#/${screen.toLowerCase()}`)
        expect(await page.locator('.phone-tabs details[open]').count()).toBe(0)
      }
      await page.locator('.phone-tabs > a', { hasText: '0DTE' }).click()
      await shows(page, '.phone-tabs a[aria-current]', '0DTE')
      await page.context().close()
    }
  })
})
