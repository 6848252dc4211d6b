import { describe, expect, onTestFinished, test } from 'vitest'
import { pause } from '../../../src/connectors/port/pause.ts'
import type { ReferenceAsked, ReferenceSource, Stated } from '../../../src/connectors/port/reference.ts'
import { SourceError } from '../../../src/connectors/port/source-error.ts'
import { type ReadReference, References } from '../../../src/live/days/reference-reader.ts'
import { MarketEventBus, type MarketEvents } from '../../../src/live/market-events.ts'
import { type EarningsStatement, eventsKnownAt, unstated } from '../../../src/market/earnings.ts'
import { publishedBars, seriesBar } from '../../../src/market/macro-series.ts'
import type { Instant, IsoDate, Ticker } from '../../../src/market/units.ts'
import { memoryStore } from '../../support/memory-store.ts'

const [tenYear, KO, PEP] = ['^DGS10', 'KO', 'PEP'] as readonly string[] as readonly Ticker[]
const { signal } = new AbortController()

/** A service that reads one source; every reading is recorded. */
function service(read: (asked: ReferenceAsked, reading: number) => Iterable<Stated>, every = 5) {
  const clock = { now: Date.parse('2026-11-23T15:00:00Z') }
  const store = memoryStore()
  const events = new MarketEventBus()
  const written: MarketEvents['daysWritten'][] = []
  events.on('daysWritten', (event) => written.push(event))
  const reads: ReadReference[] = []
  const failures: { readonly message: string; readonly retryIn: number }[] = []
  const asked: ReferenceAsked[] = []
  const source: ReferenceSource = {
    name: 'ledger',
    every,
    async *read(wanted) {
      asked.push(wanted)
      yield* read(wanted, asked.length)
    }
  }
  const references = new References({
    sources: [source],
    store,
    symbols: [KO, PEP],
    events,
    wallNow: () => clock.now,
    onRead: (one) => reads.push(one),
    onFailure: ({ error: { message }, retryIn }) => failures.push({ message, retryIn })
  })
  onTestFinished(() => references.stop())
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await pause(1, signal)
  }
  return { clock, store, written, reads, failures, asked, references, until }
}

const day = (date: string, value: number) => seriesBar(date as IsoDate, value)
const statement = (more: Partial<EarningsStatement>): EarningsStatement => ({
  ...unstated,
  symbol: KO,
  date: '2026-12-02' as IsoDate,
  knownFrom: 0,
  ...more
})

describe('values that cannot be believed', () => {
  const before = ['09', '10', '11', '12', '13'].map((date, k) => day(`2026-11-${date}`, 4 + 0.01 * k))
  const scaled = before.map(({ date, close }) => day(date, 10 * close))

  test('leave those of the archive as they are, are reported, and stop nothing else', async () => {
    const other = '^DFF' as Ticker
    const found = service((_, reading) =>
      reading === 1
        ? [{ symbol: tenYear, bars: before }]
        : [
            { symbol: tenYear, bars: [...scaled, day('2026-11-19', 42)] },
            { symbol: other, bars: [day('2026-11-19', 3.9)] }
          ]
    )
    found.references.start()
    await found.until(() => found.failures.length > 0)
    expect(found.failures[0].message).toContain(
      'the values of ^DGS10 are not believed: its closes are 10.0 times those known'
    )
    expect(await found.store.bars(tenYear, found.clock.now, 10)).toEqual(before)
    expect(await found.store.bars(other, found.clock.now, 10)).toHaveLength(1)
  })

  test.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('a dividend of %d is not written', async (amount) => {
    const dividend = { exDate: '2026-12-01' as IsoDate, amount, knownFrom: 0 }
    const found = service(() => [{ symbol: KO, dividends: [dividend] }])
    found.references.start()
    await found.until(() => found.failures.length > 0)
    expect(await found.store.dividends(KO, found.clock.now)).toEqual([])
  })
})

