import { type Fact, factVersion } from '../../facts/fact.ts'
import type { ChainHeader } from '../../market/chain.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { type Deadline, refuseLate } from '../deadline.ts'
import { ApiError } from '../error.ts'
import type { MarketData, MarketSource } from '../market-source.ts'

/** The readings of a market, each with its value at once. One that must be loaded first ends the attempt to read. */
export type MarketReadings = {
  readonly [Name in keyof MarketData]: (...asked: Parameters<MarketData[Name]>) => Awaited<ReturnType<MarketData[Name]>>
}

/** A chain that was read, and the maximum age that was allowed for it. */
export interface ChainRead {
  readonly symbol: Ticker
  readonly asOf: Instant
  readonly maxAge: number
}

/** Everything read for an answer. */
export interface MarketRead {
  readonly facts: readonly Fact[]
  /** Latest chains among it, including those of other symbols. */
  readonly chains: readonly ChainRead[]
}

// The type is the list of all readings, so none can be forgotten.
const readings: { readonly [Name in keyof MarketData]: true } = {
  chain: true,
  underlying: true,
  lastKnown: true,
  quality: true,
  earlier: true,
  closing: true,
  bars: true,
  records: true,
  bandErrors: true,
  reports: true,
  earnings: true,
  earningsCalendar: true,
  view: true,
  pastViews: true,
  isTaped: true,
  windowTotals: true,
  newestSamples: true,
  pastPressure: true,
  customers: true,
  figures: true,
  strikes: true,
  minutePrices: true,
  screened: true,
  clock: true
}

/** Thrown where a reading is being loaded. */
const beingLoaded = new Error('a reading is being loaded')

type Outcome = { readonly value: unknown } | { readonly error: unknown } | 'loading'

/** A reading that was begun, with its arguments. */
interface Begun {
  readonly reading: string
  readonly asked: readonly unknown[]
  outcome: Outcome
}

/** Reads a market for one answer. A reading that was made once gives the same again. */
class MarketReader implements MarketRead {
  readonly facts: Fact[] = []
  readonly chains: ChainRead[] = []
  readonly #source: MarketSource
  readonly #begun: Begun[] = []
  readonly #loading = new Set<Promise<void>>()

  constructor(source: MarketSource) {
    this.#source = source
  }

  /** Runs `find` and returns its result; undefined if it needs a reading that is being loaded. */
  attempt<Found>(find: (market: MarketReadings) => Found): { readonly found: Found } | undefined {
    try {
      return { found: find(this as unknown as MarketReadings) }
    } catch (error) {
      if (error === beingLoaded) return undefined
      throw error
    }
  }

  /** Resolves when something that was being loaded is there, or has failed. */
  async settled(): Promise<void> {
    await Promise.race(this.#loading)
  }

  /** Makes a reading with these arguments, or repeats its outcome. */
  read(reading: string, asked: readonly unknown[]): unknown {
    const { outcome } = this.#find(reading, asked) ?? this.#begin(reading, asked)
    if (outcome === 'loading') throw beingLoaded
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }

  // An answer makes few readings, so a search takes less time than to write a key for each.
  #find(reading: string, asked: readonly unknown[]): Begun | undefined {
    return this.#begun.find((begun) => begun.reading === reading && areEqual(begun.asked, asked))
  }

  #begin(reading: string, asked: readonly unknown[]): Begun {
    const begun: Begun = { reading, asked, outcome: 'loading' }
    this.#begun.push(begun)
    try {
      const found = read(this.#source, reading, asked)
      if (found instanceof Promise) this.#await(found, begun)
      else this.#take(begun, found)
    } catch (error) {
      this.#fail(begun, error)
    }
    return begun
  }

  #await(found: Promise<unknown>, begun: Begun): void {
    const loading = found
      .then(
        (value) => this.#take(begun, value),
        (error) => this.#fail(begun, error)
      )
      .then(() => void this.#loading.delete(loading))
    this.#loading.add(loading)
  }

