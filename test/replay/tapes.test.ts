import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { TapeWriter } from '../../src/archive/codec/encode-tape.ts'
import type { TapeText } from '../../src/archive/history-store.ts'
import type { TapeMessage } from '../../src/connectors/port/prints/print-feed.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import type { TapeKind } from '../../src/market/print.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import { TapeReader } from '../../src/replay/tape-reader.ts'
import { SymbolTapes } from '../../src/tape/symbol-tapes.ts'
import { inlineEngine } from '../../src/workers/inline.ts'
import { eastern } from '../support/hand-made.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { MemoryTapes } from '../support/memory-tapes.ts'
import { noSnapshots } from '../support/no-snapshots.ts'
import { scriptedSource } from '../support/scripted-source.ts'
import { holdClocks, keeping, RefusingArchive, views } from '../tape/keeping.ts'
import { at, cancelOf, noon, plain, printed, put, quoted, SPY, session } from '../tape/messages.ts'
import { ScriptedFeed } from '../tape/scripted-feed.ts'

const kinds = ['option', 'stock'] as const
const engine = inlineEngine({ connector: scriptedSource(), assumptions: madeUpAssumptions, endpoints: new Map() })

const archiveOf = (tapes: MemoryTapes) => {
  let reads = 0
  return {
    tape: async (id: Parameters<MemoryTapes['stored']>[0]) => {
      reads++
      return tapes.stored(id)
    },
    tapeHead: async (id: Parameters<MemoryTapes['stored']>[0]) => tapes.stored(id),
    tapedSymbols: async (kind: TapeKind, date: IsoDate) => tapes.symbols(kind, date),
    ...noSnapshots,
    get reads() {
      return reads
    }
  }
}

const readerOf = (tapes: MemoryTapes, today = '2026-08-10') =>
  new TapeReader(archiveOf(tapes), engine, { confidence: 0.43, today: () => today as IsoDate })

/** Messages a fifth of a second apart: some arrive late, some are taken back up to a minute later. */
function stream(
  count: number,
  begins: Instant
): readonly { readonly message: TapeMessage; readonly arrival: Instant }[] {
  const arrivals: { message: TapeMessage; arrival: Instant }[] = []
  for (let k = 0; k < count; k++) {
    const time = begins + 200 * k
    const bid = 1 + ((k * 7) % 23) / 50
    const contract = k % 4 === 0 ? put : undefined
    const late = k % 13 === 5 ? 3000 : 20
    if (k % 3 === 0) arrivals.push({ message: quoted(time - 10, bid, bid + 0.1), arrival: time })
    const print = printed({
      time,
      price: bid + (k % 3) / 20,
      size: 1 + ((k * 53) % 140),
      ...(contract !== undefined && { contract }),
      ...(k % 6 === 0 && { contract: undefined, price: 630 + bid })
    })
    arrivals.push({ message: print, arrival: time + late })
    if (k % 17 === 3) {
      const undone = time + 500 + ((k * 971) % 60_000)
      arrivals.push({ message: cancelOf(print, { time: undone }), arrival: undone })
    }
  }
  return arrivals.sort((a, b) => a.arrival - b.arrival)
}

describe('a moment of the past', () => {
  beforeEach(holdClocks)
  afterEach(() => void vi.useRealTimers())

  test('shows in every view what the live service showed at it', async () => {
    const feed = new ScriptedFeed({ past: false })
    const archive = new RefusingArchive()
    const live = keeping(feed, { archive })
    live.clock.shift += at('09:30') - noon
    live.keeper.keep(SPY)
    await live.pass(0)
    const seen: { readonly name: string; readonly moment: Instant; readonly shown: unknown }[] = []
    for (const [k, { message, arrival }] of stream(1500, at('09:30')).entries()) {
      await vi.advanceTimersByTimeAsync(Math.max(0, arrival - live.now()))
      feed.tell(message)
      if (k % 173 !== 0) continue
      await live.pass(1)
      for (const kind of kinds) {
        for (const view of views) {
          const name = `${kind} ${view}`
          seen.push({ name, moment: live.now(), shown: plain(await live.shown(view, SPY, kind)) })
        }
      }
    }
    await live.keeper.close()
    const reader = readerOf(archive.tapes)
    expect(seen.length).toBeGreaterThan(90)
    for (const { name, moment, shown } of seen.toReversed()) {
      const [kind, view] = name.split(' ') as [TapeKind, (typeof views)[number]]
      expect(plain(await reader.view({ symbol: SPY, kind, view }, moment)), `${name} at ${moment}`).toEqual(shown)
    }
  })
})

