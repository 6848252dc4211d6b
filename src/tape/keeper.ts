import type { WindowsFound } from '../api/source.ts'
import type { StoredTape, TapeId, TapeText } from '../archive/store.ts'
import type { PrintFeed, TapeMessage } from '../connectors/port/prints.ts'
import type { FoldedView } from '../flow/folds.ts'
import type { ViewName, ViewRequest, Views, WindowTotals } from '../flow/views.ts'
import { windowTotals } from '../flow/window-totals.ts'
import { backOff } from '../market/back-off.ts'
import { latestSession } from '../market/calendar.ts'
import { isMarketOpen } from '../market/clock.ts'
import { instantOfEastern } from '../market/eastern.ts'
import { type TapeKind, type TapeSource, tapeKinds } from '../market/print.ts'
import type { Instant, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { TapeRecorder } from './recorder.ts'
import { type RefusedMessage, SymbolTapes } from './symbol-tapes.ts'
import type { Tape, ViewMoment } from './tape.ts'

export interface KeeperOptions {
  /** Undefined: the source gives no prints. */
  readonly feed: PrintFeed | undefined
  readonly source: TapeSource
  /** The share of classified volume that is taken to change positions. */
  readonly confidence: number
  /** Where tapes are kept for good; undefined: nowhere. */
  readonly archive: TapeArchive | undefined
  /** Symbols whose tapes are kept at once. */
  readonly maxSymbols: number
  readonly marketNow: () => Instant
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

/** What an operator should hear of: a feed that ended, a message that could not be used. */
export type TapeTrouble =
  | { readonly kind: 'feed_failed'; readonly message: string }
  | { readonly kind: 'past_failed'; readonly symbol: Ticker; readonly message: string }
  | { readonly kind: 'rows_lost'; readonly rows: number }
  | { readonly kind: 'refused'; readonly symbol: Ticker; readonly reason: RefusedMessage }

interface Kept {
  readonly symbol: Ticker
  readonly tapes: SymbolTapes
  /** Settles once what the session printed so far is on the tapes. */
  readonly caughtUp: Promise<void>
  /** Messages of the feed that wait until the tapes have caught up; undefined from then on. */
  waiting: TapeMessage[] | undefined
}

/** Stands where a moment is of no symbol. */
const ALL = '' as Ticker
/** A feed that says nothing at all for so long in a session is silent, milliseconds. */
const SILENT_AFTER = 60_000
const TELL_EVERY = 100
const RECORD_EVERY = 1000
/** A feed takes up a symbol within this time; what it printed meanwhile is asked for after it, milliseconds. */
const TAKEN_UP_WITHIN = 2000
/** Before a feed that ended is begun again, milliseconds. */
const pauses = { first: 1000, longest: 60_000 }
/** A demonstration's clock goes back to the open when the session is over: tapes then lie ahead of it, milliseconds. */
const AHEAD = 2000
/** What is asked for again lies so far before what is there already, milliseconds. */
const OVERLAP = 5000

/**
 * All tapes and folds of the service. A symbol's tapes begin when they are first asked for: what the session printed so
 * far is read from the feed's past, then the feed goes on. The symbol that was asked for longest ago makes room.
 */
export class TapeKeeper {
  readonly #options: KeeperOptions
  /** Asked for longest ago first. */
  readonly #kept = new Map<Ticker, Kept>()
  readonly #told = new Map<string, number>()
  readonly #ended = new AbortController()
  readonly #recorder: TapeRecorder | undefined
  #heard: Instant
  readonly #timers: NodeJS.Timeout[] = []
  #feeding = false

  constructor(options: KeeperOptions) {
    this.#options = options
    this.#heard = options.wallNow()
    const onLost = (rows: number) => options.onTrouble({ kind: 'rows_lost', rows })
    this.#recorder = options.archive && new TapeRecorder({ write: options.archive.write, onLost })
  }

  keep(symbol: Ticker): void {
    const known = this.#kept.get(symbol)
    if (known !== undefined) {
      this.#kept.delete(symbol)
      this.#kept.set(symbol, known)
      return
    }
    this.#kept.set(symbol, this.#begin(symbol))
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#options.maxSymbols) break
      this.#kept.delete(oldest)
    }
    this.#start()
  }

  /** What a tape shows now, once it has caught up. Undefined: it is not kept, or there are no prints of it. */
  async view<Name extends ViewName>({ symbol, kind, view }: ViewRequest<Name>): Promise<Views[Name] | undefined> {
    if (!this.#has(kind)) return undefined
    const held = this.#kept.get(symbol)
    if (held === undefined) return undefined
    const kept = this.#isAhead(held) ? this.#begin(symbol) : held
    if (kept !== held) this.#kept.set(symbol, kept)
    await kept.caughtUp
    return this.#tape(kept, kind).view(view as FoldedView, this.#moment(symbol)) as Views[Name] | undefined
  }

  async windowTotals(kind: TapeKind, from: Instant): Promise<WindowsFound | undefined> {
    if (!this.#has(kind)) return undefined
    const { now: at, source, silent } = this.#moment(ALL)
    const totals: WindowTotals[] = []
    for (const kept of [...this.#kept.values()].sort((a, b) => (a.symbol < b.symbol ? -1 : 1))) {
      if (kept.waiting !== undefined) continue
      const found = windowTotals(
        kept.symbol,
        [this.#tape(kept, kind).view('minutes', this.#moment(kept.symbol))!],
        from
      )
      if (found !== undefined) totals.push(found)
    }
    return { at, source, silent, totals }
  }

  /** Symbols whose tapes are kept and have caught up. */
  symbols(): readonly Ticker[] {
    return [...this.#kept.values()].flatMap(({ symbol, waiting }) => (waiting === undefined ? [symbol] : []))
  }

  note(chain: PricedChain): void {
    const tapes = this.#kept.get(chain.symbol)?.tapes
    tapes?.noteSpot(chain.spot, chain.asOf)
    tapes?.noteImage(chain)
  }

  /** Ends the feed and writes what the archive does not have yet. */
  async close(): Promise<void> {
    this.#ended.abort()
    for (const timer of this.#timers) clearInterval(timer)
    this.#gather()
    await this.#recorder?.close()
  }

  #isAhead(kept: Kept): boolean {
    const { known } = this.#tape(kept, 'option')
    return known !== undefined && known > this.#options.marketNow() + AHEAD
  }

  #has(kind: TapeKind): boolean {
    const { feed } = this.#options
    return feed !== undefined && (kind === 'option' || feed.stocks)
  }

  #tape({ tapes }: Kept, kind: TapeKind) {
    return tapes.tape(kind, latestSession(this.#options.marketNow()).date)
  }

  #moment(symbol: Ticker): ViewMoment {
    const { source, confidence, marketNow, wallNow } = this.#options
    const now = marketNow()
    const silent = isMarketOpen(now) && wallNow() - this.#heard > SILENT_AFTER
    return { symbol, source, confidence, silent, now }
  }

  #begin(symbol: Ticker): Kept {
    const onRefused = (reason: RefusedMessage) => this.#options.onTrouble({ kind: 'refused', symbol, reason })
    const { archive, marketNow, source } = this.#options
    const onFull = (tape: Tape) => archive?.records(symbol) && this.#recorder!.gather(symbol, source, tape)
    const tapes = new SymbolTapes({ symbol, onRefused, onFull })
    const waiting: TapeMessage[] = []
    const began = marketNow()
    const caughtUp = this.#catchUp(tapes, began)
    const kept: Kept = { symbol, tapes, caughtUp, waiting }
    void caughtUp.then(() => this.#goOn(kept, began))
    return kept
  }

  /** What the archive has of the session, then what was printed since. */
  async #catchUp(tapes: SymbolTapes, now: Instant): Promise<void> {
    const { date } = latestSession(now)
    const { archive, onTrouble } = this.#options
    const { symbol } = tapes
    if (archive?.records(symbol)) {
      for (const kind of tapeKinds) {
        try {
          const stored = await archive.read({ symbol, kind, session: date })
          if (stored !== undefined) this.#recorder!.skip(tapes.restore(stored))
        } catch (error) {
          onTrouble({ kind: 'past_failed', symbol, message: (error as Error).message })
        }
      }
    }
    const { known } = tapes.tape('option', date)
    await this.#readPast(tapes, known === undefined ? instantOfEastern(date, 0) : known - OVERLAP, now)
  }

  /** Hands what tapes have gained to the recorder. */
  #gather(): void {
    const { archive, source } = this.#options
    for (const { symbol, tapes } of this.#kept.values()) {
      if (!archive?.records(symbol)) continue
      for (const tape of tapes.all()) this.#recorder!.gather(symbol, source, tape)
    }
  }

  /** What the session printed up to a moment. A feed without a past begins where it is. */
  async #readPast(tapes: SymbolTapes, from: Instant, to: Instant): Promise<void> {
    const past = this.#options.feed?.past?.(tapes.symbol, from, to, this.#ended.signal)
    if (past === undefined) return
    try {
      for await (const batch of past) {
        for (const message of batch) tapes.take(message, undefined)
        // Other symbols, and whoever asks for a view, have their turn between two batches.
        await new Promise((resolve) => setImmediate(resolve))
      }
    } catch (error) {
      if (this.#ended.signal.aborted) return
      this.#options.onTrouble({ kind: 'past_failed', symbol: tapes.symbol, message: (error as Error).message })
    }
  }

  /** Closes the hole between what was read of the past and what the feed has sent since it took the symbol up. */
  async #goOn(kept: Kept, began: Instant): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, TAKEN_UP_WITHIN).unref())
    await this.#readPast(kept.tapes, began - OVERLAP, this.#options.marketNow())
    for (const message of kept.waiting ?? []) kept.tapes.take(message, undefined)
    kept.waiting = undefined
  }

  #start(): void {
    const { feed } = this.#options
    if (feed === undefined || this.#feeding) return
    this.#feeding = true
    this.#timers.push(setInterval(() => this.#tell(), TELL_EVERY).unref())
    const record = () => {
      this.#gather()
      void this.#recorder?.flush()
    }
    this.#timers.push(setInterval(record, RECORD_EVERY).unref())
    void this.#feed(feed)
  }

  /** Feeds until the end of the service; a feed that ends is begun again after a wait that doubles. */
  async #feed(feed: PrintFeed): Promise<void> {
    const { onTrouble, marketNow } = this.#options
    const { signal } = this.#ended
    for (let failures = 1; !signal.aborted; failures++) {
      const sink = {
        messages: (batch: readonly TapeMessage[]) => {
          failures = 0
          this.#take(batch, marketNow())
        },
        state: () => {
          this.#heard = this.#options.wallNow()
        }
      }
      try {
        await feed.run(() => [...this.#kept.keys()].reverse(), sink, signal, marketNow)
      } catch (error) {
        if (!signal.aborted) onTrouble({ kind: 'feed_failed', message: (error as Error).message })
      }
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, backOff(failures, pauses)).unref())
    }
  }

  #take(batch: readonly TapeMessage[], now: Instant): void {
    this.#heard = this.#options.wallNow()
    const arrival = now - 1000 * this.#options.feed!.delay
    for (const message of batch) {
      const { symbol } = 'print' in message ? message.print : 'cancel' in message ? message.cancel : message.quote
      const kept = this.#kept.get(symbol)
      if (kept === undefined) continue
      if (kept.waiting === undefined) kept.tapes.take(message, arrival)
      else kept.waiting.push(message)
    }
  }

  #tell(): void {
    const moved: MovedTape[] = []
    for (const kept of this.#kept.values()) {
      for (const kind of tapeKinds) {
        const { position } = this.#tape(kept, kind)
        const name = `${kind} ${kept.symbol}`
        if (this.#told.get(name) === position) continue
        this.#told.set(name, position)
        moved.push({ symbol: kept.symbol, kind, position })
      }
    }
    if (moved.length > 0) this.#options.onMoved(moved)
  }
}
