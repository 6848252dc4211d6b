import type { StoredTape, TapeId } from '../archive/history-store.ts'
import type { PrintFeed, TapeMessage } from '../connectors/port/prints/print-feed.ts'
import { latestSession } from '../market/calendar.ts'
import { type TapeKind, tapeKinds } from '../market/print.ts'
import { tradeDate, tradesFrom } from '../market/trade-date.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import { type ArrivedMessage, NewestPart, shareOfSession } from './newest-part.ts'
import type { ReadScheduler } from './read-scheduler.ts'
import { MAX_CLOCK_AHEAD, type Overlap, type RefusedMessage, SymbolTapes } from './symbol-tapes.ts'
import type { Tape } from './tape.ts'
import type { ReadProgress } from './tape-port.ts'
import { VolumeGrowth } from './volume-growth.ts'

export interface FollowedSymbolOptions {
  readonly symbol: Ticker
  readonly isScanned: boolean
  readonly sumsOnly: boolean
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
 * The newest part is read ahead if the whole session is not there this long after the first request, milliseconds: most
 * sessions are, and need no second read.
 */
const NEWEST_PART_AFTER = 250

/**
 * A symbol that is followed live. Its tapes are filled in three steps: the session's rows from the archive, then newer
 * prints from the feed's history, then live messages. While a gap is read from the history, live messages wait, so that
 * prints stay in order.
 */
export class FollowedSymbol {
  readonly symbol: Ticker
  readonly tapes: SymbolTapes
  readonly growth = new VolumeGrowth()
  /** Whether the tapes hold sums alone. */
  readonly sumsOnly: boolean
  /** Whether the symbol is only one of many, so that its read waits until there is memory for it. */
  isScanned: boolean
  /** Time at which somebody last asked for the symbol or, if it is one of many, for all; milliseconds of `steadyNow`. */
  askedAt = Number.NEGATIVE_INFINITY
  /** Whether the symbol stays followed although nobody asks for it. */
  isPinned = false
  /** Resolves once the tapes hold all prints of the session up to the start of following. */
  readonly caughtUp: Promise<void>
  readonly #options: FollowedSymbolOptions
  readonly #ended = new AbortController()
  /** Start of following: when the read of the session begins, or at once if there is nothing to read. */
  #began: Instant
  #hasBegun: boolean
  /** Live messages that wait while gaps are read. */
  #waiting: ArrivedMessage[] = []
  #gaps = 0
  #hasCaughtUp = false
  #callers = 0
  #readTo: Instant | undefined
  /** Tapes with the newest prints while the whole session is being read, and whether they can be shown. */
  #newest: { readonly part: NewestPart; readonly isRead: Promise<boolean>; isShown: boolean } | undefined
  /** Start of the earliest open gap, a period whose messages are still missing. */
  #since = Number.POSITIVE_INFINITY
  /** Resolves when all known gaps are closed. */
  #closing: Promise<void>
  /** A gap whose read has not started. A gap found before the start is merged into this one. */
  #nextGap: { since: Instant } | undefined

