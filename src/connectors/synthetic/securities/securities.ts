import { type SecurityKind, securityKind } from '../../../market/security.ts'
import { parseTicker, type Ticker } from '../../../market/units.ts'
import type { UniverseSymbol } from '../../port/connector.ts'
import type { Cycle } from '../listing/expiry-cycles.ts'
import type { Sector } from './sectors.ts'
import { marketTerms, sectorTerms } from './sectors.ts'
import { type SecurityRow, securityRows, TIER_1_SIZE } from './security-table.ts'

export interface Security {
  readonly symbol: Ticker
  readonly kind: SecurityKind
  readonly sector: Sector
  /** Price level in the middle of 2026, USD or index points. */
  readonly price: number
  readonly beta: number
  readonly sectorLoad: number
  /** Annual volatility that comes from the security alone, not from market or sector; a fraction. */
  readonly ownVolatility: number
  /** Continuous dividend yield, an annual fraction. */
  readonly dividendYield: number
  /** Option contracts traded on an ordinary day. */
  readonly optionVolume: number
  readonly cycle: Cycle
  /** Symbol whose returns the security shares, e.g. SPX for SPY. For most securities it is their own symbol. */
  readonly returnsOf: Ticker
  /** Long-run annual volatility from market, sector and the security alone together, a fraction. */
  readonly volatility: number
}

/** All securities in the order of the universe. */
export const securities: readonly Security[] = securityRows.map(readRow)

const bySymbol: ReadonlyMap<string, Security> = new Map(securities.map((security) => [security.symbol, security]))

/**
 * Looks up the security of a symbol; undefined for an unknown symbol and for weekly roots such as SPXW, whose contracts
 * belong to SPX.
 */
export function securityOf(symbol: string): Security | undefined {
  return bySymbol.get(symbol)
}

export const syntheticTickers: readonly Ticker[] = securities.map(({ symbol }) => symbol).sort()

/** Symbols with listed options, tier 1 first. */
export const syntheticUniverse: readonly UniverseSymbol[] = securities
  .map(({ symbol }, at) => ({ symbol, tier: at < TIER_1_SIZE ? (1 as const) : (2 as const) }))
  .filter(({ symbol }) => bySymbol.get(symbol)!.cycle !== 'none')

/** Whether a security is a volatility index. Its level is computed from the SPX smile. */
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
