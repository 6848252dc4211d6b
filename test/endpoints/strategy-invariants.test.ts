import { beforeAll } from 'vitest'
import { allMarkets, type Market } from '../support/markets.ts'
import { type Invariants, proveInvariants } from './invariants/invariant.ts'
import {
  dealerRegime,
  expiryPositioning,
  flowAnomaly,
  yieldEnhancement,
  zeroDte
} from './invariants/strategies-positioning.ts'
import { skew, surfaceAnomaly, tailPricing, termStructure, volCarry } from './invariants/strategies-volatility.ts'

let markets: readonly Market[]
beforeAll(async () => {
  markets = await allMarkets()
})

const proofs: Readonly<Record<string, Invariants<never>>> = {
  '/v1/strategies/flow-anomaly/{symbol}': flowAnomaly,
  '/v1/strategies/expiry-positioning/{symbol}': expiryPositioning,
  '/v1/strategies/zero-dte/{symbol}': zeroDte,
  '/v1/strategies/dealer-regime/{symbol}': dealerRegime,
  '/v1/strategies/vol-carry/{symbol}': volCarry,
  '/v1/strategies/yield-enhancement/{symbol}': yieldEnhancement,
  '/v1/strategies/surface-anomaly/{symbol}': surfaceAnomaly,
  '/v1/strategies/skew/{symbol}': skew,
  '/v1/strategies/term-structure/{symbol}': termStructure,
  '/v1/strategies/tail-pricing/{symbol}': tailPricing
}

for (const [path, invariants] of Object.entries(proofs)) proveInvariants(path, invariants, () => markets)
