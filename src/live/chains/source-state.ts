import { type HeldBackReason, heldBackReasons } from '../../gate/gate.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import type { MarketEventBus } from '../market-events.ts'

/** Since when the source has not responded, and its last error. */
export interface Silence {
  readonly since: Instant
  readonly reason: string
}

/**
 * Number of symbols that must fail in a row, with no response in between, before a source that has worked counts as
 * down.
 */
const MIN_FAILING = 2

export class SourceState {
  readonly #refusals = Object.fromEntries(heldBackReasons.map((reason) => [reason, 0])) as Record<
    HeldBackReason,
    number
  >
  /** Symbols that failed since the last response of the source. */
  readonly #failing = new Set<Ticker>()
  #silence: Silence | undefined
  #lastRefusal: string | undefined
  #hasAnswered = false
  #settleFirst!: () => void

  /** Resolves with the first response or failure of the source. */
  readonly firstOutcome = new Promise<void>((resolve) => (this.#settleFirst = resolve))

  constructor(events: MarketEventBus, wallNow: () => Instant) {
    events.on('sourceAnswered', () => this.#answered())
    events.on('payloadRefused', ({ reason, message }) => {
      this.#answered()
      this.#refusals[reason]++
      this.#lastRefusal = message
    })
    events.on('olderDropped', () => this.#answered())
    events.on('sourceFailed', ({ symbol, error }) => {
      this.#failing.add(symbol)
      this.#silence = { since: this.#silence?.since ?? wallNow(), reason: error.message }
      this.#settleFirst()
    })
  }

  /** Since when the source has not responded for any symbol; undefined while it responds. */
  get silence(): Silence | undefined {
    return !this.#hasAnswered || this.#failing.size >= MIN_FAILING ? this.#silence : undefined
  }

  /** Number of payloads that were held back since the start, by reason; reasons that never occurred are left out. */
  get refusals(): Readonly<Partial<Record<HeldBackReason, number>>> {
    return Object.fromEntries(Object.entries(this.#refusals).filter(([, count]) => count > 0))
  }

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
