import { type Fact, factVersion } from '../../facts/fact.ts'
import type { ChainHeader } from '../../market/chain.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { type Deadline, refuseLate } from '../deadline.ts'
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
  reports: true,
  earnings: true,
  earningsCalendar: true,
  view: true,
  pastViews: true,
  isTaped: true,
  windowTotals: true,
  newestSamples: true,
  figures: true,
  strikes: true,
  screened: true,
  clock: true
}

/** Thrown where a reading is being loaded. */
const beingLoaded = new Error('a reading is being loaded')

type Outcome = { readonly value: unknown } | { readonly error: unknown } | 'loading'

/** Reads a market for one answer. A reading that was made once gives the same again. */
class MarketReader implements MarketRead {
  readonly facts: Fact[] = []
  readonly chains: ChainRead[] = []
  readonly market: MarketReadings
  readonly #source: MarketSource
  readonly #outcomes = new Map<string, Outcome>()
  readonly #loading = new Set<Promise<void>>()

  constructor(source: MarketSource) {
    this.#source = source
    const made = Object.keys(readings).map((name) => [name, (...asked: unknown[]) => this.#read(name, asked)])
    this.market = Object.fromEntries(made) as MarketReadings
  }

  /** Runs `find` and returns its result; undefined if it needs a reading that is being loaded. */
  attempt<Found>(find: (market: MarketReadings) => Found): { readonly found: Found } | undefined {
    try {
      return { found: find(this.market) }
    } catch (error) {
      if (error === beingLoaded) return undefined
      throw error
    }
  }

  /** Resolves when something that was being loaded is there, or has failed. */
  async settled(): Promise<void> {
    await Promise.race(this.#loading).catch(() => {})
  }

  #read(reading: string, asked: readonly unknown[]): unknown {
    const key = `${reading} ${JSON.stringify(asked)}`
    const outcome = this.#outcomes.get(key) ?? this.#begin(key, reading, asked)
    if (outcome === 'loading') throw beingLoaded
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }

  #begin(key: string, reading: string, asked: readonly unknown[]): Outcome {
    const settle = (outcome: Outcome, version: unknown): Outcome => {
      this.#outcomes.set(key, outcome)
      this.facts.push({ reading, asked, version })
      return outcome
    }
    const take = (value: unknown) => {
      if (isChainReading(reading)) this.#noteChain(value as ChainHeader | undefined, asked[1] as number)
      return settle({ value }, factVersion(value))
    }
    // An answer made without what failed never stands: it is made anew once the source recovers.
    const fail = (error: unknown) => settle({ error }, Number.NaN)
    try {
      const found = read(this.#source, reading, asked)
      if (!(found instanceof Promise)) return take(found)
      const loading = found.then(
        (value) => {
          this.#loading.delete(loading)
          take(value)
        },
        (error) => {
          this.#loading.delete(loading)
          fail(error)
          throw error
        }
      )
      loading.catch(() => {}) // met again by the attempt that reads it
      this.#loading.add(loading)
      this.#outcomes.set(key, 'loading')
      return 'loading'
    } catch (error) {
      return fail(error)
    }
  }

  #noteChain(found: ChainHeader | undefined, maxAge: number): void {
    if (found !== undefined) this.chains.push({ symbol: found.symbol, asOf: found.asOf, maxAge })
  }
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

/** Makes several readings that do not depend on each other, so that they are loaded at the same time. */
export function together<Found>(finds: readonly (() => Found)[]): readonly Found[] {
  let isLoading = false
  const found = finds.map((find) => {
    try {
      return find()
    } catch (error) {
      if (error !== beingLoaded) throw error
      isLoading = true
      return undefined
    }
  })
  if (isLoading) throw beingLoaded
  return found as Found[]
}

/** The value of a reading, or undefined if it fails: for data that an answer can do without. */
export function ifReadable<Found>(find: () => Found): Found | undefined {
  try {
    return find()
  } catch (error) {
    if (error === beingLoaded) throw error
    return undefined
  }
}
