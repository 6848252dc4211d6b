import { type RefusalReason, refusalReasons } from '../../market/examination.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import type { MarketEventBus } from '../market-events.ts'

/** A source from which nothing has come since a moment, and what it said or did last. */
export interface Silence {
  readonly since: Instant
  readonly reason: string
}

/** Symbols that must have failed in a row, no other having answered, for a source that did answer once to count as gone. */
const MIN_FAILING = 2

/** What the events of the market tell of its source: whether it answers at all, and what of it was refused. */
export class SourceState {
  readonly #refusals = Object.fromEntries(refusalReasons.map((reason) => [reason, 0])) as Record<RefusalReason, number>
  /** Symbols that failed since the source answered for any. */
  readonly #failing = new Set<Ticker>()
  #silence: Silence | undefined
  #lastRefusal: string | undefined
  #hasAnswered = false
  #isHeardOf!: () => void

  /** Ends with the first answer or failure of the source. */
  readonly heardOf = new Promise<void>((resolve) => (this.#isHeardOf = resolve))

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
      this.#isHeardOf()
    })
  }

  /** Since when nothing comes from the source, whatever symbol it is asked for. Undefined: it answers. */
  get silence(): Silence | undefined {
    return !this.#hasAnswered || this.#failing.size >= MIN_FAILING ? this.#silence : undefined
  }

  /** How many payloads were refused since the start, by reason; none for a reason that never was. */
  get refusals(): Readonly<Partial<Record<RefusalReason, number>>> {
    return Object.fromEntries(Object.entries(this.#refusals).filter(([, count]) => count > 0))
  }

  /** Why the last of them was. */
  get lastRefusal(): string | undefined {
    return this.#lastRefusal
  }

  #answered(): void {
    this.#hasAnswered = true
    this.#failing.clear()
    this.#silence = undefined
    this.#isHeardOf()
  }
}
