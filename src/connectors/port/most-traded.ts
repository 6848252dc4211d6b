import type { Ticker } from '../../market/units.ts'
import type { UniverseSymbol } from './connector.ts'

// The most traded options of the United States: what a desk looks at first, then the rest.
const first = words`
  SPX SPY QQQ IWM VIX NDX RUT NVDA TSLA AAPL MSFT AMZN META GOOGL AMD`
const second = words`
  XSP DIA GLD SLV TLT HYG LQD EEM EFA FXI XLF XLE XLK XLV SMH KRE ARKK GDX USO IBIT TQQQ SQQQ SOXL VXX NFLX AVGO
  COIN PLTR MSTR INTC MU BABA CRM ORCL JPM BAC C GS WFC V DIS BA UBER F GM XOM CVX PFE UNH LLY WMT COST`

/** The symbols to keep warm when nobody says otherwise: those of tier 1 alone where a source is asked sparingly. */
export const mostTraded: readonly UniverseSymbol[] = [
  ...first.map((symbol) => ({ symbol, tier: 1 as const })),
  ...second.map((symbol) => ({ symbol, tier: 2 as const }))
]

function words(text: TemplateStringsArray): readonly Ticker[] {
  return text[0].trim().split(/\s+/) as readonly string[] as readonly Ticker[]
}
