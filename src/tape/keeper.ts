import type { WindowsFound } from '../api/source.ts'
import type { StoredTape, TapeId, TapeText } from '../archive/store.ts'
import type { PrintFeed, PrintSink, TapeMessage } from '../connectors/port/prints.ts'
import { SourceError } from '../connectors/port/source-error.ts'
import { isFolded } from '../flow/folds.ts'
import type { ViewName, ViewRequest, Views, WindowTotals } from '../flow/views.ts'
import { windowTotals } from '../flow/window-totals.ts'
import { latestSession } from '../market/calendar.ts'
import { isMarketOpen } from '../market/clock.ts'
import { type TapeKind, type TapeSource, tapeKinds } from '../market/print.ts'
import type { Instant, Ticker } from '../market/units.ts'
import { backOff } from '../pacing/back-off.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { KeptTapes, symbolOf } from './kept-tapes.ts'
import { TapeRecorder } from './recorder.ts'
import type { Tape, ViewMoment } from './tape.ts'
import { Turns } from './turns.ts'

export interface KeeperOptions {
  /** Undefined: the source gives no prints, and they are inferred from its chains. */
  readonly feed: PrintFeed | undefined
  readonly source: TapeSource
  /** The share of classified volume that is taken to change positions. */
  readonly confidence: number
  /** Where tapes are kept for good; undefined: nowhere. */
  readonly archive: TapeArchive | undefined
  /** Symbols whose tapes are kept at once. */
  readonly maxSymbols: number
  readonly marketNow: () => Instant
  /** Whether the clock of the market stands at one moment, after which nothing is shown. */
  readonly clockStands: boolean
  readonly wallNow: () => Instant
  /** What tapes show may have changed: at most ten times a second. */
  readonly onMoved: (moved: readonly MovedTape[]) => void
  readonly onTrouble: (trouble: TapeTrouble) => void
}

/** The archive as tapes need it. */
export interface TapeArchive {
  readonly records: (symbol: Ticker) => boolean
  readonly read: (id: TapeId) => Promise<StoredTape | undefined>
  readonly write: (text: TapeText) => Promise<void>
}

export interface MovedTape {
  readonly symbol: Ticker
  readonly kind: TapeKind
  readonly position: number
}

/** What an operator should hear of: a feed that ended, messages that could not be used. */
export type TapeTrouble =
  | { readonly kind: 'feed_failed'; readonly message: string }
  /** It was cut off and goes on by itself. */
  | { readonly kind: 'feed_interrupted'; readonly message: string }
  | { readonly kind: 'past_failed'; readonly symbol: Ticker; readonly message: string }
  /** What the archive has of a tape could not be read; the tape is not recorded. */
  | { readonly kind: 'not_restored'; readonly symbol: Ticker; readonly message: string }
  | { readonly kind: 'rows_lost'; readonly rows: number }
  | { readonly kind: 'refused'; readonly symbol: Ticker | undefined; readonly reason: string; readonly count: number }

/** Stands where a moment is of no symbol. */
const ALL = '' as Ticker
/** A feed that says nothing at all for so long in a session is silent, milliseconds. */
const SILENT_AFTER = 60_000
const TELL_EVERY = 100
const RECORD_EVERY = 1000
/** Refused messages are told of together. */
const TELL_REFUSED_EVERY = 60_000
/** Before a feed that ended is begun again, milliseconds. */
const pauses = { first: 1000, longest: 60_000 }

/**
 * All tapes and folds of the service. A symbol's tapes begin when they are first asked for: what the session printed so
 * far is read from the feed's past, then the feed goes on. The symbol that was asked for longest ago makes room.
 */
export class TapeKeeper {
  readonly #options: KeeperOptions
  /** Asked for longest ago first. */
  readonly #kept = new Map<Ticker, KeptTapes>()
  /** Symbols that are not kept any more and whose rows are on their way to the archive. */
  readonly #leaving = new Map<Ticker, Promise<void>>()
  readonly #told = new Map<string, number>()
  readonly #refused = new Map<string, Extract<TapeTrouble, { readonly kind: 'refused' }>>()
  readonly #ended = new AbortController()
  readonly #turns = new Turns()
  readonly #recorder: TapeRecorder | undefined
  /** When something came last: by the wall clock, and by that of the market. */
  #heard: { readonly wall: Instant; readonly market: Instant }
  readonly #timers: NodeJS.Timeout[] = []
  #started = false

