import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseStore } from '../../src/archive/clickhouse/database-store.ts'
import { decodeHeader, decodeSnapshot } from '../../src/archive/codec/decode-snapshot.ts'
import { decodeTape } from '../../src/archive/codec/decode-tape.ts'
import { type TapeStretch, TapeWriter } from '../../src/archive/codec/encode-tape.ts'
import { UnwritableSnapshot } from '../../src/archive/history-error.ts'
import type { ChainSnapshot, StoredSnapshot, TapeId } from '../../src/archive/history-store.ts'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import { addDays } from '../../src/market/calendar.ts'
import { buildChain, type Chain, type ContractRow, contractColumns, headerOf } from '../../src/market/chain.ts'
import type { DailyRecord } from '../../src/market/daily-record.ts'
import { type EarningsStatement, EVENT_RECORD_VERSION, unstated } from '../../src/market/earnings.ts'
import { emptyPrints, type Prints } from '../../src/market/print.ts'
import { stockSeries } from '../../src/market/series.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { SymbolTapes } from '../../src/tape/symbol-tapes.ts'
import { madeUpSeries } from '../flow/made-up-tape.ts'
import { dataFolder, hasEngine } from '../support/engine.ts'
import { eastern, sketched } from '../support/hand-made.ts'

export const suiteVersion = 3

export interface OpenStore {
  readonly store: DatabaseStore
  close(): Promise<void>
}

const ticker = (symbol: string) => symbol as Ticker
const day = (date: string) => date as IsoDate
const minute = 60_000
const absentTape = ['trade_tape'] as const
const recorded = (chain: Chain): ChainSnapshot => ({ chain, fidelity: 'recorded', missing: [] })

/** A small chain; `bid` distinguishes snapshots of one moment. */
function small(symbol: string, date: string, time: string, bid = 1): Chain {
  const series = { date: '2026-08-21', strikes: [90, 100, 110], quote: () => [bid, bid + 0.05] as const }
  return sketched({ symbol, date, time, spot: 100, series: [series] })
}

/** Contracts of any kind: prices a float can be, counts a column can hold, expirations under two roots. */
const anyPrice = fc.oneof(
  fc.integer({ min: -5, max: 90_000 }).map((cents) => cents / 100),
  fc.integer({ min: 0, max: 9_000_000 }).map((parts) => parts / 10_000),
  fc.double(),
  fc.constantFrom(Number.NaN, -0, 0, 1 / 3, 5e-324, 1e300, Number.POSITIVE_INFINITY, 2_684_354.56, 26_843.5456)
)
const anyCount = fc.oneof(fc.integer({ min: -1, max: 3000 }), fc.constantFrom(-1, 0, 2 ** 31 - 1, -(2 ** 31)))
const anyRow = fc.record<ContractRow>({
  root: fc.constantFrom('ODD', 'ODDW', "O'D\\D"),
  expiration: fc.constantFrom(day('2026-07-31'), day('2026-08-21'), day('2155-01-15')),
  settlement: fc.constantFrom('am', 'pm'),
  right: fc.constantFrom(0, 1),
  strike: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.double({ min: 0.001, max: 1e6, noNaN: true })),
  bid: anyPrice,
  ask: anyPrice,
  last: anyPrice,
  bidSize: anyCount,
  askSize: anyCount,
  volume: anyCount,
  openInterest: anyCount
})
const known = fc.double({ noNaN: true })
const anyChain = fc
  .record({
    rows: fc.array(anyRow, { maxLength: 150 }),
    asOf: fc.integer({ min: eastern('2026-07-29', '09:30'), max: eastern('2026-07-29', '16:15') }),
    delay: known,
    spot: fc.double(),
    bid: fc.option(known, { nil: undefined }),
    ask: fc.option(known, { nil: undefined }),
    last: fc.double()
  })
  .map(({ rows, asOf, delay, spot, bid, ask, last }) =>
    buildChain({ symbol: ticker('ODD'), asOf, delay, spot, quote: { bid, ask, last, time: asOf - 1 } }, rows)
  )

