import type { Doubt, DoubtReason } from '../../gate/candidate.ts'
import { easternDate } from '../../market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { MarketEventBus } from '../market-events.ts'

/** A doubt that stands against the chains, closes or daily bars of a symbol. */
export interface StandingDoubt extends Doubt {
  readonly symbol: Ticker
  /** Wall-clock time of the first chain that was held back. */
  readonly since: Instant
  /** Evidence that would end it, as a clause that follows "until". */
  readonly settledBy: string
}

interface Waiver {
  readonly reason: DoubtReason
  /** New York date on which it ends. */
  readonly date: IsoDate
}

/** The doubts that stand, by symbol, and what the operator has waived. */
export class Doubts {
  readonly #events: Pick<MarketEventBus, 'emit'>
  readonly #wallNow: () => Instant
  readonly #standing = new Map<Ticker, StandingDoubt>()
  readonly #waived = new Map<Ticker, Waiver>()

  constructor(events: Pick<MarketEventBus, 'emit'>, wallNow: () => Instant) {
    this.#events = events
    this.#wallNow = wallNow
  }

  of(symbol: Ticker): StandingDoubt | undefined {
    return this.#standing.get(symbol)
  }

  /** Doubts that stand, the longest first. */
  list(): readonly StandingDoubt[] {
    return [...this.#standing.values()].sort((a, b) => a.since - b.since)
  }

  /** The reason that the operator has waived for a symbol at a market time. */
  waived(symbol: Ticker, now: Instant): DoubtReason | undefined {
    const waiver = this.#waived.get(symbol)
    return waiver?.date === easternDate(now) ? waiver.reason : undefined
  }

  /** Records a doubt at a market time. It goes on from one reading to the next, whatever the reason. */
  note(symbol: Ticker, verdict: Pick<StandingDoubt, 'reason' | 'message' | 'settledBy'>, now: Instant): void {
    const before = this.#standing.get(symbol)
    const { reason, message, settledBy } = verdict
    const session = before?.reason === reason ? before.session : easternDate(now)
    const doubt = { symbol, reason, message, settledBy, session, since: before?.since ?? this.#wallNow() }
    this.#standing.set(symbol, doubt)
    if (before?.reason !== reason) this.#events.emit('readingDoubted', doubt)
  }

  /** Records that what was doubted of a symbol was taken at a market time, which ends the doubt. */
  end(symbol: Ticker, now: Instant): void {
    const doubt = this.#standing.get(symbol)
    if (doubt === undefined) return
    this.#standing.delete(symbol)
    const by = this.waived(symbol, now) === doubt.reason ? 'operator' : 'evidence'
    this.#events.emit('doubtEnded', { symbol, reason: doubt.reason, since: doubt.since, by })
  }

  /** Waives a symbol's doubt for the rest of the New York date. Returns it; undefined if there is none. */
  waive(symbol: Ticker, now: Instant): StandingDoubt | undefined {
    const doubt = this.#standing.get(symbol)
    if (doubt !== undefined) this.#waived.set(symbol, { reason: doubt.reason, date: easternDate(now) })
    return doubt
  }

  forget(symbol: Ticker): void {
    this.#standing.delete(symbol)
    this.#waived.delete(symbol)
  }
}
