import { describe, expect, test } from 'vitest'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import { CALL, type Chain, PUT } from '../../src/market/chain.ts'
import type { Ticker } from '../../src/market/units.ts'
import { defaultAssumptions } from '../../src/pricing/assumptions.ts'
import { type PricedChain, priceChain } from '../../src/pricing/price-chain.ts'
import { BETWEEN, countSources, SMILE } from '../../src/pricing/sources.ts'
import { slices } from '../../src/volatility/smile/slice.ts'
import { fittedSmile } from '../../src/volatility/smile/smile-volatility.ts'
import { totalVariance } from '../../src/volatility/svi/svi.ts'
import { outOfTheMoneyValue } from '../../src/volatility/variance/variance-swap.ts'
import { inlineEngine } from '../../src/workers/inline.ts'
import { recordedPayloads } from '../support/cboe-payload.ts'
import { eastern, ladder, sketched } from '../support/hand-made.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { recordedChain, syntheticMarket } from '../support/markets.ts'
import { scalarGreeks } from '../support/scalar.ts'
import { leaning, quotedWhere, series } from '../volatility/chains.ts'

const columns = ['sigma', 'delta', 'gamma', 'theta', 'vega', 'rho', 'vanna', 'charm'] as const
const silent = [72, 85, 100, 118, 129]
const month = '2026-08-28'
const listed = [
  series(month, { quote: quotedWhere((strike) => !silent.includes(strike)) }),
  series('2026-09-18'),
  series('2026-10-16', { strikes: ladder(95, 105, 2.5), quote: quotedWhere((strike) => strike !== 95) })
]
const raw = sketched({ date: '2026-07-29', time: '11:00', spot: 100, series: listed })
const without = priceChain(raw, madeUpAssumptions)
const chain = priceChain(raw, madeUpAssumptions, fittedSmile)

/** The slots that only the smile gave a volatility. */
const filled = (priced: PricedChain) =>
  Array.from(priced.sigmaSource.keys()).filter((i) => priced.sigmaSource[i] === SMILE)

function expectOthersUntouched(priced: PricedChain, before: PricedChain): void {
  const moved = Array.from(priced.sigmaSource.keys()).filter((i) =>
    // A volatility between neighbours lies nearer to them once the smile has filled some of them.
    priced.sigmaSource[i] === BETWEEN && before.sigmaSource[i] === BETWEEN
      ? false
      : priced.sigmaSource[i] === SMILE
        ? before.sigmaSource[i] !== BETWEEN
        : priced.sigmaSource[i] !== before.sigmaSource[i] ||
          columns.some((name) => !Object.is(priced[name][i], before[name][i]))
  )
  expect(moved).toEqual([])
}

describe('a strike that nobody quotes', () => {
  test('takes its volatility from the fitted smile of its expiration, call and put alike', () => {
    expect(filled(chain).map((i) => chain.strike[i])).toEqual(silent.flatMap((strike) => [strike, strike]))
    const { svi, t, forward } = slices(chain).find(({ date }) => date === month)!
    for (const i of filled(chain)) {
      const fitted = Math.sqrt(totalVariance(svi!, Math.log(chain.strike[i] / forward)) / t)
      expect(chain.sigma[i]).toBeCloseTo(fitted, 12)
      expect(Math.abs(chain.sigma[i] - leaning(chain.strike[i]))).toBeLessThan(0.01)
    }
  })

  test('has the greeks of that volatility', () => {
    const { carries, spot } = chain
    const [{ t, rate, dividendYield }] = carries
    for (const i of filled(chain)) {
      const option = { call: chain.right[i] === CALL, spot, strike: chain.strike[i], t, rate, dividendYield }
      const all = scalarGreeks({ ...option, sigma: chain.sigma[i] })
      for (const name of ['delta', 'gamma', 'theta', 'vega', 'rho', 'vanna', 'charm'] as const) {
        expect(chain[name][i]).toBeCloseTo(all[name], 10)
      }
    }
  })

  test('takes what lies between its neighbours where the expiration has no accepted smile', () => {
    const { start, end } = chain.expirations[2]
    const strikes = Array.from({ length: end - start }, (_, k) => start + k).filter((i) => chain.strike[i] === 95)
    expect(strikes.map((i) => chain.sigmaSource[i])).toEqual([BETWEEN, BETWEEN])
    expect(countSources(chain)).toMatchObject({ none: 0, between: 2, smile: 2 * silent.length })
  })
})

test('contracts that have a volatility keep it and their greeks, bit for bit', () => {
  expectOthersUntouched(chain, without)
})

test('the smiles themselves do not change by what they lend', () => {
  expect(slices(chain)).toEqual(slices(without))
})

test('a smile is asked for only where a contract needs it, before there are greeks', () => {
  const asked: number[] = []
  const greeks: number[] = []
  priceChain(raw, madeUpAssumptions, (priced, at) => {
    asked.push(at)
    greeks.push(priced.gamma[priced.expirations[at].start])
    return undefined
  })
  expect(asked).toEqual([0, 2])
  expect(greeks).toEqual([0, 0])
})