describe('values of a series', () => {
  test('are asked for once for a schedule, written where they are new, and told of', async () => {
    const bars = [day('2026-11-18', 4.1), day('2026-11-19', 4.2)]
    const found = service(() => [{ symbol: tenYear, bars }])
    found.references.start()
    await found.until(() => found.reads.length >= 3)
    expect(found.reads.slice(0, 2).map(({ written }) => written)).toEqual([2, 0])
    expect(found.written).toEqual([{ symbol: tenYear, written: 'bars' }])
    expect(await found.store.bars(tenYear, found.clock.now, 10)).toEqual(bars)
    expect(found.asked[0]).toEqual({ now: found.clock.now, from: '2025-10-19', symbols: [KO, PEP] })
  })

  test('that were corrected are written with all that follow', async () => {
    const before = [day('2026-11-17', 4), day('2026-11-18', 4.1), day('2026-11-19', 4.2)]
    const after = [day('2026-11-17', 4), day('2026-11-18', 4.15), day('2026-11-19', 4.2)]
    const found = service((_, reading) => [{ symbol: tenYear, bars: reading === 1 ? before : after }])
    found.references.start()
    await found.until(() => found.reads.length >= 2)
    expect(found.reads.slice(0, 2).map(({ written }) => written)).toEqual([3, 2])
    expect((await found.store.bars(tenYear, found.clock.now, 10)).map(({ close }) => close)).toEqual([4, 4.15, 4.2])
  })

  test('count from when their series was published, however early they were read', async () => {
    const found = service(() => [{ symbol: tenYear, bars: [day('2026-11-19', 4.2), day('2026-11-20', 4.3)] }])
    found.references.start()
    await found.until(() => found.reads.length > 0)
    const shownAt = async (at: Instant) => publishedBars(await found.store.bars(tenYear, at, 10), tenYear, at)
    // The value of Friday the 20th is published on the evening of Monday the 23rd, at 18:00 New York time.
    expect((await shownAt(Date.parse('2026-11-23T22:59:00Z'))).map(({ close }) => close)).toEqual([4.2])
    expect((await shownAt(Date.parse('2026-11-23T23:00:00Z'))).map(({ close }) => close)).toEqual([4.2, 4.3])
  })
})

describe('what is said of reports', () => {
  test('was not known before it was read, however early the reading began', async () => {
    const found = service(function* () {
      found.clock.now += 30_000
      yield { earnings: [statement({ epsEstimate: 1 })] }
      found.clock.now += 30_000
      yield { earnings: [statement({ symbol: PEP, epsEstimate: 2 })] }
    })
    const begun = found.clock.now
    found.references.start()
    await found.until(() => found.reads.length > 0)
    const knownFrom = async (symbol: Ticker) =>
      (await found.store.earnings({ symbol, from: '2026-01-01' as IsoDate }, found.clock.now)).map(
        ({ knownFrom }) => knownFrom - begun
      )
    expect([await knownFrom(KO), await knownFrom(PEP)]).toEqual([[30_000], [60_000]])
  })

  test('counts from when it was read, and is written again only where it says something else', async () => {
    const at = Date.parse('2026-11-23T15:00:00Z')
    const found = service((_, reading) => [
      { earnings: [statement({ epsEstimate: 1, timing: reading > 2 ? undefined : 'bmo' })] },
      { earnings: reading < 3 ? [] : [statement({ date: '2026-12-03' as IsoDate, epsEstimate: 1.1 })] }
    ])
    found.references.start()
    await found.until(() => found.reads.length >= 1)
    found.clock.now += 60_000
    await found.until(() => found.reads.length >= 5)
    const statements = await found.store.earnings({ symbol: KO, from: '2026-01-01' as IsoDate }, found.clock.now + 1)
    const known = (moment: Instant) =>
      eventsKnownAt(statements, moment).map(({ date, timing, epsEstimate }) => [date, timing, epsEstimate])
    expect(known(at - 1)).toEqual([])
    expect(known(at)).toEqual([['2026-12-02', 'bmo', 1]])
    expect(known(at + 60_000).at(-1)?.[2]).toBe(1.1)
    expect(found.written.every(({ symbol, written }) => symbol === KO && written === 'earnings')).toBe(true)
  })

  test('takes no confirmation back', async () => {
    const found = service(() => [{ earnings: [statement({ epsEstimate: 2 })] }])
    await found.store.writeEarnings([statement({ knownFrom: 1, confirmed: true, epsEstimate: 1 })])
    found.references.start()
    await found.until(() => found.reads.length >= 2)
    const statements = await found.store.earnings({ symbol: KO, from: '2026-01-01' as IsoDate }, found.clock.now)
    expect(eventsKnownAt(statements, found.clock.now)).toMatchObject([{ confirmed: true, epsEstimate: 2 }])
    expect(found.reads.slice(0, 2).map(({ written }) => written)).toEqual([1, 0])
  })
})

