import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sharedText } from '../../src/state/workspace/layout-text.ts'
import { PRESETS } from '../../src/state/workspace/preset-layouts.ts'
import { asks, describePages, leadsTo, PATIENT, shows, textOf } from './browser.ts'
import { keeping } from './keeping.ts'
import { type Json, recorded, refusal } from './service.ts'

const panel = (page: Page, n: number) => page.locator(`#panel-${n}`)
const nameOf = (page: Page, n: number) => panel(page, n).getAttribute('aria-label')
const isNamed = (page: Page, n: number, name: string) =>
  expect.poll(() => nameOf(page, n), PATIENT).toBe(`Panel ${n}, ${name}`)
const countOf = (page: Page, count: number) => expect.poll(() => page.locator('.tile').count(), PATIENT).toBe(count)

/** Opens the settings of a panel: what it is about, or where it stands. */
async function opened(page: Page, n: number, which: 'subject' | 'arrange') {
  const drop = panel(page, n)
    .locator('.drop')
    .nth(which === 'subject' ? 0 : 1)
  if ((await drop.getAttribute('open')) === null) await drop.locator('summary').press('Enter')
  return drop
}

async function arranges(page: Page, n: number, act: string) {
  await (await opened(page, n, 'arrange')).getByRole('button', { name: act }).press('Enter')
}

/** Takes back what was changed of the preset that is shown, by the menu of layouts. */
async function resetsPreset(page: Page) {
  const menu = page.locator('.layouts .drop', { hasText: 'Rename' })
  await menu.locator('summary').press('Enter')
  await menu.getByRole('button', { name: /Reset/ }).press('Enter')
  await menu.getByRole('button', { name: /Really reset/ }).press('Enter')
}

async function setSymbol(page: Page, n: number, symbol: string) {
  const field = (await opened(page, n, 'subject')).getByLabel('Symbol', { exact: true })
  await field.fill(symbol)
  await field.press('Enter')
}

