import { answer } from '../../src/api/answer.ts'
import { ApiError } from '../../src/api/error.ts'
import type { Inputs } from '../../src/api/inputs/inputs.ts'
import type { MarketSource } from '../../src/api/market-source.ts'
import { readParameters } from '../../src/api/params.ts'
import type { ZeroDteRow } from '../../src/archive/history-store.ts'
import type { TapeMessage } from '../../src/connectors/port/prints/print-feed.ts'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import type { FoldedView } from '../../src/flow/folds.ts'
import { DEFAULT_CONFIDENCE } from '../../src/flow/open-interest/simulator.ts'
import { FlowSampler } from '../../src/live/flow-sampler.ts'
import { MarketEventBus, type PastArchive } from '../../src/live/market-events.ts'
import { session as sessionOf } from '../../src/market/calendar.ts'
import { easternDate } from '../../src/market/eastern.ts'
import type { PressureRow } from '../../src/market/hedge-pressure.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../../src/market/units.ts'
import { SAMPLE_LEAD, SAMPLE_STEP } from '../../src/market/zero-dte-sample.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import { SymbolTapes } from '../../src/tape/symbol-tapes.ts'
import type { Tapes } from '../../src/tape/tape-port.ts'
import { inlineEngine } from '../../src/workers/inline.ts'
import { endpointAt, type Query } from './asking.ts'
import { madeUpAssumptions } from './made-up.ts'
import { priced } from './markets.ts'

const synthetic = createSynthetic({ seed: 7 })
const { signal } = new AbortController()

const sessions = new Map<string, Promise<readonly TapeMessage[]>>()

/** Messages of a share of the synthetic market's session, in order; computed once. */
export function messagesOf(symbol: Ticker, date: IsoDate): Promise<readonly TapeMessage[]> {
  const name = `${symbol} ${date}`
  let messages = sessions.get(name)
  if (messages === undefined) sessions.set(name, (messages = read(symbol, date)))
  return messages
}

async function read(symbol: Ticker, date: IsoDate): Promise<readonly TapeMessage[]> {
  const { open, close } = sessionOf(date)!
  const found: TapeMessage[] = []
  for await (const batch of synthetic.prints!.past!(symbol, open, close, signal)) found.push(...batch)
  return found
}

const chains = new Map<string, Promise<PricedChain>>()

/** The chain of a symbol at a moment, which is one of whole seconds. */
export function chainAt(symbol: Ticker, at: Instant): Promise<PricedChain> {
  const name = `${symbol} ${Math.floor(at / 1000)}`
  let chain = chains.get(name)
  if (chain === undefined) {
    chain = synthetic.chain(symbol, at, signal).then((found) => priced(found!))
    chains.set(name, chain)
  }
  return chain
}

const engine = inlineEngine({ connector: synthetic, assumptions: madeUpAssumptions, endpoints: new Map() })
/** Time of a message. */
export const timeOf = (message: TapeMessage) =>
  ('print' in message ? message.print : 'cancel' in message ? message.cancel : message.quote).time

/** Tapes of the made-up market by a clock of their own: what was printed before now is on them. */
class DayTapes implements Pick<Tapes, 'symbols' | 'view'> {
  readonly #symbol: Ticker
  readonly #messages: readonly TapeMessage[]
  readonly #now: () => Instant
  readonly tapes: SymbolTapes
  #next = 0

  constructor(symbol: Ticker, messages: readonly TapeMessage[], now: () => Instant) {
    this.#symbol = symbol
    this.#messages = messages
    this.#now = now
    this.tapes = new SymbolTapes({ symbol })
  }