test('filings confirm the reports that are known, once, and add those that no calendar knew', async () => {
  const company = 'Coca-Cola Co'
  const filed = (date: string, timing: 'bmo' | 'amc') => ({ symbol: KO, company, date: date as IsoDate, timing })
  const found = service(() => [
    { filings: [filed('2026-11-21', 'bmo'), filed('2026-11-03', 'bmo'), filed('2026-07-21', 'amc')] }
  ])
  const known = statement({ knownFrom: 1, date: '2026-11-20' as IsoDate, epsEstimate: 1, company: 'Coca-Cola' })
  await found.store.writeEarnings([known])
  found.references.start()
  await found.until(() => found.reads.length >= 2)
  expect(found.reads.slice(0, 2).map(({ written }) => written)).toEqual([1, 0])
  const statements = await found.store.earnings({ symbol: KO, from: '2026-01-01' as IsoDate }, found.clock.now)
  expect(eventsKnownAt(statements, found.clock.now)).toMatchObject([
    { date: '2026-07-21', timing: 'amc', confirmed: true, company },
    { date: '2026-11-20', confirmed: false, epsEstimate: 1, company: 'Coca-Cola' }
  ])
  expect(found.written).toEqual([{ symbol: KO, written: 'earnings' }])
})

test('a source that fails is told of and read again later, at least after the rest that it asks for', async () => {
  const found = service(() => {
    throw new SourceError('rate_limited', 'ledger asks for fewer requests', 45_000)
  })
  found.references.start()
  await found.until(() => found.failures.length > 0)
  expect(found.failures).toEqual([{ message: 'ledger asks for fewer requests', retryIn: 45_000 }])
  const other = service(() => {
    throw new SourceError('unavailable', 'ledger cannot be reached')
  })
  other.references.start()
  await other.until(() => other.failures.length > 0)
  expect(other.failures[0].retryIn).toBe(30_000)
})

test('what was stated before a source failed stays', async () => {
  const found = service(function* () {
    yield { symbol: tenYear, bars: [day('2026-11-19', 4.2)] }
    throw new SourceError('unavailable', 'ledger broke off')
  })
  found.references.start()
  await found.until(() => found.failures.length > 0)
  expect(await found.store.bars(tenYear, found.clock.now, 10)).toHaveLength(1)
})

test('the first reading of a source is waited for, whether it fails or not', async () => {
  const found = service(() => [], 60_000)
  found.references.start()
  await found.references.firstRead(['ledger', 'unheard of'])
  expect(found.reads).toHaveLength(1)
  const other = service(() => {
    throw new SourceError('unavailable', 'ledger cannot be reached')
  })
  other.references.start()
  await other.references.firstRead(['ledger'])
  expect(other.failures).toHaveLength(1)
})

describe('dividends', () => {
  const paid = (exDate: string, amount: number, knownOn = '2026-10-15') => ({
    exDate: exDate as IsoDate,
    amount,
    knownFrom: Date.parse(`${knownOn}T04:00:00Z`)
  })

  test('are written by ex-date where others are held, and told of', async () => {
    const readings = [
      [paid('2026-11-30', 0.53), paid('2027-03-15', 0.53, '2027-02-19')],
      [paid('2027-03-15', 0.53, '2027-02-19'), paid('2026-11-30', 0.53)],
      // A special one beside the regular, and another amount: each replaces what was held of its day.
      [paid('2026-11-30', 0.53), paid('2026-11-30', 1.5), paid('2027-03-15', 0.55, '2027-02-19')]
    ]
    const found = service((_, reading) => [{ symbol: KO, dividends: readings[Math.min(reading, 3) - 1] }])
    found.references.start()
    await found.until(() => found.reads.length >= 4)
    expect(found.reads.slice(0, 4).map(({ written }) => written)).toEqual([2, 0, 2, 0])
    expect(found.written).toEqual([1, 2].map(() => ({ symbol: KO, written: 'dividends' })))
    // The one of March is not out yet.
    expect((await found.store.dividends(KO, found.clock.now)).map(({ amount }) => amount).sort()).toEqual([0.53, 1.5])
    const later = await found.store.dividends(KO, Date.parse('2027-03-01T00:00:00Z'))
    expect(later.map(({ amount }) => amount).sort()).toEqual([0.53, 0.55, 1.5])
  })
})
