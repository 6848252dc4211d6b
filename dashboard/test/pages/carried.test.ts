import { expect, test } from 'vitest'
import type { Drawn } from '../../src/charts/time/scene.ts'
import { asks, describePages, leadsTo, PATIENT, shows } from './browser.ts'
import { type Json, recorded, refusal } from './service.ts'

const answer: Json = recorded('bars')
const tenfold = (values: readonly (number | null)[]) => values.map((value) => (value === null ? null : 10 * value))

describePages('levels of another symbol', ({ service, open }) => {
  /** Has SPX at ten times SPY, with a call wall of 7,100 that is known for its last bars. */
  const hasIndex = () =>
    service().rules.unshift(({ pathname }) => {
      if (!pathname.endsWith('/v1/bars/SPX')) return undefined
      const columns = { call_wall: answer.dt.map((_: number, i: number) => (i < 40 ? null : 7100)) }
      const prices = Object.fromEntries(['o', 'h', 'l', 'c'].map((name) => [name, tenfold(answer[name])]))
      return { body: { ...answer, ...prices, symbol: 'SPX', columns } }
    })

  test('are drawn at their ratio, named with their own price, and the address keeps them', async () => {
    hasIndex()
    const { page, faults } = await open('#/overview/SPY')
    await shows(page, '.chart-legend', /Call wall 700/)
    await page.locator('.drop summary', { hasText: 'Levels' }).click()
    const field = page.locator('input[name=carried]')
    await expect.poll(() => field.getAttribute('placeholder'), PATIENT).toBe('SPX')
    await field.fill('spx')
    await page.getByRole('button', { name: 'Carry over' }).click()
    await leadsTo(page, /#\/overview\/SPY\?carry=SPX$/)
    await asks(service(), /\/v1\/bars\/SPX\?/, /fields=call_wall/, /every=15m/)
    await shows(page, '.chart-legend', /SPX call wall 7,100 → 710\b/)
    const layers = () =>
      page
        .locator('.time-chart')
        .evaluate((box) => (box as unknown as { layers(): { layers: readonly Drawn[] } }).layers())
    await expect
      .poll(async () => (await layers()).layers.find(({ id }) => id === 'labels')?.prices?.[1], PATIENT)
      .toBeCloseTo(710, 6)
    expect(faults).toEqual([])
  })

  test('that cannot be had are said, and the chart stays', async () => {
    service().rules.unshift(({ pathname }) =>
      pathname.endsWith('/v1/bars/NOPE') ? refusal(404, 'symbol_not_found') : undefined
    )
    const { page } = await open('#/overview/SPY?carry=NOPE', { refusals: true })
    await shows(page, '.chart-words', /No levels of NOPE\. Symbol not found\./)
    await shows(page, '.chart-legend', /Call wall 700/)
  })
})
