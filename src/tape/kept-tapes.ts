import type { StoredTape, TapeId } from '../archive/store.ts'
import type { PrintFeed, TapeMessage } from '../connectors/port/prints.ts'
import { latestSession } from '../market/calendar.ts'
import { type TapeKind, tapeKinds } from '../market/print.ts'
import { tradeDate, tradesFrom } from '../market/trade-date.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import { MAX_AHEAD, type RefusedMessage, SymbolTapes, type Telling } from './symbol-tapes.ts'
import type { Tape } from './tape.ts'
import type { Turns } from './turns.ts'
import { VolumeGrowth } from './volume-growth.ts'

export interface KeptTapesOptions {
  readonly symbol: Ticker
  /** Undefined: the source gives no prints. */
  readonly feed: Pick<PrintFeed, 'past'> | undefined
  readonly marketNow: () => Instant
  readonly clockStands: boolean
  /** Resolves once earlier tapes of the symbol are safe in the archive. */
  readonly after: Promise<void> | undefined
  /** Reads what the archive has of a tape; undefined: the symbol is not recorded. */
  readonly read: ((id: TapeId) => Promise<StoredTape | undefined>) | undefined
  /** A tape came back from the archive, where its rows stand already. */
  readonly onRestored: (tape: Tape) => void
  /** What the archive has of a tape could not be read: where its next row belongs is not known. */
  readonly onUnread: (tape: Tape, error: Error) => void
  readonly onPastFailed: (error: Error) => void
  readonly onRefused: (reason: RefusedMessage) => void
  readonly onFull: (tape: Tape) => void
  /** Readings of the past go on by turns. */
  readonly turns: Turns
}

/** A message of the feed and when it came, less the delay of the feed. */
interface Arrived {
  readonly message: TapeMessage
  readonly arrival: Instant
}

/** A feed takes up a symbol within this time; what it printed meanwhile is asked for after it, milliseconds. */
const TAKEN_UP_WITHIN = 2000
/** What is asked for again lies so far before what is there already, milliseconds. */
const OVERLAP = 5000

/**
 * The tapes of a symbol from the moment on that they were asked for: what the archive has of the session, what its feed
 * printed since, then what the feed tells. While a hole is closed what the feed tells waits, so that the tapes keep the
 * order of the prints.
 */
export class KeptTapes {
  readonly symbol: Ticker
  readonly tapes: SymbolTapes
  /** Prints of a source that gives none. */
  readonly growth = new VolumeGrowth()
  /** Settles once what the session printed so far is on the tapes. */
  readonly caughtUp: Promise<void>
  readonly #options: KeptTapesOptions
  readonly #ended = new AbortController()
  readonly #began: Instant
  /** Messages of the feed that wait while holes are closed. */
  #waiting: Arrived[] = []
  #holes = 0
  #hasCaughtUp = false
  #callers = 0
  /** When the first of the holes begins. */
  #since = Number.POSITIVE_INFINITY
  #closing: Promise<void>
  /** A hole that is not read yet; one that is found meanwhile is read with it. */
  #found: { since: Instant } | undefined

