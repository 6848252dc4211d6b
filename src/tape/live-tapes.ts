import type { WindowsFound } from '../api/market-source.ts'
import type { StoredTape, TapeId, TapeText } from '../archive/history-store.ts'
import type { PrintFeed, PrintSink, TapeMessage } from '../connectors/port/prints/print-feed.ts'
import { SourceError } from '../connectors/port/source-error.ts'
import { TAPES_PUBLISH_EVERY } from '../facts/freshness.ts'
import { isFolded } from '../flow/folds.ts'
import type { ViewName, ViewRequest, Views, WindowTotals } from '../flow/tape-views.ts'
import { windowTotals } from '../flow/windows/window-totals.ts'
import { easternDate } from '../market/eastern.ts'
import { type TapeKind, type TapeSource, tapeKinds } from '../market/print.ts'
import type { Instant, Ticker } from '../market/units.ts'
import { backOff } from '../pacing/back-off.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { type ClockReading, isFeedSilent } from './feed-silence.ts'
import { FollowedSymbol, symbolOf } from './followed-symbol.ts'
import { ReadScheduler } from './read-scheduler.ts'
import type { Tape, ViewInputs } from './tape.ts'
import { symbolsToDrop, type TapeUse } from './tape-budget.ts'
import type { FollowReason, ReadProgress, Tapes } from './tape-port.ts'
import { TapeRecorder } from './tape-recorder.ts'

export interface LiveTapesOptions {
  /** The source's feed of prints. If it is undefined, prints are inferred from the source's chains. */
  readonly feed: PrintFeed | undefined
  readonly source: TapeSource
  /** Share of net volume (contracts bought minus contracts sold) that is assumed to change open interest, 0 to 1. */
  readonly confidence: number
  readonly archive: TapeArchive | undefined
  readonly maxSymbols: number
  /** Memory for the tapes of all symbols, bytes; see `symbolsToDrop`. */
  readonly maxBytes: number
  readonly marketNow: () => Instant
  /** Whether the market clock is fixed at one moment, so that nothing later may be shown. */
  readonly clockStands: boolean
  /** Clock of periods, milliseconds. */
  readonly steadyNow: () => number
  /** Called when tapes have new rows, at most ten times a second. */
  readonly onMoved: (moved: readonly MovedTape[]) => void
  readonly onTrouble: (trouble: TapeTrouble) => void
  /**
   * Called with a tape ten times a second, and before its greeks change or rows of it leave memory; undefined if nobody
   * follows the rows.
   */
  readonly onRows?: ((symbol: Ticker, tape: Tape) => void) | undefined
}

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

export type TapeTrouble =
  | { readonly kind: 'feed_failed'; readonly message: string }
  /** The feed was cut off and reconnects by itself. */
  | { readonly kind: 'feed_interrupted'; readonly message: string }
  | { readonly kind: 'past_failed'; readonly symbol: Ticker; readonly message: string }
  /** A tape could not be read from the archive, so it is not recorded either. */
  | { readonly kind: 'not_restored'; readonly symbol: Ticker; readonly message: string }
  | { readonly kind: 'rows_lost'; readonly rows: number }
  /** Tapes could not be put where other members find them. */
  | { readonly kind: 'not_shared'; readonly message: string }
  | { readonly kind: 'refused'; readonly symbol: Ticker | undefined; readonly reason: string; readonly count: number }

/** Placeholder symbol for requests that concern no single symbol. */
const NO_SYMBOL = '' as Ticker
/**
 * Interval at which new rows are recorded, milliseconds. Below, the interval at which refused messages are reported.
 */
const RECORD_EVERY = 1000
const REPORT_REFUSED_EVERY = 60_000
/** Interval at which the memory of the tapes is measured, milliseconds. */
const MEASURE_EVERY = 10_000
/**
 * Part of the memory for tapes below which further sessions are read that no caller waits for. It leaves room for what
 * grows, so that a tape is not dropped as soon as it has been read.
 */
const BEGIN_BELOW = 0.8
/** Pauses before a feed that ended is started again, milliseconds. */
const pauses = { first: 1000, longest: 60_000 }

/**
 * All symbols that are followed live. The first `keep` of a symbol starts to follow it. When too many are followed, the
 * symbol whose last `keep` is oldest is dropped.
 */
