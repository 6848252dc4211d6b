import { andThen, type MaybePromise } from '../api/maybe-promise.ts'
import type { ZeroDteRow } from '../archive/history-store.ts'
import { POLL_EVERY } from '../facts/freshness.ts'
import { PressureDay } from '../flow/pressure-day.ts'
import type {
  HedgeFlow,
  NewestSample,
  Positions,
  PressureSamples,
  StrikeMinutes,
  TapeHeader,
  ZeroDteSamples
} from '../flow/tape-views.ts'
import { latestSession, session as sessionOf } from '../market/calendar.ts'
import { easternDate } from '../market/eastern.ts'
import type { PressureRow } from '../market/hedge-pressure.ts'
import type { TapeSource } from '../market/print.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../market/units.ts'
import { type NewestSamples, SAMPLE_LEAD, SAMPLE_STEP } from '../market/zero-dte-sample.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { Tapes } from '../tape/tape-port.ts'
import type { Engine } from '../workers/engine.ts'
import type { MarketEventBus, PastArchive } from './market-events.ts'
import { SessionDays } from './session-days.ts'
import { ZeroDteDay } from './zero-dte-day.ts'

export interface FlowSamplerOptions {
  readonly tapes: Pick<Tapes, 'symbols' | 'view'>
  readonly engine: Pick<Engine, 'run' | 'lend'>
  /** Returns the current chain of a symbol, as new as samples need it. */
  readonly chain: (symbol: Ticker) => MaybePromise<PricedChain | undefined>
  readonly archive?: Pick<PastArchive, 'zeroDteSamples' | 'zeroDteMinutes' | 'newestSamples' | 'pressure'> | undefined
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
type States = ReadonlyMap<Ticker, State>
const noStates: States = new Map()

interface Sampled {
  readonly pressure?: PressureRow | undefined
  readonly bar?: ZeroDteRow | undefined
}

/**
 * Every half minute of the session, samples the flow of each symbol whose prints are collected: hedging pressure of all
 * expirations and, of the options that expire today, a 0DTE bar. The half minutes follow the market's clock. If a sample
 * cannot be made in time it stays missing.
 */
export class FlowSampler {
  readonly #options: FlowSamplerOptions
  readonly #days: SessionDays<ZeroDteDay>
  readonly #pressure: SessionDays<PressureDay>
  /** Session to which the samples in memory belong. */
  #session: IsoDate | undefined
  /** Symbols that are known to have no options expiring today. */
  readonly #without = new Set<Ticker>()
  #newest: { readonly session: IsoDate; readonly kept: ReadonlyMap<Ticker, NewestSamples> } | undefined
  #shownNewest: readonly NewestSample[] | undefined
  #timer: NodeJS.Timeout | undefined
  /** End of the newest half minute. One in `#due` has ended, but its late prints may still arrive. */
  #end: Instant
  #due: { readonly end: Instant; readonly states: Promise<States> } | undefined