describePages('the workspace', ({ service, open }) => {
  test('each panel shows its own symbol, and one that follows the page that of the page', async () => {
    const { page, faults } = await open('#/workspace/SPY')
    await isNamed(page, 1, 'Chart of SPY')
    await isNamed(page, 2, 'Chart of SPX')
    await isNamed(page, 4, 'Chart of IWM')
    for (const symbol of ['SPY', 'SPX', 'QQQ', 'IWM']) await asks(service(), new RegExp(`^/v1/bars/${symbol}\\?`))
    await shows(page, '#panel-2 .chart-legend', /^SPX 15m/)
    service().asked.length = 0
    await page.evaluate(() => {
      location.hash = '#/workspace/AAPL'
    })
    await isNamed(page, 1, 'Chart of AAPL')
    await isNamed(page, 2, 'Chart of SPX')
    await shows(page, '#panel-1 .chart-legend', /^AAPL 15m/)
    expect(service().asked.filter((path) => /bars\/(SPX|QQQ|IWM)/.test(path))).toEqual([])
    expect(faults).toEqual([])
  })

  test('panels about the same ask once', async () => {
    const { page } = await open('#/workspace/SPY?layout=zero-dte-desk')
    await shows(page, '#panel-3', /Call wall/)
    await page.waitForLoadState('networkidle')
    const paths = service().asked.map((path) => path.split('?')[0]!)
    const twice = paths.filter((path, i) => path.includes('/exposure/') && paths.indexOf(path) !== i)
    expect(twice).toEqual([])
  })

  test('of another symbol, and of a later moment, no figure stays in a panel', async () => {
    const { page } = await open('#/workspace/SPY', { refusals: true })
    await shows(page, '#panel-3 .chart-legend', /Call wall \d/)
    const figures = async () => ((await textOf(page, '#panel-3 .tile-body')).match(/\d[\d,.]*\d/g) ?? []).length
    await expect.poll(figures, PATIENT).toBeGreaterThan(2)
    service().rules.unshift(({ pathname }) => (/AMD/.test(pathname) ? refusal(503, 'data_loading') : undefined))
    await setSymbol(page, 3, 'AMD')
    await isNamed(page, 3, 'Chart of AMD')
    await expect.poll(figures, PATIENT).toBe(0)
    await expect.poll(() => textOf(page, '#panel-3 time'), PATIENT).toBe('–')
    await setSymbol(page, 3, 'QQQ')
    await expect.poll(figures, PATIENT).toBeGreaterThan(2)
    service().rules.unshift(({ searchParams }) => (searchParams.has('at') ? refusal(503, 'data_loading') : undefined))
    await page.evaluate(() => {
      location.hash = '#/workspace/SPY?at=2026-11-20T10:30:00'
    })
    await expect.poll(() => textOf(page, '#panel-3 time'), PATIENT).toBe('–')
  })

  test('a second group has a symbol and a moment of its own, which its panels share', async () => {
    const { page } = await open('#/workspace/SPY')
    for (const n of [2, 3]) {
      const settings = await opened(page, n, 'subject')
      await settings.getByLabel('Link', { exact: true }).selectOption('green')
      await settings.getByLabel('Symbol of its link').check()
    }
    await setSymbol(page, 2, 'TLT')
    await isNamed(page, 2, 'Chart of TLT')
    await isNamed(page, 3, 'Chart of TLT')
    await isNamed(page, 1, 'Chart of SPY')
    const settings = await opened(page, 2, 'subject')
    await settings.getByLabel('Moment').fill('2026-11-20T10:30')
    await settings.getByRole('button', { name: 'Hold' }).press('Enter')
    await asks(service(), /^\/replay\/v1\/bars\/TLT/, /at=2026-11-20T10(:|%3A)30/)
    expect(service().asked.some((path) => /^\/replay\/v1\/bars\/(SPY|IWM)/.test(path))).toBe(false)
    await opened(page, 3, 'subject').then((each) => each.getByRole('button', { name: 'Back to live' }).press('Enter'))
    await expect.poll(() => panel(page, 2).getByRole('button', { name: 'Back to live' }).count(), PATIENT).toBe(0)
  })

  test('a panel by itself keeps its symbol, and its settings are its own', async () => {
    const { page } = await open('#/workspace/SPY')
    const settings = await opened(page, 1, 'subject')
    await settings.getByLabel('Link', { exact: true }).selectOption('none')
    await settings.getByLabel('Expirations').selectOption('7d')
    await asks(service(), /^\/v1\/exposure\/levels\/SPY/, /dte_max=7/)
    await shows(page, '#panel-1 .chart-words', /expiring within 7 days.*lines through time of all expirations/)
    await panel(page, 1).getByLabel('Bars', { exact: true }).selectOption('5m')
    await asks(service(), /^\/v1\/bars\/SPY/, /every=5m/)
    await page.evaluate(() => {
      location.hash = '#/workspace/QQQ'
    })
    await isNamed(page, 3, 'Chart of QQQ')
    await isNamed(page, 1, 'Chart of SPY')
  })

  test('is built by keys alone: a layout, its panels, their order and room', async () => {
    const kept = new Map<string, Json>([['settings/page', { steps: 'done' }]])
    keeping(service(), kept)
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    await page.keyboard.press('w')
    await countOf(page, 4)
    const make = page.locator('.layouts .drop', { hasText: 'New layout' })
    await make.locator('summary').press('Enter')
    await make.getByLabel('Name').fill('Morning')
    await make.getByLabel('Name').press('Enter')
    await leadsTo(page, 'layout=morning')
    await countOf(page, 1)
    await arranges(page, 1, 'Add to the right')
    await countOf(page, 2)
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.tile')?.id), PATIENT).toBe('panel-2')
    await arranges(page, 2, 'Add below')
    await (await opened(page, 3, 'subject')).getByLabel('Panel', { exact: true }).selectOption('levels')
    await shows(page, '#panel-3', /Call wall/)
    await setSymbol(page, 2, 'QQQ')
    // Two panels follow the page by then: the symbol went to it.
    await leadsTo(page, '/QQQ?')
    const before = await panel(page, 1).evaluate((each) => each.getBoundingClientRect().width)
    await arranges(page, 1, 'Wider')
    await expect
      .poll(() => panel(page, 1).evaluate((each) => each.getBoundingClientRect().width), PATIENT)
      .toBeGreaterThan(before)
    await arranges(page, 3, 'Move back')
    await isNamed(page, 2, 'Levels of QQQ')
    await arranges(page, 3, 'Remove')
    await countOf(page, 2)
    await expect
      .poll(() => kept.get('layouts/morning'), PATIENT)
      .toMatchObject({
        name: 'Morning',
        root: { split: 'columns', parts: [{ kind: 'chart', size: 2 }, { kind: 'levels' }] }
      })
    expect(faults).toEqual([])
  })

  test('a layout comes from the service; a changed preset can be taken back', async () => {
    const mine = { ...PRESETS['one-chart'], name: 'Mine' }
    const kept = new Map<string, Json>([
      ['layouts/mine', mine],
      ['settings/page', { steps: 'done' }]
    ])
    const changes = keeping(service(), kept)
    const { page } = await open('#/workspace/SPY?layout=mine')
    await countOf(page, 1)
    await page.locator('.layouts a', { hasText: 'Index day' }).click()
    await countOf(page, 4)
    expect(changes).toEqual([])
    await arranges(page, 4, 'Remove')
    await expect.poll(() => kept.has('layouts/index-day'), PATIENT).toBe(true)
    await shows(page, '.layouts', /Index day · changed/)
    await page.reload()
    await countOf(page, 3)
    await resetsPreset(page)
    await countOf(page, 4)
    await expect.poll(() => kept.has('layouts/index-day'), PATIENT).toBe(false)
    // A layout that another device removed is not brought back by this one.
    kept.delete('layouts/mine')
    await page.reload()
    await countOf(page, 4)
    await expect.poll(() => page.locator('.layouts a', { hasText: 'Mine' }).count(), PATIENT).toBe(0)
    expect(kept.has('layouts/mine')).toBe(false)
  })

  test('a layout that is removed while the service has yet to answer is not brought back, and the service forgets it', async () => {
    const kept = new Map<string, Json>([['settings/page', { steps: 'done' }]])
    keeping(service(), kept)
    const { page, faults } = await open('#/workspace/SPY')
    await arranges(page, 4, 'Remove')
    await expect.poll(() => kept.has('layouts/index-day'), PATIENT).toBe(true)
    // The browser never hears that its change was kept, and hears of the layouts after the reader has removed one.
    await page.evaluate(() => {
      const held = JSON.parse(localStorage.getItem('layouts')!)
      addEventListener('pagehide', () => {
        localStorage.setItem('layouts', JSON.stringify({ 'index-day': { document: held['index-day'].document } }))
      })
    })
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let isAnswered = false
    await page.route('**/v1/me/layouts', async (route) => {
      const response = await route.fetch()
      await released
      await route.fulfill({ response })
      isAnswered = true
    })
    await page.reload()
    await countOf(page, 3)
    await resetsPreset(page)
    await countOf(page, 4)
    release()
    await expect.poll(() => isAnswered && !kept.has('layouts/index-day'), PATIENT).toBe(true)
    await countOf(page, 4)
    expect(faults).toEqual([])
  })

  test.each([
    ['Keep mine', 1],
    ['Take theirs', 2]
  ])('panels that were changed on another device too: %s', async (choice, count) => {
    const two = PRESETS['index-day']!.root as Json
    const kept = new Map<string, Json>([
      ['layouts/mine', { ...PRESETS['one-chart'], name: 'Mine' }],
      ['settings/page', { steps: 'done' }]
    ])
    keeping(service(), kept)
    const { page } = await open('#/workspace/SPY?layout=mine', { refusals: true })
    await countOf(page, 1)
    await expect.poll(() => page.locator('.layouts a', { hasText: 'Mine' }).count(), PATIENT).toBe(1)
    kept.set('layouts/mine', { ...kept.get('layouts/mine'), root: two.parts[0] })
    await panel(page, 1).getByRole('button', { name: 'Map' }).press('Enter')
    await shows(page, '.banner', 'The panels of Mine were changed on another device too.')
    await page.getByRole('button', { name: choice }).click()
    await countOf(page, count)
    await expect.poll(() => (kept.get('layouts/mine').root.parts?.length ?? 1) as number, PATIENT).toBe(count)
    await expect.poll(() => page.locator('.banner').count(), PATIENT).toBe(0)
  })

  test('a change is kept also where the page is left at once, and one that was never sent is sent later', async () => {
    const kept = new Map<string, Json>([
      ['layouts/mine', { ...PRESETS['one-chart'], name: 'Mine' }],
      ['settings/page', { steps: 'done' }]
    ])
    const changes = keeping(service(), kept)
    const { page } = await open('#/workspace/SPY?layout=mine', { refusals: true })
    await expect.poll(() => page.locator('.layouts a', { hasText: 'Mine' }).count(), PATIENT).toBe(1)
    await countOf(page, 1)
    await panel(page, 1).getByRole('button', { name: 'Map' }).press('Enter')
    await page.keyboard.press('8')
    await expect.poll(() => kept.get('layouts/mine').root.query, PATIENT).toBe('map=off')
    // The page is closed before the next change is sent.
    await page.keyboard.press('w')
    await countOf(page, 1)
    service().rules.unshift((_, { method }) => (method === 'PUT' ? refusal(503, 'unavailable') : undefined))
    await panel(page, 1).getByRole('button', { name: 'Levels' }).press('Enter')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('layouts')), PATIENT).toContain('levels=-walls')
    await shows(page, '.banner', /kept in this browser alone/)
    service().rules.shift()
    const before = changes.length
    await page.reload()
    await expect.poll(() => kept.get('layouts/mine').root.query, PATIENT).toMatch(/levels=-walls.*map=off/)
    expect(changes.slice(before).every(({ held }) => held !== undefined)).toBe(true)
  })

  test('a shared address opens a copy, which becomes one’s own by keeping it', async () => {
    const kept = new Map<string, Json>([['settings/page', { steps: 'done' }]])
    keeping(service(), kept)
    const given = { ...PRESETS['one-chart']!, name: 'From a colleague' }
    const { page } = await open(`#/workspace/SPY?shared=${sharedText(given)}`)
    await countOf(page, 1)
    await shows(page, '.shared-note', '“From a colleague” was shared with you.')
    await arranges(page, 1, 'Add below')
    await countOf(page, 2)
    await page.getByRole('button', { name: 'Keep as mine' }).press('Enter')
    await leadsTo(page, 'layout=from-a-colleague')
    await expect.poll(() => kept.get('layouts/from-a-colleague')?.root.parts?.length, PATIENT).toBe(2)
    await page.evaluate(() => {
      location.hash = '#/workspace/SPY?shared=bm90aGluZw'
    })
    await shows(page, '.workspace', /This address holds no layout\. Open the first one/)
  })

  test('the list of symbols leads to the page, or into a panel by its number or by dragging', async () => {
    const { page } = await open()
    await page.addInitScript(() => localStorage.setItem('stars', 'AMD TLT'))
    await page.goto(`${service().url}/#/workspace/SPY`)
    await asks(service(), /^\/v1\/screener/)
    await page.locator('.watchlist').getByRole('button', { name: 'TLT', exact: true }).press('2')
    await isNamed(page, 2, 'Chart of TLT')
    await page.locator('.watchlist').getByRole('button', { name: 'AMD', exact: true }).press('ArrowDown')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent), PATIENT).toBe('TLT')
    await page.locator('.watchlist tr', { hasText: 'AMD' }).dragTo(panel(page, 4))
    await isNamed(page, 4, 'Chart of AMD')
    await page.locator('.watchlist').getByRole('button', { name: 'AMD', exact: true }).press('Enter')
    await leadsTo(page, '#/workspace/AMD')
    await isNamed(page, 1, 'Chart of AMD')
  })

  test('lists of symbols are made, filled, chosen in the screener too, and removed; the service keeps each', async () => {
    const kept = new Map<string, Json>([
      ['watchlists/stars', { symbols: ['AMD'] }],
      ['settings/page', { steps: 'done' }]
    ])
    keeping(service(), kept)
    const { page, faults } = await open('#/workspace/SPY')
    const list = page.locator('.watchlist')
    const rows = () => list.locator('tbody .link').allInnerTexts()
    await expect.poll(rows, PATIENT).toEqual(['AMD'])
    const lists = list.locator('.drop')
    await lists.locator('summary').press('Enter')
    await lists.getByLabel('New list').fill('Stars')
    await lists.getByLabel('New list').press('Enter')
    await leadsTo(page, 'list=stars-2') // a list of that name is no list of stars
    await shows(page, '.watchlist', 'This list has no symbol yet.')
    await list.getByLabel('Symbols to add').fill('tlt, gld QQQ tlt')
    await list.getByLabel('Symbols to add').press('Enter')
    await expect.poll(rows, PATIENT).toEqual(['TLT', 'GLD', 'QQQ'])
    await list.getByRole('button', { name: 'Take GLD out' }).press('Enter')
    await expect.poll(() => kept.get('watchlists/stars-2'), PATIENT).toEqual({ name: 'Stars', symbols: ['TLT', 'QQQ'] })
    await lists.locator('summary').press('Enter')
    await lists.getByLabel('Name', { exact: true }).fill('Banks')
    await lists.getByLabel('Name', { exact: true }).press('Enter')
    await expect.poll(() => kept.get('watchlists/stars-2')?.name as string, PATIENT).toBe('Banks')
    await page.keyboard.press('8')
    const [asked] = await Promise.all([
      page.waitForRequest((request) => (request.postData() ?? '').includes('"symbols":["TLT","QQQ"]')),
      page.getByRole('link', { name: 'Banks' }).click()
    ])
    expect(asked.url()).toMatch(/screener$/)
    await leadsTo(page, 'list=stars-2')
    await page.keyboard.press('w')
    await list.getByLabel('List', { exact: true }).selectOption('★ Stars')
    await expect.poll(rows, PATIENT).toEqual(['AMD'])
    await page.goBack()
    await expect.poll(rows, PATIENT).toEqual(['TLT', 'QQQ'])
    await lists.locator('summary').press('Enter')
    await lists.getByRole('button', { name: 'Remove Banks' }).press('Enter')
    await lists.getByRole('button', { name: 'Really remove Banks' }).press('Enter')
    await expect.poll(rows, PATIENT).toEqual(['AMD'])
    await expect.poll(() => [...kept.keys()].sort(), PATIENT).toEqual(['settings/page', 'watchlists/stars'])
    expect(faults).toEqual([])
  })

  test('the crosshair of one chart stands at the same time in those of its link', async () => {
    const { page } = await open('#/workspace/SPY')
    await shows(page, '#panel-2 .chart-legend', /Call wall/)
    const timeOf = (n: number) => panel(page, n).locator('.chart-legend strong').innerText()
    await shows(page, '#panel-1 .chart-legend', /Call wall/)
    const newest = await timeOf(2)
    const chart = panel(page, 1).getByRole('application')
    await chart.focus()
    for (let k = 0; k < 4; k++) await page.keyboard.press('ArrowLeft')
    await expect.poll(() => timeOf(1), PATIENT).not.toBe(newest)
    const there = await timeOf(1)
    await expect.poll(() => timeOf(2), PATIENT).toBe(there)
    await page.keyboard.press('Escape')
    await expect.poll(() => timeOf(2), PATIENT).toBe(newest)
  })

  test('an unknown symbol costs its panel alone', async () => {
    service().rules.unshift(({ pathname }) => (pathname.endsWith('/QQ') ? refusal(404, 'symbol_not_found') : undefined))
    const { page } = await open('#/workspace/SPY', { refusals: true })
    await setSymbol(page, 3, 'QQ')
    await shows(page, '#panel-3', 'QQ is not known here.')
    await shows(page, '#panel-4 .chart-legend', /Call wall/)
    expect(await page.locator('.banner').count()).toBe(0)
  })

  test('the palette opens a layout', async () => {
    const { page } = await open('#/overview/SPY')
    await shows(page, '.rail', /Call wall/)
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Symbol, screen or action' })
    await expect.poll(() => field.evaluate((each) => each === document.activeElement), PATIENT).toBe(true)
    await field.fill('0dte desk')
    await page.keyboard.press('Enter')
    await leadsTo(page, '#/workspace/SPY?layout=zero-dte-desk')
    await countOf(page, 5)
  })

  test('a phone has one column', async () => {
    const { page } = await open('#/workspace/SPY', { width: 390, height: 844 })
    await countOf(page, 4)
    const boxes = await page
      .locator('.tile')
      .evaluateAll((all) =>
        all.map((each) => each.getBoundingClientRect()).map(({ left, width, top }) => [left, width, top])
      )
    expect(new Set(boxes.map(([left]) => left)).size).toBe(1)
    expect(boxes.map(([, width]) => width)).toEqual([390, 390, 390, 390])
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), PATIENT)
      .toBeLessThanOrEqual(0)
  })

  test('figures of a panel go into files under its own symbol', async () => {
    const { page } = await open('#/workspace/SPY?layout=zero-dte-desk')
    await setSymbolOf(page, 3, 'QQQ')
    await isNamed(page, 3, 'Levels of QQQ')
    await shows(page, '#panel-3', new RegExp(`Call wall.*${recorded('levels').levels.call_wall}`))
    const download = page.waitForEvent('download')
    await panel(page, 3).getByLabel('Export Levels').press('Enter')
    await panel(page, 3).getByRole('button', { name: 'Figures, CSV' }).press('Enter')
    expect((await download).suggestedFilename()).toMatch(/^QQQ-.*\.csv$/)
    expect(await panel(page, 3).getByRole('button', { name: 'Embed' }).count()).toBe(0)
  })
})

/** Gives a panel a symbol of its own. */
async function setSymbolOf(page: Page, n: number, symbol: string) {
  await (await opened(page, n, 'subject')).getByLabel('Symbol of its link').uncheck()
  await setSymbol(page, n, symbol)
}
