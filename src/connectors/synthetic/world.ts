import { LRUCache } from 'lru-cache'
import { keyOf } from '../../math/random.ts'
import { type FactorPath, factorPath, pagedPath } from './prices/factor.ts'
import { type ReportJump, reportsOf } from './prices/report-jumps.ts'
import { marketTerms, ownTerms, sectorTerms } from './securities/sectors.ts'
import type { Security } from './securities/securities.ts'

export interface Exposure {
  readonly path: FactorPath
  readonly load: number
}

export interface Drivers {
  readonly exposures: readonly Exposure[]
  readonly reports: readonly ReportJump[]
}

/**
 * A seed, and caches of values generated from it. The caches are bounded. They hold only values of pure functions, so
 * results never depend on earlier requests.
 */
export interface World {
  readonly seed: number
  readonly made: LRUCache<string, object>
  readonly days: LRUCache<string, { readonly size: number }>
  /** Newest cached value for each name, and the number of the moment for which it was generated. */
  readonly newest: LRUCache<string, { readonly at: number; readonly value: object }>
}

/** Maximum number of entries in `made`: enough for the factors, closes and earnings reports of every symbol. */
const MAX_VALUES = 1300
/**
 * Maximum number of entries in `newest`. Each symbol has four: the price range of a session, the coming earnings
 * reports, and the trading in a few minutes and in one minute.
 */
const MAX_NEWEST = 1000
/**
 * Maximum number of contracts in `days`, at about 15 bytes each. A symbol's day has four entries: its listing, and the
 * trading in each of the three parts of the session.
 */
const MAX_CONTRACTS = 2_000_000

export function createWorld(seed: number): World {
  const days = new LRUCache<string, { readonly size: number }>({
    maxSize: MAX_CONTRACTS,
    sizeCalculation: ({ size }) => size + 1
  })
  return { seed, made: new LRUCache({ max: MAX_VALUES }), days, newest: new LRUCache({ max: MAX_NEWEST }) }
}

/** Returns the cached value of `name`, or generates it. */
export function once<Value extends object>(world: World, name: string, make: () => Value): Value {
  const known = world.made.get(name)
  if (known !== undefined) return known as Value
  const value = make()
  world.made.set(name, value)
  return value
}

/** Returns the cached value of `name`, or generates it. The name contains symbol and session. */
export function ofDay<Value extends { readonly size: number }>(world: World, name: string, make: () => Value): Value {
  const known = world.days.get(name)
  if (known !== undefined) return known as Value
  const value = make()
  world.days.set(name, value)
  return value
}

/**
 * Returns the cached value of `name` if it was generated for the moment `at`. Otherwise generates it for `at` and
 * caches it.
 */
export function ofNewest<Value extends object>(world: World, name: string, at: number, make: () => Value): Value {
  const known = world.newest.get(name)
  if (known?.at === at) return known.value as Value
  const value = make()
  world.newest.set(name, { at, value })
  return value
}

/** Factors that move a security, the market first, and the security's earnings reports. */
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
      const own = () => pagedPath(keyOf(seed, 'own', returnsOf), ownTerms(ownVolatility), jumps)
      exposures.push({ path: once(world, `own ${returnsOf}`, own), load: 1 })
    }
    return { exposures, reports }
  })
}