  constructor(options: KeeperOptions) {
    this.#options = options
    this.#heard = this.#now()
    const onLost = (rows: number) => options.onTrouble({ kind: 'rows_lost', rows })
    this.#recorder = options.archive && new TapeRecorder({ write: options.archive.write, onLost })
  }

  keep(symbol: Ticker): void {
    const kept = this.#kept.get(symbol) ?? this.#begin(symbol)
    this.#kept.delete(symbol)
    this.#kept.set(symbol, kept)
    for (const oldest of this.#kept.values()) {
      if (this.#kept.size <= this.#options.maxSymbols) break
      this.#drop(oldest)
    }
    this.#start()
  }

  /** What a tape shows now, once it has caught up. Undefined: it is not kept, or there are no prints of it. */
  async view<Name extends ViewName>({ symbol, kind, view }: ViewRequest<Name>): Promise<Views[Name] | undefined> {
    if (!this.#has(kind) || !isFolded(view)) return undefined
    const kept = this.#present(symbol)
    await kept?.catchUp()
    return kept?.tape(kind).view(view, this.#moment(symbol)) as Views[Name] | undefined
  }

  async windowTotals(kind: TapeKind, from: Instant): Promise<WindowsFound | undefined> {
    if (!this.#has(kind)) return undefined
    const { now: at, source, silent } = this.#moment(ALL)
    const totals: WindowTotals[] = []
    for (const symbol of [...this.#kept.keys()].sort()) {
      const kept = this.#present(symbol)!
      if (!kept.hasCaughtUp) continue
      const found = windowTotals(symbol, [kept.tape(kind).view('minutes', this.#moment(symbol))!], from)
      if (found !== undefined) totals.push(found)
    }
    return { at, source, silent, totals }
  }

  /** Symbols whose tapes are kept and have caught up. */
  symbols(): readonly Ticker[] {
    return [...this.#kept.values()].flatMap(({ symbol, hasCaughtUp }) => (hasCaughtUp ? [symbol] : []))
  }

  /** A newer chain: without a feed it is what prints are inferred from, of as many symbols as there is room for. */
  note(chain: PricedChain): void {
    const { feed, maxSymbols } = this.#options
    const { symbol } = chain
    if (feed === undefined && !this.#kept.has(symbol) && this.#kept.size < maxSymbols) this.keep(symbol)
    const kept = this.#kept.get(symbol)
    if (kept === undefined) return
    kept.tapes.noteSpot(chain.spot, chain.asOf)
    kept.tapes.noteSnapshot(chain)
    if (feed !== undefined) return
    this.#heard = this.#now()
    // What the archive has of the session stands on the tape before anything is added.
    void kept.caughtUp.then(() => kept.growth.note(chain, (session) => kept.tapes.tape('option', session)))
  }

  /** Ends the feed and writes what the archive does not have yet. */
  async close(): Promise<void> {
    this.#ended.abort()
    for (const timer of this.#timers) clearInterval(timer)
    for (const kept of this.#kept.values()) {
      kept.close()
      this.#gather(kept)
    }
    this.#tellRefused()
    await this.#recorder?.close()
  }

  /** A symbol's tapes, begun anew where the clock of the market has gone back. */
  #present(symbol: Ticker): KeptTapes | undefined {
    const kept = this.#kept.get(symbol)
    if (!kept?.isAhead) return kept
    this.#drop(kept)
    this.#kept.set(symbol, this.#begin(symbol))
    return this.#kept.get(symbol)
  }

  /** Of stocks nothing can be inferred. */
  #has(kind: TapeKind): boolean {
    return kind === 'option' || this.#options.feed?.stocks === true
  }

  #now() {
    const { wallNow, marketNow } = this.#options
    return { wall: wallNow(), market: marketNow() }
  }

  #moment(symbol: Ticker): ViewMoment {
    const { source, confidence } = this.#options
    const { wall, market: now } = this.#now()
    const isSilent = wall - this.#heard.wall > SILENT_AFTER && now - latestSession(now).open > SILENT_AFTER
    return { symbol, source, confidence, silent: isMarketOpen(now) && isSilent, now }
  }

  #begin(symbol: Ticker): KeptTapes {
    const { archive, marketNow, clockStands, feed, onTrouble } = this.#options
    return new KeptTapes({
      symbol,
      feed,
      marketNow,
      clockStands,
      after: this.#leaving.get(symbol),
      read: archive?.records(symbol) ? archive.read : undefined,
      onRestored: (tape) => this.#recorder!.skip(tape),
      onUnread: (tape, { message }) => {
        this.#recorder!.leave(tape)
        onTrouble({ kind: 'not_restored', symbol, message })
      },
      onPastFailed: ({ message }) => onTrouble({ kind: 'past_failed', symbol, message }),
      onRefused: (reason) => this.#refuse(symbol, reason),
      onFull: (tape) => this.#record(symbol, tape),
      turns: this.#turns
    })
  }

  /** A symbol's tapes go once what they have is on its way to the archive. */
  #drop(kept: KeptTapes): void {
    const { symbol } = kept
    this.#kept.delete(symbol)
    kept.close()
    this.#gather(kept)
    if (!this.#options.archive?.records(symbol)) return
    const left = this.#recorder!.flush().then(() => {
      if (this.#leaving.get(symbol) === left) this.#leaving.delete(symbol)
    })
    this.#leaving.set(symbol, left)
  }

  /** Hands what tapes have gained to the recorder. */
  #gather({ symbol, tapes }: KeptTapes): void {
    for (const tape of tapes.all()) this.#record(symbol, tape)
  }

  #record(symbol: Ticker, tape: Tape): void {
    const { archive, source } = this.#options
    if (archive?.records(symbol)) this.#recorder!.gather(symbol, source, tape)
  }

  #start(): void {
    if (this.#started) return
    this.#started = true
    this.#heard = this.#now()
    const record = () => {
      for (const kept of this.#kept.values()) this.#gather(kept)
      void this.#recorder?.flush()
    }
    const every = (milliseconds: number, run: () => void) => this.#timers.push(setInterval(run, milliseconds).unref())
    every(TELL_EVERY, () => this.#tell())
    every(RECORD_EVERY, record)
    every(TELL_REFUSED_EVERY, () => this.#tellRefused())
    const { feed } = this.#options
    if (feed !== undefined) void this.#feed(feed)
  }

  /** Feeds until the end of the service; a feed that ends is begun again after a wait that doubles. */
  async #feed(feed: PrintFeed): Promise<void> {
    const { onTrouble, marketNow } = this.#options
    const { signal } = this.#ended
    for (let failures = 0; !signal.aborted; ) {
      const sink: PrintSink = {
        messages: (batch) => {
          failures = 0
          this.#take(batch, feed.delay)
        },
        state: ({ missed }) => {
          this.#heard = this.#now()
          if (missed !== undefined) for (const kept of this.#kept.values()) kept.missed(missed[0])
        },
        refused: (reason, symbol) => this.#refuse(symbol, reason),
        interrupted: (message) => onTrouble({ kind: 'feed_interrupted', message })
      }
      let isRefused = false
      try {
        await feed.run(() => [...this.#kept.keys()].reverse(), sink, signal, marketNow)
      } catch (error) {
        if (!signal.aborted) onTrouble({ kind: 'feed_failed', message: (error as Error).message })
        isRefused = error instanceof SourceError && error.fault === 'refused'
      }
      if (signal.aborted) return
      const { market: since } = this.#heard
      await new Promise((resolve) => setTimeout(resolve, backOff(++failures, pauses)).unref())
      // A source that refuses its stream has no past for us either. What was missed is told once it lets us in.
      if (!isRefused) for (const kept of this.#kept.values()) kept.missed(since)
    }
  }

  #take(batch: readonly TapeMessage[], delay: number): void {
    this.#heard = this.#now()
    const arrival = this.#heard.market - 1000 * delay
    for (const message of batch) this.#kept.get(symbolOf(message))?.take(message, arrival)
  }

  #tell(): void {
    const moved: MovedTape[] = []
    for (const kept of this.#kept.values()) {
      for (const kind of tapeKinds) {
        const { position } = kept.tape(kind)
        const name = `${kind} ${kept.symbol}`
        if (this.#told.get(name) === position) continue
        this.#told.set(name, position)
        moved.push({ symbol: kept.symbol, kind, position })
      }
    }
    if (moved.length > 0) this.#options.onMoved(moved)
  }

  #refuse(symbol: Ticker | undefined, reason: string): void {
    const name = `${symbol} ${reason}`
    const count = (this.#refused.get(name)?.count ?? 0) + 1
    this.#refused.set(name, { kind: 'refused', symbol, reason, count })
  }

  #tellRefused(): void {
    for (const trouble of this.#refused.values()) this.#options.onTrouble(trouble)
    this.#refused.clear()
  }
}
