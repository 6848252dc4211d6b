import type { DailyBar } from '../../../market/bar.ts'
import type { IsoDate } from '../../../market/units.ts'
import { gaussian, keyOf } from '../../../math/random.ts'
import { sessionOnOrAfter, sessions } from '../market-sessions.ts'
import { isVolatilitySector, type Security } from '../securities/securities.ts'
import { volatilityIndex } from '../surface/volatility-index.ts'
import { driversOf, ofNewest, once, type World } from '../world.ts'
import { factorAt, factorLevels } from './factor.ts'

/** Session at which prices would equal the table's price levels without random moves. */
const anchor = sessionOnOrAfter('2026-07-01' as IsoDate)

/**
 * Depth of the grid from which the high and low of a session are taken: 2^depth parts. `INDEX_DEPTH` is for volatility
 * indexes, which take longer to compute.
 */
const PRICE_DEPTH = 5
const INDEX_DEPTH = 3

/**
 * A path's true high or low lies beyond the extremes at grid points, on average by this many standard deviations of one
 * grid step. Source: Broadie, Glasserman, Kou (1997).
 */
const BEYOND_GRID = 0.5826

/** Prices in whole cents. */
export interface PriceRange {
  readonly low: number
  readonly high: number
}

/**
 * Unrounded price in session number `n` when the share `s` (0 to 1) of the session's variance has passed. It lies
 * within the session's range.
 */
export function priceAt(world: World, security: Security, n: number, s: number): number {
  if (s >= 1) return closesOf(world, security)[n]
  const { low, high } = rangeOf(world, security, n)
  return Math.max(low, Math.min(high, freePrice(world, security, n, s)))
}

/** The close of every session, in whole cents. */
export function closesOf(world: World, security: Security): Float64Array {
  return once(world, `closes ${security.symbol}`, () =>
    Float64Array.from(sessions, (_, n) => cents(freePrice(world, security, n, 1)))
  )
}

/** Daily bar of a completed session. Indexes have no volume, since they trade no shares. */
export function sessionBarAt(world: World, security: Security, n: number): DailyBar {
  const { low, high } = rangeOf(world, security, n)
  const open = cents(Math.max(low, Math.min(high, freePrice(world, security, n, 0))))
  return { date: sessions[n], open, high, low, close: closesOf(world, security)[n], volume: shares(world, security, n) }
}

/**
 * Low and high of a session: the extremes at grid points of its path, widened by the average amount that the grid
 * misses.
 */
export function rangeOf(world: World, security: Security, n: number): PriceRange {
  return ofNewest(world, `range ${security.symbol}`, n, () => makeRange(world, security, n))
}

function makeRange(world: World, security: Security, n: number): PriceRange {
  const grid = isVolatilitySector(security) ? indexGrid(world, security, n) : priceGrid(world, security, n)
  let low = grid[0]
  let high = grid[0]
  let squares = 0
  for (let i = 1; i < grid.length; i++) {
    low = Math.min(low, grid[i])
    high = Math.max(high, grid[i])
    squares += (grid[i] - grid[i - 1]) ** 2
  }
  const margin = BEYOND_GRID * Math.sqrt(squares / (grid.length - 1))
  return { low: Math.max(1, Math.floor(100 * (low - margin))) / 100, high: Math.ceil(100 * (high + margin)) / 100 }
}

function indexGrid(world: World, { symbol }: Security, n: number): Float64Array {
  const parts = 2 ** INDEX_DEPTH
  return Float64Array.from({ length: parts + 1 }, (_, i) => volatilityIndex(world, symbol, n, i / parts))
}

function priceGrid(world: World, security: Security, n: number): Float64Array {
  const grid = new Float64Array(2 ** PRICE_DEPTH + 1)
  for (const { path, load } of driversOf(world, security).exposures) {
    const levels = factorLevels(path, n, PRICE_DEPTH)
    for (let i = 0; i < grid.length; i++) grid[i] += load * levels[i]
  }
  const base = trend(security, n)
  for (let i = 0; i < grid.length; i++) grid[i] = base * Math.exp(grid[i])
  return grid
}

function freePrice(world: World, security: Security, n: number, s: number): number {
  if (isVolatilitySector(security)) return volatilityIndex(world, security.symbol, n, s)
  let level = 0
  for (const { path, load } of driversOf(world, security).exposures) level += load * factorAt(path, n, s).level
  return trend(security, n) * Math.exp(level)
}

/** Price level in session number `n` without random moves. It grows with the security's beta, by up to 6.5 % a year. */
function trend({ price, beta }: Security, n: number): number {
  const growth = 0.05 * Math.max(0, Math.min(1.3, beta))
  return price * Math.exp((growth * (n - anchor)) / 252)
}

function shares(world: World, security: Security, n: number): number {
  if (security.kind === 'index') return 0
  const usual = security.optionVolume * (security.kind === 'etf' ? 9 : 40)
  const closes = closesOf(world, security)
  const move = n === 0 ? 0 : Math.abs(Math.log(closes[n] / closes[n - 1])) / (security.volatility / Math.sqrt(252))
  return Math.round(
    usual * (0.7 + 0.25 * move) * Math.exp(0.2 * gaussian(keyOf(world.seed, 'shares', security.symbol), n))
  )
}

function cents(price: number): number {
  return Math.max(0.01, Math.round(100 * price) / 100)
}
