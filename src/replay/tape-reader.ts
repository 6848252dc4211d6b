import { LRUCache } from 'lru-cache'
import type { Deadline } from '../api/deadline.ts'
import type { WindowsFound } from '../api/market-source.ts'
import { datedAtClose } from '../archive/closing.ts'
import type { HistoryStore, TapeId } from '../archive/history-store.ts'
import { PAST_TAPES_SERVE } from '../facts/freshness.ts'
import { confidenceFor } from '../flow/open-interest/simulator.ts'
import { settledTotals } from '../flow/settled-totals.ts'
import type {
  PastViewName,
  PastViewRequest,
  Totals,
  ViewName,
  ViewRequest,
  Views,
  WindowTotals
} from '../flow/tape-views.ts'
import { viewBytes } from '../flow/view-bytes.ts'
import { joinTotals, windowTotals } from '../flow/windows/window-totals.ts'
import { latestSession, session as sessionOf, tradingDays } from '../market/calendar.ts'
import { easternDate } from '../market/eastern.ts'
import { MICROSECONDS_PER_MILLISECOND, PRICE_UNIT, rowsKnownBy, type TapeKind, tapeKinds } from '../market/print.ts'
import { sharesForOne } from '../market/split.ts'
import { tradeDate } from '../market/trade-date.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { Engine } from '../workers/engine.ts'
import type { HeldTape } from './held-tape.ts'
import { InferredTapes } from './inferred-tapes.ts'

type Archive = Pick<
  HistoryStore,
  'tape' | 'tapeHead' | 'tapedSymbols' | 'moments' | 'snapshot' | 'closingSnapshot' | 'splits'
>

/** Default memory for tapes, bytes: two or three days of the busiest symbols, or a hundred days of others. */
const MAX_BYTES = 256 * 2 ** 20
const BYTES_PER_PRINT = 46
/** Share of it for views: by default enough for more than a hundred views of the busiest symbols. */
const VIEW_SHARE = 0.25

/** Version of the latest view. Counts down from zero, so that it never equals the version of a live view. */
let lastVersion = 0
let lastReader = 0

export interface TapeReaderOptions {
  /**
   * Share of net volume (contracts bought minus contracts sold) that is assumed to change open interest, 0 to 1;
   * undefined for the default of the tape's source.
   */
  readonly confidence: number | undefined
  /** Returns the session that may still be recorded. Earlier sessions are complete. */
  readonly today: () => IsoDate
  /** Memory for tapes, bytes; undefined for the default. Views take a quarter of it more. */
  readonly maxBytes?: number | undefined
}

/**
 * Views of archived tapes as they were at a moment, computed with the same code as live views. Prints of options that were
 * not recorded are inferred from the snapshots of the session.
 */
export class TapeReader {
  readonly #archive: Archive
  readonly #engine: Pick<Engine, 'run'>
  readonly #confidence: number | undefined
  readonly #today: () => IsoDate
  readonly #tapes: LRUCache<string, HeldTape>
  readonly #inferred: InferredTapes
  readonly #views: LRUCache<string, { readonly view: unknown }>
  /** Drops the tapes when nobody has asked for one lately. */
  readonly #idle = setTimeout(() => this.#tapes.clear(), PAST_TAPES_SERVE).unref()
  readonly #underway = new Map<string, Promise<unknown>>()
  /**
   * Part of the names of tapes. Readers share workers but learn of rewritten tapes at different times, so their names
   * must differ.
   */
  readonly #number = ++lastReader
  /** How often the tapes of each symbol were rewritten. The count is part of a tape's name. */
  readonly #writtenAnew = new Map<Ticker, number>()

