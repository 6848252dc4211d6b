import { LRUCache } from 'lru-cache'
import type { WindowsFound } from '../api/market-source.ts'
import type { RestoredTape } from '../archive/codec/decode-tape.ts'
import type { HistoryStore, TapeHead, TapeId } from '../archive/history-store.ts'
import { confidenceFor } from '../flow/open-interest/simulator.ts'
import type { PastViewName, ViewName, ViewRequest, Views, WindowTotals } from '../flow/tape-views.ts'
import { viewBytes } from '../flow/view-bytes.ts'
import { joinTotals, windowTotals } from '../flow/windows/window-totals.ts'
import { latestSession, tradingDays } from '../market/calendar.ts'
import { MICROSECONDS_PER_MILLISECOND, rowsKnownBy, type TapeKind, tapeKinds } from '../market/print.ts'
import { tradeDate } from '../market/trade-date.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { Engine } from '../workers/engine.ts'

type Archive = Pick<HistoryStore, 'tape' | 'tapeHead' | 'tapedSymbols'>

/** A tape in memory: its head and its rows. */
interface Held extends TapeHead {
  /** What workers keep of it is kept under this name: no other tape has it, of this reader or of any other. */
  readonly name: string
  readonly tape: RestoredTape
  /** Its session was over when it was read: no row is missing. */
  readonly isWhole: boolean
}

/** Bytes of prints held at once: two or three days of the busiest symbols, a hundred of others. */
const MAX_TAPE_BYTES = 256 * 2 ** 20
const BYTES_PER_PRINT = 46
/** Bytes of views held at once: a hundred and more of the busiest symbols. */
const MAX_VIEW_BYTES = 64 * 2 ** 20

/** Below 0, so that no view of the past has the number of a present one. */
let lastVersion = 0
let lastReader = 0

export interface TapeReaderOptions {
  /** The share of classified volume that is taken to change positions; undefined: that of the tape's source. */
  readonly confidence: number | undefined
  /** The session that may still be recorded; those before it are complete. */
  readonly today: () => IsoDate
}

