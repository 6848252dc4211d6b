import { pause } from '../pause.ts'
import { SourceError } from '../source-error.ts'
import { MAX_PLACES, RequestPlaces } from './request-places.ts'

/** A maximum number of requests per window of time. A window begins with its first request. */
export interface RequestLimit {
  readonly requests: number
  /** Length of the window, milliseconds. */
  readonly every: number
  /** Maximum number of concurrent requests made through `RequestBudget.run`, 1 to 64; undefined for no limit. */
  readonly maxParallel?: number | undefined
}

/** The request limit that a source states, usually in headers. */
export interface StatedLimit {
  /** Requests per window; undefined if not stated. */
  readonly allowed?: number | undefined
  /** `left`: requests that remain in the current window. `endsIn`: milliseconds until the window ends. */
  readonly left: number
  readonly endsIn: number
}

export interface BudgetOptions {
  /** Shared memory of the budget. All budgets that share it count their requests together, on any thread. */
  readonly memory?: SharedArrayBuffer | undefined
  /** Maximum wait in milliseconds; a request that would wait longer is refused. Undefined for no maximum. */
  readonly longestWait?: number
  /** `clock` returns milliseconds of a monotonic clock that all threads share; `wait` waits. Tests replace both. */
  readonly clock?: () => number
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

export const budgetMemory = (): SharedArrayBuffer =>
  new SharedArrayBuffer((STREAMS + STREAM_CELLS) * BigInt64Array.BYTES_PER_ELEMENT)

const STREAM_CELLS = 2

export const streamCells = (memory: SharedArrayBuffer): BigInt64Array =>
  new BigInt64Array(memory, STREAMS * BigInt64Array.BYTES_PER_ELEMENT, STREAM_CELLS)

/**
 * Indices of the shared cells: current window, requests granted so far, limit stated by the source, concurrent
 * requests, cells of `StreamBudget`.
 */
const WINDOW = 0
const GIVEN = 1
const ALLOWED = 2
const PLACES = 3
const STREAMS = PLACES + MAX_PLACES

/**
 * The current window is packed into one number, so that threads can replace it atomically: its beginning, and the
 * requests granted in it. The beginning is in tenths of a millisecond, since microseconds would overflow on a machine
 * that has run for years.
 */
const GRANT_BITS = 18n
const MAX_GRANTED = 2 ** Number(GRANT_BITS) - 1
const UNITS_PER_MILLISECOND = 10

/** Longest pause that a source may request, milliseconds. Anything longer is taken for a mistake. */
export const MAX_REST = 24 * 60 * 60_000

interface RequestWindow {
  readonly begin: number
  readonly granted: number
}

/**
 * Limits how many requests to one source may begin in a window of time, across all threads. Requests are granted in the
 * order in which they are made. Several that are requested together begin together, so that their responses show one
 * moment.
 * A token bucket would not do: vendors count by windows and state in headers what is left of one, threads share the
 * state as a single atomic cell, and requests that find the window full reserve a place in a later one.
 */
export class RequestBudget {
  readonly #limit: RequestLimit
  readonly #cells: BigInt64Array
  readonly #options: BudgetOptions
  readonly #clock: () => number
  readonly #places: RequestPlaces | undefined

  constructor(limit: RequestLimit, options: BudgetOptions = {}) {
    this.#limit = limit
    this.#options = options
    this.#cells = new BigInt64Array(options.memory ?? budgetMemory())
    this.#clock = options.clock ?? (() => Number(process.hrtime.bigint()) / 1e6)
    const { maxParallel } = limit
    if (maxParallel === undefined) return
    const cells = this.#cells.subarray(PLACES, PLACES + maxParallel)
    this.#places = new RequestPlaces(cells, { clock: this.#clock, wait: options.wait })
  }

  get maxParallel(): number | undefined {
    return this.#limit.maxParallel
  }

