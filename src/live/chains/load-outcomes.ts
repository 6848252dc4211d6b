import { SourceError } from '../../connectors/port/source-error.ts'
import type { Candidate } from '../../gate/candidate.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { MarketEventBus } from '../market-events.ts'
import { ClockWatch } from './clock-watch.ts'
import { Doubts } from './doubts.ts'

/** One request for the chain of a symbol. */
interface LoadRequest {
  readonly symbol: Ticker
  /** Market time of the request. */
  readonly now: Instant
  readonly seconds: number
}

/** Records the outcome of each load: doubts, the state of the clock, and the events that announce it. */
export class LoadOutcomes {
  readonly doubts: Doubts
  readonly clock: ClockWatch
  readonly #events: MarketEventBus
  readonly #symbols: () => number

  /** `symbols`: number of polled symbols. */
  constructor(events: MarketEventBus, wallNow: () => Instant, symbols: () => number) {
    this.#events = events
    this.#symbols = symbols
    this.doubts = new Doubts(events, wallNow)
    this.clock = new ClockWatch(wallNow)
  }

  /** Returns the data by which the next chain of a symbol is judged, apart from the held chain. */
  judgedBy(symbol: Ticker, now: Instant): Pick<Candidate, 'clockIsTrusted' | 'doubt' | 'waived'> {
    const { clock, doubts } = this
    return {
      clockIsTrusted: clock.behindBy === undefined,
      doubt: doubts.of(symbol),
      waived: doubts.waived(symbol, now)
    }
  }

  /** Records that a chain has become current. */
  taken({ symbol, now }: LoadRequest, before: PricedChain | undefined, chain: PricedChain): void {
    const { source, asOf } = chain
    this.clock.note(symbol, asOf - now, this.#symbols())
    this.doubts.end(symbol, now)
    if (before === undefined) return
    if (asOf < before.asOf) this.#events.emit('futureReplaced', { symbol, was: before.asOf, is: asOf })
    if (before.source === undefined || source === undefined || before.source === source) return
    this.#events.emit('sourceChanged', { symbol, from: before.source, to: source })
  }

  /** Records a failed load. Payloads that were held back are told apart. */
  failed({ symbol, now, seconds }: LoadRequest, error: Error): void {
    const { heldBack } = error instanceof SourceError ? error : {}
    if (heldBack === undefined) {
      this.#events.emit('sourceFailed', { symbol, seconds, error })
      return
    }
    const { verdict, asOf, payload } = heldBack
    if (asOf !== undefined) this.clock.note(symbol, asOf - now, this.#symbols())
    if (verdict.kind === 'older') {
      this.#events.emit('olderDropped', { symbol, seconds, message: verdict.message })
      return
    }
    if (verdict.kind === 'doubted') this.doubts.note(symbol, verdict, now)
    this.#events.emit('payloadRefused', { symbol, seconds, reason: verdict.reason, message: error.message, payload })
  }
}

/** Whether the source answered with a chain that is older than the held one, which is no failure. */
export const isOlder = (error: unknown) => error instanceof SourceError && error.heldBack?.verdict.kind === 'older'
