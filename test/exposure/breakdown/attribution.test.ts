import { describe, expect, test } from 'vitest'
import { attribution, players } from '../../../src/exposure/breakdown/attribution.ts'
import { netExposures } from '../../../src/exposure/net.ts'
import { liveScope } from '../../../src/exposure/scope.ts'
import { CALL } from '../../../src/market/chain.ts'
import { defaultAssumptions } from '../../../src/pricing/assumptions.ts'
import type { PricedChain } from '../../../src/pricing/price-chain.ts'
import { type ChainSketch, jumbled, sketched } from '../../support/hand-made.ts'
import { priced, recordedMarket, syntheticMarket } from '../../support/markets.ts'
import { scalarGreeks } from '../../support/scalar.ts'

const measures = ['gex', 'dex', 'vex', 'chex'] as const
const oi = (strike: number, right: number) => 100 + jumbled(strike, right, 500)
const base: ChainSketch = {
  date: '2026-07-28',
  time: '16:00',
  spot: 99,
  series: ['2026-08-14', '2026-09-18'].map((date) => ({ date, strikes: [95, 100, 105], sigma: 0.22, oi }))
}
const later: ChainSketch = {
  ...base,
  date: '2026-07-29',
  time: '11:00',
  spot: 101,
  series: base.series.map((one) => ({
    ...one,
    sigma: 0.2,
    oi: (strike: number, right: number) => oi(strike, right) + 40
  }))
}
const [a, b] = [base, later].map((sketch) => priced(sketched(sketch)))

const totalOf = (parts: ReturnType<typeof attribution>['parts']['gex']) =>
  parts.listing + players.reduce((sum, player) => sum + parts.players[player], 0)

/** The exposures of all contracts where each player stands at one of two chains, from Black-Scholes greeks. */
function plainly(at: (player: (typeof players)[number]) => PricedChain) {
  const sums = { gex: 0, dex: 0, vex: 0, chex: 0 }
  const { spot } = at('spot')
  a.expirations.forEach(({ start, end }, k) => {
    const { t } = at('time').carries[k]
    const { rate, dividendYield } = at('carry').carries[k]
    for (let i = start; i < end; i++) {
      const isCall = a.right[i] === CALL
      const terms = { spot, strike: a.strike[i], t, rate, dividendYield, sigma: at('volatility').sigma[i] }
      const { delta, gamma, vanna, charm } = scalarGreeks({ call: isCall, ...terms })
      const open = at('open_interest').openInterest[i]
      const held = (isCall ? 1 : -1) * open * 100
      sums.gex += held * gamma * spot * spot * 0.01
      sums.dex += open * 100 * delta * spot
      sums.vex += held * vanna * spot
      sums.chex += held * charm * spot
    }
  })
  return sums
}

function orders<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length < 2) return [items]
  return items.flatMap((first, k) => orders(items.toSpliced(k, 1)).map((rest) => [first, ...rest]))
}

describe('the parts of a change', () => {
  test('are the means over all 120 orders in which the players may move', () => {
    const { parts } = attribution(liveScope(a), liveScope(b))
    const all = orders(players)
    expect(all).toHaveLength(120)
    for (const measure of measures) {
      const means = new Map<string, number>(players.map((player) => [player, 0]))
      for (const order of all) {
        order.forEach((player, k) => {
          const moved = new Set(order.slice(0, k))
          const before = plainly((one) => (moved.has(one) ? b : a))[measure]
          const after = plainly((one) => (moved.has(one) || one === player ? b : a))[measure]
          means.set(player, means.get(player)! + (after - before) / all.length)
        })
      }
      const scale = Math.max(...[...means.values()].map(Math.abs))
      for (const player of players) {
        expect(Math.abs(parts[measure].players[player] - means.get(player)!), `${measure} ${player}`).toBeLessThan(
          1e-5 * scale
        )
      }
    }
  })

  test('are all of open interest or volatility where nothing else moved', () => {
    const doubled = { ...a, openInterest: a.openInterest.map((open) => 2 * open) }
    const net = netExposures(liveScope(a))
    const held = attribution(liveScope(a), liveScope(doubled)).parts
    const livelier = priced(sketched({ ...base, series: base.series.map((one) => ({ ...one, sigma: 0.23 })) }))
    const priceier = attribution(liveScope(a), liveScope(livelier)).parts
    for (const measure of measures) {
      expect(held[measure].players.open_interest).toBeCloseTo(net[measure], 3)
      for (const [parts, alone] of [
        [held, 'open_interest'],
        [priceier, 'volatility']
      ] as const) {
        const { players: found, from, to } = parts[measure]
        expect(Math.abs(found[alone] - (to - from))).toBeLessThan(1e-6 * Math.abs(to))
        for (const other of players) {
          if (other !== alone) expect(Math.abs(found[other])).toBeLessThan(1e-6 * Math.abs(to))
        }
      }
    }
  })

  test('leave what is listed or priced at one moment alone to the listing', () => {
    const gone = priced(sketched({ ...base, series: [...base.series, { ...base.series[0], date: '2026-07-31' }] }))
    const fresh = priced(sketched({ ...later, series: [...later.series, { ...later.series[0], date: '2026-12-18' }] }))
    const { parts, contracts } = attribution(liveScope(gone), liveScope(fresh))
    expect(contracts).toEqual({ common: 12, sinceOnly: 6, nowOnly: 6 })
    for (const measure of measures) {
      const alone = netExposures(liveScope(fresh))[measure] - netExposures(liveScope(b))[measure]
      const was = netExposures(liveScope(gone))[measure] - netExposures(liveScope(a))[measure]
      expect(Math.abs(parts[measure].listing - (alone - was))).toBeLessThan(
        1e-9 * (Math.abs(alone) + Math.abs(was)) + 1e-3
      )
    }
  })
})

test('the parts add up to the change of every made-up and recorded pair of sessions', async () => {
  const found = [
    await syntheticMarket('AAPL', '2026-06-11', '18:00'),
    await syntheticMarket('TLRY', '2026-06-15', '13:00'),
    await recordedMarket('SPY', '2026-07-29', '2026-07-28', defaultAssumptions)
  ].filter((market) => market !== undefined)
  for (const { chain, prior } of found) {
    const { parts, contracts } = attribution(liveScope(prior!), liveScope(chain))
    expect(contracts.common).toBeGreaterThan(10)
    const [before, now] = [prior!, chain].map((one) => netExposures(liveScope(one)))
    for (const measure of measures) {
      const { from, to } = parts[measure]
      expect([from, to]).toEqual([before[measure], now[measure]])
      expect(Math.abs(to - from - totalOf(parts[measure]))).toBeLessThan(1e-12 * (Math.abs(to) + Math.abs(from)) + 1e-3)
    }
  }
}, 240_000)
