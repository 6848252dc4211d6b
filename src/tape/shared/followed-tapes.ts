import type { WindowsFound } from '../../api/market-source.ts'
import { IDLE_AFTER } from '../../facts/freshness.ts'
import { GREEKS, type TapeGreeks } from '../../flow/fold.ts'
import { isFolded } from '../../flow/folds.ts'
import type { ViewName, ViewRequest, Views, WindowTotals } from '../../flow/tape-views.ts'
import { windowTotals } from '../../flow/windows/window-totals.ts'
import { latestSession } from '../../market/calendar.ts'
import { PRICE_UNIT, slicePrints, type TapeKind, type TapeSource } from '../../market/print.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import type { Shelf } from '../../shelf/shelf.ts'
import { type ClockReading, isFeedSilent } from '../feed-silence.ts'
import type { LiveTapesOptions } from '../live-tapes.ts'
import { Tape, type ViewInputs } from '../tape.ts'
import type { FollowReason, ReadProgress, Tapes } from '../tape-port.ts'
import {
  imageKey,
  type RowsBody,
  type SentRows,
  seriesFrom,
  type TapeNews,
  unpackBody,
  unpackImages,
  unpackRows,
  type WantedTape
} from './tape-messages.ts'

export interface FollowedTapesOptions
  extends Pick<
    LiveTapesOptions,
    'source' | 'confidence' | 'maxSymbols' | 'maxBytes' | 'marketNow' | 'steadyNow' | 'onMoved'
  > {
  readonly shelf: Shelf
  readonly source: TapeSource
  /** Whether the collector's source has prints of stocks. */
  readonly stocks: boolean
}

interface Received {
  readonly tape: Tape
  greeks: TapeGreeks | undefined
}

/** A symbol whose tapes a collector holds. */
interface RemoteSymbol {
  readonly symbol: Ticker
  why: FollowReason
  /** When it was asked for last, milliseconds of the steady clock. */
  askedAt: number
  /** Tapes by the collector's names of them. */
  tapes: Map<string, Received>
  /** Rows that came while an image was asked for; undefined while none is. */
  waiting: SentRows[] | undefined
  hasCaughtUp: boolean
  readonly caughtUp: Promise<void>
  readonly noteCaughtUp: () => void
}

/** Milliseconds between two looks for what has to be asked for (again). */
const ASK_EVERY = 1000

/**
 * The tapes of a member that serves. They are those of the collector, made of images and rows that it sends, and so are
 * the same on every member.
 */
export class FollowedTapes implements Tapes {
  readonly #options: FollowedTapesOptions
  /** The symbol that was kept last comes last. */
  readonly #symbols = new Map<Ticker, RemoteSymbol>()
  /** Symbols that were kept since the collector was told last. */
  #kept = new Map<Ticker, FollowReason>()
  readonly #timer: NodeJS.Timeout
  /** When the collector's feed said something last, and the time then. */
  #heard: ClockReading

