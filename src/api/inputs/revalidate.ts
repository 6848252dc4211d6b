import { type ChainHeader, headerOf } from '../../market/chain.ts'
import { easternDate } from '../../market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { ChainAssessment } from '../../quality/chain-assessment.ts'
import type { Endpoint } from '../endpoint.ts'
import type { DataRequest, MarketData, MarketSource } from '../market-source.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { loadInputs, sessionOf } from './load.ts'

type Params = Readonly<Record<string, unknown>>

/** A chain that was read, and the maximum age that was allowed for it. */
export interface ChainRead {
  readonly symbol: Ticker
  readonly asOf: Instant
  readonly maxAge: number
}

type Check = (source: MarketSource) => boolean

/**
 * Everything read for a response: its version, and a check for every read of the source. Holds no data, so replaced
 * chains can be garbage-collected.
 */
export interface Dependencies {
  readonly version: string
  readonly chains: readonly ChainHeader[]
  readonly quality: ChainAssessment | undefined
  readonly checks: readonly Check[]
  /** Latest chains that were read, including those of other symbols. */
  readonly reads: readonly ChainRead[]
  readonly date: IsoDate
  readonly session: IsoDate | undefined
  readonly maxAge: number
}

/**
 * Loads the inputs if all are available now and records how they were read. Undefined if anything would have to be
 * awaited.
 */
export function loadIfReady(endpoint: Endpoint, params: Params, request: DataRequest): Dependencies | undefined {
  const { source, maxAge } = request
  const checks: Check[] = []
  const reads: ChainRead[] = []
  const loaded = loadInputs(endpoint, params, { ...request, source: tracking(source, checks, reads) })
  if (loaded instanceof Promise) {
    loaded.catch(() => {}) // the caller that awaits the inputs meets the failure again
    return undefined
  }
  const { version, chains } = loaded
  const quality = loaded.quality()
  if (quality instanceof Promise) return undefined
  const date = easternDate(source.now())
  const session = sessionOf(endpoint, params, request)
  return { version, chains: chains.map(headerOf), quality, checks, reads, date, session, maxAge }
}

/** Whether loading again would find the same data. Far cheaper than loading. */
export function isCurrent(made: Dependencies, endpoint: Endpoint, params: Params, request: DataRequest): boolean {
  const { source, maxAge } = request
  if (made.maxAge !== maxAge || made.date !== easternDate(source.now())) return false
  if (made.session !== sessionOf(endpoint, params, request)) return false
  for (const check of made.checks) if (!check(source)) return false
  return true
}

type Reading = (source: MarketSource) => MaybePromise<unknown>

/** Wraps a source so that every read is recorded. The type is the list of all reads, so none can be forgotten here. */
function tracking(source: MarketSource, checks: Check[], reads: ChainRead[]): MarketSource {
  const track = <Found>(read: (source: MarketSource) => Found): Found => {
    let found: Found
    try {
      found = read(source)
    } catch (error) {
      checks.push(() => false) // a response computed without this data is outdated once the source recovers
      throw error
    }
    checks.push(checkOf(read, found))
    return found
  }
  const noted = <Found extends ChainHeader>(found: MaybePromise<Found | undefined>, maxAge: number) => {
    if (found !== undefined && !(found instanceof Promise)) {
      const { symbol, asOf } = found
      reads.push({ symbol, asOf, maxAge })
    }
    return found
  }
  const data: MarketData = {
    chain: (...asked) =>
      noted(
        track((from) => from.chain(...asked)),
        asked[1]
      ),
    underlying: (...asked) =>
      noted(
        track((from) => from.underlying(...asked)),
        asked[1]
      ),
    lastKnown: (...asked) => track((from) => from.lastKnown(...asked)),
    // These depend only on a chain that was read, and never change for it.
    delayOf: (chain) => source.delayOf(chain),
    provenanceOf: (chain) => source.provenanceOf(chain),
    quality: (...asked) => track((from) => from.quality(...asked)),
    earlier: (...asked) => track((from) => from.earlier(...asked)),
    closing: (...asked) => track((from) => from.closing(...asked)),
    bars: (...asked) => track((from) => from.bars(...asked)),
    records: (...asked) => track((from) => from.records(...asked)),
    reports: (...asked) => track((from) => from.reports(...asked)),
    earnings: (...asked) => track((from) => from.earnings(...asked)),
    earningsCalendar: () => track((from) => from.earningsCalendar()),
    view: (...asked) => track((from) => from.view(...asked)),
    pastViews: (...asked) => track((from) => from.pastViews(...asked)),
    isTaped: (...asked) => track((from) => from.isTaped(...asked)),
    windowTotals: (...asked) => track((from) => from.windowTotals(...asked)),
    newestSamples: () => track((from) => from.newestSamples()),
    figures: (...asked) => track((from) => from.figures(...asked)),
    strikes: (...asked) => track((from) => from.strikes(...asked)),
    clock: (step) => track((from) => from.clock(step))
  }
  return {
    ...data,
    now: () => source.now(),
    catalogue: () => source.catalogue(),
    screened: (withChains) => source.screened(withChains),
    isStale: (chain) => source.isStale(chain)
  }
}

/** Checks that a read gives the same object or plain value as before. */
function checkOf(read: Reading, found: unknown): Check {
  return typeof found === 'object' && found !== null
    ? checkOfObject(read, new WeakRef(found))
    : checkOfValue(read, found)
}

/** A separate function, because a closure over the object itself would keep it alive. */
function checkOfObject(read: Reading, held: WeakRef<object>): Check {
  return (source) => {
    const again = atOnce(read(source))
    return again !== undefined && again === held.deref()
  }
}

function checkOfValue(read: Reading, found: unknown): Check {
  return (source) => {
    const again = read(source)
    return atOnce(again) === found && !(again instanceof Promise)
  }
}

/** Result of a read if it is available now. A caller that awaits it meets its failure. */
function atOnce(found: MaybePromise<unknown>): unknown {
  if (!(found instanceof Promise)) return found
  found.catch(() => {})
  return undefined
}
