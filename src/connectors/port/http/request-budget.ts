import { pause } from '../pause.ts'
import { SourceError } from '../source-error.ts'
import { MAX_PLACES, RequestPlaces } from './request-places.ts'

/** So many requests in every stretch of time, which begins with the first of them. */
export interface RequestLimit {
  readonly requests: number
  /** The stretch, milliseconds. */
  readonly every: number
  /** Requests under way at once, 1 to 64; undefined: as many as begin. Counted for what runs in `RequestBudget.run`. */
  readonly maxParallel?: number | undefined
}

/** What a source says of its own count, usually in headers. */
export interface ToldLimit {
  /** Requests that it takes in a stretch; undefined: not told. */
  readonly allowed?: number | undefined
  /** Requests that it takes until its stretch ends, and how long that is, milliseconds. */
  readonly left: number
  readonly endsIn: number
}

export interface BudgetOptions {
  /** Where it is counted: budgets with the same memory are one, on whichever thread they are. */
  readonly memory?: SharedArrayBuffer | undefined
  /** A turn that is further away is refused, milliseconds; undefined: every turn is waited for. */
  readonly longestWait?: number
  /** Milliseconds that only grow, the same for all threads, and how to wait for so many. */
  readonly clock?: () => number
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Shared memory that a budget can be counted in. */
export const budgetMemory = (): SharedArrayBuffer =>
  new SharedArrayBuffer((STREAMS + STREAM_CELLS) * BigInt64Array.BYTES_PER_ELEMENT)

/** Figures that the budget of a stream keeps in the same memory. */
const STREAM_CELLS = 2

/** Where they are. */
export const streamCells = (memory: SharedArrayBuffer): BigInt64Array =>
  new BigInt64Array(memory, STREAMS * BigInt64Array.BYTES_PER_ELEMENT, STREAM_CELLS)

/**
 * The memory: the stretch under way, all turns that were given, the limit a source told, the requests under way, and what its
 * stream has.
 */
const STRETCH = 0
const GIVEN = 1
const ALLOWED = 2
const PLACES = 3
const STREAMS = PLACES + MAX_PLACES

/**
 * A stretch is one number, so that threads replace it at once: its beginning, and the turns given in it. The beginning is
 * in tenths of a millisecond: the clock may be that of a machine which has run for years, and microseconds have room for one.
 */
const TURN_BITS = 18n
const MAX_TURNS = 2 ** Number(TURN_BITS) - 1
const UNITS_PER_MILLISECOND = 10

/** No source is left alone for longer, milliseconds: a header that asks for more is a mistake. */
export const MAX_REST = 24 * 60 * 60_000

interface Stretch {
  /** Milliseconds of the clock. */
  readonly begin: number
  /** Turns given since then, those of later stretches included. */
  readonly turns: number
}

/**
 * Lets so many requests to one source begin in a stretch of time, from all threads together. Turns are given in the order in which
 * they are asked for; several that are asked for together begin together, so that what they bring is of one moment.
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

  /** Requests that may be under way at once; undefined: as many as begin. */
  get maxParallel(): number | undefined {
    return this.#limit.maxParallel
  }

  /** Requests that a stretch has room for, as the source told or as it was set up. */
  get room(): number {
    return Number(Atomics.load(this.#cells, ALLOWED)) || this.#limit.requests
  }

  /** Requests a minute, on average. */
  get perMinute(): number {
    return (this.room * 60_000) / this.#limit.every
  }

  /** Turns given since the start, on all threads. */
  get given(): number {
    return Number(Atomics.load(this.#cells, GIVEN))
  }

  /**
   * Resolves when so many requests may begin, at most as many as there is room for. Rejects with a `SourceError` where
   * that is too far away, and with the reason of the signal once that fires.
   */
  async turn(signal: AbortSignal, requests = 1): Promise<void> {
    const wait = this.#reserve(Math.min(requests, this.room))
    if (wait > 0) await (this.#options.wait ?? pause)(wait, signal)
    signal.throwIfAborted()
  }

  /** Makes one request once there is a place for it. It is no turn: that is asked for before. */
  async run<Answer>(request: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    const giveBack = await this.#places?.take(signal)
    try {
      return await request()
    } finally {
      giveBack?.()
    }
  }

  /** The source asks for a rest, milliseconds. */
  rest(milliseconds: number): void {
    const now = this.#clock()
    const begin = now + Math.min(milliseconds, MAX_REST)
    this.#replace((known) => {
      if (known.begin >= begin) return undefined
      // Turns that were given in later stretches are still to come.
      const stretches = Math.floor((now - known.begin) / this.#limit.every) + 1
      return { begin, turns: Math.max(0, known.turns - this.room * stretches) }
    })
  }

  /** The source counts for itself: others may ask it with the same key, and its limit may be another one. */
  told({ allowed, left, endsIn }: ToldLimit): void {
    if (allowed !== undefined && allowed > 0) {
      Atomics.store(this.#cells, ALLOWED, BigInt(Math.min(Math.floor(allowed), MAX_TURNS)))
    }
    const { every } = this.#limit
    this.#replace((known) => {
      const now = this.#clock()
      if (known.begin > now) return undefined // it rests
      const { begin, turns } = this.#isOver(known, now) ? { begin: Number.NEGATIVE_INFINITY, turns: 0 } : known
      const told = now + Math.min(Math.max(endsIn, 0), every) - every
      return { begin: Math.max(begin, told), turns: Math.max(turns, this.room - left) }
    })
  }

  /** Whether every turn that was given lies in a stretch that has ended. */
  #isOver({ begin, turns }: Stretch, now: number): boolean {
    return now >= begin + this.#limit.every * Math.ceil(turns / this.room)
  }

  /** Takes turns of one stretch, and returns how long it is until they begin, milliseconds. */
  #reserve(requests: number): number {
    const { every } = this.#limit
    const { longestWait = Number.POSITIVE_INFINITY } = this.#options
    const room = this.room
    let wait = 0
    this.#replace((known) => {
      const now = this.#clock()
      const { begin, turns } = this.#isOver(known, now) ? { begin: now, turns: 0 } : known
      const fits = (turns % room) + requests <= room
      const first = fits ? turns : Math.ceil(turns / room) * room
      wait = begin + every * Math.floor(first / room) - now
      if (wait > longestWait || first + requests > MAX_TURNS) {
        const limit = `${room} requests in ${every / 1000} s`
        throw new SourceError('rate_limited', `its budget of ${limit} is spent`, wait)
      }
      return { begin, turns: first + requests }
    })
    Atomics.add(this.#cells, GIVEN, BigInt(requests))
    return wait
  }

  /** Replaces the stretch by what `next` makes of it, again where another thread was faster; undefined leaves it. */
  #replace(next: (known: Stretch) => Stretch | undefined): void {
    for (;;) {
      const held = Atomics.load(this.#cells, STRETCH)
      const wanted = next({
        begin: Number(held >> TURN_BITS) / UNITS_PER_MILLISECOND,
        turns: Number(held & BigInt(MAX_TURNS))
      })
      if (wanted === undefined) return
      const packed = (BigInt(Math.round(wanted.begin * UNITS_PER_MILLISECOND)) << TURN_BITS) | BigInt(wanted.turns)
      if (Atomics.compareExchange(this.#cells, STRETCH, held, packed) === held) return
    }
  }
}
