import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fittedVolatility, quotesOf } from '../src/state/screens/smile-slice.ts'
import { gridOf } from '../src/state/screens/surface-grid.ts'

const answerOf = (name: string) =>
  JSON.parse(readFileSync(new URL(`pages/answers/${name}.json`, import.meta.url), 'utf8'))
const surface = answerOf('surface')
const slice = surface.svi_parameters.find(({ expiry }: { expiry: string }) => expiry === '2026-12-18')

test('the fit passes the volatility at the money that the service tells', () => {
  for (const each of surface.svi_parameters) expect(fittedVolatility(each, each.forward)).toBeCloseTo(each.atm_iv, 2)
})

test('the quotes lie along the fit', () => {
  const quotes = quotesOf(answerOf('quotes'), slice.forward)
  expect(quotes.length).toBeGreaterThan(40)
  const distances = quotes
    .map(({ strike, mid }) => Math.abs(mid - fittedVolatility(slice, strike)!))
    .sort((a, b) => a - b)
  expect(distances[Math.floor(distances.length / 2)]).toBeLessThan(0.3)
})

test('only quotes out of the money are shown: puts below the forward, calls above', () => {
  for (const { type, strike } of quotesOf(answerOf('quotes'), slice.forward))
    expect(type === 'C').toBe(strike >= slice.forward)
})

test('the solid has at most 1,500 cells and holds the lowest and highest volatility', () => {
  const grid = gridOf(surface.total_variance_surface)!
  expect((grid.rows.length - 1) * (grid.moneyness.length - 1)).toBeLessThanOrEqual(1500)
  const all = grid.rows.flatMap(({ volatility }) => volatility)
  expect([grid.low, grid.high]).toEqual([Math.min(...all), Math.max(...all)])
})