/** A print with any figures that its columns can hold. */
const anyInt = fc.oneof(fc.integer({ min: -1, max: 100_000 }), fc.constantFrom(-1, 0, 2 ** 31 - 1))
const microseconds = fc.integer({ min: 1.78e15, max: 1.79e15 })
const anyPrint = fc.record({
  ts: microseconds,
  behind: fc.oneof(fc.constant(0), fc.nat(1e9)),
  sequence: fc.oneof(fc.nat(), fc.constantFrom(0, Number.MAX_SAFE_INTEGER)),
  instrument: fc.nat(5),
  price: anyInt,
  size: anyInt,
  bid: anyInt,
  ask: anyInt,
  spot: anyInt,
  flags: fc.nat(65_535),
  judged: fc.nat(255),
  exchange: fc.nat(255)
})
type AnyPrint = ReturnType<typeof printOf>

/** A print that can be recognized by its size. */
const printOf = (size: number) => {
  const figures = { behind: 0, sequence: size, instrument: 0, price: 1, bid: -1, ask: -1, spot: -1, flags: 0 }
  return { ts: 1.78e15, ...figures, size, judged: 0, exchange: 0 }
}

function printsOf(rows: readonly AnyPrint[]): Prints {
  const prints = emptyPrints(rows.length)
  for (const [k, { behind, ...row }] of rows.entries()) {
    for (const [name, figure] of Object.entries({ ...row, known: row.ts + behind })) {
      prints[name as keyof AnyPrint & 'ts'][k] = figure
    }
  }
  return prints
}

const spyTape: TapeId = { symbol: ticker('SPY'), kind: 'option', session: day('2026-07-29') }
const head = { source: 'recorded', unit: 0.01 } as const