  constructor(options: FollowedTapesOptions) {
    this.#options = options
    this.#heard = this.#now()
    options.shelf.listen('rows', (text) => this.#take(JSON.parse(text)))
    this.#timer = setInterval(() => this.#askAgain(), ASK_EVERY).unref()
  }

  keep(symbol: Ticker, why: FollowReason = 'asked'): void {
    let live = this.#symbols.get(symbol)
    if (live?.why === 'scanned' && why !== 'scanned' && [...live.tapes.values()].some(({ tape }) => tape.sumsOnly)) {
      live = undefined // its tapes hold sums alone
    }
    const isNew = live === undefined
    live ??= begun(symbol, why)
    this.#symbols.delete(symbol)
    this.#symbols.set(symbol, live)
    if (why !== 'scanned') live.why = why
    live.askedAt = this.#options.steadyNow()
    this.#kept.set(symbol, why)
    for (const oldest of this.#symbols.keys()) {
      if (this.#symbols.size <= this.#options.maxSymbols) break
      this.#symbols.delete(oldest)
    }
    if (isNew) this.#askFor(live)
  }

  async view<Name extends ViewName>({ symbol, kind, view }: ViewRequest<Name>): Promise<Views[Name] | undefined> {
    if (!this.#has(kind) || !isFolded(view)) return undefined
    const live = this.#symbols.get(symbol)
    if (live === undefined) return undefined
    await live.caughtUp
    return this.#tapeOf(live, kind).view(view, this.#inputs(symbol)) as Views[Name] | undefined
  }

  async progress(symbol: Ticker): Promise<ReadProgress | undefined> {
    return this.#symbols.get(symbol)?.hasCaughtUp === false ? { share: 0, readTo: undefined } : undefined
  }

  async windowTotals(kind: TapeKind, from: Instant): Promise<WindowsFound | undefined> {
    if (!this.#has(kind)) return undefined
    const { now: at, source, silent } = this.#inputs('' as Ticker)
    const totals: WindowTotals[] = []
    const read = await this.symbols()
    for (const symbol of read.toSorted()) {
      const minutes = this.#tapeOf(this.#symbols.get(symbol)!, kind).view('minutes', this.#inputs(symbol))
      const found = minutes && windowTotals(symbol, [minutes], from)
      if (found !== undefined) totals.push(found)
    }
    const followed = this.#symbols.size
    const part = read.length < followed ? { since: undefined, share: read.length / followed } : undefined
    return { at, source, silent, totals, ...(part && { part }) }
  }

  async symbols(): Promise<readonly Ticker[]> {
    return [...this.#symbols.values()].flatMap(({ symbol, hasCaughtUp }) => (hasCaughtUp ? [symbol] : []))
  }

  /** Greeks come with the rows. */
  async note(): Promise<void> {}

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#options.shelf.close()
  }

  #has(kind: TapeKind): boolean {
    return kind === 'option' || this.#options.stocks
  }

  #now(): ClockReading {
    const { steadyNow, marketNow } = this.#options
    return { steady: steadyNow(), market: marketNow() }
  }

  #inputs(symbol: Ticker): ViewInputs {
    const { source, confidence } = this.#options
    const now = this.#now()
    return { symbol, source, confidence, silent: isFeedSilent(this.#heard, now), now: now.market }
  }

  /** Tape of the current session, or of the latest one while the market is closed; empty before its first print. */
  #tapeOf({ tapes, why }: RemoteSymbol, kind: TapeKind): Tape {
    const { date } = latestSession(this.#options.marketNow())
    for (const { tape } of tapes.values()) if (tape.kind === kind && tape.session === date) return tape
    const tape = new Tape(kind, date, PRICE_UNIT, { sumsOnly: why === 'scanned' })
    tapes.set(`${kind} ${date}`, { tape, greeks: undefined })
    return tape
  }

  #take(news: TapeNews): void {
    if (news.kind === 'beat') {
      const { steady, market } = this.#now()
      this.#heard = { steady: steady - news.silentFor, market }
      for (const live of this.#symbols.values()) this.#compare(live, news.symbols[live.symbol] ?? {})
      return
    }
    const live = this.#symbols.get(news.symbol)
    if (live === undefined) return
    if (news.kind === 'image') {
      if (live.waiting !== undefined) void this.#readImage(live)
    } else {
      if (live.waiting !== undefined) live.waiting.push(news)
      else if (!this.#receive(live, news)) this.#askFor(live)
    }
  }

  /** Asks for an image where tapes lack rows that were sent, or are no longer those of the collector. */
  #compare(live: RemoteSymbol, sent: Readonly<Record<string, number>>): void {
    if (live.waiting !== undefined) return
    const names = Object.entries(sent)
    const isSame = names.every(([name, position]) => live.tapes.get(name)?.tape.position === position)
    if (!isSame || names.length === 0) this.#askFor(live)
  }

  #askFor(live: RemoteSymbol): void {
    live.waiting ??= []
    this.#tell({ kind: 'image', symbol: live.symbol, why: live.why })
  }

  /** Asks again for what did not come, and drops symbols that nobody asks for or that there is no memory for. */
  #askAgain(): void {
    const { steadyNow, maxBytes } = this.#options
    const now = steadyNow()
    let bytes = 0
    for (const live of [...this.#symbols.values()].reverse()) {
      for (const { tape } of live.tapes.values()) bytes += tape.bytes
      const isNeedless = now - live.askedAt >= IDLE_AFTER || (bytes > maxBytes && live.hasCaughtUp)
      if (isNeedless && live.why !== 'pinned') this.#symbols.delete(live.symbol)
      else if (live.waiting !== undefined) this.#askFor(live)
    }
    if (this.#kept.size === 0) return
    this.#tell({ kind: 'keep', symbols: [...this.#kept] })
    this.#kept = new Map()
  }

  async #readImage(live: RemoteSymbol): Promise<void> {
    const bytes = await this.#options.shelf.get(imageKey(live.symbol)).catch(() => undefined)
    const images = bytes && unpackImages(bytes)
    const { waiting } = live
    if (images === undefined || waiting === undefined) return
    if (live.why !== 'scanned' && images.some(({ image }) => image.sumsOnly)) return
    live.tapes = new Map(
      images.map(({ tape, image }) => [tape, { tape: Tape.ofImage(image), greeks: image.greeks } satisfies Received])
    )
    live.waiting = undefined
    live.hasCaughtUp = true
    live.noteCaughtUp()
    this.#moved(
      live,
      [...live.tapes.values()].map(({ tape }) => tape)
    )
    for (const rows of waiting) if (!this.#receive(live, rows)) return this.#askFor(live)
  }

  /** Appends rows that are new. Returns false if rows before them are missing. */
  #receive(live: RemoteSymbol, sent: SentRows): boolean {
    let received = live.tapes.get(sent.tape)
    if (received === undefined) {
      if (sent.from > 0) return false
      const { of, session, unit, sumsOnly } = sent
      for (const [name, { tape }] of live.tapes) {
        if (tape.kind === of && tape.session === session) live.tapes.delete(name)
      }
      received = { tape: new Tape(of, session, unit, { sumsOnly }), greeks: undefined }
      live.tapes.set(sent.tape, received)
    }
    const { tape } = received
    if (sent.from > tape.position) return false
    const body = unpackBody(sent.body)
    const known = tape.position - sent.from
    if (known >= body.rows) return true
    const series = tape.series.length - body.firstSeries
    if (tape.kind === 'option' && series < 0) return false
    const prints = unpackRows(body)
    received.greeks = greeksAfter(received.greeks, body)
    const isReceived = tape.receive(
      known === 0 ? prints : slicePrints(prints, known, body.rows),
      seriesFrom(body.series, Math.max(0, series)),
      received.greeks
    )
    if (isReceived) this.#moved(live, [tape])
    return isReceived
  }

  #moved({ symbol }: RemoteSymbol, tapes: readonly Tape[]): void {
    this.#options.onMoved(tapes.map(({ kind, position }) => ({ symbol, kind, position })))
  }

  #tell(request: WantedTape): void {
    this.#options.shelf.tell('tape_requests', JSON.stringify(request)).catch(() => {}) // it is told again
  }
}

function begun(symbol: Ticker, why: FollowReason): RemoteSymbol {
  let noteCaughtUp = () => {}
  const caughtUp = new Promise<void>((resolve) => (noteCaughtUp = resolve))
  return { symbol, why, askedAt: 0, tapes: new Map(), waiting: undefined, hasCaughtUp: false, caughtUp, noteCaughtUp }
}

/** Greeks of all series, of which those sent before are known. */
function greeksAfter(before: TapeGreeks | undefined, { greeks }: RowsBody): TapeGreeks | undefined {
  if (greeks === undefined) return undefined
  const { since, next, first, values } = greeks
  if (first === 0) return { since, next, values }
  const all = new Float64Array(GREEKS * first + values.length)
  all.set(before!.values.subarray(0, GREEKS * first))
  all.set(values, GREEKS * first)
  return { since, next, values: all }
}
