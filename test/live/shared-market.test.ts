import { describe, expect, test } from 'vitest'
import type { Connector } from '../../src/connectors/port/connector.ts'
import { SourceError } from '../../src/connectors/port/source-error.ts'
import { collecting } from '../../src/connectors/shared/collecting-connector.ts'
import { followed } from '../../src/connectors/shared/followed-connector.ts'
import { describeSource } from '../../src/connectors/shared/source-description.ts'
import { Collector } from '../../src/live/collector.ts'
import { LiveMarket } from '../../src/live/live-market.ts'
import { MarketEventBus } from '../../src/live/market-events.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { inlineEngine } from '../../src/workers/inline.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { MemoryShelf } from '../support/memory-shelf.ts'
import { clockAt, type ScriptedSource, scriptedSource, wednesday } from '../support/scripted-source.ts'

const SPY = 'SPY' as Ticker
const tuesday = '2026-07-28' as IsoDate

/** A collector and two members that serve, over one shelf and on one clock. */
async function cluster(source: ScriptedSource = scriptedSource()) {
  const shelf = new MemoryShelf()
  const clock = clockAt(wednesday)
  const clocks = { marketNow: clock.now, wallNow: clock.now, steadyNow: clock.steadyNow }
  const marketOf = (connector: Connector) => {
    const engine = inlineEngine({ connector, assumptions: madeUpAssumptions, endpoints: new Map() })
    const events = new MarketEventBus()
    return { engine, events, live: new LiveMarket({ engine, events, source: connector, universe: [], ...clocks }) }
  }
  const connector = collecting(source, shelf.member())
  const { engine, events, live } = marketOf(connector)
  const collector = new Collector({
    shelf: shelf.member(),
    engine,
    market: live,
    events,
    description: Buffer.from(JSON.stringify(describeSource(connector))),
    latest: () => connector.latest(clock.now()),
    wallNow: clock.now,
    onError: (error) => {
      throw error
    }
  })
  collector.start()
  const member = async () => marketOf(await followed(shelf.member(), undefined, clock.now)).live
  const members = [await member(), await member()] as const
  /** Lets a time pass, and each market poll as its timer would. */
  const pass = async (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += 250) {
      clock.pass(250)
      for (const market of [live, ...members]) market.poll()
      for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { source, shelf, clock, live, members, pass, stop: () => collector.stop() }
}

describe('members that share chains', () => {
  test('serve what the collector loaded, for one request to the source', async () => {
    const { source, members, live, stop } = await cluster()
    const chains = await Promise.all(members.map((member) => member.chain(SPY, 1000)))
    expect(source.count('SPY')).toBe(1)
    for (const chain of chains) {
      expect(chain!.asOf).toBe(wednesday)
      expect(chain!.sigma).toEqual((await live.chain(SPY, 1e9))!.sigma)
    }
    stop()
  })

  test('ask the source as often as one service does', async () => {
    const { source, members, pass, stop } = await cluster()
    const alone = scriptedSource()
    const clock = clockAt(wednesday)
    const single = new LiveMarket({
      engine: inlineEngine({ connector: alone, assumptions: madeUpAssumptions, endpoints: new Map() }),
      source: alone,
      universe: [],
      marketNow: clock.now,
      wallNow: clock.now,
      steadyNow: clock.steadyNow
    })
    for (let second = 0; second < 30; second++) {
      await Promise.all([...members, single].map((market) => market.chain(SPY, 1000)))
      await pass(1000)
      for (let k = 0; k < 4; k++) {
        clock.pass(250)
        single.poll()
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    expect(alone.count('SPY')).toBeGreaterThan(20)
    expect(Math.abs(source.count('SPY') - alone.count('SPY'))).toBeLessThanOrEqual(2)
    stop()
  })

  test('have every newer chain that the collector loads for any of them', async () => {
    const { members, clock, pass, stop } = await cluster()
    const [one, other] = members
    await Promise.all(members.map((member) => member.chain(SPY, 1000)))
    await pass(5000)
    await one.chain(SPY, 1000)
    await pass(2000)
    for (const member of [one, other]) {
      await expect.poll(async () => (await member.chain(SPY, 900_000))!.asOf).toBeGreaterThan(clock.now() - 2000)
    }
    stop()
  })

  test('ask for a close, daily bars and reports once together', async () => {
    const { source, members, live, stop } = await cluster()
    const closes = await Promise.all([...members, live].map((market) => market.closing(SPY, tuesday)))
    expect(source.closes).toEqual(['SPY 2026-07-28'])
    expect(closes[0]!.bid).toEqual(closes[2]!.bid)
    const bars = await Promise.all([...members, live].map((market) => market.bars(SPY)))
    expect(bars[0]!.length).toBeGreaterThan(50)
    expect(bars[0]).toEqual(bars[2])
    const calendars = await Promise.all([...members, live].map((market) => market.earningsCalendar()))
    expect(calendars[0]!.reports.length).toBeGreaterThan(0)
    expect(calendars[0]!.reports).toEqual(calendars[2]!.reports)
    stop()
  })

  test('say that a symbol is unknown, and why the source fails, as the collector does', async () => {
    const source = scriptedSource()
    source.faults.set('KO', new SourceError('refused', 'the plan has no KO'))
    const { members, stop } = await cluster(source)
    expect(await members[0].chain('NONE' as Ticker, 1000)).toBeUndefined()
    await expect(members[0].chain('KO' as Ticker, 1000)).rejects.toThrow('KO cannot be loaded: the plan has no KO')
    stop()
  })

  test('serve what they hold while the shelf is away, and all of it is there again afterwards', async () => {
    const { shelf, members, clock, pass, stop } = await cluster()
    await Promise.all(members.map((member) => member.chain(SPY, 1000)))
    shelf.fail()
    await pass(3000)
    for (const member of members) expect((await member.chain(SPY, 1000))!.asOf).toBe(wednesday)
    await expect(members[0].chain('AAPL' as Ticker, 1000)).rejects.toThrow('the collectors cannot be reached')
    shelf.comeBack()
    for (const member of members) await member.chain(SPY, 1000)
    await pass(3000)
    for (const member of members) {
      await expect.poll(async () => (await member.chain(SPY, 900_000))!.asOf).toBeGreaterThan(clock.now() - 2000)
    }
    stop()
  })

  test('never take a chain that nobody renewed lately for a fresh one', async () => {
    const { source, members, clock, pass, stop } = await cluster()
    const [one, other] = members
    await one.chain(SPY, 1000)
    await pass(500_000)
    const asked = source.count('SPY')
    const chain = await other.chain(SPY, 1000)
    expect(source.count('SPY')).toBeGreaterThan(asked)
    await pass(1000)
    await expect.poll(async () => (await other.chain(SPY, 1000))!.asOf).toBeGreaterThan(clock.now() - 2000)
    expect(chain).toBeDefined()
    stop()
  })
})