/** Requirements on every archive, however its database is reached. */
export function storeSuite(open: (folder: string) => Promise<OpenStore>): void {
  describe.skipIf(!hasEngine)('the archive', () => {
    let opened: OpenStore
    let store: DatabaseStore
    beforeAll(async () => {
      opened = await open(dataFolder())
      store = opened.store
    })
    afterAll(() => opened?.close())

    const restored = (snapshot: StoredSnapshot | undefined) => snapshot && decodeSnapshot(snapshot)

    test('gives back every figure of any chain, bit for bit', async () => {
      await fc.assert(
        fc.asyncProperty(anyChain, async (chain) => {
          await store.writeSnapshots([recorded(chain)])
          expect(restored(await store.snapshot(chain.symbol, chain.asOf))).toStrictEqual(chain)
        }),
        { numRuns: 25 }
      )
    })

    test('gives back the chains of the synthetic market, written as one batch', async () => {
      const { chain } = createSynthetic({ seed: 7 })
      const noon = eastern('2026-07-29', '12:00')
      const chains = await Promise.all(
        ['SPX', 'AAPL', 'VIX', 'KO'].flatMap((symbol) =>
          [0, 1].map((k) => chain(ticker(symbol), noon + k * minute, AbortSignal.timeout(30_000)))
        )
      )
      await store.writeSnapshots(chains.map((one) => recorded(one!)))
      for (const one of chains) {
        const snapshot = await store.snapshot(one!.symbol, one!.asOf + 59_999)
        expect(snapshot).toMatchObject({ symbol: one!.symbol, asOf: one!.asOf, fidelity: 'recorded' })
        expect(restored(structuredClone(snapshot))).toStrictEqual(one)
        for (const symbol of [one!.symbol, ...one!.expirations.map(({ root }) => ticker(root))])
          expect(decodeHeader(snapshot!, symbol)).toEqual({ ...headerOf(one!), symbol })
        expect(decodeHeader(snapshot!, ticker('NONE'))).toBeUndefined()
      }
    })

    test('answers with the newest snapshot at or before a moment, of its New York day only', async () => {
      const times = ['09:31', '09:32', '15:59', '16:00', '16:10']
      await store.writeSnapshots(times.map((time) => recorded(small('DAY', '2026-11-25', time))))
      const at = async (date: string, time: string) => (await store.snapshot(ticker('DAY'), eastern(date, time)))?.asOf
      expect(await at('2026-11-25', '09:30:59')).toBeUndefined()
      expect(await at('2026-11-25', '09:31')).toBe(eastern('2026-11-25', '09:31'))
      expect(await at('2026-11-25', '09:31:59')).toBe(eastern('2026-11-25', '09:31'))
      expect(await at('2026-11-25', '12:00')).toBe(eastern('2026-11-25', '09:32'))
      expect(await at('2026-11-25', '23:59:59')).toBe(eastern('2026-11-25', '16:10'))
      expect(await at('2026-11-26', '00:00')).toBeUndefined()
      expect(await store.snapshot(ticker('NONE'), eastern('2026-11-25', '12:00'))).toBeUndefined()
      const close = await store.closingSnapshot(ticker('DAY'), day('2026-11-25'))
      expect(close?.asOf).toBe(eastern('2026-11-25', '16:10'))
      expect(await store.closingSnapshot(ticker('DAY'), day('2026-11-24'))).toBeUndefined()
    })

    test('holds one of what is written twice, the later one where they differ', async () => {
      const snapshots = ['10:00', '10:01'].map((time) => recorded(small('TWICE', '2026-07-29', time)))
      await store.writeSnapshots(snapshots)
      await store.writeSnapshots(snapshots)
      await store.writeSnapshots([recorded(small('TWICE', '2026-07-29', '10:01', 2))])
      const coverage = await store.coverage(ticker('TWICE'))
      expect(coverage?.days).toMatchObject([{ date: '2026-07-29', snapshots: 2 }])
      expect(restored(await store.snapshot(ticker('TWICE'), eastern('2026-07-29', '10:01')))?.bid[0]).toBe(2)

      const file = join(dataFolder(), 'twice.csv')
      const [from, to] = [eastern('2026-07-29', '10:00'), eastern('2026-07-29', '11:00')]
      await store.exportQuotes({ symbol: ticker('TWICE'), from, to, format: 'csv' }, file)
      expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(1 + 2 * 6)
    })

    test('gives the dividends that were known by a moment, and of an ex-date those that were written last', async () => {
      const known = (date: string) => eastern(date, '00:00')
      const june = { exDate: day('2026-06-12'), amount: 0.53, knownFrom: known('2026-04-24') }
      const regular = { exDate: day('2026-09-15'), amount: 0.53, knownFrom: known('2026-07-17') }
      const special = { exDate: day('2026-09-15'), amount: 1 / 3, knownFrom: known('2026-08-01') }
      await store.writeDividends(ticker('PAY'), [{ ...june, amount: 9 }])
      await store.writeDividends(ticker('PAY'), [special, june, regular])
      const read = (date: string) => store.dividends(ticker('PAY'), known(date))
      expect(await read('2026-04-23')).toStrictEqual([])
      expect(await read('2026-04-24')).toStrictEqual([june])
      expect(await read('2026-07-31')).toStrictEqual([june, regular])
      expect(await read('2026-08-01')).toStrictEqual([june, special, regular])
      await store.writeDividends(ticker('PAY'), [{ ...regular, amount: 0 }])
      expect(await read('2026-12-01')).toStrictEqual([june, { ...regular, amount: 0 }])
      expect(await store.dividends(ticker('NONE'), known('2026-12-01'))).toEqual([])
    })

    test('gives bars and records in the scale of the day that asks, by the splits up to it', async () => {
      const [symbol, close] = [ticker('CUT'), (date: string) => eastern(date, '16:00')]
      const bar = { open: 9, high: 11, low: 8, close: 10, volume: 100 }
      const bars = ['2024-06-06', '2024-06-07', '2024-06-10'].map((date) => ({ date: day(date), ...bar }))
      await store.writeBars(symbol, bars, 'imported')
      await store.writeRecords(symbol, [{ date: day('2024-06-07'), close: 100, rv30: 20 } as DailyRecord])
      await store.writeSplits(symbol, [{ date: day('2024-06-10'), ratio: 4 }])
      await store.writeSplits(symbol, [
        { date: day('2024-06-10'), ratio: 10 },
        { date: day('2024-06-07'), ratio: 1 }
      ])
      expect(await store.splits(symbol)).toEqual([{ date: '2024-06-10', ratio: 10 }])
      const closes = async (date: string) => (await store.bars(symbol, close(date), 5)).map((found) => found.close)
      expect(await closes('2024-06-07')).toEqual([100, 100])
      expect(await closes('2024-06-10')).toEqual([10, 10, 10])
      expect((await store.bars(symbol, close('2024-06-07'), 1))[0].volume).toBe(10)
      expect(await store.records(symbol, day('2024-06-10'), 5)).toMatchObject([{ close: 10, rv30: 20 }])
      // A split of a day that has not come leaves the bars alone until then.
      await store.writeSplits(symbol, [{ date: day('2150-01-05'), ratio: 2 }])
      expect(await closes('2024-06-10')).toEqual([10, 10, 10])
      expect((await store.bars(symbol, close('2150-01-05'), 1))[0].close).toBe(5)
    })

    test('gives what was said of reports by a moment, of one company or of all, as it was stated', async () => {
      const statement = (symbol: string, date: string, known: string, more: Partial<EarningsStatement> = {}) => ({
        ...unstated,
        symbol: ticker(symbol),
        date: day(date),
        knownFrom: eastern(known, '12:00') + 7,
        ...more
      })
      const bare = statement('RPA', '2026-07-21', '2026-06-01')
      const full = statement('RPA', '2026-07-28', '2026-07-10', {
        company: "O'Neil\tCo",
        timing: 'bmo',
        confirmed: true,
        fiscalPeriod: 'Q2',
        fiscalYear: 2026,
        importance: 5,
        epsEstimate: -1 / 3,
        epsActual: 0,
        revenueEstimate: 9e10,
        revenueActual: 9.1e10
      })
      const other = statement('RPB', '2026-07-28', '2026-07-01', { timing: 'amc' })
      await store.writeEarnings([full, { ...bare, timing: 'dmh' }, other])
      await store.writeEarnings([bare])
      const read = (symbol: string | undefined, from: string, at: number) =>
        store.earnings({ symbol: symbol === undefined ? undefined : ticker(symbol), from: day(from) }, at)
      expect(await read('RPA', '2026-01-01', full.knownFrom)).toStrictEqual([bare, full])
      expect(await read('RPA', '2026-01-01', full.knownFrom - 1)).toStrictEqual([bare])
      expect(await read('RPA', '2026-07-22', full.knownFrom)).toStrictEqual([full])
      expect(await read(undefined, '2026-07-22', full.knownFrom)).toStrictEqual([full, other])
      expect(await read('NONE', '2026-01-01', full.knownFrom)).toEqual([])
    })

    test('keeps the records of the closes around reports, the one written last of a session', async () => {
      const record = (before: string, after: string, preIv: number | undefined) => ({
        before: day(before),
        after: day(after),
        version: EVENT_RECORD_VERSION,
        impliedMove: 1 / 3,
        preIv,
        postIv: undefined,
        move: -2.5
      })
      const [first, second] = [record('2026-04-28', '2026-04-29', 50), record('2026-07-28', '2026-07-29', undefined)]
      await store.writeEventRecords(ticker('RPA'), [second, { ...first, preIv: 1 }])
      await store.writeEventRecords(ticker('RPA'), [first, { ...record('2026-01-27', '2026-01-28', 9), version: 0 }])
      expect(await store.eventRecords(ticker('RPA'))).toStrictEqual([first, second])
      expect(await store.eventRecords(ticker('NONE'))).toEqual([])
    })

    test('keeps bars until the close of their session has passed, and replaces those written again', async () => {
      const bar = (date: string, close: number) => ({
        date: day(date),
        open: 1 / 3,
        high: 2e-7,
        low: 0.1,
        close,
        volume: 1e12
      })
      const bars = [bar('2026-11-24', 1), bar('2026-11-25', 2), bar('2026-11-27', 3)]
      await store.writeBars(ticker('BAR'), [bars[2], bars[0], bar('2026-11-25', 99)], 'imported')
      await store.writeBars(ticker('BAR'), [bars[1]], 'recorded')
      const read = (date: string, time: string, count = 9) => store.bars(ticker('BAR'), eastern(date, time), count)
      expect(await read('2026-11-27', '12:59:59')).toStrictEqual(bars.slice(0, 2))
      expect(await read('2026-11-27', '13:00')).toStrictEqual(bars)
      expect(await read('2026-11-25', '15:59:59')).toStrictEqual(bars.slice(0, 1))
      expect(await read('2026-12-01', '10:00', 2)).toStrictEqual(bars.slice(1))
      expect(await store.bars(ticker('NONE'), eastern('2026-12-01', '10:00'), 5)).toEqual([])
    })

    test('gives records dated before a day, absent figures absent', async () => {
      const figures = {
        rv5: 12.5,
        rv10: undefined,
        rv20: 1 / 3,
        rv30: -0,
        straddle: undefined,
        netGex: -1e9,
        netDex: 0
      }
      const record = (date: string, close: number) => {
        const walls = { gammaFlip: undefined, callWall: 100, putWall: 90 }
        return { date: day(date), close, atmIv: 20, atmIv30: 19, ...figures, netVex: 5e-7, netChex: 1, ...walls }
      }
      const records = [record('2026-07-27', 1), record('2026-07-28', 2), record('2026-07-29', 3)]
      await store.writeRecords(ticker('REC'), [records[1], records[2]])
      await store.writeRecords(ticker('REC'), [records[0], record('2026-07-29', 9)])
      await store.writeRecords(ticker('REC'), [records[2]])
      expect(await store.records(ticker('REC'), day('2026-07-29'), 9)).toStrictEqual(records.slice(0, 2))
      expect(await store.records(ticker('REC'), day('2026-07-30'), 2)).toStrictEqual(records.slice(1))
      expect(await store.records(ticker('REC'), day('2026-07-27'), 2)).toEqual([])
      const errors = { bandGexAll: -1.5, bandChexWeek: undefined }
      await store.writeRecords(ticker('REC'), [{ ...records[1], ...errors }])
      await store.writeRecords(ticker('ALSO'), [{ ...records[1], bandDexLater: 0.25 }])
      const found = await store.bandErrors(day('2026-07-28'), day('2026-07-29'))
      expect(found.map((row) => row.symbol)).toEqual(['ALSO', 'REC'])
      expect(found).toMatchObject([
        { date: '2026-07-28', bandDexLater: 0.25 },
        { date: '2026-07-28', ...errors }
      ])
      expect(found[1]).not.toHaveProperty('close')
      expect(await store.bandErrors(day('2026-07-28'), day('2026-07-28'))).toEqual([])
    })

    describe('of tapes', () => {
      const write = async (stretches: readonly TapeStretch[]) => {
        const writer = new TapeWriter()
        for (const stretch of stretches) writer.add(stretch)
        await store.writeTapes(writer.take())
      }
      const read = async (id: TapeId) => {
        const stored = await store.tape(id)
        return stored && { ...decodeTape(structuredClone(stored)), source: stored.source, unit: stored.unit }
      }

      test('gives back every row of any tape, its series and what it is', async () => {
        let sessions = 0
        await fc.assert(
          fc.asyncProperty(fc.array(anyPrint, { maxLength: 120 }), fc.nat(120), async (rows, cut) => {
            const prints = printsOf(rows)
            const [id, at] = [{ ...spyTape, session: addDays(spyTape.session, sessions++) }, Math.min(cut, rows.length)]
            const half = { ...id, ...head, prints, series: madeUpSeries }
            const empty = at === 0 && rows.length === 0
            if (!empty) {
              await write([{ ...half, from: 0, to: at, position: 0, withHead: true, firstSeries: 0 }])
              await write([{ ...half, from: at, to: rows.length, position: at, withHead: false, firstSeries: 6 }])
            }
            const found = { prints, series: madeUpSeries, end: rows.length, source: 'recorded', unit: 0.01 }
            expect(await read(id)).toEqual(empty ? undefined : found)
          }),
          { numRuns: 15 }
        )
      })

      test('keeps kinds, sessions and symbols apart', async () => {
        const prints = printsOf([printOf(1), printOf(2), printOf(3), printOf(4)])
        const ids = [
          { ...spyTape, symbol: ticker('APART') },
          { ...spyTape, symbol: ticker('APART'), kind: 'stock' },
          { ...spyTape, symbol: ticker('APART'), session: day('2026-07-30') },
          { ...spyTape, symbol: ticker("O'D\\D") }
        ] as const
        await write(
          ids.map((id, k) => {
            const series = id.kind === 'stock' ? stockSeries : madeUpSeries
            return { ...id, ...head, prints, series, from: k, to: k + 1, position: 0, withHead: true, firstSeries: 0 }
          })
        )
        for (const [k, id] of ids.entries()) expect([...(await read(id))!.prints.size]).toEqual([k + 1])
        expect((await read(ids[1]))!.series).toEqual(stockSeries)
        expect(await store.tapedSymbols('stock', spyTape.session)).toEqual(['APART'])
        expect(await store.tapedSymbols('option', day('2026-07-30'))).toContain('APART')
        expect(await store.tapedSymbols('option', day('2020-01-02'))).toEqual([])
        expect(await read({ ...spyTape, symbol: ticker('NONE') })).toBeUndefined()
      })

      test('holds one of the rows that were written twice, the later one where they differ', async () => {
        const id = { ...spyTape, symbol: ticker('TWICE') }
        const stretch = { ...id, ...head, series: madeUpSeries, from: 0, position: 0, withHead: true, firstSeries: 0 }
        const first = printsOf([1, 2, 3, 4, 5].map(printOf))
        const second = printsOf([11, 12, 13].map(printOf))
        await write([{ ...stretch, prints: first, to: 5 }])
        await write([{ ...stretch, prints: first, to: 5 }])
        await write([{ ...stretch, prints: second, to: 3 }])
        const { prints, series, end } = (await read(id))!
        expect([[...prints.size], series, end]).toEqual([[11, 12, 13, 4, 5], madeUpSeries, 5])
      })

      test('says on which days there is one', async () => {
        const symbol = ticker('TAPED')
        const withoutTape = (date: string) => ({ ...recorded(small('TAPED', date, '12:00')), missing: absentTape })
        await store.writeSnapshots(['2026-07-28', '2026-07-29'].map(withoutTape))
        const prints = printsOf([printOf(1)])
        const stretch = { ...head, prints, from: 0, to: 1, position: 0, withHead: true, firstSeries: 0 }
        await write([
          { ...stretch, series: madeUpSeries, symbol, kind: 'option', session: day('2026-07-28') },
          { ...stretch, series: stockSeries, symbol, kind: 'stock', session: day('2026-07-29') }
        ])
        const { days } = (await store.coverage(symbol))!
        expect(days.map(({ date, hasTape, missing }) => [date, hasTape, missing])).toEqual([
          ['2026-07-28', true, []],
          ['2026-07-29', false, absentTape]
        ])
      })

      test('takes few bytes for a print', async () => {
        const { prints: feed } = createSynthetic({ seed: 7 })
        const tapes = new SymbolTapes({ symbol: ticker('SPY') })
        const bytesOf = async () => (await store.size()).find(({ table }) => table === 'option_tape')?.bytes ?? 0
        const { signal } = new AbortController()
        const [from, to] = [eastern('2026-07-29', '12:00'), eastern('2026-07-29', '12:10')]
        for await (const batch of feed!.past!(ticker('SPY'), from, to, signal)) {
          for (const message of batch) tapes.take(message, undefined)
        }
        const tape = tapes.tape('option', day('2026-07-29'))
        const before = await bytesOf()
        const { symbol, kind, session } = { ...spyTape, symbol: ticker('BYTES') }
        const { series, unit } = tape
        const rest = { source: 'synthetic', unit, position: 0, withHead: true, series, firstSeries: 0 } as const
        await write([{ symbol, kind, session, ...tape.rowsFrom(0), ...rest }])
        const each = ((await bytesOf()) - before) / tape.position
        console.log(`${tape.position} prints of SPY take ${each.toFixed(1)} bytes each`)
        expect(each).toBeLessThan(20)
      })
    })

    test('remembers gaps by the time they overlap, whatever their reason says', async () => {
      const at = (time: string) => eastern('2026-07-29', time)
      const gap = (from: string, to: string, reason: string) => ({
        symbol: ticker('GAP'),
        from: at(from),
        to: at(to),
        reason
      })
      const gaps = [gap('10:00', '10:05', "the feed 'x'\tdied\n\\N"), gap('11:00', '12:00', 'ünreachable')]
      for (const one of [gaps[1], gaps[0], gaps[1]]) await store.writeGap(one)
      expect(await store.gaps(ticker('GAP'), at('09:30'), at('16:00'))).toStrictEqual(gaps)
      expect(await store.gaps(ticker('GAP'), at('10:05'), at('11:00'))).toEqual([])
      expect(await store.gaps(ticker('GAP'), at('10:04:59'), at('11:00'))).toStrictEqual([gaps[0]])
      expect(await store.gaps(ticker('GAP'), at('11:59'), at('11:59:30'))).toStrictEqual([gaps[1]])
    })

    test('says what it holds of a symbol on each day', async () => {
      const before = Date.now() - 1000
      const imported = { ...recorded(small('COVER', '2026-07-28', '16:00')), fidelity: 'imported' as const }
      await store.writeSnapshots([
        { ...imported, missing: ['trade_tape', 'open_interest'] },
        recorded(small('COVER', '2026-07-29', '16:00')),
        recorded(small('COVER', '2026-07-29', '15:59'))
      ])
      const { chain } = recorded(small('LEVEL', '2026-07-29', '16:00'))
      const none = { ...chain, ...contractColumns(0), size: 0, expirations: [] }
      await store.writeSnapshots([{ ...recorded(none), missing: ['trade_tape'] }])
      const coverage = await store.coverage(ticker('COVER'))
      const held = { hasUnderlying: true, hasOptions: true, hasFit: true, hasTape: false }
      expect(coverage?.days).toStrictEqual([
        {
          date: '2026-07-28',
          snapshots: 1,
          last: eastern('2026-07-28', '16:00'),
          ...held,
          hasOpenInterest: false,
          fidelity: 'imported',
          missing: ['trade_tape', 'open_interest']
        },
        {
          date: '2026-07-29',
          snapshots: 2,
          last: eastern('2026-07-29', '16:00'),
          ...held,
          hasOpenInterest: true,
          fidelity: 'recorded',
          missing: []
        }
      ])
      const level = await store.coverage(ticker('LEVEL'))
      const lists = { hasOptions: false, hasOpenInterest: false, hasFit: false }
      expect(level?.days).toMatchObject([{ snapshots: 1, hasUnderlying: true, ...lists }])
      expect(coverage!.updatedAt).toBeGreaterThan(before)
      expect(coverage!.updatedAt).toBeLessThan(Date.now() + 1000)
      expect(await store.coverage(ticker('NONE'))).toBeUndefined()
      const all = await store.coverages()
      expect(all.map(({ symbol }) => symbol)).toStrictEqual(await store.symbols())
      for (const one of all) expect(one).toStrictEqual(await store.coverage(one.symbol))
      const symbols = await store.symbols()
      expect(symbols).toContain('COVER')
      expect(symbols).not.toContain('BAR')
      expect(symbols).toStrictEqual(symbols.toSorted())
    })

    test('forgets what is old, keeping the last snapshot of each session when asked', async () => {
      const written = ['2026-06-30', '2026-07-01', '2026-07-02'].flatMap((date) =>
        ['10:00', '16:00'].map((time) => recorded(small('OLD', date, time)))
      )
      await store.writeSnapshots(written)
      const snapshots = async () => (await store.coverage(ticker('OLD')))?.days.map((one) => one.snapshots)
      await store.deleteBefore(eastern('2026-07-02', '10:00:01'), { keepCloses: true })
      expect(await snapshots()).toEqual([1, 1, 1])
      const close = await store.snapshot(ticker('OLD'), eastern('2026-07-01', '20:00'))
      expect(restored(close)).toStrictEqual(written[3].chain)
      await store.deleteBefore(eastern('2026-07-02', '00:00'), { keepCloses: false })
      expect(await snapshots()).toEqual([1])
      await store.writeSnapshots(written)
      expect(await snapshots()).toEqual([2, 2, 2])
    })

    test('keeps what was imported, however old it is', async () => {
      const minutes = ['10:00', '10:01', '16:00'].map((time) => recorded(small('BOUGHT', '2015-12-24', time)))
      await store.writeSnapshots(minutes.map((snapshot) => ({ ...snapshot, fidelity: 'imported' as const })))
      await store.deleteBefore(eastern('2026-07-02', '00:00'), { keepCloses: true })
      expect((await store.coverage(ticker('BOUGHT')))?.days.map((one) => one.snapshots)).toEqual([3])
    })

    test('exports every contract as a row that says what the chain said', async () => {
      const chain = { ...small('OUT', '2026-07-29', '12:00'), delay: 900 }
      chain.bid.set([Number.NaN, 0, 1.2345, 1 / 3])
      chain.volume[1] = -1
      await store.writeSnapshots([recorded(chain)])
      const file = join(dataFolder(), 'out.csv')
      const span = { from: chain.asOf, to: chain.asOf + 1 }
      await store.exportQuotes({ symbol: ticker('OUT'), ...span, format: 'csv' }, file)
      const [head, ...rows] = readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.replaceAll('"', '').split(','))
      expect(head.join()).toBe(
        'symbol,ts,session,expiration,root,settlement,strike,right,bid,ask,last,bid_size,ask_size,volume,open_interest,spot,fidelity'
      )
      // The calls of an expiration before its puts; the chain has them by turns.
      const slots = [0, 2, 4, 1, 3, 5]
      const figure = (value: number) => (Number.isNaN(value) || value === -1 ? '' : String(value))
      expect(rows.map((row) => row.slice(6))).toEqual(
        slots.map((slot) => [
          String(chain.strike[slot]),
          chain.right[slot] === 0 ? 'call' : 'put',
          ...[chain.bid, chain.ask, chain.last, chain.bidSize, chain.askSize, chain.volume, chain.openInterest].map(
            (column) => figure(column[slot])
          ),
          '100',
          'recorded'
        ])
      )
      expect(rows[0].slice(0, 6)).toEqual(['OUT', '2026-07-29 16:00:00.000', '2026-07-29', '2026-08-21', 'OUT', 'pm'])
      for (const format of ['parquet', 'arrow'] as const) {
        const other = join(dataFolder(), `out.${format}`)
        await store.exportQuotes({ symbol: ticker('OUT'), ...span, format }, other)
        expect(readFileSync(other).subarray(0, 4).toString()).toBe(format === 'parquet' ? 'PAR1' : 'ARRO')
      }
      await expect(store.exportQuotes({ symbol: ticker('OUT'), ...span, format: 'csv' }, file)).rejects.toThrow()
    })

    test('refuses a chain whose order it could not give back', async () => {
      const chain = small('BAD', '2026-07-29', '12:00')
      chain.strike.reverse()
      await expect(store.writeSnapshots([recorded(chain)])).rejects.toThrow('not sorted')
      await expect(store.writeSnapshots([recorded(chain)])).rejects.toThrow(UnwritableSnapshot)
      const half = { ...small('BAD', '2026-07-29', '12:00'), asOf: 0.5 }
      await expect(store.writeSnapshots([recorded(half)])).rejects.toThrow('whole number of milliseconds')
    })

    test('tells by a version whether days were written, and by nothing else', async () => {
      const before = await store.daysVersion()
      expect(before).toBeTypeOf('string')
      await store.writeSnapshots([recorded(small('VER', '2026-07-29', '12:00'))])
      expect(await store.daysVersion()).toBe(before)
      const [bar, dividend] = [
        { open: 9, high: 11, low: 8, close: 10, volume: 100 },
        { amount: 0.5, knownFrom: 0 }
      ]
      await store.writeBars(ticker('VER'), [{ date: day('2026-07-28'), ...bar }], 'recorded')
      const after = await store.daysVersion()
      expect(after).not.toBe(before)
      await store.writeDividends(ticker('VER'), [{ exDate: day('2026-08-03'), ...dividend }])
      const paid = await store.daysVersion()
      expect(paid).not.toBe(after)
      await store.writeSplits(ticker('VER'), [{ date: day('2026-08-03'), ratio: 2 }])
      expect(await store.daysVersion()).not.toBe(paid)
    })

    test('says how much room each table takes', async () => {
      const sizes = new Map((await store.size()).map(({ table, rows, bytes }) => [table, { rows, bytes }]))
      expect([...sizes.keys()]).toEqual(
        expect.arrayContaining(['daily_bars', 'gaps', 'option_images', 'option_series'])
      )
      for (const { rows, bytes } of sizes.values()) {
        expect(rows).toBeGreaterThan(0)
        expect(bytes).toBeGreaterThan(0)
      }
    })
  })
}