  constructor(options: KeptTapesOptions) {
    const { symbol, onRefused, onFull, marketNow } = options
    this.symbol = symbol
    this.tapes = new SymbolTapes({ symbol, onRefused, onFull })
    this.#options = options
    this.#began = marketNow()
    this.caughtUp = this.#begin().finally(() => {
      this.#hasCaughtUp = true
    })
    this.#closing = this.caughtUp
    this.#closeHole(this.#began)
  }

  /** Whether callers wait for what the session printed so far. */
  get isWaitedFor(): boolean {
    return this.#callers > 0
  }

  /** Resolves once what the session printed so far is on the tapes. */
  async catchUp(): Promise<void> {
    this.#callers++
    await this.caughtUp
    this.#callers--
  }

  /** Whether what the session printed until it was asked for is on the tapes. A hole that opens later leaves it so. */
  get hasCaughtUp(): boolean {
    return this.#hasCaughtUp
  }

  /** Whether everything that the feed has told is on the tapes. */
  get isCurrent(): boolean {
    return this.#holes === 0
  }

  /** Whether the clock of the market has gone back: a demonstration's does when its session is over. */
  get isAhead(): boolean {
    const latest = this.#options.marketNow() + MAX_AHEAD
    for (const { known } of this.tapes.all()) if (known !== undefined && known > latest) return true
    return false
  }

  /** The tape of the present session, of the last one once it is over. */
  tape(kind: TapeKind): Tape {
    const { date } = latestSession(this.#options.marketNow())
    this.tapes.dropBefore(date)
    return this.tapes.tape(kind, date)
  }

  take(message: TapeMessage, arrival: Instant): void {
    if (this.isCurrent) this.tapes.take(message, arrival)
    else this.#waiting.push({ message, arrival })
  }

  /** The feed told nothing for a while, from a moment on: the past is asked for it where there is one. */
  missed(since: Instant): void {
    if (this.#options.feed?.past === undefined) this.tapes.noteGap()
    else this.#closeHole(since)
  }

  /** Ends what is under way. What waits is left out: after a hole it would keep the hole from being closed later. */
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
    // A tape may have been written further than the other one, so each goes on from its own end.
    const from = (kind: TapeKind) => (known.size === 0 ? start : (known.get(kind) ?? newest) - OVERLAP)
    await this.#readPast(from, this.#began, this.tapes.telling(from))
  }

  /** Puts back what the archive has; until when, by kind. In the evening the next session has prints, too. */
  async #restore(): Promise<ReadonlyMap<TapeKind, Instant>> {
    const { read, onRestored, onUnread, symbol, clockStands } = this.#options
    const known = new Map<TapeKind, Instant>()
    if (read === undefined) return known
    const began = this.#began
    // The clock of a feed may run ahead of ours: what it told before a restart is not lost.
    const until = clockStands ? began : began + MAX_AHEAD
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

  /** Closes a hole between what is on the tapes and what the feed tells, after those before it. */
  #closeHole(begin: Instant): void {
    this.#since = Math.min(this.#since, begin)
    const found = this.#found
    if (found !== undefined) {
      found.since = Math.min(found.since, begin)
      return
    }
    const hole = { since: begin }
    this.#found = hole
    this.#holes++
    this.#closing = this.#closing.then(async () => {
      const hasPast = this.#options.feed?.past !== undefined
      if (hasPast) await pause(TAKEN_UP_WITHIN, this.#ended.signal)
      this.#found = undefined
      if (hasPast) {
        const { since } = hole
        const from = () => since - OVERLAP
        await this.#readPast(from, this.#options.marketNow(), this.tapes.telling(from))
      }
      this.#holes--
      if (this.isCurrent) this.#takeWaiting()
    })
  }

  /** Takes what waits. It may be on the tapes already, from where the past was read from on. */
  #takeWaiting(): void {
    const telling = this.tapes.telling(() => this.#since - OVERLAP)
    for (const { message, arrival } of this.#waiting) this.tapes.take(message, arrival, telling)
    this.#waiting = []
    this.#since = Number.POSITIVE_INFINITY
  }

  /** Takes what was printed up to a moment, of each kind from its own moment on. */
  async #readPast(from: (kind: TapeKind) => Instant, to: Instant, telling: Telling): Promise<void> {
    const { feed, onPastFailed, turns } = this.#options
    const { signal } = this.#ended
    const froms = tapeKinds.map(from)
    const earliest = Math.min(...froms)
    const isWanted =
      froms[0] === froms[1] ? () => true : (message: TapeMessage) => timeOf(message) >= from(kindOf(message))
    try {
      await turns.next(this)
      for await (const batch of feed!.past!(this.symbol, earliest, to, signal)) {
        if (signal.aborted) return
        for (const message of batch) if (isWanted(message)) this.tapes.take(message, undefined, telling)
        await turns.next(this)
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

/** Resolves after so many milliseconds, or when the signal fires. */
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