  constructor(options: FlowSamplerOptions) {
    const { archive, marketNow } = options
    this.#options = options
    this.#end = endBy(marketNow() + SAMPLE_LEAD)
    this.#days = new SessionDays((symbol, session) => {
      if (archive === undefined) return new ZeroDteDay(session)
      const now = marketNow()
      const read = [archive.zeroDteSamples(symbol, session, now), archive.zeroDteMinutes(symbol, session, now)] as const
      return Promise.all(read).then(([samples, minutes]) => new ZeroDteDay(session, samples, minutes))
    })
    this.#pressure = new SessionDays((symbol, session) => {
      if (archive === undefined) return new PressureDay(session)
      return archive.pressure(symbol, session, marketNow()).then((recorded) => new PressureDay(session, recorded))
    })
  }

  start(): void {
    this.#timer = setInterval(() => this.#poll(), POLL_EVERY).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Samples the half minute that ends at `end`, which must be the current market time. */
  async sample(end: Instant): Promise<void> {
    await this.#take(end, await this.#states(end))
  }

  /** All 0DTE bars of a symbol, for the session to which its prints (`tape`) belong. */
  samples(tape: TapeHeader): MaybePromise<ZeroDteSamples> {
    return andThen(this.#days.of(tape.symbol, this.#serveNow()), (day) => day.samples(tape))
  }

  strikes(tape: TapeHeader): MaybePromise<StrikeMinutes> {
    return andThen(this.#days.of(tape.symbol, this.#serveNow()), (day) => day.strikes(tape))
  }

  /** Hedging pressure of a symbol at every half minute of the session. */
  pressure(tape: TapeHeader): MaybePromise<PressureSamples> {
    return andThen(this.#pressure.of(tape.symbol, this.#serveNow()), (day) => day.samples(tape))
  }

  /**
   * The two newest 0DTE bars of every symbol that has any in the session. Returns the same list object until a bar is
   * added.
   */
  newest(source: TapeSource): MaybePromise<readonly NewestSample[]> {
    this.#serveNow()
    return andThen(this.#recorded(), (recorded) => {
      if (this.#shownNewest !== undefined) return this.#shownNewest
      const found = new Map(recorded)
      for (const [symbol, { newest }] of this.#days.read()) if (newest !== undefined) found.set(symbol, newest)
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
        this.#due = { end, states: this.#states(end).catch(() => noStates) }
      }
    }
    if (this.#due === undefined || now < this.#due.end + SETTLE) return
    const { end: due, states } = this.#due
    this.#due = undefined
    // The next half minute tries again.
    void states.then((found) => this.#take(due, found).catch(() => releaseAll(found)))
  }

  /**
   * Loads chain and positions of each symbol with options that expire today, just before a half minute ends. A symbol that
   * fails is left out.
   */
  async #states(end: Instant): Promise<States> {
    const session = this.#serve(end)
    const symbols = (await this.#options.tapes.symbols()).filter((symbol) => !this.#without.has(symbol))
    const states = await Promise.allSettled(symbols.map((symbol) => this.#stateOf(symbol, session, end)))
    const found = states.flatMap((state) => (state.status === 'fulfilled' ? (state.value ?? none) : none))
    return new Map(found.map((state) => [state.symbol, state]))
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

  async #take(end: Instant, states: States): Promise<void> {
    const { tapes, events } = this.#options
    const symbols = new Set([...(await tapes.symbols()), ...states.keys()])
    const taken = await Promise.all([...symbols].map((symbol) => this.#sampled(symbol, end, states.get(symbol))))
    const bars = taken.flatMap(({ bar }) => bar ?? none)
    const pressure = taken.flatMap(({ pressure }) => pressure ?? none)
    if (pressure.length > 0) events.emit('pressureSampled', pressure)
    if (bars.length === 0) return
    this.#shownNewest = undefined
    events.emit('zeroDteSampled', bars)
  }

  /** Both samples of a symbol come from one view, so that they are of the same prints. What fails is left out. */
  async #sampled(symbol: Ticker, end: Instant, state: State | undefined): Promise<Sampled> {
    const hedged = await this.#options.tapes.view({ symbol, kind: 'option', view: 'hedge' }).catch(() => undefined)
    const session = this.#session!
    const isOfEnd = hedged?.session === session && hedged.legs.end === end
    const [pressure, bar] = isOfEnd
      ? await Promise.all([
          this.#pressureOf(symbol, session, hedged).catch(() => undefined),
          state && this.#bar(state, hedged, end).catch(() => undefined)
        ])
      : []
    state?.release()
    return { pressure, bar }
  }

  async #pressureOf(symbol: Ticker, session: IsoDate, { pressure }: HedgeFlow): Promise<PressureRow | undefined> {
    const day = await this.#pressure.of(symbol, session)
    const sample = session === this.#session ? day.add(pressure) : undefined
    return sample && { symbol, session, ...sample }
  }

  async #bar({ symbol, chain, positions }: State, hedged: HedgeFlow, end: Instant): Promise<ZeroDteRow | undefined> {
    const { session } = positions
    if (session !== this.#session) return undefined
    const day = await this.#days.of(symbol, session)
    if (day.last !== undefined && day.last.t >= end - SAMPLE_STEP) return undefined
    const hedge = day.track.legs(hedged)
    const flow = hedged.strikes.end === end ? day.track.minute(hedged) : undefined
    const sampled = await this.#options.engine.run('sampleZeroDte', { chain, positions, end, hedge, flow })
    if (sampled === undefined) {
      this.#without.add(symbol)
      return undefined
    }
    const { version, sample, minute } = sampled
    day.add(sample, minute)
    return { symbol, session, version, sample, minute }
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

  #serveNow(): IsoDate {
    return this.#serve(this.#options.marketNow())
  }

  /**
   * Makes the session at `now` the current one. Drops samples of any other session. Also drops samples that lie in the
   * future, which happens if the clock was set back.
   */
  #serve(now: Instant): IsoDate {
    const { date } = latestSession(now)
    const held = [...this.#days.read(), ...this.#pressure.read()]
    const isAhead = held.some(([, { last }]) => last !== undefined && last.t > now)
    if (date !== this.#session || isAhead) {
      this.#days.clear()
      this.#pressure.clear()
      this.#without.clear()
      this.#newest = undefined
      this.#shownNewest = undefined
    }
    this.#session = date
    return date
  }
}

const endBy = (moment: Instant): Instant => SAMPLE_STEP * Math.floor(moment / SAMPLE_STEP)

function releaseAll(states: States): void {
  for (const { release } of states.values()) release()
}

function isBarEnd(end: Instant): boolean {
  const hours = sessionOf(easternDate(end))
  return hours !== undefined && end > hours.open && end <= hours.close
}
