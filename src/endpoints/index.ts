import type { Endpoint } from '../api/endpoint.ts'
import { basket } from './exposure/basket.ts'
import { chex } from './exposure/chex.ts'
import { dex } from './exposure/dex.ts'
import { gex } from './exposure/gex.ts'
import { history } from './exposure/history.ts'
import { levels } from './exposure/levels.ts'
import { maxPain } from './exposure/max-pain.ts'
import { narrative } from './exposure/narrative.ts'
import { oiDiff } from './exposure/oi-diff.ts'
import { sheet } from './exposure/sheet.ts'
import { summary } from './exposure/summary.ts'
import { termStructure } from './exposure/term-structure.ts'
import { vex } from './exposure/vex.ts'
import { zeroDte } from './exposure/zero-dte.ts'
import { optionQuote } from './market/option-quote.ts'
import { stockQuote } from './market/stock-quote.ts'
import { svi } from './market/svi.ts'
import { pricingGreeks } from './pricing/greeks.ts'
import { pricingIv } from './pricing/iv.ts'
import { pricingKelly } from './pricing/kelly.ts'
import { account } from './reference/account.ts'
import { options } from './reference/options.ts'
import { symbols } from './reference/symbols.ts'
import { tickers } from './reference/tickers.ts'
import { universe } from './reference/universe.ts'
import { structuresGreeks } from './structures/greeks.ts'
import { structuresPnl } from './structures/pnl.ts'
import { advVolatility } from './volatility/adv-volatility.ts'
import { dispersion } from './volatility/dispersion.ts'
import { expectedMove } from './volatility/expected-move.ts'
import { forecast } from './volatility/forecast.ts'
import { liquidity } from './volatility/liquidity.ts'
import { realized } from './volatility/realized.ts'
import { skewTerm } from './volatility/skew-term.ts'
import { vixState } from './volatility/vix-state.ts'
import { volatility } from './volatility/volatility.ts'

/** Everything the service answers. Routes, plan gates, documentation and tests are loops over this list. */
export const endpoints: readonly Endpoint[] = [
  stockQuote,
  optionQuote,
  gex,
  dex,
  vex,
  chex,
  summary,
  levels,
  narrative,
  zeroDte,
  history,
  sheet,
  termStructure,
  basket,
  oiDiff,
  maxPain,
  volatility,
  advVolatility,
  realized,
  forecast,
  skewTerm,
  expectedMove,
  liquidity,
  dispersion,
  vixState,
  svi,
  pricingGreeks,
  pricingIv,
  pricingKelly,
  structuresPnl,
  structuresGreeks,
  tickers,
  options,
  symbols,
  universe,
  account
]
