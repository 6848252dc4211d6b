import { beforeAll, expect, test } from 'vitest'
import { strikeSums } from '../../src/exposure/by-strike.ts'
import { liveScope } from '../../src/exposure/scope.ts'
import { endpointAt } from '../support/asking.ts'
import { allMarkets, type Market } from '../support/markets.ts'

const changes = endpointAt('/v1/exposure/changes/{symbol}')
let market: Market
beforeAll(async () => {
  market = (await allMarkets()).find(({ chain }) => liveScope(chain).slots.length > 0)!
})

const MINUTE = 60_000

/** The answer where these minutes before the chain were recorded, the price of some unknown. */
function answerOver(ages: readonly number[], minutes: readonly number[], unpriced: readonly number[] = []) {
  const { chain } = market
  const { strikes, gex } = strikeSums(chain)
  const at = [...ages].sort((a, b) => b - a).map((age) => chain.asOf - age * MINUTE)
  const strikeColumns = at.map((asOf) => ({ asOf, strikes, values: gex.map((value) => value - 1) }))
  const priced = at.filter((_, k) => !unpriced.includes(k))
  const figures = {
    t: Float64Array.from(priced),
    columns: [Float64Array.from(priced, () => chain.spot)],
    waiting: []
  }
  return changes.answer(
    { chain, strikeColumns, figures } as never,
    { symbol: chain.symbol, minutes, top: 4 } as never,
    {} as never
  ) as {
    readonly windows: readonly {
      minutes: number
      since?: string
      net?: { change: number }
      strikes?: readonly object[]
    }[]
  }
}

const sinceOf = (ages: readonly number[], minutes: readonly number[], unpriced?: readonly number[]) =>
  answerOver(ages, minutes, unpriced).windows.map(({ since }) =>
    since === undefined ? undefined : (market.chain.asOf - Date.parse(since)) / MINUTE
  )

test('a window is compared with the newest moment that is as far back', () => {
  expect(sinceOf([0, 1, 2, 5, 6, 12, 16, 31], [1, 5, 10, 15, 30])).toEqual([1, 5, 12, 16, 31])
})

test('a window without a moment near by says so, and never shows the change of a longer time', () => {
  expect(sinceOf([0, 3, 8, 20, 46], [1, 5, 10, 15, 30])).toEqual([undefined, undefined, undefined, 20, undefined])
  const [{ net, strikes }] = answerOver([20], [1]).windows
  expect({ net, strikes }).toEqual({ net: undefined, strikes: undefined })
})

test('a moment whose price is unknown is no base', () => {
  expect(sinceOf([1, 2], [1], [1])).toEqual([2])
})

test('every listed strike counts in the net, and the list is as long as asked', () => {
  const [{ net, strikes }] = answerOver([5], [5]).windows
  expect(strikes).toHaveLength(4)
  expect(net!.change).toBeCloseTo(strikeSums(market.chain).strikes.length, 4)
})
