import { existsSync } from 'node:fs'
import { createCboeFiles } from '../src/connectors/cboe/cboe-files.ts'
import { createSynthetic } from '../src/connectors/synthetic/synthetic-connector.ts'
import type { Chain } from '../src/market/chain.ts'
import { parseEasternDateTime } from '../src/market/eastern.ts'
import type { Ticker } from '../src/market/units.ts'
import { defaultAssumptions } from '../src/pricing/assumptions.ts'
import { type PricedChain, priceChain } from '../src/pricing/price-chain.ts'
import { marketSurface } from '../src/volatility/market-smile/market-surface.ts'
import { slices } from '../src/volatility/smile/slice.ts'
import type { SmilePoints } from '../src/volatility/smile/smile-points.ts'
import { fittedSmile } from '../src/volatility/smile/smile-volatility.ts'
import { type Svi, totalVariance } from '../src/volatility/svi/svi.ts'
import { fitSvi } from '../src/volatility/svi/svi-fit.ts'
import { fairVariance } from '../src/volatility/variance/variance-swap.ts'
import { type Figure, medianMilliseconds, report } from './support/figure.ts'

// Smiles are fitted anew for every payload, before any volatility answer can be made from it: fifty slices an index
// chain, thirty an ETF. Slower fits hold back every symbol behind them in the queue of a pricing worker.
const recordings = '../shared/data/cboe/json'
const patience = () => AbortSignal.timeout(30_000)
const COUNT = 400
const STRIKES = 60

interface Task {
  readonly points: SmilePoints
  readonly t: number
  readonly quoted: number
  readonly svi: Svi
}

/** A seeded stream of numbers from 0 to 1 (Lehmer, minimal standard). */
function randomStream(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48271) % 2147483647) / 2147483647
}

/** Slices of a week to two years with 60 strikes each and half a percent of noise. */
function tasks(): readonly Task[] {
  const random = randomStream(20)
  return Array.from({ length: COUNT }, () => {
    const t = 0.02 + 2 * random()
    const b = (0.03 + 0.12 * random()) * Math.sqrt(t)
    const [rho, m, sigma] = [-0.9 + random(), 0.1 * (random() - 0.5), 0.03 + 0.25 * random()]
    return task({ a: (0.01 + 0.02 * random()) * t, b, rho, m, sigma }, t, 0.01, random)
  })
}

/** The slice of Vogt, whose density is negative around k = 0.88, in many sizes: each is fitted twice. */
function forbiddenTasks(): readonly Task[] {
  const random = randomStream(30)
  return Array.from({ length: COUNT }, () => {
    const noise = 0.9 + 0.2 * random()
    const svi = { a: -0.041, b: 0.1331 * noise, rho: 0.306, m: 0.3586, sigma: 0.4153 / noise }
    return task(svi, 1, 0, random, 1.4)
  })
}

function task(
  svi: Svi,
  t: number,
  noise: number,
  random: () => number,
  to = 0.25 * Math.sqrt(Math.min(1, 3 * t))
): Task {
  const from = -0.35 * Math.sqrt(Math.min(1, 3 * t)) * (to > 1 ? 2.5 : 1)
  const k = Float64Array.from({ length: STRIKES }, (_, i) => from + ((to - from) * i) / (STRIKES - 1))
  const iv = k.map((x) => Math.sqrt((totalVariance(svi, x) * (1 + noise * (random() - 0.5))) / t))
  const quoted = Math.sqrt(totalVariance(svi, 0) / t)
  const halfSpread = k.map((x) => 0.003 + 0.03 * x * x)
  return { points: { size: STRIKES, k, iv, halfSpread, strike: k, scale: quoted * Math.sqrt(t) }, t, quoted, svi }
}

async function chainOf(symbol: string): Promise<Chain> {
  const asOf = parseEasternDateTime('2026-07-31T16:00:00')
  const noon = parseEasternDateTime('2026-07-29T12:00:00')!
  const source = existsSync(recordings)
    ? await createCboeFiles({ path: recordings, asOf })
    : createSynthetic({ seed: 1 })
  return (await source.chain(symbol as Ticker, noon, patience()))!
}

/** A copy that nothing is remembered about. */
const fresh = (chain: PricedChain): PricedChain => ({ ...chain })
const price = (chain: Chain) => priceChain(chain, defaultAssumptions, fittedSmile)

export async function run(): Promise<readonly Figure[]> {
  if (!existsSync(recordings)) console.log('no recorded chains beside the project: synthetic ones stand in')
  const [spy, spx] = [await chainOf('SPY'), await chainOf('SPX')]
  const [pricedSpy, pricedSpx] = [price(spy), price(spx)]
  const [usual, forbidden] = [tasks(), forbiddenTasks()]
  const perSlice = (list: readonly Task[]) =>
    (1000 *
      medianMilliseconds(() => {
        for (const { points, t, quoted } of list) fitSvi(points, t, quoted)
      })) /
    list.length
  const swaps = medianMilliseconds(() => {
    for (const { svi } of usual) fairVariance(svi)
  })
  return [
    {
      name: `a slice of ${STRIKES} strikes, cold, checked for arbitrage`,
      value: perSlice(usual),
      unit: 'µs',
      atMost: 40
    },
    {
      name: 'the same where the best fit allows arbitrage and is fitted again',
      value: perSlice(forbidden),
      unit: 'µs',
      atMost: 40
    },
    { name: 'fair variance of a slice', value: (1000 * swaps) / COUNT, unit: 'µs' },
    {
      name: `SPY, ${spy.size} contracts: smiles of a priced chain`,
      value: medianMilliseconds(() => slices(fresh(pricedSpy))),
      unit: 'ms',
      atMost: 4
    },
    {
      name: `SPX, ${spx.size} contracts: smiles of a priced chain`,
      value: medianMilliseconds(() => slices(fresh(pricedSpx))),
      unit: 'ms',
      atMost: 8
    },
    {
      name: `SPY, ${spy.size} contracts: market smiles of a priced chain`,
      value: medianMilliseconds(() => marketSurface(fresh(pricedSpy))),
      unit: 'ms',
      atMost: 30
    },
    {
      name: `SPX, ${spx.size} contracts: market smiles of a priced chain`,
      value: medianMilliseconds(() => marketSurface(fresh(pricedSpx))),
      unit: 'ms',
      atMost: 60
    },
    {
      name: `SPX, ${spx.size} contracts: raw quotes to volatilities, greeks and smiles`,
      value: medianMilliseconds(() => slices(price(spx))),
      unit: 'ms',
      atMost: 15
    }
  ]
}

await report(import.meta.url, run)
