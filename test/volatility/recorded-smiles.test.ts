import { describe, expect, test } from 'vitest'
import { defaultAssumptions } from '../../src/pricing/assumptions.ts'
import { acceptedSlices, slices } from '../../src/volatility/smile/slice.ts'
import { durrleman, isValidSvi, totalVariance } from '../../src/volatility/svi/svi.ts'
import { centreTolerance } from '../../src/volatility/svi/svi-fit.ts'
import { recordedPayloads } from '../support/cboe-payload.ts'
import { priced, recordedChain, syntheticMarkets } from '../support/markets.ts'

const folder = recordedPayloads()
const sessions = [
  ['SPY', '2022-07-12'],
  ['SPY', '2026-07-22'],
  ['SPY', '2026-07-28'],
  ['SPY', '2026-07-29'],
  ['SPY', '2026-07-30'],
  ['SPY', '2026-07-31'],
  ['SPY', '2026-08-03'],
  ['SPY', '2026-08-04'],
  ['SPX', '2026-07-30'],
  ['SPX', '2026-07-31']
] as const

type Chain = Parameters<typeof slices>[0]

/** How well a chain was fitted: shares from 0 to 1, errors in vol points. */
function quality(chain: Chain) {
  const usable = slices(chain).filter(({ points, refusal }) => points.size >= 8 && refusal !== 'last_hour')
  const accepted = acceptedSlices(chain)
  let [points, inside] = [0, 0]
  for (const { svi, t, points: quoted } of accepted) {
    points += quoted.size
    quoted.k.forEach((k, i) => {
      if (Math.abs(Math.sqrt(totalVariance(svi, k) / t) - quoted.iv[i]) <= quoted.halfSpread[i]) inside++
    })
  }
  const rms = accepted.map((slice) => 100 * slice.rms).sort((a, b) => a - b)
  return {
    share: usable.filter(({ refusal }) => refusal === undefined).length / usable.length,
    inside: inside / points,
    rms: rms.at(rms.length >> 1),
    worst: rms.at(-1),
    constrained: accepted.filter(({ constrained }) => constrained).length,
    anchored: accepted.filter(({ anchored }) => anchored).length,
    slices: accepted.length
  }
}

/** Requirements on every accepted slice. */
function expectSound(chain: Chain): void {
  for (const { svi, t, points, interpolatedVariance } of acceptedSlices(chain)) {
    expect(isValidSvi(svi)).toBe(true)
    const [from, to] = [points.k[0], points.k[points.size - 1]]
    let lowest = Number.POSITIVE_INFINITY
    for (let i = 0; i <= 1000; i++) lowest = Math.min(lowest, durrleman(svi, from + ((to - from) * i) / 1000))
    expect(lowest).toBeGreaterThanOrEqual(0)
    const quoted = Math.sqrt(interpolatedVariance! / t)
    expect(Math.abs(Math.sqrt(totalVariance(svi, 0) / t) - quoted)).toBeLessThanOrEqual(centreTolerance(quoted))
  }
}

describe.skipIf(folder === undefined)('the recorded chains', () => {
  test.each<readonly [symbol: 'SPY' | 'SPX', date: string]>(
    sessions
  )('%s of %s is fitted without butterfly arbitrage, 19 expirations of 20 at least', async (symbol, date) => {
    const chain = priced(await recordedChain(folder!, symbol, date), defaultAssumptions)
    expectSound(chain)
    const { share, inside, rms, worst, constrained, anchored, slices } = quality(chain)
    console.log(
      `${symbol} ${date}: ${slices} slices, ${(100 * share).toFixed(1)} % accepted, rms ${rms?.toFixed(2)} (median) to ` +
        `${worst?.toFixed(2)} vol points, ${(100 * inside).toFixed(0)} % of points within bid and ask, ` +
        `${constrained} constrained, ${anchored} anchored`
    )
    expect(share).toBeGreaterThanOrEqual(0.95)
    expect(worst).toBeLessThan(1.5)
  })
})

test('the synthetic chains are fitted without butterfly arbitrage', async () => {
  for (const { chain } of await syntheticMarkets()) {
    expectSound(chain)
    const { share, rms } = quality(chain)
    // A stock of a few dollars may have no expiration with eight usable quotes.
    if (!Number.isNaN(share)) expect(share).toBeGreaterThanOrEqual(0.95)
    if (rms !== undefined) expect(rms).toBeLessThan(0.2)
  }
})
