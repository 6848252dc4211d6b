import { andThen, type MaybePromise } from '../api/maybe-promise.ts'
import type { ZeroDteRow } from '../archive/history-store.ts'
import { POLL_EVERY } from '../facts/freshness.ts'
import { HedgeTrack } from '../flow/hedge-track.ts'
import type { NewestSample, Positions, StrikeMinutes, TapeHeader, ZeroDteSamples } from '../flow/tape-views.ts'
import { latestSession, session as sessionOf } from '../market/calendar.ts'
import { easternDate } from '../market/eastern.ts'
import type { TapeSource } from '../market/print.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../market/units.ts'
import {
  type NewestSamples,
  SAMPLE_LEAD,
  SAMPLE_STEP,
  type StrikeMinute,
  type ZeroDteSample
} from '../market/zero-dte-sample.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { Tapes } from '../tape/tape-port.ts'
import type { Engine } from '../workers/engine.ts'
import type { MarketEventBus, PastArchive } from './market-events.ts'

export interface ZeroDteSamplerOptions {
  readonly tapes: Pick<Tapes, 'symbols' | 'view'>
  readonly engine: Pick<Engine, 'run' | 'lend'>
  /** Returns the current chain of a symbol, as new as samples need it. */
  readonly chain: (symbol: Ticker) => MaybePromise<PricedChain | undefined>
  readonly archive?: Pick<PastArchive, 'zeroDteSamples' | 'zeroDteMinutes' | 'newestSamples'> | undefined
  readonly events: MarketEventBus
  readonly marketNow: () => Instant
}

/** Milliseconds between the end of a bar and the reading of its prints, so that late prints are included. */
const SETTLE = 250
/** A chain that is this many milliseconds older than its source's usual delay cannot describe the end of a bar. */
const MAX_STATE_AGE = 5 * MILLISECONDS_PER_MINUTE
const none: readonly never[] = []

interface State {
  readonly symbol: Ticker
  readonly chain: PricedChain
  /** Ends the use of the chain. */
  readonly release: () => void
  readonly positions: Positions
}

/**
 * Every half minute of the session, computes a sample (bar) of the options that expire today, for each symbol whose
 * prints are collected. The half minutes follow the market's clock. If a bar cannot be computed in time it stays
 * missing.
 */
export class ZeroDteSampler {
  readonly #options: ZeroDteSamplerOptions
  readonly #days = new Map<Ticker, MaybePromise<ZeroDteDay>>()
  /** Session to which the bars in memory belong. */
  #session: IsoDate | undefined
  /** Symbols that are known to have no options expiring today. */
  readonly #without = new Set<Ticker>()
  #newest: { readonly session: IsoDate; readonly kept: ReadonlyMap<Ticker, NewestSamples> } | undefined
  #shownNewest: readonly NewestSample[] | undefined
  #timer: NodeJS.Timeout | undefined
  /** End of the newest bar. A bar in `#due` has ended, but its late prints may still arrive. */
  #end: Instant
  #due: { readonly end: Instant; readonly states: Promise<readonly State[]> } | undefined

  constructor(options: ZeroDteSamplerOptions) {
    this.#options = options
    this.#end = endBy(options.marketNow() + SAMPLE_LEAD)
  }

