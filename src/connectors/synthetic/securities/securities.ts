import { type SecurityKind, securityKind } from '../../../market/security.ts'
import { parseTicker, type Ticker } from '../../../market/units.ts'
import type { UniverseSymbol } from '../../port/connector.ts'
import type { Cycle } from '../listing/expiry-cycles.ts'
import type { Sector } from './sectors.ts'
import { marketTerms, sectorTerms } from './sectors.ts'
import { type SecurityRow, securityRows, TIER_1_SIZE } from './security-table.ts'

/** One security of the synthetic market and the parameters it is made with. */
export interface Security {
  readonly symbol: Ticker
  readonly kind: SecurityKind
  readonly sector: Sector
  /** Level in the middle of 2026, USD or index points. */
  readonly price: number
  readonly beta: number
  readonly sectorLoad: number
  /** Annual volatility of what the security does on its own. */
  readonly ownVolatility: number
  /** Continuous, a fraction. */
  readonly dividendYield: number
  /** Option contracts on a usual day. */
  readonly optionVolume: number
  readonly cycle: Cycle
  /** The symbol whose returns it has: SPY moves with SPX. Its own symbol for most. */
  readonly returnsOf: Ticker
  /** Long-run annual volatility of all its factors together. */
  readonly volatility: number
}

/** All securities in curator's order. */
export const securities: readonly Security[] = securityRows.map(readRow)

const bySymbol: ReadonlyMap<string, Security> = new Map(securities.map((security) => [security.symbol, security]))

/** The security of a symbol; undefined for a stranger and for weekly roots, which their parents hold. */
export function securityOf(symbol: string): Security | undefined {
  return bySymbol.get(symbol)
}

/** Every symbol, ascending. */
export const tickers: readonly Ticker[] = securities.map(({ symbol }) => symbol).sort()

/** The symbols with listed options, tier 1 first. */
export const universe: readonly UniverseSymbol[] = securities
  .map(({ symbol }, at) => ({ symbol, tier: at < TIER_1_SIZE ? (1 as const) : (2 as const) }))
  .filter(({ symbol }) => bySymbol.get(symbol)!.cycle !== 'none')

/** Whether a security is a measure of volatility, made from the smile of the SPX and not from returns of its own. */
export function isVolatilitySector(security: Security): boolean {
  return security.sector === 'volatility'
}

function readRow(row: SecurityRow): Security {
  const [symbol, sector, price, beta, sectorLoad, own, dividendYield, thousands, cycle, returnsOf] = row
  const followed = returnsOf === undefined ? own : securityRows.find(([other]) => other === returnsOf)![5]
  const shared = (beta * marketTerms.volatility) ** 2 + (sectorLoad * (sectorTerms(sector)?.volatility ?? 0)) ** 2
  return {
    symbol: parseTicker(symbol)!,
    kind: securityKind(symbol),
    sector,
    price,
    beta,
    sectorLoad,
    ownVolatility: followed,
    dividendYield,
    optionVolume: thousands * 1000,
    cycle,
    returnsOf: parseTicker(returnsOf ?? symbol)!,
    volatility: sector === 'volatility' ? 0.9 : Math.sqrt(shared + followed ** 2)
  }
}
