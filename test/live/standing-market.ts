import type { StoredSnapshot } from '../../src/archive/history-store.ts'
import { LiveMarket, type LiveOptions } from '../../src/live/live-market.ts'
import { MarketEventBus, type MarketEvents } from '../../src/live/market-events.ts'
import type { Chain } from '../../src/market/chain.ts'
import { type Dividend, withDividends } from '../../src/market/dividend.ts'
import type { Ticker } from '../../src/market/units.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import { dailyRecord } from '../../src/signals/daily-record-measures.ts'
import type { Engine } from '../../src/workers/engine.ts'
import { inlineEngine } from '../../src/workers/inline.ts'
import { engineWith, type TestTasks } from '../support/engine-with.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { priced } from '../support/markets.ts'
import { clockAt, scriptedSource, wednesday } from '../support/scripted-source.ts'

export const minute = 60_000
/** How old the data of an answer may be, by plan. */
export const free = 15 * minute
export const basic = 15_000
export const alpha = 1000

export const ticker = (symbol: string) => symbol as Ticker

interface EmittedEvent {
  readonly name: keyof MarketEvents
  readonly event: MarketEvents[keyof MarketEvents]
}

const eventNames = [
  'chainSwapped',
  'chainRestored',
  'closeLearned',
  'barsLearned',
  'recordsLearned',
  'sourceAnswered',
  'sourceFailed',
  'sourceBack',
  'daysWritten'
] as const

/** A live market over a scripted source, its timer in the test's hand: nothing is polled unless the test polls. */
export function standing(universe: LiveOptions['universe'] = [], more: Partial<LiveOptions> = {}) {
  const clock = clockAt(wednesday)
  /** How far the market clock is from the wall clock, milliseconds. */
  const market = { shift: 0 }
  const source = scriptedSource()
  const inner = inlineEngine({ connector: source, assumptions: madeUpAssumptions, endpoints: new Map() })
  /** Every chain that was created, and those that the engine was told to drop. */
  const made = new Set<PricedChain>()
  const forgotten: PricedChain[] = []
  const note = (chain: PricedChain | undefined) => {
    if (chain !== undefined) made.add(chain)
    return chain
  }
  const restored = ({ asOf, packed }: StoredSnapshot, dividends: readonly Dividend[] = []) =>
    priced(withDividends({ ...(packed as Chain), asOf }, dividends))
  const tasks: TestTasks = {
    // The archive in memory keeps chains as they are, so there is nothing to decode.
    loadChain: async ({ recorded, ...asked }) =>
      note(
        await inner.run('loadChain', { ...asked, held: asked.held ?? (recorded?.packed as PricedChain | undefined) })
      ),
    restoreChain: async ({ snapshot, dividends }) => note(restored(snapshot, dividends))!,
    makeRecord: async ({ snapshot, bars, dividends }) => dailyRecord(restored(snapshot, dividends), bars),
    loadClosingChain: async (asked) => note(await inner.run('loadClosingChain', asked))
  }
  const forget = (chain: PricedChain) => void forgotten.push(chain)
  const engine: Engine = { ...engineWith(tasks, inner), forget, retire: forget }
  /** All events of the market, in order. */
  const emitted: EmittedEvent[] = []
  const events = new MarketEventBus()
  for (const name of eventNames) events.on(name, (event) => emitted.push({ name, event }))
  const options = {
    engine,
    source,
    universe,
    marketNow: () => clock.at + market.shift,
    wallNow: clock.now,
    steadyNow: clock.steadyNow
  }
  const live = new LiveMarket({ ...options, ...more, events })
  /** Polls, and lets what it started come to its end. */
  const poll = async () => {
    live.poll()
    await settled()
  }
  return { clock, market, source, live, made, forgotten, events, emitted, poll, note }
}

/** Lets everything that was started without a timer come to its end. */
export async function settled(): Promise<void> {
  for (let k = 0; k < 3; k++) await new Promise((resolve) => setImmediate(resolve))
}
