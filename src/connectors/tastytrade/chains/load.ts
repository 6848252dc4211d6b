import { latestSession } from '../../../market/calendar.ts'
import type { Instant, Ticker } from '../../../market/units.ts'
import type { FrameListener } from '../../port/capture/capture.ts'
import type { Connector } from '../../port/connector.ts'
import { readingOf, SourceError } from '../../port/source-error.ts'
import { type Contract, nearestContracts } from '../contracts.ts'
import { followLink, type Link, type LinkLimits } from '../dxlink/connection.ts'
import type { Rest } from '../rest.ts'
import { streamSymbol } from '../symbols.ts'
import { Collected } from './collected.ts'
import { chainFields } from './event-fields.ts'
import { mapChain, roughPrice } from './map.ts'

/** Milliseconds. */
export interface ChainLimits {
  /** For all events of a chain. */
  readonly chain: number
  /** Without a new one, after which no more are waited for: what has no event has nothing to tell. */
  readonly quiet: number
}

export const usualChain: ChainLimits = { chain: 30_000, quiet: 1500 }

export interface ChainOptions {
  readonly rest: Rest
  /** Contracts that are subscribed to at once. */
  readonly most: number
  readonly link: LinkLimits
  readonly onFrame?: FrameListener | undefined
  readonly limits: ChainLimits
}

/**
 * Chains of the vendor: its contracts by REST, then what the stream tells of each on a connection of its own, which ends with
 * the chain. A subscription is answered with the newest events, so nothing old is held and nothing falls silent unseen.
 */
export function chainsOver({ rest, most, link: linkLimits, onFrame: onRaw, limits }: ChainOptions): Connector['chain'] {
  /** Collects the events of the symbol and of its contracts. */
  async function collect(
    symbol: Ticker,
    listed: readonly Contract[],
    now: Instant,
    signal: AbortSignal
  ): Promise<{ readonly collected: Collected; readonly contracts: readonly Contract[] }> {
    const access = await rest.streamAccess(signal)
    const collected = new Collected()
    const name = streamSymbol(symbol)
    const done = new AbortController()
    let contracts: readonly Contract[] | undefined
    let link: Link | undefined
    let toldAt = Number.POSITIVE_INFINITY
    let counted = 0
    const subscribe = (symbols: readonly string[]) => {
      toldAt = Number.POSITIVE_INFINITY // nothing is quiet before the first answer
      link?.subscribe(symbols.flatMap((symbol) => [...chainFields.keys()].map((type) => ({ type, symbol }))))
    }
    const look = () => {
      const { Quote, Summary, Trade } = collected.counts
      if (Quote + Summary + Trade > counted) toldAt = performance.now()
      counted = Quote + Summary + Trade
      const isQuiet = performance.now() - toldAt > limits.quiet
      if (contracts === undefined) {
        const spot = roughPrice(collected.of(name))
        if (spot === undefined || (!isQuiet && collected.complete([name]) === 0)) return
        contracts = nearestContracts(listed, spot, latestSession(now).date, most)
        subscribe(contracts.map(({ streamer }) => streamer))
      } else if (isQuiet || collected.complete(contracts.map(({ streamer }) => streamer)) === contracts.length) {
        done.abort()
      }
    }
    const late = AbortSignal.timeout(limits.chain)
    const either = AbortSignal.any([signal, late, done.signal])
    const looking = setInterval(look, Math.min(50, limits.quiet / 4))
    try {
      await followLink(
        {
          access,
          limits: linkLimits,
          fields: chainFields,
          onOpen(opened) {
            link = opened
            subscribe([name])
          },
          onEvents: (type, events) => collected.take(type, events),
          onRaw
        },
        either
      )
    } catch (error) {
      if (error instanceof SourceError && error.fault === 'refused') rest.forgetAccess()
      throw error
    } finally {
      clearInterval(looking)
    }
    signal.throwIfAborted()
    if (contracts === undefined) throw silent(`a price of ${symbol}`)
    for (const type of ['Quote', 'Summary'] as const) {
      const has = (streamer: string) => collected.of(streamer)[type === 'Quote' ? 'quote' : 'summary'] !== undefined
      if (contracts.length > 0 && !contracts.some(({ streamer }) => has(streamer))) {
        throw silent(`any ${type} of the options on ${symbol}`)
      }
    }
    return { collected, contracts }
  }

  return async (symbol, now, signal, check) => {
    const begun = performance.now()
    const listed = await rest.contracts(symbol, now, signal)
    if (listed.length === 0) return undefined
    const { collected, contracts } = await collect(symbol, listed, now, signal)
    const fetched = Math.floor(now + performance.now() - begun)
    const told = contracts.map((contract) => [contract, collected.of(contract.streamer)] as const)
    const underlying = collected.of(streamSymbol(symbol))
    const payload = Buffer.from(JSON.stringify({ symbol, underlying, contracts: told }))
    const { chain, reading } = readingOf(payload, () => mapChain({ symbol, underlying, contracts: told, fetched }))
    check?.(chain, { payload, reading })
    return chain
  }
}

const silent = (what: string) => new SourceError('timeout', `the stream of tastytrade did not tell ${what}`)
