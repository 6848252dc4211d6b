import { latestSession } from '../../../market/calendar.ts'
import type { Instant, Ticker } from '../../../market/units.ts'
import type { FrameListener } from '../../port/capture/capture.ts'
import type { Connector } from '../../port/connector.ts'
import { readingOf, SourceError } from '../../port/source-error.ts'
import { type DxlinkConnection, type DxlinkLimits, followDxlink } from '../dxlink/dxlink-connection.ts'
import { nearestContracts, streamSymbol, type TastytradeContract } from '../tastytrade-contracts.ts'
import type { TastytradeRest } from '../tastytrade-rest.ts'
import { mapTastytradeChain, roughPrice } from './tastytrade-chain.ts'
import { chainEventFields, NewestEvents } from './tastytrade-events.ts'

/** Timeouts, milliseconds. */
export interface TastytradeChainLimits {
  /** Time limit until all events of a chain have arrived, milliseconds. */
  readonly chain: number
  /** Milliseconds without a new event after which a chain counts as complete. Contracts without events have no data. */
  readonly quiet: number
}

export const usualChainLimits: TastytradeChainLimits = { chain: 30_000, quiet: 1500 }

export interface TastytradeChainOptions {
  readonly rest: TastytradeRest
  readonly most: number
  readonly link: DxlinkLimits
  readonly onFrame?: FrameListener | undefined
  readonly limits: TastytradeChainLimits
}

/**
 * Loads chains: lists the contracts over REST, then collects their events on a stream connection that is opened for
 * this chain. The vendor sends the newest events to each new subscription, so old data never passes as new.
 */
export function tastytradeChains({
  rest,
  most,
  link: linkLimits,
  onFrame: onRaw,
  limits
}: TastytradeChainOptions): Connector['chain'] {
  async function collect(
    symbol: Ticker,
    listed: readonly TastytradeContract[],
    now: Instant,
    signal: AbortSignal
  ): Promise<{ readonly collected: NewestEvents; readonly contracts: readonly TastytradeContract[] }> {
    const access = await rest.streamAccess(signal)
    const collected = new NewestEvents()
    const name = streamSymbol(symbol)
    const done = new AbortController()
    let contracts: readonly TastytradeContract[] | undefined
    let link: DxlinkConnection | undefined
    let newestAt = Number.POSITIVE_INFINITY
    let counted = 0
    const subscribe = (symbols: readonly string[]) => {
      newestAt = Number.POSITIVE_INFINITY // quiet time is measured from the first event on
      link?.subscribe(symbols.flatMap((symbol) => [...chainEventFields.keys()].map((type) => ({ type, symbol }))))
    }
    const advance = () => {
      const { Quote, Summary, Trade } = collected.counts
      if (Quote + Summary + Trade > counted) newestAt = performance.now()
      counted = Quote + Summary + Trade
      const isQuiet = performance.now() - newestAt > limits.quiet
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
    const timer = setInterval(advance, Math.min(50, limits.quiet / 4))
    try {
      await followDxlink(
        {
          access,
          limits: linkLimits,
          fields: chainEventFields,
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
      clearInterval(timer)
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
    const withEvents = contracts.map((contract) => [contract, collected.of(contract.streamer)] as const)
    const underlying = collected.of(streamSymbol(symbol))
    const payload = Buffer.from(JSON.stringify({ symbol, underlying, contracts: withEvents }))
    const { chain, reading } = readingOf(payload, () =>
      mapTastytradeChain({ symbol, underlying, contracts: withEvents, fetched })
    )
    check?.(chain, { payload, reading })
    return chain
  }
}

const silent = (what: string) => new SourceError('timeout', `the stream of tastytrade did not tell ${what}`)
