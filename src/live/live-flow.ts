import { LRUCache } from 'lru-cache'
import { ApiError, apiError } from '../api/error.ts'
import type { WindowsFound } from '../api/market-source.ts'
import { andThen, type MaybePromise } from '../api/maybe-promise.ts'
import { type After, endsWithin } from '../facts/bounded-wait.ts'
import {
  FIRST_VIEW_WAIT,
  IDLE_AFTER,
  NEWER_VIEW_WAIT,
  PAST_VIEWS_RETRY,
  PROGRESS_WAIT,
  SUMS_SERVE,
  VIEW_SERVES
} from '../facts/freshness.ts'
import type {
  NewestSample,
  PastViewName,
  PastViewRequest,
  TapeHeader,
  ViewName,
  ViewRequest,
  Views
} from '../flow/tape-views.ts'
import { viewBytes } from '../flow/view-bytes.ts'
import { latestSession } from '../market/calendar.ts'
import type { TapeKind } from '../market/print.ts'
import { parentOfRoot } from '../market/security.ts'
import { tradeDate } from '../market/trade-date.ts'
import type { Instant, Ticker } from '../market/units.ts'
import type { ReadProgress, Tapes } from '../tape/tape-port.ts'
import { Cell } from './cell.ts'
import type { MarketEventBus } from './market-events.ts'

export interface PastTapes {
  pastViews<Name extends PastViewName>(
    request: PastViewRequest<Name>,
    from: Instant,
    at: Instant
  ): Promise<readonly Views[Name][]>
  /** Adds sums over past sessions, beginning at `from`, to the sums over the current session. */
  joinPast(found: WindowsFound, symbols: readonly Ticker[], kind: TapeKind, from: Instant): Promise<WindowsFound>
}

/** Flow at one past moment, from the archive as replay reads it. What the archive lacks is refused with the reason. */
export interface StandingFlow {
  view<Name extends ViewName>(request: ViewRequest<Name>): Promise<Views[Name] | undefined>
  windowTotals(kind: TapeKind, from: Instant): Promise<WindowsFound>
  newestSamples(): Promise<readonly NewestSample[]>
}

export interface LiveFlowOptions {
  /** Collected option and stock prints; undefined if the service collects none. */
  readonly tapes?: Tapes | undefined
  /**
   * Makes the flow of the moment at which the market clock stands, in place of collected prints: a source without prints
   * is polled once there, and one poll tells of no trade. Undefined if the clock runs or prints are collected.
   */
  readonly standing?: (() => StandingFlow) | undefined
  readonly events: MarketEventBus
  /** Prints of earlier sessions from the archive; undefined without an archive. */
  readonly past?: PastTapes | undefined
  readonly marketNow: () => Instant
  /** Symbols whose prints are read by requests about the whole market, even if nobody has requested these symbols. */
  readonly scanned: readonly Ticker[]
  /** Clock of periods, milliseconds. */
  readonly steadyNow: () => number
  readonly after: After
  /** Memory for views that were read, bytes; without it there is no limit. */
  readonly maxViewBytes?: number | undefined
}

interface Shown {
  /** Undefined for figures over all symbols. */
  readonly symbol: Ticker | undefined
  readonly cell: Cell<unknown>
  lookedAt: number
  /** Number of changes to the prints up to the time when the cached value was read. */
  moves: number
}

const none: readonly never[] = []

/** Number of cached values, one for each symbol and kind of figure. */
const MAX_SHOWN = 20_000

/**
 * Figures from collected prints for the live market, such as minute bars. A figure is computed again if new prints have
 * arrived and the caller's plan requires newer data. Otherwise the same object is returned.
 */
export class LiveFlow {
  readonly #options: LiveFlowOptions
  readonly #shown: LRUCache<string, Shown>
  #scannedAt = Number.NEGATIVE_INFINITY
  /** Number of changes to the prints of each symbol. The key `undefined` has the number for all symbols together. */
  readonly #moves = new Map<Ticker | undefined, number>()

  constructor(options: LiveFlowOptions) {
    this.#options = options
    const { maxViewBytes: maxSize = Number.MAX_SAFE_INTEGER } = options
    this.#shown = new LRUCache({ max: MAX_SHOWN, maxSize, ttl: IDLE_AFTER, updateAgeOnGet: true })
    options.events.on('tapeMoved', ({ symbol }) => {
      for (const whose of [symbol, undefined]) this.#moves.set(whose, this.#movesOf(whose) + 1)
    })
  }

