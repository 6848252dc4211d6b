import { expect, test } from 'vitest'
import { createSynthetic } from '../../../../src/connectors/synthetic/synthetic-connector.ts'
import { type MacroSeriesName, macroSeries } from '../../../../src/market/macro-series.ts'
import type { Ticker } from '../../../../src/market/units.ts'

const { signal } = new AbortController()
const now = Date.parse('2026-11-20T22:00:00Z')
const worlds = [1, 7, 42].map((seed) => createSynthetic({ seed }))
const valuesOf = async (world: (typeof worlds)[number], symbol: Ticker) =>
  (await world.dailyBars(symbol, now, signal)).map(({ close }) => close)
const series = (world: (typeof worlds)[number], name: MacroSeriesName) => valuesOf(world, macroSeries[name].symbol)
const centred = (values: readonly number[]) => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.map((value) => value - mean)
}
function correlation(one: readonly number[], other: readonly number[]): number {
  const [xs, ys] = [centred(one), centred(other)]
  const product = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * b[i], 0)
  return product(xs, ys) / Math.sqrt(product(xs, xs) * product(ys, ys))
}
const changes = (values: readonly number[]) => values.slice(1).map((value, k) => Math.log(value / values[k]))

test.each([
  ['tenYear', 0.4, 9],
  ['fedFunds', 0.08, 9],
  ['highYieldSpread', 1.2, 12],
  ['move', 35, 250],
  ['fearAndGreed', 1, 99]
] as const)('the synthetic market has a value of %s for each session, within what was ever seen', async (name, min, max) => {
  for (const world of worlds) {
    const bars = await world.dailyBars(macroSeries[name].symbol, now, signal)
    const spy = await world.dailyBars('SPY' as Ticker, now, signal)
    expect(bars.map(({ date }) => date)).toEqual(spy.map(({ date }) => date))
    expect(Math.min(...bars.map(({ close }) => close))).toBeGreaterThanOrEqual(min)
    expect(Math.max(...bars.map(({ close }) => close))).toBeLessThanOrEqual(max)
  }
})

test('yields rise on the days that long bonds fall', async () => {
  for (const world of worlds) {
    const yields = await series(world, 'tenYear')
    expect(correlation(changes(yields), changes(await valuesOf(world, 'TLT' as Ticker)))).toBeLessThan(-0.9)
  }
})

test('the policy rate stands still between meetings and moves in quarters of a point', async () => {
  for (const world of worlds) {
    const rates = await series(world, 'fedFunds')
    const moves = rates.slice(1).map((rate, k) => Math.round(100 * (rate - rates[k])))
    expect(moves.filter((move) => move !== 0).length).toBeLessThan(moves.length / 31 + 1)
    expect(moves.every((move) => move % 25 === 0 && Math.abs(move) <= 50)).toBe(true)
    expect(new Set(rates).size).toBeGreaterThan(1)
  }
})

test('credit costs more and the mood is worse when the VIX is high', async () => {
  for (const world of worlds) {
    const vix = await valuesOf(world, 'VIX' as Ticker)
    expect(correlation(vix, await series(world, 'highYieldSpread'))).toBeGreaterThan(0.7)
    expect(correlation(vix, await series(world, 'fearAndGreed'))).toBeLessThan(-0.4)
  }
})

test('two processes with one seed see one series, whatever was asked before', async () => {
  const again = createSynthetic({ seed: 7 })
  expect(await series(again, 'fearAndGreed')).toEqual(await series(worlds[1], 'fearAndGreed'))
  expect(await series(worlds[0], 'move')).not.toEqual(await series(worlds[1], 'move'))
})
