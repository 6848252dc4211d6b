import { expect, test } from 'vitest'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import type { Chain } from '../../src/market/chain.ts'
import type { Ticker } from '../../src/market/units.ts'
import { defaultAssumptions } from '../../src/pricing/assumptions.ts'
import { priceChain, pricingSteps } from '../../src/pricing/price-chain.ts'
import { fittedSmile } from '../../src/volatility/smile/smile-volatility.ts'
import { priced } from '../../src/workers/tasks/task.ts'
import { wednesday } from '../support/scripted-source.ts'

const context = { assumptions: defaultAssumptions }
const source = createSynthetic({ seed: 1 })
const chainOf = async (symbol: string): Promise<Chain> =>
  (await source.chain(symbol as Ticker, wednesday, new AbortController().signal, () => {}))!

test('chains that are priced step by step, in turns with others, are what each is by itself', async () => {
  const chains = await Promise.all(['AAPL', 'KO', 'VIX'].map(chainOf))
  let running = chains.map((chain) => ({ chain, steps: pricingSteps(chain, defaultAssumptions, fittedSmile) }))
  let compared = 0
  while (running.length > 0) {
    running = running.filter(({ chain, steps }) => {
      const step = steps.next()
      if (!step.done) return true
      expect(step.value).toEqual(priceChain(chain, defaultAssumptions, fittedSmile))
      compared++
      return false
    })
  }
  expect(compared).toBe(3)
})

test('a load lets answers go first before it prices its chain and while it does, and finds the same', async () => {
  const chain = await chainOf('AAPL')
  let answers = 0
  const pause = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    expect((await priced(await chainOf('KO'), context)).size).toBeGreaterThan(0)
    answers++
  }
  expect(await priced(chain, { ...context, pause })).toEqual(await priced(chain, context))
  expect(answers).toBeGreaterThan(0)
})