/** Tapes of the archive as they stood at a moment: every view by the folds that serve the present. */
export class TapeReader {
  readonly #archive: Archive
  readonly #engine: Pick<Engine, 'run'>
  readonly #confidence: number | undefined
  readonly #today: () => IsoDate
  readonly #tapes = new LRUCache<string, Held>({
    maxSize: MAX_TAPE_BYTES,
    sizeCalculation: ({ tape }) => BYTES_PER_PRINT * (tape.prints.length + 1)
  })
  readonly #views = new LRUCache<string, { readonly view: unknown }>({
    maxSize: MAX_VIEW_BYTES,
    sizeCalculation: ({ view }) => 1 + viewBytes(view)
  })
  readonly #underway = new Map<string, Promise<unknown>>()
  /** Readers share the workers, and each is told at its own time that a tape was written anew, or never. */
  readonly #number = ++lastReader
  /** How often tapes of a symbol were written anew: those before and after it have different names. */
  readonly #writtenAnew = new Map<Ticker, number>()

  constructor(archive: Archive, engine: Pick<Engine, 'run'>, { confidence, today }: TapeReaderOptions) {
    this.#archive = archive
    this.#engine = engine
    this.#confidence = confidence
    this.#today = today
  }

  /** What a tape showed at a moment. Undefined: nothing was recorded of it in that session. */
  view<Name extends ViewName>(request: ViewRequest<Name>, at: Instant): Promise<Views[Name] | undefined> {
    return this.#view(request, latestSession(at).date, at)
  }

  /** The same at the end of the sessions before that of a moment, from the one that holds `from` on. */
  async pastViews<Name extends PastViewName>(
    request: ViewRequest<Name>,
    from: Instant,
    at: Instant
  ): Promise<readonly Views[Name][]> {
    const { date } = latestSession(at)
    const sessions = tradingDays(tradeDate(from), date).filter((day) => day < date)
    const found = await Promise.all(sessions.map((day) => this.#view(request, day, at)))
    return found.filter((view) => view !== undefined)
  }

  /** Whether there is any tape of a symbol in the session of a moment. */
  async isTaped(symbol: Ticker, at: Instant): Promise<boolean> {
    const { date } = latestSession(at)
    const taped = await Promise.all(tapeKinds.map((kind) => this.#archive.tapedSymbols(kind, date)))
    return taped.some((symbols) => symbols.includes(symbol))
  }

  /** Tapes of a symbol were written anew: what is held of it is read again. */
  drop(symbol: Ticker): void {
    this.#writtenAnew.set(symbol, (this.#writtenAnew.get(symbol) ?? 0) + 1)
    for (const key of this.#tapes.keys()) if (key.startsWith(`${symbol} `)) this.#tapes.delete(key)
  }

  /** Reads a tape again where another one has come in its place. */
  async renew(id: TapeId): Promise<void> {
    const held = this.#tapes.peek(keyOf(id))
    if (held !== undefined && held.written !== (await this.#archive.tapeHead(id))?.written) this.drop(id.symbol)
  }

  /** Sums of all tapes of the session of a moment since another one. Undefined: there are none. */
  async windowTotals(kind: TapeKind, from: Instant, at: Instant): Promise<WindowsFound | undefined> {
    const symbols = await this.#archive.tapedSymbols(kind, latestSession(at).date)
    const totals: WindowTotals[] = []
    let source: WindowsFound['source'] | undefined
    for (const symbol of symbols) {
      const request = { symbol, kind, view: 'minutes' } as const
      const present = await this.view(request, at)
      if (present === undefined) continue
      source ??= present.source
      const found = windowTotals(symbol, [...(await this.pastViews(request, from, at)), present], from)
      if (found !== undefined) totals.push(found)
    }
    return source && { at, source, silent: false, totals }
  }

  /** Sums over the tapes of a session, with those of the sessions before it from a moment on. */
  async joinPast(
    found: WindowsFound,
    symbols: readonly Ticker[],
    kind: TapeKind,
    from: Instant
  ): Promise<WindowsFound> {
    if (tradeDate(from) >= latestSession(found.at).date) return found
    const present = new Map(found.totals.map((totals) => [totals.symbol, totals]))
    const all: WindowTotals[] = []
    for (const symbol of [...symbols].sort()) {
      const past = await this.pastViews({ symbol, kind, view: 'minutes' }, from, found.at)
      const totals = joinTotals(windowTotals(symbol, past, from), present.get(symbol))
      if (totals !== undefined) all.push(totals)
    }
    return { ...found, totals: all }
  }

  async #view<Name extends ViewName>(
    { symbol, kind, view }: ViewRequest<Name>,
    session: IsoDate,
    at: Instant
  ): Promise<Views[Name] | undefined> {
    const held = await this.#tape({ symbol, kind, session }, at)
    if (held === undefined) return undefined
    const { name, tape, source, unit } = held
    const rows = rowsKnownBy(tape.prints, at)
    // Groups of prints are closed by time alone as well.
    const key = `${name} ${view} ${view === 'groups' ? `at ${at}` : rows}`
    const known = rows === 0 ? undefined : tape.prints.known[rows - 1] / MICROSECONDS_PER_MILLISECOND
    const found = await this.#shared(this.#views, key, async () => {
      const version = --lastVersion
      const header = { symbol, kind, session, source, unit, known, version, silent: false }
      const moment = { ...header, now: at, confidence: confidenceFor(source, this.#confidence) }
      return { view: await this.#engine.run('viewTape', { name, tape, rows, view, moment }) }
    })
    return found.view as Views[Name] | undefined
  }

  /** A tape with at least the rows that were known at a moment: one that is still recorded is read again. */
  async #tape(id: TapeId, at: Instant): Promise<Held | undefined> {
    const { symbol, session } = id
    const key = keyOf(id)
    const held = this.#tapes.get(key)
    if (held !== undefined && (held.isWhole || isKnownAfter(held, at))) return held
    const written = this.#writtenAnew.get(symbol) ?? 0
    const found = await this.#shared(undefined, `${key} ${written} ${at}`, async () => {
      const isWhole = session < this.#today()
      const stored = await this.#archive.tape(id)
      if (stored === undefined) return { tape: undefined }
      const tape = await this.#engine.run('restoreTape', { stored })
      const { source, unit, written: head } = stored
      const name = `${key} ${head} ${this.#number} ${written}`
      return { tape: { name, tape, source, unit, written: head, isWhole } }
    })
    const isNewest = written === (this.#writtenAnew.get(symbol) ?? 0)
    if (found.tape !== undefined && isNewest) this.#tapes.set(key, found.tape)
    return found.tape
  }

  async #shared<Value extends object>(
    cache: LRUCache<string, Value> | undefined,
    key: string,
    make: () => Promise<Value>
  ): Promise<Value> {
    const known = cache?.get(key)
    if (known !== undefined) return known
    let making = this.#underway.get(key) as Promise<Value> | undefined
    if (making === undefined) {
      making = make().finally(() => this.#underway.delete(key))
      this.#underway.set(key, making)
    }
    const made = await making
    cache?.set(key, made)
    return made
  }
}

const keyOf = ({ symbol, kind, session }: TapeId) => `${symbol} ${kind} ${session}`

/** Whether a tape has a row that became known after a moment: then none can be missing that was known by it. */
function isKnownAfter({ tape: { prints } }: Held, at: Instant): boolean {
  return prints.length > 0 && prints.known[prints.length - 1] > MICROSECONDS_PER_MILLISECOND * at
}
