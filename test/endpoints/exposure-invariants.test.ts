import { beforeAll } from 'vitest'
import { allMarkets, type Market } from '../support/markets.ts'
import { attribution } from './invariants/attribution.ts'
import { bands } from './invariants/bands.ts'
import { chex, dex, gex, vex } from './invariants/by-strike.ts'
import { chartLevels } from './invariants/chart-levels.ts'
import { explain } from './invariants/explain.ts'
import { type Invariants, proveInvariants } from './invariants/invariant.ts'
import { marketHours, optionQuote, options, stockQuote } from './invariants/market-data.ts'
import { matrix } from './invariants/matrix.ts'
import { models } from './invariants/models.ts'
import { basket, maxPain, oiDiff, sheet } from './invariants/positioning.ts'
import { profile } from './invariants/profile.ts'
import { quality } from './invariants/quality.ts'
import { levels, narrative, summary, termStructure } from './invariants/whole-chain.ts'
import { zeroDte } from './invariants/zero-dte.ts'

let markets: readonly Market[]
beforeAll(async () => {
  markets = await allMarkets()
})

const proofs: Readonly<Record<string, Invariants<never>>> = {
  '/v1/exposure/gex/{symbol}': gex,
  '/v1/exposure/dex/{symbol}': dex,
  '/v1/exposure/vex/{symbol}': vex,
  '/v1/exposure/chex/{symbol}': chex,
  '/v1/exposure/summary/{symbol}': summary,
  '/v1/exposure/levels/{symbol}': levels,
  '/v1/exposure/narrative/{symbol}': narrative,
  '/v1/exposure/zero-dte/{symbol}': zeroDte,
  '/v1/exposure/sheet/{symbol}': sheet,
  '/v1/exposure/term-structure/{symbol}': termStructure,
  '/v1/exposure/basket': basket,
  '/v1/exposure/oi-diff/{symbol}': oiDiff,
  '/v1/maxpain/{symbol}': maxPain,
  '/v1/exposure/matrix/{symbol}': matrix,
  '/v1/exposure/profile/{symbol}': profile,
  '/v1/exposure/explain/{symbol}': explain,
  '/v1/exposure/chart-levels/{symbol}': chartLevels,
  '/v1/exposure/models/{symbol}': models,
  '/v1/exposure/bands/{symbol}': bands,
  '/v1/exposure/attribution/{symbol}': attribution,
  '/v1/quality/{symbol}': quality,
  '/stockquote/{ticker}': stockQuote,
  '/v1/market/session/{symbol}': marketHours,
  '/optionquote/{ticker}': optionQuote,
  '/v1/options/{ticker}': options
}

for (const [path, invariants] of Object.entries(proofs)) proveInvariants(path, invariants, () => markets)
