import { beforeAll } from 'vitest'
import { allMarkets, type Market } from '../support/markets.ts'
import { type Invariants, proveInvariants } from './invariants/invariant.ts'
import { spotVolCorrelation, vrp, vrpHistory } from './invariants/risk-premium.ts'
import { realized, skewTerm, volatility } from './invariants/volatility.ts'
import { advVolatility, svi } from './invariants/volatility-fits.ts'
import { dispersion, expectedMove, forecast, liquidity, vixState } from './invariants/volatility-trading.ts'

let markets: readonly Market[]
beforeAll(async () => {
  markets = await allMarkets()
})

const proofs: Readonly<Record<string, Invariants<never>>> = {
  '/v1/volatility/{symbol}': volatility,
  '/v1/adv_volatility/{symbol}': advVolatility,
  '/v1/volatility/realized/{symbol}': realized,
  '/v1/volatility/forecast/{symbol}': forecast,
  '/v1/volatility/skew-term/{symbol}': skewTerm,
  '/v1/vrp/{symbol}': vrp,
  '/v1/vrp/{symbol}/history': vrpHistory,
  '/v1/volatility/spot-vol-correlation/{symbol}': spotVolCorrelation,
  '/v1/expected-move/{symbol}': expectedMove,
  '/v1/liquidity/{symbol}': liquidity,
  '/v1/dispersion': dispersion,
  '/v1/macro/vix-state': vixState,
  '/v1/surface/{symbol}/svi': svi
}

for (const [path, invariants] of Object.entries(proofs)) proveInvariants(path, invariants, () => markets)