  constructor(archive: Archive, engine: Pick<Engine, 'run'>, options: TapeReaderOptions) {
    const { confidence, today, maxBytes = MAX_BYTES } = options
    this.#archive = archive
    this.#engine = engine
    this.#confidence = confidence
    this.#today = today
    this.#tapes = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ tape }) => BYTES_PER_PRINT * (tape.prints.length + 1)
    })
    this.#inferred = new InferredTapes(archive, engine, this.#tapes)
    this.#views = new LRUCache({
      maxSize: Math.ceil(VIEW_SHARE * maxBytes),
      sizeCalculation: ({ view }) => 1 + viewBytes(view)
    })
  }

  /** View of a tape at `at`; undefined if the session has no such tape. After `deadline` no work begins for it. */
  view<Name extends ViewName>(
    request: ViewRequest<Name>,
    at: Instant,
    deadline?: Deadline
  ): Promise<Views[Name] | undefined> {
    return this.#view(request, latestSession(at).date, at, deadline)
  }

  /**
   * Views of the sessions before the present one, each at its end. The first is the session that contains `from`. Prices
   * of a share before a split are in the scale of `at`.
   */
  async pastViews<Name extends PastViewName>(
    request: PastViewRequest<Name>,
    from: Instant,
    at: Instant,
    deadline?: Deadline
  ): Promise<readonly Views[Name][]> {
    const { date } = latestSession(at)
    const last = request.to === undefined ? date : tradeDate(request.to)
    const sessions = tradingDays(tradeDate(from), last).filter((day) => day < date)
    const found = await Promise.all(sessions.map((day) => this.#view(request, day, at, deadline)))
    const views = found.filter((view) => view !== undefined)
    if (request.kind === 'option' || views.length === 0) return views
    const splits = await this.#archive.splits(request.symbol)
    return views.map((view) => {
      const shares = sharesForOne(splits, view.session, tradeDate(at))
      return shares === 1 ? view : { ...view, unit: view.unit / shares }
    })
  }

  /** Whether the symbol has any tape in the session of `at`, or snapshots from which one can be inferred. */
  async isTaped(symbol: Ticker, at: Instant): Promise<boolean> {
    const { date } = latestSession(at)
    if (await this.#inferred.isPossible({ symbol, session: date }, at)) return true
    const taped = await Promise.all(tapeKinds.map((kind) => this.#archive.tapedSymbols(kind, date)))
    return taped.some((symbols) => symbols.includes(symbol))
  }

  /** Reason why a symbol without recorded prints of options has no inferred ones either at `at`. */
  reasonWithout(symbol: Ticker, at: Instant): Promise<string> {
    return this.#inferred.reasonWithout({ symbol, session: latestSession(at).date }, at)
  }

  /** Drops the cached tapes of a symbol, because they were rewritten. */
  drop(symbol: Ticker): void {
    this.#writtenAnew.set(symbol, (this.#writtenAnew.get(symbol) ?? 0) + 1)
    for (const key of this.#tapes.keys()) if (key.startsWith(`${symbol} `)) this.#tapes.delete(key)
  }

  /** Drops all views, and all tapes except one. For callers that go through tapes one after the other. */
  keepOnly(id: TapeId): void {
    this.#views.clear()
    const kept = keyOf(id)
    for (const key of this.#tapes.keys()) if (key !== kept) this.#tapes.delete(key)
  }

  /** Drops a cached tape if the archive has a newer version of it. */
  async renew(id: TapeId): Promise<void> {
    const held = this.#tapes.peek(keyOf(id))
    if (held !== undefined && held.written !== (await this.#archive.tapeHead(id))?.written) this.drop(id.symbol)
  }

  /** Totals of all recorded symbols from `from` to `at`. Undefined if the session has no tapes. */
  async windowTotals(
    kind: TapeKind,
    from: Instant,
    at: Instant,
    deadline?: Deadline
  ): Promise<WindowsFound | undefined> {
    const symbols = await this.#archive.tapedSymbols(kind, latestSession(at).date)
    const totals: WindowTotals[] = []
    let source: WindowsFound['source'] | undefined
    for (const symbol of symbols) {
      const request = { symbol, kind, view: 'minutes' } as const
      const present = await this.view(request, at, deadline)
      if (present === undefined) continue
      source ??= present.source
      const found = windowTotals(symbol, [...(await this.pastViews(request, from, at, deadline)), present], from)
      if (found !== undefined) totals.push(found)
    }
    return source && { at, source, silent: false, totals }
  }

  /** Adds the totals of earlier sessions, from `from` on, to the totals of the present session. */
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
    at: Instant,
    deadline: Deadline | undefined
  ): Promise<Views[Name] | undefined> {
    const recorded = await this.#tape({ symbol, kind, session }, at, deadline)
    const mayInfer = recorded === undefined && kind === 'option'
    const held = mayInfer ? await this.#inferred.tape({ symbol, session }, at, deadline) : recorded
    if (held === undefined) {
      const isSettled = kind === 'option' && view === 'totals'
      return isSettled ? ((await this.#settled(symbol, session, at, deadline)) as Views[Name] | undefined) : undefined
    }
    const { name, tape, source, unit } = held
    const rows = rowsKnownBy(tape.prints, at)
    // Groups of prints also change as time passes.
    const key = `${name} ${view} ${view === 'groups' ? `at ${at}` : rows}`
    const known = rows === 0 ? undefined : tape.prints.known[rows - 1] / MICROSECONDS_PER_MILLISECOND
    const found = await this.#shared(this.#views, key, async () => {
      const version = --lastVersion
      const header = { symbol, kind, session, source, unit, known, version, silent: false }
      const moment = { ...header, now: at, confidence: confidenceFor(source, this.#confidence) }
      return { view: await this.#engine.run('viewTape', { name, tape, rows, view, moment }, deadline) }
    })
    return found.view as Views[Name] | undefined
  }

  /** Volume of a session that has no tape, from its close. Undefined before the close, and if no volume is known. */
  async #settled(
    symbol: Ticker,
    session: IsoDate,
    at: Instant,
    deadline: Deadline | undefined
  ): Promise<Totals | undefined> {
    if (at < sessionOf(session)!.close) return undefined
    const isSameDay = easternDate(at) === session
    const last = await (isSameDay ? this.#archive.snapshot(symbol, at) : this.#archive.closingSnapshot(symbol, session))
    const snapshot = last && datedAtClose(last, session)
    if (snapshot === undefined) return undefined
    const key = `${symbol} settled ${session} ${last!.asOf} ${snapshot.fidelity} ${this.#writtenAnew.get(symbol) ?? 0}`
    const found = await this.#shared(this.#views, key, async () => {
      const volumes = await this.#engine.run('settledVolumes', { snapshot }, deadline)
      const header = { symbol, kind: 'option', session, unit: PRICE_UNIT, silent: false } as const
      const version = --lastVersion
      return { view: volumes && settledTotals({ ...header, known: snapshot.asOf, version }, volumes) }
    })
    return found.view as Totals | undefined
  }

  /** Returns a tape with at least the rows known at `at`. A tape that is still being recorded is read again. */
  async #tape(id: TapeId, at: Instant, deadline: Deadline | undefined): Promise<HeldTape | undefined> {
    const { symbol, session } = id
    const key = keyOf(id)
    this.#idle.refresh()
    const held = this.#tapes.get(key)
    if (held !== undefined && (held.isWhole || isKnownAfter(held, at))) return held
    const written = this.#writtenAnew.get(symbol) ?? 0
    const found = await this.#shared(undefined, `${key} ${written} ${at}`, async () => {
      const isWhole = session < this.#today()
      const stored = await this.#archive.tape(id)
      if (stored === undefined) return { tape: undefined }
      const tape = await this.#engine.run('restoreTape', { stored }, deadline)
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

/** Whether a tape has a row later than `at`, so that it must have all rows up to `at`. */
function isKnownAfter({ tape: { prints } }: HeldTape, at: Instant): boolean {
  return prints.length > 0 && prints.known[prints.length - 1] > MICROSECONDS_PER_MILLISECOND * at
}