test.each([
  ['below 1 %', 0.0099, false],
  ['of 1 %', 0.01, true],
  ['of 2,000 %', 20, true],
  ['above 2,000 %', 20.01, false],
  ['that is absent', undefined, false],
  ['that is not a number', Number.NaN, false]
])('a volatility of the smile %s is taken or refused', (_, sigma, taken) => {
  const priced = priceChain(raw, madeUpAssumptions, () => () => sigma)
  expect(filled(priced)).toHaveLength(taken ? 2 * silent.length + 2 : 0)
  expectOthersUntouched(priced, without)
})

describe('an option out of the money that nobody bids for', () => {
  const ask = 0.05
  const asked = (strike: number, right: number) => {
    if (strike >= 92 && strike <= 110) return undefined
    return right === (strike > 100 ? CALL : PUT) ? ([0, ask] as const) : ([Number.NaN, Number.NaN] as const)
  }
  const wings = priceChain(
    sketched({ date: '2026-07-29', time: '11:00', spot: 100, series: [series(month, { quote: asked })] }),
    madeUpAssumptions,
    fittedSmile
  )
  const [{ t, forward, spot, rate, dividendYield }] = wings.carries
  const { svi } = slices(wings)[0]
  const fitted = (i: number) => Math.sqrt(totalVariance(svi!, Math.log(wings.strike[i] / forward)) / t)
  const worth = (i: number, sigma: number) => {
    const call = wings.strike[i] > forward
    return scalarGreeks({ call, spot, strike: wings.strike[i], t, rate, dividendYield, sigma }).price
  }

  test('is worth its ask where the smile would have it worth more, and its sibling has the same volatility', () => {
    const dear = filled(wings).filter((i) => worth(i, fitted(i)) > ask)
    const cheap = filled(wings).filter((i) => worth(i, fitted(i)) < ask)
    expect(dear.length).toBeGreaterThan(5)
    expect(cheap.length).toBeGreaterThan(5)
    for (const i of dear) expect(worth(i, wings.sigma[i])).toBeCloseTo(ask, 9)
    for (const i of cheap) expect(wings.sigma[i]).toBeCloseTo(fitted(i), 12)
  })
})

test('a chain that the service loads has it', async () => {
  const connector = createSynthetic({ seed: 7 })
  const engine = inlineEngine({ connector, assumptions: madeUpAssumptions, endpoints: new Map() })
  const loaded = await engine.run('loadChain', { symbol: 'AAPL' as Ticker, now: eastern('2026-06-10', '14:06') })
  expect(countSources(loaded!).smile).toBeGreaterThan(0)
})

const folder = recordedPayloads()
if (folder === undefined)
  console.log('skipped: what the smile adds to recorded chains needs ../shared/data beside the project')

/** Every figure of a chain that the smile may and may not touch; answers the counts of sources before and after. */
function expectFilledBySmile(source: Chain, assumptions = madeUpAssumptions) {
  const before = priceChain(source, assumptions)
  const after = priceChain(source, assumptions, fittedSmile)
  expectOthersUntouched(after, before)
  expect(slices(after)).toEqual(slices(before))
  expect(filled(after).filter((i) => columns.some((name) => !Number.isFinite(after[name][i])))).toEqual([])
  return [countSources(before), countSources(after)] as const
}

test.skipIf(folder === undefined).each([
  ['SPY', '2026-07-29'],
  ['SPX', '2026-07-31']
] as const)(
  'recorded %s of %s: most contracts that no quote tells take that of the smile, nothing else moves',
  async (symbol, date) => {
    const [before, after] = expectFilledBySmile(await recordedChain(folder!, symbol, date), defaultAssumptions)
    expect(after.smile).toBeGreaterThan(0.5 * before.between)
    const { own_mid, twin, none } = before
    expect(after).toMatchObject({ own_mid, twin, none, between: before.between - after.smile })
  }
)

test('synthetic chains take volatilities of the smile for the strikes that nobody bids for', async () => {
  const { chain: spx } = await syntheticMarket('SPX', '2026-06-10', '10:31:17')
  const [before, after] = expectFilledBySmile(spx)
  expect(after.smile).toBeGreaterThan(0.5 * before.between)
})

test.skipIf(folder === undefined)(
  'an option that nobody bids for is worth no more than its ask on a recorded chain',
  async () => {
    const spx = priceChain(await recordedChain(folder!, 'SPX', '2026-07-31'), defaultAssumptions, fittedSmile)
    let [asks, held] = [0, 0]
    spx.carries.forEach(({ forward, discount, t }, at) => {
      for (let i = spx.expirations[at].start; i < spx.expirations[at].end; i++) {
        const isOut = (spx.right[i] === CALL) === spx.strike[i] >= forward
        if (!isOut || spx.sigmaSource[i] !== SMILE || !(spx.ask[i] > 0)) continue
        const value = discount * forward * outOfTheMoneyValue(Math.log(spx.strike[i] / forward), spx.sigma[i] ** 2 * t)
        expect(value).toBeLessThanOrEqual(spx.ask[i] + 1e-6)
        asks++
        if (value > spx.ask[i] - 1e-6) held++
      }
    })
    console.log(`SPX: ${asks} options with an ask alone, ${held} of them held to it`)
    expect(held).toBeGreaterThan(100)
  }
)