  start(): void {
    this.#timer = setInterval(() => this.#poll(), POLL_EVERY).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Computes the bar that ends at `end`, which must be the current market time. */
  async sample(end: Instant): Promise<void> {
    await this.#take(end, await this.#states(end))
  }

  /** All 0DTE bars of a symbol, for the session to which its prints (`tape`) belong. */
  samples(tape: TapeHeader): MaybePromise<ZeroDteSamples> {
    return andThen(this.#dayOf(tape.symbol), (day) => day.samples(tape))
  }

  strikes(tape: TapeHeader): MaybePromise<StrikeMinutes> {
    return andThen(this.#dayOf(tape.symbol), (day) => day.strikes(tape))
  }

  /**
   * The two newest 0DTE bars of every symbol that has any in the session. Returns the same list object until a bar is
   * added.
   */
  newest(source: TapeSource): MaybePromise<readonly NewestSample[]> {
    this.#serve(this.#options.marketNow())
    return andThen(this.#recorded(), (recorded) => {
      if (this.#shownNewest !== undefined) return this.#shownNewest
      const found = new Map(recorded)
      for (const [symbol, day] of this.#days) {
        const newest = day instanceof Promise ? undefined : day.newest
        if (newest !== undefined) found.set(symbol, newest)
      }
      const rows = [...found].map(([symbol, newest]): NewestSample => ({ symbol, source, ...newest }))
      this.#shownNewest = rows.sort((a, b) => (a.symbol < b.symbol ? -1 : 1))
      return this.#shownNewest
    })
  }

  #poll(): void {
    const now = this.#options.marketNow()
    const end = endBy(now + SAMPLE_LEAD)
    if (end !== this.#end) {
      this.#end = end
      if (isBarEnd(end)) {
        void this.#due?.states.then(releaseAll)
        this.#due = { end, states: this.#states(end).catch(() => none) }
      }
    }
    if (this.#due === undefined || now < this.#due.end + SETTLE) return
    const { end: due, states } = this.#due
    this.#due = undefined
    void states.then((found) => this.#take(due, found))
  }

  /** Loads chain and positions of each symbol just before a bar ends. A symbol that fails is left out. */
  async #states(end: Instant): Promise<readonly State[]> {
    const session = this.#serve(end)
    const symbols = (await this.#options.tapes.symbols()).filter((symbol) => !this.#without.has(symbol))
    const states = await Promise.allSettled(symbols.map((symbol) => this.#stateOf(symbol, session, end)))
    return states.flatMap((state) => (state.status === 'fulfilled' ? (state.value ?? none) : none))
  }

  async #stateOf(symbol: Ticker, session: IsoDate, end: Instant): Promise<State | undefined> {
    const chain = await this.#options.chain(symbol)
    if (chain === undefined || easternDate(chain.asOf) !== session) return undefined
    if (!chain.expirations.some(({ date }) => date === session)) {
      this.#without.add(symbol)
      return undefined
    }
    if (chain.asOf > end || end - chain.asOf > MAX_STATE_AGE + 1000 * chain.delay) return undefined
    const release = this.#options.engine.lend(chain)
    const positions = await this.#options.tapes
      .view({ symbol, kind: 'option', view: 'positions' })
      .catch(() => undefined)
    if (positions?.session === session) return { symbol, chain, release, positions }
    release()
    return undefined
  }

  async #take(end: Instant, states: readonly State[]): Promise<void> {
    const taken = await Promise.allSettled(states.map((state) => this.#bar(state, end).finally(state.release)))
    const rows = taken.flatMap((bar) => (bar.status === 'fulfilled' ? (bar.value ?? none) : none))
    if (rows.length === 0) return
    this.#shownNewest = undefined
    this.#options.events.emit('zeroDteSampled', rows)
  }

  async #bar({ symbol, chain, positions }: State, end: Instant): Promise<ZeroDteRow | undefined> {
    const { tapes, engine } = this.#options
    const hedged = await tapes.view({ symbol, kind: 'option', view: 'hedge' })
    const { session } = positions
    if (hedged?.session !== session || hedged.legs.end !== end || session !== this.#session) return undefined
    const day = await this.#dayOf(symbol)
    if (day.last !== undefined && day.last.t >= end - SAMPLE_STEP) return undefined
    const hedge = day.track.legs(hedged)
    const flow = hedged.strikes.end === end ? day.track.minute(hedged) : undefined
    const sampled = await engine.run('sampleZeroDte', { chain, positions, end, hedge, flow })
    if (sampled === undefined) {
      this.#without.add(symbol)
      return undefined
    }
    const { version, sample, minute } = sampled
    day.add(sample, minute)
    return { symbol, session, version, sample, minute }
  }

  /** 0DTE bars of a symbol in the current session. Bars that the archive has are read first. */
  #dayOf(symbol: Ticker): MaybePromise<ZeroDteDay> {
    const now = this.#options.marketNow()
    const session = this.#serve(now)
    const known = this.#days.get(symbol)
    if (known !== undefined) return known
    const { archive } = this.#options
    if (archive === undefined) return this.#hold(symbol, new ZeroDteDay(session))
    const reading: Promise<ZeroDteDay> = Promise.all([
      archive.zeroDteSamples(symbol, session, now),
      archive.zeroDteMinutes(symbol, session, now)
    ]).then(
      ([samples, minutes]) => {
        const day = new ZeroDteDay(session, samples, minutes)
        return this.#days.get(symbol) === reading ? this.#hold(symbol, day) : day
      },
      (error) => {
        if (this.#days.get(symbol) === reading) this.#days.delete(symbol)
        throw error
      }
    )
    this.#days.set(symbol, reading)
    return reading
  }

  #hold(symbol: Ticker, day: ZeroDteDay): ZeroDteDay {
    this.#days.set(symbol, day)
    return day
  }

  /**
   * Newest 0DTE bars of the session in the archive. If reading fails, the request fails too, and the next one reads
   * again.
   */
  #recorded(): MaybePromise<ReadonlyMap<Ticker, NewestSamples>> {
    const { archive, marketNow } = this.#options
    const session = this.#session!
    if (archive === undefined) return new Map()
    if (this.#newest?.session === session) return this.#newest.kept
    return archive.newestSamples(session, marketNow()).then((kept) => {
      this.#newest = { session, kept }
      return kept
    })
  }

  /**
   * Makes the session at `now` the current one. Drops bars of any other session. Also drops bars that lie in the
   * future, which happens if the clock was set back.
   */
  #serve(now: Instant): IsoDate {
    const { date } = latestSession(now)
    const isAhead = [...this.#days.values()].some(
      (day) => !(day instanceof Promise) && (day.last?.t ?? Number.NEGATIVE_INFINITY) > now
    )
    if (date !== this.#session || isAhead) {
      this.#days.clear()
      this.#without.clear()
      this.#newest = undefined
      this.#shownNewest = undefined
    }
    this.#session = date
    return date
  }
}

const endBy = (moment: Instant): Instant => SAMPLE_STEP * Math.floor(moment / SAMPLE_STEP)

function releaseAll(states: readonly State[]): void {
  for (const { release } of states) release()
}

function isBarEnd(end: Instant): boolean {
  const hours = sessionOf(easternDate(end))
  return hours !== undefined && end > hours.open && end <= hours.close
}

/** The 0DTE bars of one symbol in one session, and the data for responses made from them. */
export class ZeroDteDay {
  readonly session: IsoDate
  readonly track: HedgeTrack
  readonly #samples: ZeroDteSample[]
  readonly #minutes: StrikeMinute[]
  #version = 0
  #shown: { samples?: ZeroDteSamples; strikes?: StrikeMinutes } = {}

  constructor(session: IsoDate, samples: readonly ZeroDteSample[] = [], minutes: readonly StrikeMinute[] = []) {
    this.session = session
    this.#samples = [...samples]
    this.#minutes = [...minutes]
    this.track = new HedgeTrack(samples.at(-1), minutes)
  }

  get last(): ZeroDteSample | undefined {
    return this.#samples.at(-1)
  }

  get newest(): NewestSamples | undefined {
    const newest = this.last
    return newest && { newest, before: this.#samples.at(-2) }
  }

  add(sample: ZeroDteSample, minute: StrikeMinute | undefined): void {
    this.#samples.push(sample)
    if (minute !== undefined) this.#minutes.push(minute)
    this.#version++
    this.#shown = {}
  }

  /** All samples of the session. Returns the same object until a sample is added. */
  samples(tape: TapeHeader): ZeroDteSamples {
    if (this.#shown.samples?.source !== tape.source) {
      this.#shown.samples = { ...this.#header(tape), samples: [...this.#samples] }
    }
    return this.#shown.samples!
  }

  strikes(tape: TapeHeader): StrikeMinutes {
    if (this.#shown.strikes?.source !== tape.source) {
      this.#shown.strikes = { ...this.#header(tape), minutes: [...this.#minutes] }
    }
    return this.#shown.strikes!
  }

  #header({ symbol, kind, source, unit }: TapeHeader): TapeHeader {
    const known = this.last && this.last.t + SAMPLE_STEP
    return { symbol, kind, session: this.session, source, unit, known, version: this.#version, silent: false }
  }
}
