import { beforeAll } from 'vitest'
import { traded } from '../../support/made-up-flow.ts'
import { allMarkets, type Market } from '../../support/markets.ts'
import { dealerRisk, dex, gex, levels, live, oi, pinRisk, summary } from '../invariants/flow.ts'
import { signals, signalsSummary, snapshot } from '../invariants/flow-signals.ts'
import { type Invariants, proveInvariants } from '../invariants/invariant.ts'

let markets: readonly Market[]
beforeAll(async () => {
  markets = (await allMarkets()).flatMap((market, k): readonly Market[] => [
    { ...market, name: `${market.name}, no tape` },
    { ...traded(market, 1 + k), name: `${market.name}, traded` },
    { ...traded(market, 101 + k), name: `${market.name}, traded otherwise` }
  ])
})

const proofs: Readonly<Record<string, Invariants<never>>> = {
  '/v1/flow/levels/{symbol}': levels,
  '/v1/flow/pin-risk/{symbol}': pinRisk,
  '/v1/flow/summary/{symbol}': summary,
  '/v1/flow/gex/{symbol}': gex,
  '/v1/flow/dex/{symbol}': dex,
  '/v1/flow/dealer-risk/{symbol}': dealerRisk,
  '/v1/flow/oi/{symbol}': oi,
  '/v1/flow/live/{symbol}': live,
  '/v1/flow/signals/{symbol}': signals,
  '/v1/flow/signals/{symbol}/summary': signalsSummary,
  '/v1/flow/zero-dte/snapshot/{symbol}': snapshot
}

for (const [path, invariants] of Object.entries(proofs)) proveInvariants(path, invariants, () => markets)
