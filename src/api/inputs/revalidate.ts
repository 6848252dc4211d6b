import { type ChainHeader, headerOf } from '../../market/chain.ts'
import { easternDate } from '../../market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { ChainAssessment } from '../../quality/chain-assessment.ts'
import type { Endpoint } from '../endpoint.ts'
import type { DataRequest, MarketData, MarketSource } from '../market-source.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { loadInputs, sessionOf } from './load.ts'

type Params = Readonly<Record<string, unknown>>

/** A chain that was read: of when it is, and how old it might have been. */
export interface ChainRead {
  readonly symbol: Ticker
  readonly asOf: Instant
  readonly maxAge: number
}

/** Reads a source once more and says whether the same thing is still there. */
type Check = (source: MarketSource) => boolean

/**
 * What an answer was made from: its version, and every reading of the source behind it. It holds on to none of the data:
 * a chain that has been replaced goes, whether the same request comes again or not.
 */
export interface Dependencies {
  readonly version: string
  readonly chains: readonly ChainHeader[]
  /** Of the chain that the answer is about, where there is one. */
  readonly quality: ChainAssessment | undefined
  readonly checks: readonly Check[]
  /** The latest chains that were read, those beside the answer's own too. */
  readonly reads: readonly ChainRead[]
  readonly date: IsoDate
  readonly session: IsoDate | undefined
  readonly maxAge: number
}

/** Loads what is at hand and remembers how it was read. Undefined where something would have to be waited for. */
export function loadIfReady(endpoint: Endpoint, params: Params, request: DataRequest): Dependencies | undefined {
  const { source, maxAge } = request
  const checks: Check[] = []
  const reads: ChainRead[] = []
  const loaded = loadInputs(endpoint, params, { ...request, source: tracking(source, checks, reads) })
  if (loaded instanceof Promise) {
    loaded.catch(() => {}) // the caller that waits for it meets the failure again
    return undefined
  }
  const { version, chains } = loaded
  const quality = loaded.quality()
  if (quality instanceof Promise) return undefined
  const date = easternDate(source.now())
  const session = sessionOf(endpoint, params, request)
  return { version, chains: chains.map(headerOf), quality, checks, reads, date, session, maxAge }
}

/** Whether loading for the same request would find the very same things: far less work than to load again. */
export function isCurrent(made: Dependencies, endpoint: Endpoint, params: Params, request: DataRequest): boolean {
  const { source, maxAge } = request
  if (made.maxAge !== maxAge || made.date !== easternDate(source.now())) return false
  if (made.session !== sessionOf(endpoint, params, request)) return false
  for (const check of made.checks) if (!check(source)) return false
  return true
}

type Reading = (source: MarketSource) => MaybePromise<unknown>

/** The same source, noting every reading of it. What can be read is a type, so that none can be left out here. */
function tracking(source: MarketSource, checks: Check[], reads: ChainRead[]): MarketSource {
  const track = <Found>(read: (source: MarketSource) => Found): Found => {
    let found: Found
    try {
      found = read(source)
    } catch (error) {
      checks.push(() => false) // an answer that does without it must not do so for longer than the source fails
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
    // They are told of a chain, which was read, and say the same of it always.
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

/** Whether a reading gives the same object, or the same plain value, as before. */
function checkOf(read: Reading, found: unknown): Check {
  return typeof found === 'object' && found !== null
    ? checkOfObject(read, new WeakRef(found))
    : checkOfValue(read, found)
}

/** Apart from the one below: a function that could see the object itself would keep it. */
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

/** What is found without waiting. Whoever waits for it meets the failure. */
function atOnce(found: MaybePromise<unknown>): unknown {
  if (!(found instanceof Promise)) return found
  found.catch(() => {})
  return undefined
}
