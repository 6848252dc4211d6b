import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { describePages, PATIENT, saved, shows } from './browser.ts'
import { keeping } from './keeping.ts'
import { type Json, recorded } from './service.ts'

const KINDS = ['Quiet', 'Hollow', 'Green and red', 'Line'] as const

/** The picture of the chart once nothing moves in it. */
const picture = (page: Page) =>
  page.locator('.stage .time-chart canvas >> nth=0').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())

async function choose(page: Page, kind: string): Promise<void> {
  await page.locator('.chart-tools summary', { hasText: 'Candles' }).click()
  await page.getByRole('radio', { name: kind }).check()
  await page.keyboard.press('Escape')
}

const colour = (page: Page, name: string) =>
  page.evaluate((of) => getComputedStyle(document.documentElement).getPropertyValue(`--${of}`).trim(), name)

/** The recorded bars hold a price each, that of a snapshot; these open where the one before closed, and have wicks. */
function withBodies(): Json {
  const bars = recorded('bars')
  const opens = bars.c.map((close: number, i: number) => bars.c[i - 1] ?? close)
  const beyond = (pick: typeof Math.max, by: number) =>
    bars.c.map((close: number, i: number) => pick(close, opens[i]) + by)
  return { ...bars, o: opens, h: beyond(Math.max, 0.5), l: beyond(Math.min, -0.5) }
}

describePages('candles', ({ service, open }) => {
  beforeEach(() => {
    service().rules.unshift(({ pathname }) => (pathname.includes('/bars/') ? { body: withBodies() } : undefined))
  })

  test.each(['dark', 'light'] as const)('are drawn as the reader chooses, also in pictures, %s', async (theme) => {
    const kept = new Map<string, Json>([['settings/page', { steps: 'done' }]])
    keeping(service(), kept)
    const { page, faults } = await open('#/overview/SPY?map=off&levels=-walls,-flip,-zero_dte,-max_pain', { theme })
    await shows(page, '.chart-legend', /^SPY 15m/)
    await page.waitForLoadState('networkidle')
    const tools = page.locator('.chart-tools')
    expect(await tools.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0)
    const pictures = new Set<string>()
    for (const kind of KINDS) {
      const before = pictures.size
      await choose(page, kind)
      await expect.poll(async () => pictures.add(await picture(page)).size, PATIENT).toBeGreaterThan(before)
    }
    await choose(page, 'Green and red')
    await expect.poll(() => kept.get('settings/page'), PATIENT).toEqual({ steps: 'done', candles: 'colour' })
    const { bytes } = await saved(page, '.stage', 'Picture, SVG')
    for (const name of ['good', 'bad']) expect(bytes.toString()).toContain(`fill="${await colour(page, name)}"`)
    const { page: second } = await open('#/overview/SPY', { theme })
    await shows(second, '.chart-legend', /^SPY 15m/)
    await second.locator('.chart-tools summary', { hasText: 'Candles' }).click()
    await expect.poll(() => second.getByRole('radio', { name: 'Green and red' }).isChecked(), PATIENT).toBe(true)
    expect(faults).toEqual([])
  })

  test('are told by their shape where the colours of the reader replace green and red', async () => {
    const { page, faults } = await open('#/overview/SPY?map=off', { forcedColors: true })
    await shows(page, '.chart-legend', /^SPY 15m/)
    await choose(page, 'Hollow')
    await page.waitForLoadState('networkidle')
    const hollow = await picture(page)
    await choose(page, 'Line')
    await expect.poll(() => picture(page), PATIENT).not.toBe(hollow)
    await choose(page, 'Green and red')
    await expect.poll(() => picture(page), PATIENT).toBe(hollow)
    expect(await colour(page, 'price')).toBe('CanvasText')
    expect(faults).toEqual([])
  })
})