export class LiveTapes implements Tapes {
  readonly #options: LiveTapesOptions
  /** Followed symbols; the symbol whose last `keep` is oldest comes first. */
  readonly #symbols = new Map<Ticker, FollowedSymbol>()
  /** Dropped symbols whose rows are still being written to the archive. */
  readonly #leaving = new Map<Ticker, Promise<void>>()
  /** Number of rows of each tape at the last call of `onMoved`. */
  readonly #published = new Map<string, number>()
  readonly #refused = new Map<string, Extract<TapeTrouble, { readonly kind: 'refused' }>>()
  readonly #ended = new AbortController()
  readonly #scheduler = new ReadScheduler(() => this.#bytes < BEGIN_BELOW * this.#options.maxBytes)
  readonly #recorder: TapeRecorder | undefined
  /** Time of the last message, by the steady clock and by the market clock. */
  #lastMessage: ClockReading
  readonly #timers: NodeJS.Timeout[] = []
  #started = false

  constructor(options: LiveTapesOptions) {
    this.#options = options
    this.#lastMessage = this.#now()
    const onLost = (rows: number) => options.onTrouble({ kind: 'rows_lost', rows })
    this.#recorder = options.archive && new TapeRecorder({ write: options.archive.write, onLost })
  }

  keep(symbol: Ticker, why: FollowReason = 'asked'): void {
    const isScanned = why === 'scanned'
    let live = this.#symbols.get(symbol) ?? this.#begin(symbol, { isScanned, sumsOnly: isScanned })
    if (live.sumsOnly && !isScanned) live = this.#begunAnew(live, false)
    this.#symbols.delete(symbol)
    this.#symbols.set(symbol, live)
    live.isScanned &&= isScanned
    if (live.isScanned === isScanned) live.askedAt = this.#options.steadyNow()
    live.isPinned ||= why === 'pinned'
    for (const oldest of this.#symbols.values()) {
      if (this.#symbols.size <= this.#options.maxSymbols) break
      this.#drop(oldest)
    }
    this.#start()
  }

  async view<Name extends ViewName>(
    { symbol, kind, view }: ViewRequest<Name>,
    mayBePart = false
  ): Promise<Views[Name] | undefined> {
    if (!this.#has(kind) || !isFolded(view)) return undefined
    const live = this.#current(symbol)
    const newest = await (mayBePart ? live?.readable() : live?.catchUp())
    const inputs = this.#inputs(symbol)
    const shown = newest === undefined ? live?.tape(kind) : newest.tape(kind)
    return shown?.view(view, { ...inputs, part: newest?.part(inputs.now) }) as Views[Name] | undefined
  }

  async progress(symbol: Ticker): Promise<ReadProgress | undefined> {
    return this.#symbols.get(symbol)?.progress
  }

  async windowTotals(kind: TapeKind, from: Instant): Promise<WindowsFound | undefined> {
    if (!this.#has(kind)) return undefined
    const { now: at, source, silent } = this.#inputs(NO_SYMBOL)
    const totals: WindowTotals[] = []
    let read = 0
    for (const symbol of [...this.#symbols.keys()].sort()) {
      const live = this.#current(symbol)!
      if (!live.hasCaughtUp) continue
      read++
      const found = windowTotals(symbol, [live.tape(kind).view('minutes', this.#inputs(symbol))!], from)
      if (found !== undefined) totals.push(found)
    }
    const followed = this.#symbols.size
    const part = read < followed ? { since: undefined, share: read / followed } : undefined
    return { at, source, silent, totals, ...(part && { part }) }
  }

  async symbols(): Promise<readonly Ticker[]> {
    return [...this.#symbols.values()].flatMap(({ symbol, hasCaughtUp }) => (hasCaughtUp ? [symbol] : []))
  }

  /**
   * Takes a new chain of a symbol. Without a print feed, this starts to follow the symbol if there is room, and infers
   * prints from the chain.
   */
  async note(chain: PricedChain): Promise<void> {
    const { feed, maxSymbols } = this.#options
    const { symbol, asOf, expirations } = chain
    if (feed === undefined && !this.#symbols.has(symbol) && this.#symbols.size < maxSymbols) this.keep(symbol)
    let live = this.#symbols.get(symbol)
    if (live === undefined) return
    // Hedge flow begins with this chain, and could not go on in other tapes once somebody asks for the symbol.
    if (live.sumsOnly && expirations.some(({ date }) => date === easternDate(asOf))) live = this.#begunAnew(live, false)
    live.tapes.noteSpot(chain.spot, chain.asOf)
    this.#showRows(live)
    live.tapes.noteSnapshot(chain)
    if (feed !== undefined) return
    this.#lastMessage = this.#now()
    // Rows restored from the archive must come before inferred ones.
    await live.caughtUp
    live.growth.note(chain, (session) => live.tapes.tape('option', session))
  }

  /** The tapes of a symbol once they hold all prints of the session so far; undefined if it is not followed. */
  async tapesOf(symbol: Ticker): Promise<readonly Tape[] | undefined> {
    await this.#current(symbol)?.catchUp()
    const live = this.#current(symbol)
    if (live?.hasCaughtUp !== true) return undefined
    for (const kind of tapeKinds) live.tape(kind)
    return [...live.tapes.all()]
  }

  /** Tapes that are held now of a symbol. */
  heldOf(symbol: Ticker): readonly Tape[] {
    return [...(this.#symbols.get(symbol)?.tapes.all() ?? [])]
  }

  /** Milliseconds since the feed said anything. */
  get silentFor(): number {
    return this.#options.steadyNow() - this.#lastMessage.steady
  }

  /** Ends the feed and writes all rows that are not in the archive yet. */
  async close(): Promise<void> {
    this.#ended.abort()
    for (const timer of this.#timers) clearInterval(timer)
    for (const live of this.#symbols.values()) {
      live.close()
      this.#recordAll(live)
    }
    this.#reportRefused()
    await this.#recorder?.close()
  }

  /** The followed symbol. If the market clock has gone back, following starts over with empty tapes. */
  #current(symbol: Ticker): FollowedSymbol | undefined {
    const live = this.#symbols.get(symbol)
    return live?.isAhead ? this.#begunAnew(live) : live
  }

  #begunAnew(live: FollowedSymbol, sumsOnly = live.sumsOnly): FollowedSymbol {
    const { symbol, isScanned, askedAt, isPinned } = live
    this.#drop(live)
    const anew = this.#begin(symbol, { isScanned, sumsOnly })
    Object.assign(anew, { askedAt, isPinned })
    this.#symbols.set(symbol, anew)
    return anew
  }

  /** Whether the source has prints of a kind. Stock prints cannot be inferred from chains. */
  #has(kind: TapeKind): boolean {
    return kind === 'option' || this.#options.feed?.stocks === true
  }

  #now(): ClockReading {
    const { steadyNow, marketNow } = this.#options
    return { steady: steadyNow(), market: marketNow() }
  }

  #inputs(symbol: Ticker): ViewInputs {
    const { source, confidence } = this.#options
    const now = this.#now()
    return { symbol, source, confidence, silent: isFeedSilent(this.#lastMessage, now), now: now.market }
  }

  #begin(symbol: Ticker, { isScanned, sumsOnly }: Pick<FollowedSymbol, 'isScanned' | 'sumsOnly'>): FollowedSymbol {
    const { archive, marketNow, clockStands, feed, onTrouble } = this.#options
    const mayWait = feed?.past !== undefined && !archive?.records(symbol)
    return new FollowedSymbol({
      symbol,
      isScanned: isScanned && mayWait,
      sumsOnly: sumsOnly && mayWait,
      feed,
      marketNow,
      clockStands,
      after: this.#leaving.get(symbol),
      read: archive?.records(symbol) ? archive.read : undefined,
      onRestored: (tape) => this.#recorder!.skip(tape),
      onUnread: (tape, { message }) => {
        this.#recorder!.exclude(tape)
        onTrouble({ kind: 'not_restored', symbol, message })
      },
      onPastFailed: ({ message }) => onTrouble({ kind: 'past_failed', symbol, message }),
      onRefused: (reason) => this.#refuse(symbol, reason),
      onFull: (tape) => {
        this.#options.onRows?.(symbol, tape)
        this.#record(symbol, tape)
      },
      scheduler: this.#scheduler
    })
  }

  /** Stops following a symbol. Its remaining rows are written in the background. */
  #drop(live: FollowedSymbol): void {
    const { symbol } = live
    this.#symbols.delete(symbol)
    live.close()
    this.#recordAll(live)
    if (!this.#options.archive?.records(symbol)) return
    const written = this.#recorder!.flush().then(() => {
      if (this.#leaving.get(symbol) === written) this.#leaving.delete(symbol)
    })
    this.#leaving.set(symbol, written)
  }

  get #bytes(): number {
    let bytes = 0
    for (const live of this.#symbols.values()) bytes += live.bytes
    return bytes
  }

  /** Drops the symbols that nobody asks for, and those for which there is no room. */
  #makeRoom(): void {
    const { archive, feed, maxBytes, steadyNow } = this.#options
    const uses = [...this.#symbols.values()].map((live): TapeUse => {
      const { symbol, tapes, bytes, isScanned, askedAt, isPinned } = live
      const isDispensable = live.hasBegun ? live.hasCaughtUp && live.isCurrent : !live.isWaitedFor
      // The tape of a recorded symbol is needed to record what comes.
      const mayGo = feed?.past !== undefined && isDispensable && !isPinned && !archive?.records(symbol)
      return { symbol, bytes, isScanned, askedAt, mayGo, expiresToday: tapes.expiresToday }
    })
    for (const symbol of symbolsToDrop(uses, maxBytes, steadyNow())) this.#drop(this.#symbols.get(symbol)!)
    this.#scheduler.beginReads()
  }

  #recordAll({ symbol, tapes }: FollowedSymbol): void {
    for (const tape of tapes.all()) this.#record(symbol, tape)
  }

  #record(symbol: Ticker, tape: Tape): void {
    const { archive, source } = this.#options
    if (archive?.records(symbol)) this.#recorder!.add(symbol, source, tape)
  }

  #start(): void {
    if (this.#started) return
    this.#started = true
    this.#lastMessage = this.#now()
    const record = () => {
      for (const live of this.#symbols.values()) this.#recordAll(live)
      void this.#recorder?.flush()
    }
    const every = (milliseconds: number, run: () => void) => this.#timers.push(setInterval(run, milliseconds).unref())
    every(TAPES_PUBLISH_EVERY, () => this.#publishMoved())
    every(RECORD_EVERY, record)
    every(REPORT_REFUSED_EVERY, () => this.#reportRefused())
    every(MEASURE_EVERY, () => this.#makeRoom())
    const { feed } = this.#options
    if (feed !== undefined) void this.#feed(feed)
  }

  /** Runs the feed until `close`. A feed that ends is started again after a pause; pauses double. */
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
          this.#lastMessage = this.#now()
          if (missed !== undefined) for (const live of this.#symbols.values()) live.missed(missed[0])
        },
        refused: (reason, symbol) => this.#refuse(symbol, reason),
        interrupted: (message) => onTrouble({ kind: 'feed_interrupted', message })
      }
      let isRefused = false
      try {
        await feed.run(() => [...this.#symbols.keys()].reverse(), sink, signal, marketNow)
      } catch (error) {
        if (!signal.aborted) onTrouble({ kind: 'feed_failed', message: (error as Error).message })
        isRefused = error instanceof SourceError && error.fault === 'refused'
      }
      if (signal.aborted) return
      const { market: since } = this.#lastMessage
      await new Promise((resolve) => setTimeout(resolve, backOff(++failures, pauses)).unref())
      // A source that refuses its live feed refuses its history too. The feed reports the gap itself once it is
      // accepted.
      if (!isRefused) for (const live of this.#symbols.values()) live.missed(since)
    }
  }

  #take(batch: readonly TapeMessage[], delay: number): void {
    this.#lastMessage = this.#now()
    const arrival = this.#lastMessage.market - 1000 * delay
    for (const message of batch) this.#symbols.get(symbolOf(message))?.take(message, arrival)
  }

  #showRows({ symbol, tapes }: FollowedSymbol): void {
    const { onRows } = this.#options
    if (onRows !== undefined) for (const tape of tapes.all()) onRows(symbol, tape)
  }

  #publishMoved(): void {
    const moved: MovedTape[] = []
    for (const live of this.#symbols.values()) {
      this.#showRows(live)
      if (!live.hasBegun) continue
      for (const kind of tapeKinds) {
        const { position } = live.tape(kind)
        const name = `${kind} ${live.symbol}`
        if (this.#published.get(name) === position) continue
        this.#published.set(name, position)
        moved.push({ symbol: live.symbol, kind, position })
      }
    }
    if (moved.length > 0) this.#options.onMoved(moved)
  }

  #refuse(symbol: Ticker | undefined, reason: string): void {
    const name = `${symbol} ${reason}`
    const count = (this.#refused.get(name)?.count ?? 0) + 1
    this.#refused.set(name, { kind: 'refused', symbol, reason, count })
  }

  #reportRefused(): void {
    for (const trouble of this.#refused.values()) this.#options.onTrouble(trouble)
    this.#refused.clear()
  }
}
