import { describe, expect, test } from 'vitest'
import { createSynthetic } from '../../../src/connectors/synthetic/synthetic-connector.ts'
import { MarketEventBus } from '../../../src/live/market-events.ts'
import { KnownEarnings } from '../../../src/live/reports/live-earnings.ts'
import {
  type EarningsStatement,
  type EventRecord,
  isReported,
  nextEvent,
  type SymbolEarnings,
  sessionsAround
} from '../../../src/market/earnings.ts'
import { easternDate } from '../../../src/market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../../../src/market/units.ts'
import type { PricedChain } from '../../../src/pricing/price-chain.ts'
import { inlineEngine } from '../../../src/workers/inline.ts'
import { eastern } from '../../support/hand-made.ts'
import { madeUpAssumptions } from '../../support/made-up.ts'
import { priced } from '../../support/markets.ts'
import { memoryStore } from '../../support/memory-store.ts'

const connector = createSynthetic({ seed: 1 })
const AAPL = 'AAPL' as Ticker
const everything = { symbol: AAPL, from: '2017-01-01' as IsoDate }
const signal = new AbortController().signal

function known(now: Instant, archive = memoryStore(), chain?: PricedChain) {
  const events = new MarketEventBus()
  const clock = { now }
  const learned: EventRecord[] = []
  const stated: EarningsStatement[] = []
  events.on('eventRecordsLearned', ({ records }) => learned.push(...records))
  events.on('earningsLearned', ({ statements }) => stated.push(...statements))
  const earnings = new KnownEarnings({
    engine: inlineEngine({ connector, assumptions: madeUpAssumptions, endpoints: new Map() }),
    source: connector,
    archive,
    events,
    bars: (symbol) => connector.dailyBars(symbol, clock.now, signal),
    dividends: () => [],
    current: (symbol) => (chain?.symbol === symbol ? chain : undefined),
    marketNow: () => clock.now,
    steadyNow: () => clock.now
  })
  return { earnings, events, clock, archive, learned, stated }
}

describe('the reports of a company of the synthetic market', () => {
  const now = eastern('2018-03-15', '12:00')

  test('come with records of the closes around past ones, which the recorder gets once', async () => {
    const { earnings, learned, stated } = known(now)
    const found = (await earnings.of(AAPL)) as SymbolEarnings
    const past = found.events.filter(isReported)
    expect(past.length).toBeGreaterThanOrEqual(4)
    expect(learned.map(({ before }) => before)).toEqual(past.map((event) => sessionsAround(event).before))
    expect(stated.every(({ knownFrom }) => knownFrom <= now)).toBe(true)
    const bars = new Map((await connector.dailyBars(AAPL, now, signal)).map(({ date, close }) => [date, close]))
    for (const { before, after, impliedMove, move } of learned) {
      expect(impliedMove).toBeGreaterThan(1)
      expect(impliedMove).toBeLessThan(12)
      expect(move).toBeCloseTo(100 * (bars.get(after)! / bars.get(before)! - 1), 2)
    }
    const fallen = learned.filter(({ preIv, postIv }) => preIv !== undefined && postIv !== undefined)
    expect(fallen.length).toBeGreaterThan(0)
    for (const { preIv, postIv } of fallen) expect(postIv).toBeLessThan(preIv!)
    expect(await earnings.of(AAPL)).toBe(found)
  })

  test('recorded records are read and not made again', async () => {
    const first = known(now)
    await first.earnings.of(AAPL)
    await first.archive.writeEarnings(first.stated)
    await first.archive.writeEventRecords(AAPL, first.learned)
    const second = known(now, first.archive)
    const found = (await second.earnings.of(AAPL)) as SymbolEarnings
    expect([...found.records.values()]).toEqual(first.learned)
    expect([second.learned, second.stated]).toEqual([[], []])
  })

  test('figures that are out later are not there before', async () => {
    const { earnings, clock } = known(now)
    const coming = nextEvent(((await earnings.of(AAPL)) as SymbolEarnings).events, easternDate(now))!
    const all = await connector.earnings!(everything, eastern('2030-01-01', '00:00'), signal)
    const report = all.find(
      (statement) =>
        statement.epsActual !== undefined &&
        statement.fiscalPeriod === coming.fiscalPeriod &&
        statement.fiscalYear === coming.fiscalYear
    )!
    const at = async (moment: Instant) => {
      clock.now = moment
      earnings.drop(AAPL)
      const { events } = (await earnings.of(AAPL)) as SymbolEarnings
      return events.find((event) => event.date === report.date)!
    }
    expect((await at(report.knownFrom - 1)).epsActual).toBeUndefined()
    expect((await at(report.knownFrom)).epsActual).toBe(report.epsActual)
  })

  test('a date that moves is at its old place until then', async () => {
    const all = await connector.earnings!(everything, eastern('2030-01-01', '00:00'), signal)
    const [first, second] = all
      .flatMap((statement, k) =>
        k > 0 && all[k - 1].fiscalPeriod === statement.fiscalPeriod ? [[all[k - 1], statement] as const] : []
      )
      .find(([before, after]) => before.date !== after.date)!
    const datesAt = async (moment: Instant) => {
      const { events } = (await known(moment).earnings.of(AAPL)) as SymbolEarnings
      return events.map(({ date }) => date)
    }
    const before = await datesAt(second.knownFrom - 1)
    expect(before).toContain(first.date)
    expect(before).not.toContain(second.date)
    const after = await datesAt(second.knownFrom)
    expect(after).toContain(second.date)
    expect(after).not.toContain(first.date)
  })
})

