import { LRUCache } from 'lru-cache'
import { keyOf } from '../../math/random.ts'
import { type FactorPath, factorPath } from './prices/factor.ts'
import { type ReportJump, reportsOf } from './prices/report-jumps.ts'
import { marketTerms, ownTerms, sectorTerms } from './securities/sectors.ts'
import type { Security } from './securities/securities.ts'

/** What a security's returns are made of: factors and how much of each it takes. */
export interface Exposure {
  readonly path: FactorPath
  readonly load: number
}

/** Everything that drives one security's price. */
export interface Drivers {
  readonly exposures: readonly Exposure[]
  readonly reports: readonly ReportJump[]
}

/**
 * A seed and what has been made from it so far. The caches are bounded and hold nothing but values of pure functions,
 * so an answer never depends on what was asked before.
 */
export interface World {
  readonly seed: number
  /** Values by name: factor paths, drivers and closes of symbols. */
  readonly made: LRUCache<string, object>
  /** The contracts of a symbol on a day, by name; counted in contracts. */
  readonly days: LRUCache<string, { readonly size: number }>
  /** By name what was last made of it, and for which moment. */
  readonly newest: LRUCache<string, { readonly at: number; readonly value: object }>
}

/** Enough for the factors, drivers, closes and reports of every symbol. */
const MAX_VALUES = 1300
/** Four of every symbol: the range of a session, the reports to come, and what trades in some minutes and in one. */
const MAX_NEWEST = 1000
/** A day of every symbol takes four entries: its listing and what trades in each part. Some 15 bytes a contract. */
const MAX_CONTRACTS = 2_000_000

export function createWorld(seed: number): World {
  const days = new LRUCache<string, { readonly size: number }>({
    maxSize: MAX_CONTRACTS,
    sizeCalculation: ({ size }) => size + 1
  })
  return { seed, made: new LRUCache({ max: MAX_VALUES }), days, newest: new LRUCache({ max: MAX_NEWEST }) }
}

/** The value of a name, made when it is not at hand. */
export function once<Value extends object>(world: World, name: string, make: () => Value): Value {
  const known = world.made.get(name)
  if (known !== undefined) return known as Value
  const value = make()
  world.made.set(name, value)
  return value
}

/** The same for what belongs to one session. */
export function ofDay<Value extends { readonly size: number }>(world: World, name: string, make: () => Value): Value {
  const known = world.days.get(name)
  if (known !== undefined) return known as Value
  const value = make()
  world.days.set(name, value)
  return value
}

/** The same for what is asked about one moment many times and then about another: the newest one alone is kept. */
export function ofNewest<Value extends object>(world: World, name: string, at: number, make: () => Value): Value {
  const known = world.newest.get(name)
  if (known?.at === at) return known.value as Value
  const value = make()
  world.newest.set(name, { at, value })
  return value
}

/** The factors behind a security, the market first. */
export function driversOf(world: World, security: Security): Drivers {
  const { seed } = world
  const { symbol, returnsOf, sector, beta, sectorLoad, ownVolatility } = security
  return once(world, `drivers ${symbol}`, () => {
    const exposures: Exposure[] = []
    const market = once(world, 'market', () => factorPath(keyOf(seed, 'market'), marketTerms))
    if (beta !== 0) exposures.push({ path: market, load: beta })
    const terms = sectorTerms(sector)
    if (terms !== undefined && sectorLoad !== 0) {
      const shared = once(world, `sector ${sector}`, () => factorPath(keyOf(seed, 'sector', sector), terms))
      exposures.push({ path: shared, load: sectorLoad })
    }
    const reports = once(world, `reports ${symbol}`, () => reportsOf(seed, security))
    if (ownVolatility > 0) {
      const jumps = new Map(reports.map(({ session, jump }) => [session, jump]))
      const own = () => factorPath(keyOf(seed, 'own', returnsOf), ownTerms(ownVolatility), jumps)
      exposures.push({ path: once(world, `own ${returnsOf}`, own), load: 1 })
    }
    return { exposures, reports }
  })
}
