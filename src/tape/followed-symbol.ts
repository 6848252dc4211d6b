import type { StoredTape, TapeId } from '../archive/history-store.ts'
import type { PrintFeed, TapeMessage } from '../connectors/port/prints/print-feed.ts'
import { latestSession } from '../market/calendar.ts'
import { type TapeKind, tapeKinds } from '../market/print.ts'
import { tradeDate, tradesFrom } from '../market/trade-date.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { ReadScheduler } from './read-scheduler.ts'
import { MAX_CLOCK_AHEAD, type Overlap, type RefusedMessage, SymbolTapes } from './symbol-tapes.ts'
import type { Tape } from './tape.ts'
import { VolumeGrowth } from './volume-growth.ts'

export interface FollowedSymbolOptions {
  readonly symbol: Ticker
  /** Undefined if the source gives no prints. */
  readonly feed: Pick<PrintFeed, 'past'> | undefined
  readonly marketNow: () => Instant
  /** Whether the market clock stands at one moment, after which nothing is shown. */
  readonly clockStands: boolean
  /** Resolves once earlier tapes of the symbol are safe in the archive. */
  readonly after: Promise<void> | undefined
  /** Reads a tape from the archive; undefined if the symbol is not recorded. */
  readonly read: ((id: TapeId) => Promise<StoredTape | undefined>) | undefined
  /** Called for a tape that was restored from the archive. */
  readonly onRestored: (tape: Tape) => void
  /** Called for a tape that could not be read from the archive: the position of its next row is unknown. */
  readonly onUnread: (tape: Tape, error: Error) => void
  readonly onPastFailed: (error: Error) => void
  readonly onRefused: (reason: RefusedMessage) => void
  readonly onFull: (tape: Tape) => void
  readonly scheduler: ReadScheduler
}

interface ArrivedMessage {
  readonly message: TapeMessage
  /** When it came, less the delay of the feed. */
  readonly arrival: Instant
}

/** A feed follows a symbol this soon after it was asked to; the prints until then are read from its past. Milliseconds. */
const FOLLOWED_WITHIN = 2000
/** A read of the past begins this long before the end of the tape, milliseconds. */
const OVERLAP = 5000

/**
 * One symbol that is followed live. Its tapes get the rows that the archive has of the session, then what the past of the feed
 * has since, then the messages of the feed. While a gap is read from the past, messages of the feed wait, so that the tapes
 * keep the order of the prints.
 */
export class FollowedSymbol {
  readonly symbol: Ticker
  readonly tapes: SymbolTapes
  /** Infers prints for a source that gives none. */
  readonly growth = new VolumeGrowth()
  /** Resolves once the prints of the session until `keep` are on the tapes. */
  readonly caughtUp: Promise<void>
  readonly #options: FollowedSymbolOptions
  readonly #ended = new AbortController()
  readonly #began: Instant
  /** Messages of the feed that wait while gaps are read. */
  #waiting: ArrivedMessage[] = []
  #gaps = 0
  #hasCaughtUp = false
  #callers = 0
  /** When the first of the gaps begins. */
  #since = Number.POSITIVE_INFINITY
  /** Resolves when the last known gap is closed. */
  #closing: Promise<void>
  /** A gap that is not being read yet; further ones are added to it. */
  #nextGap: { since: Instant } | undefined