  view<Name extends ViewName>(
    request: ViewRequest<Name>,
    maxAge: number,
    mayBePart = false
  ): MaybePromise<Views[Name] | undefined> {
    const { tapes, standing } = this.#options
    if (tapes === undefined && standing === undefined) return undefined
    const symbol = parentOfRoot(request.symbol) ?? request.symbol
    const { kind, view } = request
    const read = async () => {
      if (standing !== undefined) return standing().view({ symbol, kind, view })
      tapes?.keep(symbol)
      return tapes?.view({ symbol, kind, view }, true)
    }
    const name = `${symbol} ${kind} ${view}`
    const found = this.#read<Views[Name] | undefined>({ name, symbol, read, isSame: isSameView, isPart }, maxAge)
    return mayBePart ? found : andThen(found, (shown) => (isPart(shown) ? this.#refuseLoading(symbol) : shown))
  }

  pastViews<Name extends PastViewName>(
    { symbol: root, kind, view, to }: PastViewRequest<Name>,
    from: Instant
  ): MaybePromise<readonly Views[Name][]> {
    const { past, marketNow } = this.#options
    if (past === undefined) return none
    const symbol = parentOfRoot(root) ?? root
    const { date } = latestSession(marketNow())
    const last = to === undefined || tradeDate(to) > date ? date : tradeDate(to)
    const read = () => past.pastViews({ symbol, kind, view, ...(to !== undefined && { to }) }, from, marketNow())
    const name = `past ${symbol} ${kind} ${view} ${tradeDate(from)} ${last} ${date}`
    return this.#read({ name, symbol, read, isSame: areSameViews }, PAST_VIEWS_RETRY)
  }

  windowTotals(kind: TapeKind, from: Instant, maxAge: number): MaybePromise<WindowsFound | undefined> {
    const { past, standing } = this.#options
    const read = async () => {
      if (standing !== undefined) return standing().windowTotals(kind, from)
      const scanned = this.scannedTapes()
      const found = await scanned?.windowTotals(kind, from)
      if (found === undefined || past === undefined) return found
      return past.joinPast(found, await scanned!.symbols(), kind, from)
    }
    return this.#read({ name: `windows ${kind} ${from}`, symbol: undefined, read }, maxAge)
  }

  /** Collects the prints of all symbols that requests about the whole market need. Does not wait for them. */
  scannedTapes(): Tapes | undefined {
    const { tapes, scanned } = this.#options
    const now = this.#options.steadyNow()
    if (now - this.#scannedAt >= SUMS_SERVE) {
      this.#scannedAt = now
      for (const symbol of scanned) tapes?.keep(symbol, 'scanned')
    }
    return tapes
  }

  #movesOf(symbol: Ticker | undefined): number {
    return this.#moves.get(symbol) ?? 0
  }

  #read<Value>(asked: ViewReading<Value>, maxAge: number): MaybePromise<Value> {
    const { steadyNow, after } = this.#options
    let shown = this.#shown.get(asked.name)
    if (shown === undefined) this.#shown.set(asked.name, (shown = this.#make(asked)), { size: 1 })
    const { cell, lookedAt, moves } = shown
    const age = steadyNow() - lookedAt
    const hasChanged = this.#movesOf(asked.symbol) !== moves || age >= VIEW_SERVES
    const isDue = asked.isPart?.(cell.value as Value) ? age >= VIEW_SERVES : hasChanged && age >= maxAge
    if (cell.isGood && !(isDue && cell.failures === 0)) return cell.read() as Value
    const loading = cell.load()
    loading.catch(() => {})
    const isFirst = lookedAt === Number.NEGATIVE_INFINITY
    return endsWithin(loading, isFirst ? FIRST_VIEW_WAIT : NEWER_VIEW_WAIT, after).then((ended) => {
      if (ended || !isFirst) return cell.read() as Value
      return this.#refuseLoading(asked.symbol)
    })
  }

  /** Rejects with data_loading, and with how far the tape has been read if its thread says so shortly. */
  async #refuseLoading(symbol: Ticker | undefined): Promise<never> {
    const { tapes, after } = this.#options
    let progress: ReadProgress | undefined
    if (symbol !== undefined && tapes !== undefined) {
      const asking = tapes.progress(symbol).then((found) => void (progress = found))
      await endsWithin(asking, PROGRESS_WAIT, after)
    }
    throw loading(symbol, progress)
  }

  #make<Value>({ name, symbol, read, isSame }: ViewReading<Value>): Shown {
    const { steadyNow } = this.#options
    const cell = new Cell<unknown>({
      load: async () => {
        const [lookedAt, moves] = [steadyNow(), this.#movesOf(symbol)]
        try {
          const value = await read()
          Object.assign(shown, { lookedAt, moves })
          if (this.#shown.peek(name) === shown) this.#shown.set(name, shown, { size: 1 + viewBytes(value) })
          return { value, goodFor: Number.POSITIVE_INFINITY }
        } catch (error) {
          throw error instanceof ApiError ? error : unavailable((error as Error).message)
        }
      },
      ...(isSame === undefined ? {} : { isSame: isSame as (held: unknown, fresh: unknown) => boolean }),
      pauseAfter: () => VIEW_SERVES,
      steadyNow
    })
    const shown: Shown = { symbol, cell, lookedAt: Number.NEGATIVE_INFINITY, moves: 0 }
    return shown
  }
}

interface ViewReading<Value> {
  readonly name: string
  readonly symbol: Ticker | undefined
  readonly read: () => Promise<Value>
  readonly isSame?: (held: Value, fresh: Value) => boolean
  /** Whether the value holds a part of the session only, so that it is read again whatever age is allowed. */
  readonly isPart?: (value: Value) => boolean
}

function loading(symbol: Ticker | undefined, progress: ReadProgress | undefined): ApiError {
  const what = symbol === undefined ? 'prints of all symbols' : `prints of ${symbol}`
  const { share = null, readTo } = progress ?? {}
  const done = share === null ? '' : `: ${Math.floor(100 * share)} % of the session so far`
  const detail = { loading: what, share: share === null ? null : Math.floor(1000 * share) / 1000 }
  const read_to = readTo === undefined ? null : new Date(readTo).toISOString()
  return apiError('data_loading', `the ${what} are being read${done}; try again shortly`, { ...detail, read_to })
}

const isPart = (view: Pick<TapeHeader, 'part'> | undefined) => view?.part !== undefined

const unavailable = (why: string) => apiError('upstream_unavailable', `the tape is temporarily unavailable: ${why}`)

type Versioned = Pick<TapeHeader, 'version'>

const isSameView = (held: Versioned | undefined, fresh: Versioned | undefined) => held?.version === fresh?.version

const areSameViews = (held: readonly Versioned[], fresh: readonly Versioned[]) =>
  held.length === fresh.length && held.every((view, k) => isSameView(view, fresh[k]))
