import type { Ticker } from '../../market/units.ts'
import type { UniverseSymbol } from './connector.ts'

// The symbols with the most traded options in the United States. Those that a trading desk checks first are in `first`.
const first = words`
  SPX SPY QQQ IWM VIX NDX RUT NVDA TSLA AAPL MSFT AMZN META GOOGL AMD`
const second = words`
  XSP DIA GLD SLV TLT HYG LQD EEM EFA FXI XLF XLE XLK XLV SMH KRE ARKK GDX USO IBIT TQQQ SQQQ SOXL VXX NFLX AVGO
  COIN PLTR MSTR INTC MU BABA CRM ORCL JPM BAC C GS WFC V DIS BA UBER F GM XOM CVX PFE UNH LLY WMT COST`

/** Default universe of real sources. Sources with few requests use tier 1 only. */
export const mostTraded: readonly UniverseSymbol[] = [
  ...first.map((symbol) => ({ symbol, tier: 1 as const })),
  ...second.map((symbol) => ({ symbol, tier: 2 as const }))
]

function words(text: TemplateStringsArray): readonly Ticker[] {
  return text[0].trim().split(/\s+/) as readonly string[] as readonly Ticker[]
}
