import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { recordedPayloads } from '../../../test/support/cboe-payload.ts'
import { type Service, startService, temporaryFolder } from '../../../test/support/started-service.ts'
import { SCREEN_IDS } from '../../src/state/page/screens.ts'
import { describePages, hasBrowser, newPage, type Opened, settled, startBrowser } from './browser.ts'
import { deadEnds, type EmptyPlace, emptyPlaces } from './empty-panels.ts'
import { refusal, type ScriptedAnswer } from './service.ts'

/** Answers that are no figures and stay: what a page is, rather than what it shows. */
const KEPT = /^\/(v1\/(me|market\/session|account|symbols|stream|admin|recorded)|health|session)/

const REASONS: readonly (readonly [reason: string, answer: ScriptedAnswer, wayOn: RegExp])[] = [
  ['nothing is recorded', refusal(404, 'no_data'), /Import its past/],
  ['the plan is too low', refusal(403, 'tier_restricted', { required_plan: 'alpha' }), /See your plan/],
  ['the data is being read', refusal(503, 'data_loading', { loading: 'chain' }), /See the status/],
  ['the source is down', refusal(502, 'upstream_error'), /See the status/]
]

/** The places of a page that have nothing to show, once it has got all that it asked for. */
async function emptyOf(opened: Opened, address: string): Promise<readonly EmptyPlace[]> {
  await opened.page.goto(address)
  await opened.page.locator('main:not(.waiting)').waitFor()
  await settled(opened)
  return emptyPlaces(opened.page)
}

describePages('an empty panel', ({ service, open }) => {
  test.each(REASONS)('says why and leads on, on every screen, where %s', async (_, answer, wayOn) => {
    service().rules.unshift(({ pathname }) => (KEPT.test(pathname) ? undefined : answer))
    for (const screen of SCREEN_IDS) {
      const opened = await open(undefined, { refusals: true })
      const found = await emptyOf(opened, `${service().url}/#/${screen}/SPY`)
      expect(deadEnds(found), screen).toEqual([])
      if (screen === 'overview') expect(found.flatMap(({ ways }) => ways).join()).toMatch(wayOn)
      await opened.page.context().close()
    }
  })

  test('leads to all expirations, or to now, where a choice of the reader left nothing', async () => {
    service().rules.unshift(({ pathname }) =>
      pathname.startsWith('/v1/exposure/') ? refusal(404, 'no_data') : undefined
    )
    for (const [query, way] of [
      ['expirations=0dte', 'Show all expirations'],
      ['at=2026-11-20T11:00:00', 'Show it live']
    ] as const) {
      const opened = await open(undefined, { refusals: true })
      const found = await emptyOf(opened, `${service().url}/#/expirations/SPY?${query}`)
      expect(found.flatMap(({ ways }) => ways)).toContain(way)
      await opened.page.context().close()
    }
  })
})

const recorded = recordedPayloads()

describe.runIf(hasBrowser && recorded !== undefined)('with sessions that Cboe recorded', () => {
  let service: Service
  let browser: Browser
  beforeAll(async () => {
    const source = ['--source', 'cboe', '--cboe-path', recorded!, '--workers', '1']
    ;[service, browser] = await Promise.all([startService(temporaryFolder(), source), startBrowser()])
  }, 400_000)
  afterAll(() => browser?.close())
  vi.setConfig({ testTimeout: 400_000 })

  test('no panel of any screen is empty without a sentence and a way on', async () => {
    const opened = await newPage(browser, [service.base], { refusals: true })
    await opened.page.request.post(`${service.base}/session`, { data: { key: service.keys.alpha } })
    for (const screen of SCREEN_IDS) {
      const found = await emptyOf(opened, `${service.base}/#/${screen}/SPY`)
      for (const { panel, sentence, ways } of found) console.log(`${screen}: ${panel}: ${sentence} [${ways.join()}]`)
      expect(deadEnds(found), screen).toEqual([])
    }
  })
})
