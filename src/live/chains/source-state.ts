import { type RefusalReason, refusalReasons } from '../../market/examination.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import type { MarketEventBus } from '../market-events.ts'

/** A source that has been silent since a moment, and its last error. */
export interface Silence {
  readonly since: Instant
  readonly reason: string
}

/**
 * Symbols that must have failed in a row, with no answer in between, before a source that once answered counts as gone.
 */
const MIN_FAILING = 2

/** State of the source, from the events of the market: whether it answers at all, and what was refused. */
export class SourceState {
  readonly #refusals = Object.fromEntries(refusalReasons.map((reason) => [reason, 0])) as Record<RefusalReason, number>
  /** Symbols that failed since the last answer of the source. */
  readonly #failing = new Set<Ticker>()
  #silence: Silence | undefined
  #lastRefusal: string | undefined
  #hasAnswered = false
  #settleFirst!: () => void

  /** Resolves with the first answer or failure of the source. */
  readonly firstOutcome = new Promise<void>((resolve) => (this.#settleFirst = resolve))

  constructor(events: MarketEventBus, wallNow: () => Instant) {
    events.on('sourceAnswered', () => this.#answered())
    events.on('payloadRefused', ({ reason, message }) => {
      this.#answered()
      this.#refusals[reason]++
      this.#lastRefusal = message
    })
    events.on('sourceFailed', ({ symbol, error }) => {
      this.#failing.add(symbol)
      this.#silence = { since: this.#silence?.since ?? wallNow(), reason: error.message }
      this.#settleFirst()
    })
  }

  /** Since when the source has answered for no symbol. Undefined: it answers. */
  get silence(): Silence | undefined {
    return !this.#hasAnswered || this.#failing.size >= MIN_FAILING ? this.#silence : undefined
  }

  /** Refused payloads since the start, by reason; reasons without any are left out. */
  get refusals(): Readonly<Partial<Record<RefusalReason, number>>> {
    return Object.fromEntries(Object.entries(this.#refusals).filter(([, count]) => count > 0))
  }

  /** The message of the last refusal. */
  get lastRefusal(): string | undefined {
    return this.#lastRefusal
  }

  #answered(): void {
    this.#hasAnswered = true
    this.#failing.clear()
    this.#silence = undefined
    this.#settleFirst()
  }
}