/** An archive with a tape of each kind, recorded in order of arrival. */
function archived(messages: ReturnType<typeof stream>, symbol = SPY, tapes = new MemoryTapes()): MemoryTapes {
  const made = new SymbolTapes({ symbol })
  for (const { message, arrival } of messages) made.take(message, arrival)
  const writer = new TapeWriter()
  for (const tape of made.all()) {
    const { kind, series, unit } = tape
    const stretch = { symbol, kind, session: tape.session, source: 'recorded', unit, series } as const
    writer.add({ ...stretch, ...tape.rowsFrom(0), position: 0, withHead: true, firstSeries: 0 })
  }
  tapes.write(writer.take())
  return tapes
}

describe('what an archive of tapes answers', () => {
  const whole = archived(stream(1500, at('09:30')))
  const moments = [at('09:31'), at('09:32:17.345'), at('09:34:59.999'), at('16:00')]
  const shownAt = async (tapes: MemoryTapes, moment: Instant) => {
    const reader = readerOf(tapes)
    const asked = kinds.flatMap((kind) => views.map((view) => reader.view({ symbol: SPY, kind, view }, moment)))
    const totals = kinds.map((kind) => reader.windowTotals(kind, at('09:30'), moment))
    return [...(await Promise.all(asked)).map(plain), ...(await Promise.all(totals))]
  }

  test.each(
    moments
  )('at %d rests on the rows known by then alone: cut off there, or with absurd rows after it', async (moment) => {
    const full = await shownAt(whole, moment)
    expect(await shownAt(whole.cut(moment), moment)).toEqual(full)
    expect(await shownAt(whole.poison(moment), moment)).toEqual(full)
  })

  test('counts a print from when it was known, and until its cancel was', async () => {
    const print = printed({ time: noon, size: 7 })
    const arrivals = [
      { message: print, arrival: noon + 3000 },
      { message: cancelOf(print, { time: noon + 5000 }), arrival: noon + 5000 }
    ]
    const reader = readerOf(archived(arrivals))
    const sizes = async (moment: Instant) => [
      ...(await reader.view({ symbol: SPY, kind: 'option', view: 'prints' }, moment))!.prints.size
    ]
    expect(await Promise.all([0, 2999, 3000, 4999, 5000].map((later) => sizes(noon + later)))).toEqual([
      [],
      [],
      [7],
      [7],
      []
    ])
  })

  test('is the same object for as long as no row became known', async () => {
    const print = printed({ time: noon, size: 7 })
    const reader = readerOf(archived([{ message: print, arrival: noon }]))
    const asked = { symbol: SPY, kind: 'option', view: 'totals' } as const
    const first = await reader.view(asked, noon)
    expect(await reader.view(asked, noon + 60_000)).toBe(first)
    expect(await reader.view(asked, noon - 1)).not.toBe(first)
    expect(first!.known).toBe(noon)
  })

  test('is read anew of a session that is still recorded, and of a session that is over once', async () => {
    const tapes = new MemoryTapes()
    const arrivals = stream(300, at('09:30'))
    const made = new SymbolTapes({ symbol: SPY })
    const writer = new TapeWriter()
    const record = (messages: typeof arrivals): TapeText => {
      const tape = made.tape('option', session)
      const from = { position: tape.position, firstSeries: tape.series.length }
      for (const { message, arrival } of messages) made.take(message, arrival)
      const { series, unit, kind } = tape
      const stretch = { symbol: SPY, kind, session, source: 'recorded', unit, series } as const
      writer.add({ ...stretch, ...tape.rowsFrom(from.position), ...from, withHead: from.position === 0 })
      return writer.take()
    }
    tapes.write(record(arrivals.slice(0, 100)))
    const archive = archiveOf(tapes)
    const present = new TapeReader(archive, engine, { confidence: 0.43, today: () => session })
    const trades = async (moment: Instant) => {
      const found = await present.view({ symbol: SPY, kind: 'option', view: 'totals' }, moment)
      return found!.trades.reduce((sum, count) => sum + count, 0)
    }
    const later = at('09:40')
    const before = await trades(later)
    const early = await trades(at('09:30:05'))
    tapes.write(record(arrivals.slice(100)))
    expect(await trades(later)).toBeGreaterThan(before)
    const { reads } = archive
    expect(await trades(at('09:30:05'))).toBe(early)
    expect(archive.reads).toBe(reads) // nothing can be missing before a row that is there
    const over = archiveOf(tapes)
    const past = new TapeReader(over, engine, { confidence: 0.43, today: () => '2026-07-30' as IsoDate })
    for (const moment of [later, later + 1]) await past.view({ symbol: SPY, kind: 'option', view: 'totals' }, moment)
    expect(over.reads).toBe(1)
  })

  test('that was read while its session was recorded is read again once that is over', async () => {
    let today = session
    const tapes = archived([{ message: printed({ time: noon }), arrival: noon }])
    const archive = archiveOf(tapes)
    const reader = new TapeReader(archive, engine, { confidence: 0.43, today: () => today })
    const read = () => reader.view({ symbol: SPY, kind: 'option', view: 'totals' }, at('16:00'))
    await read()
    today = '2026-07-30' as IsoDate
    for (let k = 0; k < 3; k++) await read()
    expect(archive.reads).toBe(2)
  })

  test('is that of the tape which is there, whatever another reader or this one had read of the one before', async () => {
    const tapeOf = (size: number) =>
      archived(
        [0, 1, 2].map((k) => ({ message: printed({ time: noon + k, size: size + k }), arrival: noon + k })),
        SPY
      )
    const [before, after] = [tapeOf(7), tapeOf(70)]
    let tapes = before
    const option = { symbol: SPY, kind: 'option', session } as const
    const archive = {
      tape: async () => tapes.stored(option),
      tapeHead: async () => tapes.stored(option),
      tapedSymbols: async () => [SPY],
      ...noSnapshots
    }
    const readerOfIt = () => new TapeReader(archive, engine, { confidence: 0.43, today: () => '2026-08-10' as IsoDate })
    const contracts = async (reader: TapeReader) => {
      const found = (await reader.view({ ...option, view: 'positions' }, at('16:00')))!
      return [found.bought, found.sold, found.other].flatMap((column) => [...column]).reduce((sum, held) => sum + held)
    }
    const [notified, other] = [readerOfIt(), readerOfIt()]
    expect(await contracts(notified)).toBe(7 + 8 + 9)
    tapes = after
    expect(await contracts(other)).toBe(70 + 71 + 72)
    notified.drop(SPY)
    expect(await contracts(notified)).toBe(70 + 71 + 72)
  })

  test('says of windows over several sessions what each of them shows at its end', async () => {
    const friday = eastern('2026-07-24', '15:59')
    const monday = eastern('2026-07-27', '09:31')
    const arrivals = [friday, monday].flatMap((time, k) => [{ message: printed({ time, size: 3 + k }), arrival: time }])
    const tapes = arrivals.reduce((all, one) => archived([one], SPY, all), new MemoryTapes())
    const reader = readerOf(tapes)
    const past = await reader.pastViews({ symbol: SPY, kind: 'option', view: 'minutes' }, friday - 60_000, monday)
    expect(past.map((view) => view.session)).toEqual(['2026-07-24'])
    const { totals, at: moment } = (await reader.windowTotals('option', friday - 60_000, monday))!
    expect([moment, totals.map(({ symbol, trades, other }) => [symbol, trades, other])]).toEqual([
      monday,
      [['SPY', 2, 7]]
    ])
    expect((await reader.windowTotals('option', monday, monday))!.totals).toMatchObject([{ trades: 1 }])
    const sunday = eastern('2026-07-26', '12:00')
    expect((await reader.view({ symbol: SPY, kind: 'option', view: 'totals' }, sunday))!.session).toBe('2026-07-24')
  })

  test('is nothing of a session without a tape, and of a view that no fold gives', async () => {
    expect(await readerOf(whole).view({ symbol: SPY, kind: 'option', view: 'samples' }, noon)).toBeUndefined()
    const reader = readerOf(new MemoryTapes())
    expect(await reader.view({ symbol: 'KO' as Ticker, kind: 'option', view: 'totals' }, noon)).toBeUndefined()
    expect(await reader.windowTotals('option', noon, noon)).toBeUndefined()
    expect(await reader.pastViews({ symbol: SPY, kind: 'option', view: 'minutes' }, noon - 9e8, noon)).toEqual([])
  })
})

test('every endpoint of flow is replayed', () => {
  const flow = endpoints.filter(({ path }) => path.startsWith('/v1/flow/'))
  expect(flow.length).toBeGreaterThan(20)
  expect(flow.filter(({ replay }) => !replay).map(({ path }) => path)).toEqual([])
})
