import { expect, test } from 'vitest'
import { describePages, leadsTo, PATIENT, shows } from './browser.ts'
import { recorded, refusal, type ScriptedAnswer } from './service.ts'

/** A screen, its main answer, a panel, the answer behind the panel, and the text that it then shows. */
const SCREENS = [
  ['zero-dte', ['summary', /exposure\/summary/], '.rail', /exposure\/zero-dte/, /Call wall/],
  ['hedging', ['profile', /exposure\/profile/], '.side', /exposure\/profile/, /spot/],
  ['flow', ['dealer-risk', /dealer-risk/], '.tape', /recent/, /bought/]
] as const

describePages('the states of each screen', ({ service, open }) => {
  const answer = (path: RegExp, answerOf: (url: URL) => ScriptedAnswer | undefined) =>
    service().rules.unshift((url) => (path.test(url.pathname) ? answerOf(url) : undefined))

  for (const [screen, [main, mainPath], panel, path, text] of SCREENS) {
    test(`${screen}: a first answer on its way shows as a line, and then the figures`, async () => {
      let isHeld = true
      answer(path, () => (isHeld ? { ...refusal(404, 'no_data'), delay: 2000 } : undefined))
      const { page } = await open(`#/${screen}/SPY`, { refusals: true })
      await expect.poll(() => page.locator(`${panel}[data-state=loading]`).count(), PATIENT).toBe(1)
      await shows(page, panel, /Loading\./)
      await shows(page, panel, /No data\./)
      isHeld = false
      await page.evaluate(() => {
        location.hash += '?at=2026-11-20T11:00:00'
      })
      await shows(page, panel, text)
    })

    test(`${screen}: stale data is said in words and stays`, async () => {
      answer(mainPath, () => ({ body: recorded(main), headers: { 'x-data-age': '905', 'x-data-stale': 'true' } }))
      const { page } = await open(`#/${screen}/SPY`)
      await shows(page, '.state', /Stale/)
      await shows(page, panel, text)
    })

    test(`${screen}: a plan too low costs the panel`, async () => {
      answer(path, () => refusal(403, 'tier_restricted', { current_plan: 'free', required_plan: 'growth' }))
      const { page } = await open(`#/${screen}/SPY`, { refusals: true })
      await shows(page, panel, 'Needs Growth; this key is Free.')
    })

    test(`${screen}: an unknown symbol names its neighbours, a past without data the way out`, async () => {
      answer(/SPYY/, () => refusal(404, 'symbol_not_found'))
      const { page } = await open(`#/${screen}/SPYY`, { refusals: true })
      await shows(page, '.banner', /SPYY is not known here\. SPY/)
      await page.locator('.banner a').first().click()
      await leadsTo(page, `#/${screen}/SPY`)
      await shows(page, panel, text)
      answer(/./, ({ searchParams }) => (searchParams.has('at') ? refusal(404, 'no_coverage') : undefined))
      await page.evaluate(() => {
        location.hash += '?at=2019-01-02T11:00:00'
      })
      await shows(page, '.banner', 'Nothing has been recorded for SPY. Show it live')
    })
  }
})
