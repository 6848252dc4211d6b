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
  /** Print feed of the source; undefined if the source sends no prints. */
  readonly feed: Pick<PrintFeed, 'past'> | undefined
  readonly marketNow: () => Instant
  /** Whether the market clock is fixed at one moment, so that nothing later may be shown. */
  readonly clockStands: boolean
  /**
   * Resolves once the archive has all rows from the previous time the symbol was followed. Undefined if none are being
   * written.
   */
  readonly after: Promise<void> | undefined
  /** Reads a tape from the archive; undefined if the symbol is not recorded. */
  readonly read: ((id: TapeId) => Promise<StoredTape | undefined>) | undefined
  readonly onRestored: (tape: Tape) => void
  /**
   * Called for a tape that could not be read from the archive. It must not be recorded: the position of its next row is
   * unknown.
   */
  readonly onUnread: (tape: Tape, error: Error) => void
  readonly onPastFailed: (error: Error) => void
  readonly onRefused: (reason: RefusedMessage) => void
  readonly onFull: (tape: Tape) => void
  readonly scheduler: ReadScheduler
}

interface ArrivedMessage {
  readonly message: TapeMessage
  /** Time at which the message came, minus the delay of the feed. */
  readonly arrival: Instant
}

/**
 * A feed begins to send messages within this time after a symbol is requested, milliseconds. Earlier prints are read
 * from the feed's history.
 */
const FOLLOWED_WITHIN = 2000
/**
 * A read of the feed's history begins this long before the end of the tape, so that nothing is missed. Milliseconds.
 */
const OVERLAP = 5000

/**
 * A symbol that is followed live. Its tapes are filled in three steps: the session's rows from the archive, then newer
 * prints from the feed's history, then live messages. While a gap is read from the history, live messages wait, so that
 * prints stay in order.
 */
export class FollowedSymbol {
  readonly symbol: Ticker
  readonly tapes: SymbolTapes
  readonly growth = new VolumeGrowth()
  /** Time at which somebody last asked for the symbol, milliseconds of `steadyNow`. */
  keptAt = Number.NEGATIVE_INFINITY
  /** Whether the symbol stays followed although nobody asks for it. */
  isPinned = false
  /** Resolves once the tapes hold all prints of the session up to the start of following. */
  readonly caughtUp: Promise<void>
  readonly #options: FollowedSymbolOptions
  readonly #ended = new AbortController()
  readonly #began: Instant
  /** Live messages that wait while gaps are read. */
  #waiting: ArrivedMessage[] = []
  #gaps = 0
  #hasCaughtUp = false
  #callers = 0
  /** Start of the earliest open gap, a period whose messages are still missing. */
  #since = Number.POSITIVE_INFINITY
  /** Resolves when all known gaps are closed. */
  #closing: Promise<void>
  /** A gap whose read has not started. A gap found before the start is merged into this one. */
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

  get isWaitedFor(): boolean {
    return this.#callers > 0
  }

  /** Waits for `caughtUp`. The symbol's reads go before those of symbols that no caller waits for. */
  async catchUp(): Promise<void> {
    this.#callers++
    await this.caughtUp
    this.#callers--
  }

  get hasCaughtUp(): boolean {
    return this.#hasCaughtUp
  }

  /** Whether no gap is open, so that the tapes hold every live message received. */
  get isCurrent(): boolean {
    return this.#gaps === 0
  }

  /**
   * Whether the tapes have rows later than the market clock. The clock of a demonstration jumps back when its session
   * is over.
   */
  get isAhead(): boolean {
    const latest = this.#options.marketNow() + MAX_CLOCK_AHEAD
    for (const { known } of this.tapes.all()) if (known !== undefined && known > latest) return true
    return false
  }

  /** Tape of the current session, or of the latest one while the market is closed. */
  tape(kind: TapeKind): Tape {
    const { date } = latestSession(this.#options.marketNow())
    this.tapes.dropBefore(date)
    return this.tapes.tape(kind, date)
  }

  take(message: TapeMessage, arrival: Instant): void {
    if (this.isCurrent) this.tapes.take(message, arrival)
    else this.#waiting.push({ message, arrival })
  }

  /**
   * Handles messages that the feed missed from `since` on. They are read from the feed's history. If the feed has none,
   * the gap is marked on the tapes.
   */
  missed(since: Instant): void {
    if (this.#options.feed?.past === undefined) this.tapes.noteGap()
    else this.#closeGap(since)
  }

  /**
   * Stops reading. Waiting messages are dropped: if they were recorded after an open gap, a restart would not read the
   * gap.
   */
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
    // One tape may have been written further than the other, so each is read from its own end.
    const from = (kind: TapeKind) => (known.size === 0 ? start : (known.get(kind) ?? newest) - OVERLAP)
    await this.#readPast(from, this.#began, this.tapes.overlap(from))
  }

  /**
   * Restores the tapes that the archive has; returns the time of the newest row by kind. In the evening, tapes of the
   * next session exist too.
   */
  async #restore(): Promise<ReadonlyMap<TapeKind, Instant>> {
    const { read, onRestored, onUnread, symbol, clockStands } = this.#options
    const known = new Map<TapeKind, Instant>()
    if (read === undefined) return known
    const began = this.#began
    // The clock of a feed may be ahead of ours. Without this margin its newest rows from before a restart would be
    // lost.
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

  /** Reads the messages of a gap from the feed's history, once all gaps found earlier are closed. */
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

  /** Appends the waiting messages, except those that the feed's history has already brought. */
  #takeWaiting(): void {
    const overlap = this.tapes.overlap(() => this.#since - OVERLAP)
    for (const { message, arrival } of this.#waiting) this.tapes.take(message, arrival, overlap)
    this.#waiting = []
    this.#since = Number.POSITIVE_INFINITY
  }

  /** Appends the messages of the feed's history up to `to`; `from` gives the start for option and for stock prints. */
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