  /** Requests allowed per window: the number that the source stated, otherwise the configured one. */
  get room(): number {
    return Number(Atomics.load(this.#cells, ALLOWED)) || this.#limit.requests
  }

  get perMinute(): number {
    return (this.room * 60_000) / this.#limit.every
  }

  get given(): number {
    return Number(Atomics.load(this.#cells, GIVEN))
  }

  /**
   * Waits until `requests` requests may begin together. The number is lowered to what one window allows. Rejects with a
   * `SourceError` if the wait would be too long, and with the signal's reason when it fires.
   */
  async turn(signal: AbortSignal, requests = 1): Promise<void> {
    const wait = this.#reserve(Math.min(requests, this.room))
    if (wait > 0) await (this.#options.wait ?? pause)(wait, signal)
    signal.throwIfAborted()
  }

  /**
   * Makes one request as soon as the number of concurrent requests allows it. It does not count the request against the
   * window; call `turn` first.
   */
  async run<Answer>(request: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    const giveBack = await this.#places?.take(signal)
    try {
      return await request()
    } finally {
      giveBack?.()
    }
  }

  rest(milliseconds: number): void {
    const now = this.#clock()
    const begin = now + Math.min(milliseconds, MAX_REST)
    this.#replace((known) => {
      if (known.begin >= begin) return undefined
      // Requests granted for later windows have not been sent yet.
      const windows = Math.floor((now - known.begin) / this.#limit.every) + 1
      return { begin, granted: Math.max(0, known.granted - this.room * windows) }
    })
  }

  /**
   * Adopts the limit that the source states and the requests it has counted. Its limit may differ from ours, and other
   * clients may use the same key.
   */
  stated({ allowed, left, endsIn }: StatedLimit): void {
    if (allowed !== undefined && allowed > 0) {
      Atomics.store(this.#cells, ALLOWED, BigInt(Math.min(Math.floor(allowed), MAX_GRANTED)))
    }
    const { every } = this.#limit
    this.#replace((known) => {
      const now = this.#clock()
      if (known.begin > now) return undefined
      const { begin, granted } = this.#isOver(known, now) ? { begin: Number.NEGATIVE_INFINITY, granted: 0 } : known
      const statedBegin = now + Math.min(Math.max(endsIn, 0), every) - every
      return { begin: Math.max(begin, statedBegin), granted: Math.max(granted, this.room - left) }
    })
  }

  #isOver({ begin, granted }: RequestWindow, now: number): boolean {
    return now >= begin + this.#limit.every * Math.ceil(granted / this.room)
  }

  #reserve(requests: number): number {
    const { every } = this.#limit
    const { longestWait = Number.POSITIVE_INFINITY } = this.#options
    const room = this.room
    let wait = 0
    this.#replace((known) => {
      const now = this.#clock()
      const { begin, granted } = this.#isOver(known, now) ? { begin: now, granted: 0 } : known
      const fits = (granted % room) + requests <= room
      const first = fits ? granted : Math.ceil(granted / room) * room
      wait = begin + every * Math.floor(first / room) - now
      if (wait > longestWait || first + requests > MAX_GRANTED) {
        const limit = `${room} requests in ${every / 1000} s`
        throw new SourceError('rate_limited', `its budget of ${limit} is spent`, wait)
      }
      return { begin, granted: first + requests }
    })
    Atomics.add(this.#cells, GIVEN, BigInt(requests))
    return wait
  }

  /**
   * Atomically replaces the window by the result of `next`, and repeats if another thread was faster. If `next` returns
   * undefined the window stays.
   */
  #replace(next: (known: RequestWindow) => RequestWindow | undefined): void {
    for (;;) {
      const held = Atomics.load(this.#cells, WINDOW)
      const wanted = next({
        begin: Number(held >> GRANT_BITS) / UNITS_PER_MILLISECOND,
        granted: Number(held & BigInt(MAX_GRANTED))
      })
      if (wanted === undefined) return
      const packed = (BigInt(Math.round(wanted.begin * UNITS_PER_MILLISECOND)) << GRANT_BITS) | BigInt(wanted.granted)
      if (Atomics.compareExchange(this.#cells, WINDOW, held, packed) === held) return
    }
  }
}