  constructor(options: FollowedSymbolOptions) {
    const { symbol, isScanned, sumsOnly, onRefused, onFull, marketNow } = options
    this.symbol = symbol
    this.isScanned = isScanned
    this.sumsOnly = sumsOnly
    this.tapes = new SymbolTapes({ symbol, sumsOnly, onRefused, onFull })
    this.#options = options
    this.#began = marketNow()
    this.#hasBegun = options.feed?.past === undefined
    this.caughtUp = this.#begin().finally(() => {
      this.#hasCaughtUp = true
      this.#newest = undefined
    })
    this.#closing = this.caughtUp
    this.#closeGap(this.#began)
  }

  get isWaitedFor(): boolean {
    return this.#callers > 0
  }

  /** Waits for `caughtUp`. The symbol's reads go before those of symbols that no caller waits for. */
  async catchUp(): Promise<undefined> {
    this.#noteCaller()
    await this.caughtUp
    this.#callers--
  }

  /**
   * Waits until the session so far can be shown, or at least its newest part. Returns that part; undefined once the tapes
   * hold the whole.
   */
  async readable(): Promise<NewestPart | undefined> {
    if (!this.#hasCaughtUp && this.#newest?.isShown !== true) {
      const isPartRead = this.#readNewest().then((isRead) => (isRead ? undefined : this.caughtUp))
      this.#noteCaller()
      await Promise.race([this.caughtUp, isPartRead])
      this.#callers--
    }
    const { date } = latestSession(this.#options.marketNow())
    if (this.#newest === undefined || this.#newest.part.session === date) return this.#newest?.part
    return this.catchUp()
  }

  /** How far the session has been read; undefined once it is read. */
  get progress(): ReadProgress | undefined {
    if (this.#hasCaughtUp) return undefined
    const now = this.#options.marketNow()
    const readTo = this.#readTo
    return { share: readTo === undefined ? 0 : shareOfSession(Number.NEGATIVE_INFINITY, readTo, now), readTo }
  }

  /** Bytes of the tapes, those of the newest part included. */
  get bytes(): number {
    return this.tapes.bytes + (this.#newest?.part.bytes ?? 0)
  }

  get hasCaughtUp(): boolean {
    return this.#hasCaughtUp
  }

  /** Whether the session is being read or has been. Until then nothing is kept of the symbol. */
  get hasBegun(): boolean {
    return this.#hasBegun
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
    this.#newest?.part.take(message, arrival)
    if (!this.#hasBegun) return // the read of the session brings it
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
    this.#options.scheduler.end(this)
  }

  #noteCaller(): void {
    this.#callers++
    if (!this.#hasBegun) this.#options.scheduler.beginReads()
  }

  async #begin(): Promise<void> {
    const { after, feed, scheduler, marketNow } = this.#options
    await after
    if (feed?.past === undefined) {
      const restored = await this.#restore()
      if (restored.size > 0) this.tapes.noteGap()
      return
    }
    await scheduler.begin(this)
    if (this.#ended.signal.aborted) return
    this.#began = marketNow()
    this.#hasBegun = true
    this.#since = this.#began
    if (this.#nextGap !== undefined) this.#nextGap.since = this.#began // the read of the session closes it until then
    const known = await this.#restore()
    const newest = Math.max(...known.values())
    const start = tradesFrom(latestSession(this.#began).date)
    // One tape may have been written further than the other, so each is read from its own end.
    const from = (kind: TapeKind) => (known.size === 0 ? start : (known.get(kind) ?? newest) - OVERLAP)
    await this.#readPast(from, this.#began, this.tapes.overlap(from))
    scheduler.end(this)
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
          const tape = await this.#inSteps(this.tapes.restore(stored, until))
          if (tape === undefined) continue
          onRestored(tape)
          if (tape.known !== undefined) known.set(kind, tape.known)
        } catch (error) {
          onUnread(this.tapes.tape(kind, session), error as Error)
        }
      }
    }
    return known
  }

  /** Runs a generator to its end, a step for each turn of the scheduler. Undefined if the symbol was closed meanwhile. */
  async #inSteps<Result>(steps: Generator<undefined, Result>): Promise<Result | undefined> {
    for (;;) {
      await this.#options.scheduler.next(this)
      if (this.#ended.signal.aborted) return undefined
      const { done, value } = steps.next()
      if (done) return value
    }
  }

  /** Reads the newest part of the session, unless the whole is there shortly. Resolves with whether it can be shown. */
  async #readNewest(): Promise<boolean> {
    const { feed, symbol, scheduler, marketNow } = this.#options
    if (feed?.past === undefined) return false
    await pause(NEWEST_PART_AFTER, this.#ended.signal)
    if (this.#hasCaughtUp || this.#ended.signal.aborted) return false
    if (this.#newest === undefined) {
      const part = new NewestPart(symbol, marketNow())
      const newest = { part, isRead: part.read(feed.past, scheduler, this.#ended.signal), isShown: false }
      this.#newest = newest
      newest.isShown = await newest.isRead
    }
    return this.#newest?.isRead ?? false
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
        if (batch.length > 0) this.#readTo = timeOf(batch[batch.length - 1])
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
