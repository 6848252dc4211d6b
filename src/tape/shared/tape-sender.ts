import { randomUUID } from 'node:crypto'
import { GREEKS } from '../../flow/fold.ts'
import type { Ticker } from '../../market/units.ts'
import type { Shelf } from '../../shelf/shelf.ts'
import type { LiveTapes } from '../live-tapes.ts'
import type { Tape } from '../tape.ts'
import {
  IMAGE_KEPT,
  imageKey,
  packBody,
  packImages,
  packRows,
  type SentRows,
  seriesFrom,
  type TapeNews,
  type WantedTape
} from './tape-messages.ts'

export interface TapeSenderOptions {
  readonly shelf: Shelf
  readonly tapes: Pick<LiveTapes, 'keep' | 'tapesOf' | 'heldOf' | 'silentFor'>
  /** Called if tapes could not be put although the shelf can be reached. */
  readonly onError: (error: unknown) => void
}

/** How much of a tape was sent. */
interface Sent {
  readonly name: string
  position: number
  series: number
  /** The snapshot whose greeks were sent last, and of how many series. */
  since: number | undefined
  greeks: number
}

const BEAT_EVERY = 1000

/**
 * Sends the rows of a collector's tapes to members that serve. A member begins with an image of all tapes of a symbol and
 * goes on with their rows; whatever it misses it replaces by another image.
 */
export class TapeSender {
  readonly #options: TapeSenderOptions
  readonly #sent = new WeakMap<Tape, Sent>()
  /** Symbols that members follow. */
  readonly #followed = new Set<Ticker>()
  readonly #making = new Set<Ticker>()
  #timer: NodeJS.Timeout | undefined
  #stopListening = () => {}

  constructor(options: TapeSenderOptions) {
    this.#options = options
  }

  start(): void {
    this.#stopListening = this.#options.shelf.listen('tape_requests', (text) => this.#take(JSON.parse(text)))
    this.#timer = setInterval(() => this.#beat(), BEAT_EVERY).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#stopListening()
  }

  /** Sends the rows that a tape got since the last call. Call before rows leave its memory, and before its greeks change. */
  send(symbol: Ticker, tape: Tape): void {
    if (!this.#followed.has(symbol)) return
    const sent = this.#sent.get(tape) ?? this.#begin(tape)
    if (sent === undefined || sent.position === tape.position) return
    const { kind: of, session, unit, sumsOnly, greeks, series } = tape
    const { prints, from, to } = tape.rowsFrom(sent.position)
    const first = greeks?.since === sent.since ? sent.greeks : 0
    const body = packBody({
      rows: to - from,
      columns: packRows(prints, from, to),
      firstSeries: sent.series,
      series: seriesFrom(series, sent.series),
      greeks: greeks && { since: greeks.since, next: greeks.next, first, values: greeks.values.slice(GREEKS * first) }
    })
    const rows: SentRows = {
      kind: 'rows',
      symbol,
      tape: sent.name,
      of,
      session,
      unit,
      sumsOnly,
      from: sent.position,
      body
    }
    this.#note(tape, sent)
    this.#tell(rows)
  }

  /** Begins to send a tape that has all its rows in memory; an image begins any other one. */
  #begin(tape: Tape): Sent | undefined {
    const { held, position } = tape
    if (position === 0 || position > held.to - held.from) return undefined
    const sent = { name: randomUUID(), position: 0, series: 0, since: undefined, greeks: 0 }
    this.#sent.set(tape, sent)
    return sent
  }

  #note({ position, series, greeks }: Tape, sent: Sent): void {
    sent.position = position
    sent.series = series.length
    sent.since = greeks?.since
    sent.greeks = series.length
  }

  #take(request: WantedTape): void {
    const { tapes } = this.#options
    if (request.kind === 'keep') for (const [symbol, why] of request.symbols) tapes.keep(symbol, why)
    else {
      tapes.keep(request.symbol, request.why)
      void this.#putImage(request.symbol)
    }
  }

  async #putImage(symbol: Ticker): Promise<void> {
    if (this.#making.has(symbol)) return
    this.#making.add(symbol)
    const { tapes, shelf, onError } = this.#options
    try {
      const all = await tapes.tapesOf(symbol)
      if (all === undefined) return
      this.#followed.add(symbol)
      const images = all.map((tape) => {
        this.send(symbol, tape)
        const sent = this.#sent.get(tape) ?? { name: randomUUID(), position: 0, series: 0, since: undefined, greeks: 0 }
        this.#sent.set(tape, sent)
        this.#note(tape, sent)
        return { tape: sent.name, image: tape.image() }
      })
      const news: TapeNews = { kind: 'image', symbol }
      await shelf.put(imageKey(symbol), packImages(images), IMAGE_KEPT, { on: 'rows', text: JSON.stringify(news) })
    } catch (error) {
      if (shelf.isUp) onError(error)
    } finally {
      this.#making.delete(symbol)
    }
  }

  #beat(): void {
    const { tapes } = this.#options
    const symbols: Record<Ticker, Record<string, number>> = {}
    for (const symbol of this.#followed) {
      const held = tapes.heldOf(symbol)
      if (held.length === 0) this.#followed.delete(symbol)
      const named: Record<string, number> = {}
      for (const tape of held) {
        const sent = this.#sent.get(tape)
        if (sent !== undefined) named[sent.name] = sent.position
      }
      symbols[symbol] = named
    }
    this.#tell({ kind: 'beat', silentFor: tapes.silentFor, symbols })
  }

  #tell(news: TapeNews): void {
    this.#options.shelf.tell('rows', JSON.stringify(news)).catch(() => {}) // members notice what they miss
  }
}
