import { type ChainHeader, headerOf } from '../../market/chain.ts'
import { easternDate } from '../../market/eastern.ts'
import type { IsoDate } from '../../market/units.ts'
import type { Endpoint } from '../endpoint.ts'
import type { DataRequest, MarketSource } from '../source.ts'
import { loadInputs } from './load.ts'

type Params = Readonly<Record<string, unknown>>

/** Looks once more in one place of a source, and says whether the same thing is still there. */
type Look = (source: MarketSource) => boolean

/**
 * What was loaded for a question, and every place it was found in. It holds on to none of it: a chain that has been
 * replaced goes, whether its question is asked again or not.
 */
export interface Dependencies {
  readonly stamp: string
  readonly chains: readonly ChainHeader[]
  readonly looks: readonly Look[]
  readonly date: IsoDate
  readonly session: IsoDate | undefined
  readonly maxAge: number
}

/** Gathers what is at hand and remembers where it was found. Undefined where something would have to be waited for. */
export function loadIfReady(endpoint: Endpoint, params: Params, request: DataRequest): Dependencies | undefined {
  const { source, maxAge } = request
  const looks: Look[] = []
  const loaded = loadInputs(endpoint, params, { ...request, source: tracking(source, looks) })
  if (loaded instanceof Promise) {
    loaded.catch(() => {}) // whoever waits for it meets the failure again
    return undefined
  }
  const date = easternDate(source.now())
  const { stamp, chains } = loaded
  return { stamp, chains: chains.map(headerOf), looks, date, session: sessionOf(endpoint, params, request), maxAge }
}

/** Whether gathering for the same question would find the very same things: far less work than to loadInputs again. */
export function isCurrent(recalled: Dependencies, endpoint: Endpoint, params: Params, request: DataRequest): boolean {
  const { source, maxAge } = request
  if (recalled.maxAge !== maxAge || recalled.date !== easternDate(source.now())) return false
  if (recalled.session !== sessionOf(endpoint, params, request)) return false
  for (const look of recalled.looks) if (!look(source)) return false
  return true
}

function sessionOf({ session }: Endpoint, params: Params, { source, keyless }: DataRequest): IsoDate | undefined {
  return session(params as never, { now: source.now(), keyless })
}

/** The same source, tracking what is looked for in it and what is found. */
function tracking(source: MarketSource, looks: Look[]): MarketSource {
  const note = <Found>(find: (source: MarketSource) => Found): Found => {
    let found: Found
    try {
      found = find(source)
    } catch (error) {
      looks.push(() => false) // an answer that does without it must not do so for longer than the source fails
      throw error
    }
    const held = typeof found === 'object' && found !== null ? new WeakRef(found) : undefined
    looks.push((later) => {
      const again = atHand(find(later))
      return held === undefined ? again === found : again !== undefined && again === held.deref()
    })
    return found
  }
  return {
    now: () => source.now(),
    chain: (symbol, maxAge) => note((from) => from.chain(symbol, maxAge)),
    closing: (symbol, session) => note((from) => from.closing(symbol, session)),
    bars: (symbol) => note((from) => from.bars(symbol)),
    records: (symbol, before, count) => note((from) => from.records(symbol, before, count)),
    catalogue: () => source.catalogue(),
    isStale: (chain) => source.isStale(chain)
  }
}

const awaited = Symbol('awaited')

/** What was found, or a mark for what is still to come: whoever gathers waits for it, and meets its failure. */
function atHand(found: unknown): unknown {
  if (!(found instanceof Promise)) return found
  found.catch(() => {})
  return awaited
}