  #take(begun: Begun, value: unknown): void {
    const { reading, asked } = begun
    begun.outcome = { value }
    this.facts.push({ reading, asked, version: factVersion(value) })
    if (value !== undefined && isChainReading(reading)) {
      const { symbol, asOf } = value as ChainHeader
      this.chains.push({ symbol, asOf, maxAge: asked[1] as number })
    }
  }

  #fail(begun: Begun, error: unknown): void {
    const { reading, asked } = begun
    begun.outcome = { error }
    // An answer made without what failed never stands: it is made anew once the source recovers.
    this.facts.push({ reading, asked, version: Number.NaN })
  }
}

// Every reading is a method of the class, so that a reader is made without making twenty functions.
for (const reading of Object.keys(readings)) {
  Object.defineProperty(MarketReader.prototype, reading, {
    value(this: MarketReader, ...asked: unknown[]) {
      return this.read(reading, asked)
    }
  })
}

/** Whether two arguments are equal by what they contain. */
function areEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const fields = Object.entries(one)
  return (
    fields.length === Object.keys(other).length &&
    fields.every(([name, value]) => areEqual(value, other[name as never]))
  )
}

const isChainReading = (reading: string) => reading === 'chain' || reading === 'underlying'

function read(source: MarketSource, reading: string, asked: readonly unknown[]): unknown {
  return (source as unknown as Record<string, (...asked: readonly unknown[]) => unknown>)[reading](...asked)
}

/** Runs `find` on a market. Returns its result and everything it read; undefined if a reading must be loaded first. */
export function readMarket<Found>(
  source: MarketSource,
  find: (market: MarketReadings) => Found
): (MarketRead & { readonly found: Found }) | undefined {
  const reader = new MarketReader(source)
  const { facts, chains } = reader
  const ready = reader.attempt(find)
  return ready && { ...ready, facts, chains }
}

/**
 * Runs `find` on a market. Whenever `find` meets a reading that is being loaded, it runs again once that reading is there,
 * so it must be quick and have no effects.
 */
export async function loadMarket<Found>(
  source: MarketSource,
  find: (market: MarketReadings) => Found,
  deadline?: Deadline
): Promise<MarketRead & { readonly found: Found }> {
  const reader = new MarketReader(source)
  const { facts, chains } = reader
  for (;;) {
    const ready = reader.attempt(find)
    if (ready !== undefined) return { ...ready, facts, chains }
    await reader.settled()
    refuseLate(deadline)
  }
}

/** Whether a market gives the same facts again, at once. Far cheaper than to make an answer from them. */
export function stand(facts: readonly Fact[], source: MarketSource): boolean {
  for (const { reading, asked, version } of facts) {
    const found = read(source, reading, asked)
    if (found instanceof Promise) {
      found.catch(() => {}) // the caller that awaits it meets its failure
      return false
    }
    if (factVersion(found) !== version) return false
  }
  return true
}

/** Makes readings for several things that do not depend on each other, so that they are loaded at the same time. */
export function together<Thing, Found>(things: readonly Thing[], find: (thing: Thing) => Found): readonly Found[] {
  let isLoading = false
  const found: Found[] = []
  for (const thing of things) {
    try {
      found.push(find(thing))
    } catch (error) {
      if (error !== beingLoaded) throw error
      isLoading = true
    }
  }
  if (isLoading) throw beingLoaded
  return found
}

/**
 * The value of a reading, or undefined if it fails: for data that an answer can do without. `isNeeded` says for which
 * errors it cannot.
 */
export function ifReadable<Found>(
  find: () => Found,
  isNeeded: (error: ApiError) => boolean = () => false
): Found | undefined {
  try {
    return find()
  } catch (error) {
    if (error === beingLoaded || (error instanceof ApiError && isNeeded(error))) throw error
    return undefined
  }
}