  catchUp(until = this.#now()): void {
    while (this.#next < this.#messages.length && timeOf(this.#messages[this.#next]) < until)
      this.tapes.take(this.#messages[this.#next++], undefined)
  }

  async symbols() {
    return [this.#symbol]
  }

  async view({ view }: { readonly view: string }): Promise<never> {
    const now = this.#now()
    this.catchUp(view === 'positions' ? now - SAMPLE_LEAD : now) // a sampler asks for them a little earlier
    const moment = {
      symbol: this.#symbol,
      source: 'synthetic',
      confidence: DEFAULT_CONFIDENCE,
      silent: false,
      now
    } as const
    return this.tapes.tape('option', easternDate(now)).view(view as FoldedView, moment) as never
  }
}

/** A service that samples one symbol of the made-up market through a session, by a clock that the test moves. */
export class SampledDay {
  readonly symbol: Ticker
  readonly date: IsoDate
  /** Rows that were written to the archive, in order. */
  readonly rows: ZeroDteRow[] = []
  readonly pressure: PressureRow[] = []
  readonly #sampler: FlowSampler
  readonly #tapes: DayTapes
  #now: Instant

  constructor(symbol: Ticker, date: IsoDate, messages: readonly TapeMessage[], from: Instant, archive?: PastArchive) {
    this.symbol = symbol
    this.date = date
    this.#now = from
    const marketNow = () => this.#now
    const events = new MarketEventBus()
    events.on('zeroDteSampled', (rows) => this.rows.push(...rows))
    events.on('pressureSampled', (rows) => this.pressure.push(...rows))
    this.#tapes = new DayTapes(symbol, messages, marketNow)
    const chain = (asked: Ticker) => chainAt(asked, this.#now - SAMPLE_LEAD)
    this.#sampler = new FlowSampler({ tapes: this.#tapes, engine, chain, archive, events, marketNow })
  }

  /** Takes every bar that ends after one moment, up to another one. Each whole minute brings an snapshot. */
  async run(from: Instant, to: Instant): Promise<void> {
    for (let end = from; end <= to; end += SAMPLE_STEP) {
      this.#now = end
      if (end > from) await this.#sampler.sample(end)
      if (end % MILLISECONDS_PER_MINUTE !== 0) continue
      this.#tapes.catchUp()
      this.#tapes.tapes.noteSnapshot(await chainAt(this.symbol, end))
    }
  }

  /** Inputs from the samples at the current time of the clock. */
  inputs(): Promise<Partial<Inputs>> {
    return this.inputsAt(this.#now)
  }

  /** Inputs at a later moment, with no sample added since the current time of the clock. */
  async inputsAt(moment: Instant): Promise<Partial<Inputs>> {
    const tape = await this.#tapes.view({ view: 'positions' })
    return {
      samples: await this.#sampler.samples(tape),
      strikeMinutes: await this.#sampler.strikes(tape),
      newestSamples: await this.#sampler.newest('synthetic'),
      pressure: await this.#sampler.pressure(tape),
      pastPressure: [],
      customers: [],
      positions: tape,
      ...clocks(moment)
    }
  }
}

const clocks = (now: Instant) => ({
  minute: MILLISECONDS_PER_MINUTE * Math.floor(now / MILLISECONDS_PER_MINUTE),
  halfMinute: SAMPLE_STEP * Math.floor(now / SAMPLE_STEP)
})

/** Inputs from a replayed market. */
export async function inputsAt(source: MarketSource, symbol: Ticker): Promise<Partial<Inputs>> {
  const request = { symbol, kind: 'option' } as const
  return {
    samples: await source.view({ ...request, view: 'samples' }, 0),
    strikeMinutes: await source.view({ ...request, view: 'strikes' }, 0),
    newestSamples: await source.newestSamples(),
    pressure: await source.view({ ...request, view: 'pressure' }, 0),
    pastPressure: await source.pastPressure(symbol),
    ...clocks(source.now())
  }
}

/** The text of an answer about same-day flow, its parameters read as they come off the wire; the code of a refusal. */
export function textOfFlow(path: string, inputs: Partial<Inputs>, query: Query = {}, symbol = 'KO'): string {
  const endpoint = endpointAt(path)
  try {
    const params = readParameters(endpoint.params, { symbol }, query, { today: '2026-07-31' as IsoDate })
    return answer(endpoint, { params, inputs, body: undefined, caller: [] })
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}