describe('the calendar', () => {
  const now = eastern('2018-03-15', '12:00')

  test('has the implied move of a report once a chain was seen, and it is that of the chain', async () => {
    const { earnings, events } = known(now)
    const first = (await earnings.calendar())!
    const { symbol, event, storedMove } = first.reports.toSorted((a, b) => (a.event.date < b.event.date ? -1 : 1))[0]
    expect(storedMove).toBeUndefined()
    const chain = priced((await connector.chain(symbol, now, signal))!)
    events.emit('chainSwapped', chain)
    await expect
      .poll(async () => (await earnings.calendar())!.reports.find((row) => row.symbol === symbol)?.storedMove)
      .toBeGreaterThan(0)
    const shown = (await earnings.of(symbol)) as SymbolEarnings
    expect(shown.storedMove).toBeGreaterThan(0)
    expect(event.date >= easternDate(now)).toBe(true)
  })

  test('has the implied move of a chain that was there before the calendar was', async () => {
    const { symbol } = (await known(now).earnings.calendar())!.reports[0]
    const chain = priced((await connector.chain(symbol, now, signal))!)
    const { earnings } = known(now, memoryStore(), chain)
    const moveOf = async () => (await earnings.calendar())!.reports.find((row) => row.symbol === symbol)?.storedMove
    await expect.poll(moveOf).toBeGreaterThan(0)
    const other = known(now, memoryStore(), chain)
    const moveAlone = async () => ((await other.earnings.of(symbol)) as SymbolEarnings).storedMove
    await expect.poll(moveAlone).toBe(await moveOf())
  })

  test('has the history of a company that could not be read at first, a minute later', async () => {
    const asked = new Set<Ticker>()
    const clock = { now }
    const earnings = new KnownEarnings({
      engine: inlineEngine({ connector, assumptions: madeUpAssumptions, endpoints: new Map() }),
      source: connector,
      events: new MarketEventBus(),
      bars: async (symbol) => {
        if (!asked.has(symbol)) {
          asked.add(symbol)
          throw new Error('the source is busy')
        }
        return connector.dailyBars(symbol, clock.now, signal)
      },
      dividends: () => [],
      current: () => undefined,
      marketNow: () => now,
      steadyNow: () => clock.now
    })
    const histories = async () => (await earnings.calendar())!.histories.size
    expect(await histories()).toBe(0)
    await expect
      .poll(() => {
        clock.now += 61_000
        return histories()
      })
      .toBeGreaterThan(0)
  })

  test('tells whether it was read, without being asked for', async () => {
    const { earnings } = known(now)
    expect(earnings.calendarState).toBe('unread')
    await earnings.calendar()
    expect(earnings.calendarState).toBe('loaded')
    const failing = new KnownEarnings({
      engine: { run: () => Promise.reject(new Error('the source is down')) },
      source: connector,
      events: new MarketEventBus(),
      bars: () => [],
      dividends: () => [],
      current: () => undefined,
      marketNow: () => now,
      steadyNow: () => now
    })
    await expect(failing.calendar()).rejects.toMatchObject({ code: 'source_unavailable' })
    expect(failing.calendarState).toBe('unreachable')
    await expect(failing.events(AAPL)).rejects.toMatchObject({ code: 'source_unavailable' })
  })

  test('is none where nobody has one', async () => {
    const archive = memoryStore()
    const { earnings } = known(now, archive)
    const without = new KnownEarnings({
      engine: { run: () => Promise.reject(new Error('not asked')) },
      source: { provides: ['chains'], holdsPast: false },
      archive,
      events: new MarketEventBus(),
      bars: () => [],
      dividends: () => [],
      current: () => undefined,
      marketNow: () => now,
      steadyNow: () => now
    })
    expect(without.calendarState).toBe('unread')
    expect(await without.calendar()).toBeUndefined()
    expect(without.calendarState).toBe('empty')
    expect(await without.of(AAPL)).toBeUndefined()
    expect(await earnings.of('SPY' as Ticker)).toBeUndefined()
  })
})
