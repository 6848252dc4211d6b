import type { PrintFeed, TapeMessage } from '../connectors/port/prints/print-feed.ts'
import type { FlowPart } from '../flow/tape-views.ts'
import { latestSession } from '../market/calendar.ts'
import type { TapeKind } from '../market/print.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../market/units.ts'
import type { ReadScheduler } from './read-scheduler.ts'
import { SymbolTapes } from './symbol-tapes.ts'
import type { Tape } from './tape.ts'

/**
 * Length of the part that is read ahead, milliseconds. The busiest symbol prints 12,000 times in the last minute, half a
 * second of CPU on Node 24.
 */
export const NEWEST_PART = MILLISECONDS_PER_MINUTE

/** A message of the live feed, with the time at which it came, minus the delay of the feed. */
export interface ArrivedMessage {
  readonly message: TapeMessage
  readonly arrival: Instant
}

/**
 * The newest prints of a session, read ahead of the others so that the first request does not wait for a whole day. They
 * lie on tapes of their own, which answers show as a part of the session and which are never recorded. Live messages go
 * on. The tapes of the whole session take their place once those are read.
 */
export class NewestPart {
  readonly isWaitedFor = true
  readonly isShort = true
  readonly since: Instant
  readonly session: IsoDate
  readonly #tapes: SymbolTapes
  readonly #now: Instant
  #waiting: ArrivedMessage[] | undefined = []

  constructor(symbol: Ticker, now: Instant) {
    const { date, open, close } = latestSession(now)
    this.#tapes = new SymbolTapes({ symbol })
    this.#now = now
    this.session = date
    this.since = Math.max(open, Math.min(now, close) - NEWEST_PART)
  }

  /** Reads the prints from the feed's history. Resolves with false if that fails or `signal` fires. */
  async read(past: NonNullable<PrintFeed['past']>, scheduler: ReadScheduler, signal: AbortSignal): Promise<boolean> {
    const { symbol } = this.#tapes
    try {
      await scheduler.next(this)
      for await (const batch of past(symbol, this.since, this.#now, signal)) {
        if (signal.aborted) return false
        for (const message of batch) this.#tapes.take(message, undefined)
        await scheduler.next(this)
      }
    } catch {
      return false // the read of the whole session meets the error again and reports it
    }
    const overlap = this.#tapes.overlap(() => this.since)
    for (const { message, arrival } of this.#waiting ?? []) this.#tapes.take(message, arrival, overlap)
    this.#waiting = undefined
    return !signal.aborted
  }

  take(message: TapeMessage, arrival: Instant): void {
    if (this.#waiting === undefined) this.#tapes.take(message, arrival)
    else this.#waiting.push({ message, arrival })
  }

  tape(kind: TapeKind): Tape {
    return this.#tapes.tape(kind, this.session)
  }

  get bytes(): number {
    return this.#tapes.bytes
  }

  /** How much of the session the tapes hold at `now`. */
  part(now: Instant): FlowPart {
    return { since: this.since, share: shareOfSession(this.since, now, now) }
  }
}

/** Share of the regular session so far at `now` that lies between two moments, from 0 to 1. */
export function shareOfSession(from: Instant, to: Instant, now: Instant): number {
  const { open, close } = latestSession(now)
  const end = Math.max(open + 1, Math.min(now, close))
  const within = (moment: Instant) => Math.min(end, Math.max(open, moment))
  return (within(to) - within(from)) / (end - open)
}
