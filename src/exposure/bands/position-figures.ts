import type { SecurityKind } from '../../market/security.ts'

/**
 * How the open interest of a contract changes during a trading session, in shares of its volume: (next settled open
 * interest - last settled one) / volume.
 */
export interface PositionFigures {
  readonly mean: number
  /** Standard deviation of the part that belongs to this contract alone. */
  readonly own: number
  /**
   * Standard deviations of the parts that a contract shares with others of its symbol: with those of its expiration,
   * right and zone of moneyness; with all of its expiration; with all of its right; with all.
   */
  readonly shared: readonly [zone: number, expiration: number, right: number, symbol: number]
}

/** Upper bounds of the tenors in days to expiry. Contracts that expire with the session do not change before it ends. */
const tenors = [1, 3, 7, 21, 60, Number.POSITIVE_INFINITY] as const
/** Upper bounds of the zones of moneyness, by absolute delta: far out of, out of, at, in and far in the money. */
const zones = [0.1, 0.35, 0.65, 0.9, Number.POSITIVE_INFINITY] as const

/** Zone of moneyness of a contract, from 0, by its delta. */
export const zoneOf = (delta: number) => zones.findIndex((last) => Math.abs(delta) < last)

/** Figures of one class of symbols. Lists go by tenor, by zone, or by both. */
interface PositionLaw {
  readonly mean: readonly (readonly number[])[]
  readonly ownByTenor: readonly number[]
  readonly ownByZone: readonly number[]
  /** Deviation of the own part that a single traded contract adds; see `ownDeviation`. */
  readonly ownOfFew: number
  readonly zoneByZone: readonly number[]
  readonly zoneByTenor: readonly number[]
  readonly expirationByTenor: readonly number[]
  readonly right: number
  readonly symbol: number
}

/** Measured over `MEASURED_MORNINGS` of SPY and SPX, on 38,500 changes of contracts that had traded. */
const fund: PositionLaw = {
  mean: [
    [0.21, 0.15, 0.13, 0.08, 0],
    [0.22, 0.15, 0.14, 0.06, 0],
    [0.38, 0.27, 0.23, 0.08, 0.05],
    [0.3, 0.31, 0.22, 0.08, 0.05],
    [0.2, 0.24, 0.21, 0.1, 0.05],
    [0.36, 0.36, 0.29, 0.25, 0.1]
  ],
  ownByTenor: [0.1, 0.13, 0.22, 0.32, 0.36, 0.5],
  ownByZone: [1.25, 0.9, 0.8, 0.9, 1.25],
  ownOfFew: 0.7,
  zoneByZone: [0.14, 0.09, 0.07, 0.12, 0.25],
  zoneByTenor: [1, 1, 1.2, 1.5, 1.5, 1.5],
  expirationByTenor: [0.04, 0.04, 0.07, 0.2, 0.2, 0.15],
  right: 0.05,
  symbol: 0.05
}

/**
 * Figures of single stocks: an estimate, because no recorded morning of one was at hand. They are those of `fund`, moved
 * and widened by about as much as earlier bands lacked, of which it is known how often they held on 181 and 171 sessions
 * of others.
 */
const equity: PositionLaw = {
  mean: [
    [0.28, 0.2, 0.15, 0.06, 0],
    [0.32, 0.22, 0.17, 0.06, 0],
    [0.44, 0.36, 0.26, 0.08, 0.05],
    [0.36, 0.33, 0.24, 0.08, 0.05],
    [0.28, 0.28, 0.23, 0.1, 0.05],
    [0.38, 0.38, 0.3, 0.2, 0.1]
  ],
  ownByTenor: fund.ownByTenor,
  ownByZone: [1.25, 0.95, 0.9, 1.1, 1.5],
  ownOfFew: 0.75,
  zoneByZone: [0.3, 0.25, 0.22, 0.5, 0.8],
  zoneByTenor: [1, 1, 1.2, 1.2, 1.2, 1.2],
  expirationByTenor: [0.15, 0.15, 0.2, 0.2, 0.2, 0.2],
  right: 0.15,
  symbol: 0.1
}

const laws: Readonly<Record<SecurityKind, PositionLaw>> = { index: fund, etf: fund, equity }

/** Evenings with a next morning over which the figures were measured: five of SPY, one of SPX, in July and August 2026. */
export const MEASURED_MORNINGS = 6

/** Volume, in contracts, at which half of the variance that few trades cause has averaged out. */
const FEW = 150

const still: PositionFigures = { mean: 0, own: 0, shared: [0, 0, 0, 0] }

/**
 * Figures of a contract by the class of its symbol, its days to expiry, its zone of moneyness and its volume so far.
 * The own deviation is z √(k² + f² / (1 + V / 150)): k of the tenor, z of the zone, f of few trades.
 */
export function positionFigures(kind: SecurityKind, days: number, zone: number, volume: number): PositionFigures {
  if (days <= 0) return still
  const law = laws[kind]
  const tenor = tenors.findIndex((last) => days <= last)
  const few = law.ownOfFew ** 2 / (1 + volume / FEW)
  return {
    mean: law.mean[tenor][zone],
    own: law.ownByZone[zone] * Math.sqrt(law.ownByTenor[tenor] ** 2 + few),
    shared: [law.zoneByZone[zone] * law.zoneByTenor[tenor], law.expirationByTenor[tenor], law.right, law.symbol]
  }
}
