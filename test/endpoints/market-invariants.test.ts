import { beforeAll } from 'vitest'
import { allMarkets, type Market } from '../support/markets.ts'
import { type Invariants, proveInvariants } from './invariants/invariant.ts'
import { stockSummary, surface } from './invariants/market-summary.ts'

let markets: readonly Market[]
beforeAll(async () => {
  markets = await allMarkets()
})

const proofs: Readonly<Record<string, Invariants<never>>> = {
  '/v1/stock/{symbol}/summary': stockSummary,
  '/v1/surface/{symbol}': surface
}

for (const [path, invariants] of Object.entries(proofs)) proveInvariants(path, invariants, () => markets)
