import { answerBytes } from '../src/api/answer.ts'
import type { Endpoint } from '../src/api/endpoint.ts'
import { readParameters } from '../src/api/params.ts'
import { endpoints } from '../src/endpoints/index.ts'
import { liveScope } from '../src/exposure/scope.ts'
import { gammaFlip } from '../src/exposure/spot-ladder/gamma-flip.ts'
import type { Chain } from '../src/market/chain.ts'
import { easternDate } from '../src/market/eastern.ts'
import { defaultAssumptions } from '../src/pricing/assumptions.ts'
import { type PricedChain, priceChain } from '../src/pricing/price-chain.ts'
import { fittedSmile } from '../src/volatility/smile/smile-volatility.ts'
import { type Figure, medianMilliseconds, report } from './support/figure.ts'
import { areRecorded, recorded, synthetic } from './support/recorded-chain.ts'

// One tick of the widest chains: the work between a chain's columns and every exposure answer. For the work from the
// payload's bytes to the columns see chain-bytes.ts.
// If this grows, either polling slows down or fewer symbols fit on a machine.
const sessions = ['2022-07-12', '2026-07-22', '2026-07-28', '2026-07-29', '2026-07-30', '2026-07-31', '2026-08-03']

/** A copy that nothing is remembered about. */
const fresh = (chain: PricedChain): PricedChain => ({ ...chain })
const price = (chain: Chain) => priceChain(chain, defaultAssumptions, fittedSmile)
export async function run(): Promise<readonly Figure[]> {
  if (!areRecorded) console.log('no recorded chains beside the project: synthetic ones stand in, without bounds')
  const spy = areRecorded ? await recorded('SPY', '2026-07-29') : await synthetic('SPY')
  const spx = areRecorded ? await recorded('SPX', '2026-07-31') : await synthetic('SPX')
  const priced = price(spy)
  const exposure = endpoints.filter(
    ({ tag, needs }) => tag === 'exposure' && needs.every((name) => name in inputsOf(priced))
  )
  // A band takes many draws, so it has a separate row.
  const single = exposure.filter(({ id }) => id !== 'exposure.bands')
  const bands = exposure.filter(({ id }) => id === 'exposure.bands')
  const flips = areRecorded
    ? await Promise.all(sessions.map(async (session) => price(await recorded('SPY', session))))
    : [priced]
  const flipTimes = flips.map((chain) => medianMilliseconds(() => gammaFlip(liveScope(fresh(chain)))))
  return [
    {
      name: `SPY, ${spy.size} contracts: columns to priced chain`,
      value: medianMilliseconds(() => price(spy)),
      unit: 'ms',
      atMost: 5
    },
    {
      name: `SPX, ${spx.size} contracts: columns to priced chain`,
      value: medianMilliseconds(() => price(spx)),
      unit: 'ms',
      atMost: 10
    },
    {
      name: 'the same without the smile as a source of volatility',
      value: medianMilliseconds(() => priceChain(spx, defaultAssumptions)),
      unit: 'ms'
    },
    {
      name: `gamma flip of SPY, slowest of ${flips.length} sessions`,
      value: Math.max(...flipTimes),
      unit: 'ms',
      atMost: 3
    },
    {
      name: `all ${single.length} exposure answers of SPY from a priced chain`,
      value: medianMilliseconds(() => allAnswers(single, fresh(priced))),
      unit: 'ms',
      atMost: 10
    },
    {
      name: 'bands of the levels of SPY from a priced chain',
      value: medianMilliseconds(() => allAnswers(bands, fresh(priced))),
      unit: 'ms'
    }
  ]
}

const inputsOf = (chain: PricedChain) => ({
  chain,
  prior: undefined,
  vix: undefined,
  chains: new Map([[chain.symbol, chain]])
})

function allAnswers(exposure: readonly Endpoint[], chain: PricedChain): void {
  const inputs = inputsOf(chain)
  const query = { symbols: chain.symbol }
  for (const endpoint of exposure) {
    const path = Object.fromEntries(Object.keys(endpoint.params).map((name) => [name, chain.symbol]))
    const params = readParameters(endpoint.params, path, query, { today: easternDate(chain.asOf) })
    answerBytes(endpoint, { params, inputs, body: undefined, caller: [] })
  }
}

await report(import.meta.url, run)