  constructor(options: FollowedSymbolOptions) {
    const { symbol, onRefused, onFull, marketNow } = options
    this.symbol = symbol
    this.tapes = new SymbolTapes({ symbol, onRefused, onFull })
    this.#options = options
    this.#began = marketNow()
    this.caughtUp = this.#begin().finally(() => {
      this.#hasCaughtUp = true
    })
    this.#closing = this.caughtUp
    this.#closeGap(this.#began)
  }

  /** Whether callers wait in `catchUp`. */
  get isWaitedFor(): boolean {
    return this.#callers > 0
  }

  /** Waits for `caughtUp`, with priority over symbols that no caller waits for. */
  async catchUp(): Promise<void> {
    this.#callers++
    await this.caughtUp
    this.#callers--
  }

  /** Whether `caughtUp` has resolved. A later gap does not change it. */
  get hasCaughtUp(): boolean {
    return this.#hasCaughtUp
  }

  /** Whether every message of the feed is on the tapes. */
  get isCurrent(): boolean {
    return this.#gaps === 0
  }

  /** Whether rows lie after the market clock: that of a demonstration goes back when its session is over. */
  get isAhead(): boolean {
    const latest = this.#options.marketNow() + MAX_CLOCK_AHEAD
    for (const { known } of this.tapes.all()) if (known !== undefined && known > latest) return true
    return false
  }

  /** The tape of the current session, or of the last one while the market is closed. */
  tape(kind: TapeKind): Tape {
    const { date } = latestSession(this.#options.marketNow())
    this.tapes.dropBefore(date)
    return this.tapes.tape(kind, date)
  }

  take(message: TapeMessage, arrival: Instant): void {
    if (this.isCurrent) this.tapes.take(message, arrival)
    else this.#waiting.push({ message, arrival })
  }

  /** The feed missed messages from `since` on: reads them from its past if it has one, else flags a gap. */
  missed(since: Instant): void {
    if (this.#options.feed?.past === undefined) this.tapes.noteGap()
    else this.#closeGap(since)
  }

  /** Stops reading. Waiting messages are dropped: recorded after an open gap they would keep a restart from reading it. */
  close(): void {
    this.#ended.abort()
    this.#waiting = []
  }

  async #begin(): Promise<void> {
    const { after, feed } = this.#options
    await after
    const known = await this.#restore()
    if (feed?.past === undefined) {
      if (known.size > 0) this.tapes.noteGap()
      return
    }
    const newest = Math.max(...known.values())
    const start = tradesFrom(latestSession(this.#began).date)
    // One tape may have been written further than the other, so each goes on from its own end.
    const from = (kind: TapeKind) => (known.size === 0 ? start : (known.get(kind) ?? newest) - OVERLAP)
    await this.#readPast(from, this.#began, this.tapes.overlap(from))
  }

  /**
   * Restores the tapes that the archive has; returns the time of the newest row by kind. In the evening there are tapes of the
   * next session too.
   */
  async #restore(): Promise<ReadonlyMap<TapeKind, Instant>> {
    const { read, onRestored, onUnread, symbol, clockStands } = this.#options
    const known = new Map<TapeKind, Instant>()
    if (read === undefined) return known
    const began = this.#began
    // The clock of a feed may run ahead of ours: its rows from before a restart are not lost.
    const until = clockStands ? began : began + MAX_CLOCK_AHEAD
    const dates = new Set<IsoDate>([latestSession(began).date, tradeDate(began)])
    for (const session of dates) {
      for (const kind of tapeKinds) {
        try {
          const stored = await read({ symbol, kind, session })
          if (stored === undefined || this.#ended.signal.aborted) continue
          const tape = this.tapes.restore(stored, until)
          onRestored(tape)
          if (tape.known !== undefined) known.set(kind, tape.known)
        } catch (error) {
          onUnread(this.tapes.tape(kind, session), error as Error)
        }
      }
    }
    return known
  }

  /** Reads the gap between the tapes and the feed from the past, after the gaps before it. */
  #closeGap(begin: Instant): void {
    this.#since = Math.min(this.#since, begin)
    if (this.#nextGap !== undefined) {
      this.#nextGap.since = Math.min(this.#nextGap.since, begin)
      return
    }
    const gap = { since: begin }
    this.#nextGap = gap
    this.#gaps++
    this.#closing = this.#closing.then(async () => {
      const hasPast = this.#options.feed?.past !== undefined
      if (hasPast) await pause(FOLLOWED_WITHIN, this.#ended.signal)
      this.#nextGap = undefined
      if (hasPast) {
        const { since } = gap
        const from = () => since - OVERLAP
        await this.#readPast(from, this.#options.marketNow(), this.tapes.overlap(from))
      }
      this.#gaps--
      if (this.isCurrent) this.#takeWaiting()
    })
  }

  /** Takes the waiting messages. The read of the past may have brought some of them. */
  #takeWaiting(): void {
    const overlap = this.tapes.overlap(() => this.#since - OVERLAP)
    for (const { message, arrival } of this.#waiting) this.tapes.take(message, arrival, overlap)
    this.#waiting = []
    this.#since = Number.POSITIVE_INFINITY
  }

  /** Takes the messages of the past until `to`, each kind from its own moment. */
  async #readPast(from: (kind: TapeKind) => Instant, to: Instant, overlap: Overlap): Promise<void> {
    const { feed, onPastFailed, scheduler } = this.#options
    const { signal } = this.#ended
    const froms = tapeKinds.map(from)
    const earliest = Math.min(...froms)
    const isWanted =
      froms[0] === froms[1] ? () => true : (message: TapeMessage) => timeOf(message) >= from(kindOf(message))
    try {
      await scheduler.next(this)
      for await (const batch of feed!.past!(this.symbol, earliest, to, signal)) {
        if (signal.aborted) return
        for (const message of batch) if (isWanted(message)) this.tapes.take(message, undefined, overlap)
        await scheduler.next(this)
      }
    } catch (error) {
      if (signal.aborted) return
      this.tapes.noteGap()
      onPastFailed(error as Error)
    }
  }
}

const contentOf = (message: TapeMessage) =>
  'print' in message ? message.print : 'cancel' in message ? message.cancel : message.quote
export const symbolOf = (message: TapeMessage): Ticker => contentOf(message).symbol
const timeOf = (message: TapeMessage): Instant => contentOf(message).time
const kindOf = (message: TapeMessage): TapeKind => (contentOf(message).contract === undefined ? 'stock' : 'option')

/** Resolves after some milliseconds, or when the signal fires. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    timer.unref()
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
