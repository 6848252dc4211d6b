import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { AFTER_GAP } from '../../src/market/print.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { sketched } from '../support/hand-made.ts'
import { priced } from '../support/markets.ts'
import { holdClocks, keeping, RefusingArchive, views } from './keeping.ts'
import { at, cancelOf, noon, plain, printed, rowsOf, SPY, session, stockQuoted } from './messages.ts'
import { ScriptedFeed } from './scripted-feed.ts'

beforeEach(holdClocks)
afterEach(() => void vi.useRealTimers())

const KO = 'KO' as Ticker
const MSFT = 'MSFT' as Ticker
const option = (size: number, time: number, more = {}) => printed({ size, time, ...more })
const flagsOf = (view: object | undefined) => {
  const { prints } = view as { prints: Parameters<typeof rowsOf>[0] & { length: number } }
  return rowsOf(prints, 0, prints.length).map(({ flags }) => flags)
}

describe('a symbol that is asked for', () => {
  test('is read from the past of its feed, then goes on with what the feed tells', async () => {
    const feed = new ScriptedFeed()
    feed.tell(option(1, at('09:30')), option(2, at('11:59:59')), option(3, at('09:31'), { symbol: KO }))
    const { keeper, sizes, pass, now, shown } = keeping(feed)
    keeper.keep(SPY)
    expect(await sizes()).toEqual([1, 2])
    await pass(3000)
    feed.tell(option(4, now()))
    expect(await sizes()).toEqual([1, 2, 4])
    expect((await shown('totals'))!.known).toBe(noon + 3000)
    expect(feed.asked[0]).toMatchObject({ symbol: SPY, to: noon })
    expect(feed.asked[0].from).toBeLessThanOrEqual(at('00:00'))
    await keeper.close()
  })

  test('is shown by its newest part while the rest is being read, which is not recorded', async () => {
    const feed = new ScriptedFeed()
    const past = feed.past!
    let open = () => {}
    const gate = new Promise<void>((resolve) => (open = resolve))
    feed.past = async function* (symbol, from, to, signal) {
      if (from < at('09:30')) await gate
      yield* past(symbol, from, to, signal)
    }
    feed.tell(option(1, at('09:30')), option(2, at('11:59:30')))
    const archive = new RefusingArchive()
    const { keeper, sizes, pass, now } = keeping(feed, { archive })
    const asked = { symbol: SPY, kind: 'option', view: 'totals' } as const
    keeper.keep(SPY)
    const asking = keeper.view(asked, true)
    await pass(250)
    expect(await asking).toMatchObject({ trades: new Int32Array([1]), part: { since: at('11:59') + 250 } })
    expect((await asking)!.part!.share).toBeCloseTo(1 / 150, 4)
    expect(await keeper.progress(SPY)).toEqual({ share: 0, readTo: undefined })
    await pass(1000)
    feed.tell(option(3, now()))
    expect(await keeper.view(asked, true)).toMatchObject({ trades: new Int32Array([2]) })
    expect((await keeper.windowTotals('option', noon - 60_000))!.part).toEqual({ since: undefined, share: 0 })
    expect(archive.writes).toBe(0)
    open()
    await pass(3000)
    expect(await sizes()).toEqual([1, 2, 3])
    expect((await keeper.view(asked, true))!.part).toBeUndefined()
    expect(await keeper.progress(SPY)).toBeUndefined()
    await keeper.close()
  })

  test('waits for the whole where the newest part cannot be read', async () => {
    const feed = new ScriptedFeed()
    const past = feed.past!
    let open = () => {}
    const gate = new Promise<void>((resolve) => (open = resolve))
    feed.past = async function* (symbol, from, to, signal) {
      if (from >= at('09:30')) throw new Error('no such stretch')
      await gate
      yield* past(symbol, from, to, signal)
    }
    feed.tell(option(1, at('09:30')))
    const { keeper, pass } = keeping(feed)
    keeper.keep(SPY)
    const asking = keeper.view({ symbol: SPY, kind: 'option', view: 'totals' }, true)
    await pass(500)
    open()
    expect((await asking)!.part).toBeUndefined()
    await keeper.close()
  })

  test('has no hole between the past and the run, and nothing twice', async () => {
    for (const numbered of [true, false]) {
      const feed = new ScriptedFeed()
      const { keeper, sizes, pass, now, shown } = keeping(feed)
      const one = (size: number, time: number) => option(size, time, numbered ? {} : { sequence: undefined })
      const taken = one(7, noon - 2)
      feed.tell(one(1, noon - 1000), one(1, noon - 1000), taken, cancelOf(taken, { time: noon - 1 }))
      keeper.keep(SPY)
      await pass(0)
      feed.happened.push(one(2, now())) // before the feed has taken the symbol up
      await pass(700)
      feed.tell(one(3, now()), one(3, now()))
      await pass(700)
      feed.tell(one(3, now() - 700))
      expect(await sizes()).toEqual([1, 1])
      await pass(1000)
      feed.tell(one(5, now()))
      expect(await sizes(), `numbered: ${numbered}`).toEqual([1, 1, 2, 3, 3, 3, 5])
      const times = rowsOf((await shown('prints'))!.prints as never, 0, 7).map(({ known }) => known)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      await keeper.close()
    }
  })

  test('without a past begins where it is', async () => {
    const feed = new ScriptedFeed({ past: false })
    feed.tell(option(1, at('09:30')))
    const { keeper, sizes, now } = keeping(feed)
    keeper.keep(SPY)
    expect(await sizes()).toEqual([])
    feed.tell(option(2, now()))
    expect(await sizes()).toEqual([2])
    await keeper.close()
  })

  test('goes on where its past fails, after a gap that is flagged', async () => {
    const feed = new ScriptedFeed()
    feed.tell(option(1, at('09:30')), option(2, at('09:31')))
    feed.fault = new Error('the past is closed')
    const { keeper, troubles, pass, now, shown } = keeping(feed)
    keeper.keep(SPY)
    await pass(2000)
    feed.tell(option(3, now()))
    expect(flagsOf(await shown('prints'))).toEqual([0, AFTER_GAP])
    expect(troubles[0]).toEqual({ kind: 'past_failed', symbol: SPY, message: 'the past is closed' })
    await keeper.close()
  })

  test('in the evening has the tape of the day, and prints of the next session wait for it', async () => {
    const feed = new ScriptedFeed()
    const next = '2026-07-30' as IsoDate
    const { keeper, clock, sizes, pass, now } = keeping(feed)
    clock.shift += at('20:30') - noon
    feed.tell(option(1, at('15:00')), option(2, at('20:15')))
    keeper.keep(SPY)
    await pass(3000)
    feed.tell(option(3, now()))
    expect(await sizes()).toEqual([1])
    clock.shift += Date.parse('2026-07-30T13:30:00Z') - now()
    expect(await sizes()).toEqual([2, 3])
    expect((await keeper.view({ symbol: SPY, kind: 'option', view: 'totals' }))!.session).toBe(next)
    await keeper.close()
  })

  test('is dropped once others were asked for since, and read again when it is asked for again', async () => {
    const feed = new ScriptedFeed()
    const { keeper, sizes, pass, now } = keeping(feed)
    for (const symbol of [SPY, KO]) keeper.keep(symbol)
    await pass(3000)
    feed.tell(option(1, now()), option(2, now(), { symbol: KO }))
    keeper.keep(SPY)
    keeper.keep(MSFT)
    expect(feed.wanted()).toEqual([MSFT, SPY])
    expect([await sizes(), await sizes(KO), await sizes(MSFT)]).toEqual([[1], undefined, []])
    feed.tell(option(3, now(), { symbol: KO }))
    await pass(1)
    keeper.keep(KO)
    expect(feed.wanted()).toEqual([KO, MSFT])
    expect([await sizes(), await sizes(KO)]).toEqual([undefined, [2, 3]])
    await keeper.close()
  })

  test('begins again when the clock of a demonstration goes back to the open', async () => {
    const feed = new ScriptedFeed()
    const { keeper, clock, sizes, pass } = keeping(feed)
    feed.tell(option(1, at('09:33')), option(2, at('09:40'), { contract: undefined }))
    keeper.keep(SPY)
    await pass(3000)
    expect([await sizes(), await sizes(SPY, 'stock')]).toEqual([[1], [2]])
    clock.shift -= noon - at('09:35')
    expect([await sizes(), await sizes(SPY, 'stock')]).toEqual([[1], []])
    clock.shift -= 5 * 60_000
    expect(await sizes()).toEqual([])
    await keeper.close()
  })

  test('that nobody keeps has no view, and neither has a kind of prints that the feed does not tell', async () => {
    const feed = Object.assign(new ScriptedFeed(), { stocks: false })
    const { keeper, sizes } = keeping(feed)
    expect(await sizes()).toBeUndefined()
    keeper.keep(SPY)
    expect([await sizes(), await sizes(SPY, 'stock')]).toEqual([[], undefined])
    expect(await keeper.windowTotals('stock', noon)).toBeUndefined()
    expect(await keeper.view({ symbol: SPY, kind: 'option', view: 'samples' })).toBeUndefined()
    await keeper.close()
  })
})

describe('a feed', () => {
  test('that fails is begun again after a wait that doubles, and what it printed meanwhile is asked for', async () => {
    const feed = new ScriptedFeed()
    const { keeper, troubles, sizes, pass, now } = keeping(feed)
    keeper.keep(SPY)
    await pass(3000)
    feed.tell(option(1, now()))
    feed.end(new Error('unplugged'))
    await pass(500)
    feed.tell(option(2, now()))
    await pass(499)
    expect(feed.runs).toBe(1)
    await pass(1)
    expect(feed.runs).toBe(2)
    feed.tell(option(3, now()))
    await pass(3000)
    expect(await sizes()).toEqual([1, 2, 3])
    expect(troubles).toEqual([{ kind: 'feed_failed', message: 'unplugged' }])
    for (const wait of [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]) {
      const { runs } = feed
      feed.end(new Error('unplugged'))
      await pass(wait - 1)
      expect(feed.runs, `${wait}`).toBe(runs)
      await pass(1)
      expect(feed.runs, `${wait}`).toBe(runs + 1)
    }
    await keeper.close()
  })

  test('without a past leaves a gap when it fails, and says what it has lost', async () => {
    const feed = new ScriptedFeed({ past: false })
    const { keeper, pass, now, shown } = keeping(feed)
    keeper.keep(SPY)
    await pass(0)
    feed.tell(option(1, now()))
    feed.end()
    await pass(1000)
    feed.tell(option(2, now()), option(3, now()))
    feed.state({ until: now(), missed: [now() - 1, now()] })
    feed.tell(option(4, now()))
    expect(flagsOf(await shown('prints'))).toEqual([0, AFTER_GAP, 0, AFTER_GAP])
    await keeper.close()
  })

  test('that says nothing for a minute of the session is silent; one without prints is not', async () => {
    const feed = new ScriptedFeed()
    const { keeper, clock, pass, now, shown } = keeping(feed)
    const isSilent = async () => (await shown('totals'))!.silent
    await pass(600_000) // nobody has asked for anything yet
    keeper.keep(SPY)
    expect(await isSilent()).toBe(false)
    await pass(60_000)
    expect(await isSilent()).toBe(false)
    await pass(1)
    expect(await isSilent()).toBe(true)
    expect((await keeper.windowTotals('option', noon))!.silent).toBe(true)
    feed.state({ until: now() })
    expect(await isSilent()).toBe(false)
    await pass(60_001)
    expect(await isSilent()).toBe(true)
    feed.tell(stockQuoted(now(), 630, 631))
    expect(await isSilent()).toBe(false)
    clock.shift += at('16:00') - now()
    await pass(120_000)
    expect(await isSilent()).toBe(false)
    clock.shift += Date.parse('2026-07-30T13:30:59Z') - now()
    expect(await isSilent()).toBe(false) // the session is not a minute old
    await pass(1001)
    expect(await isSilent()).toBe(true)
    await keeper.close()
  })

  test('may be behind the market: what it tells becomes known by its own clock', async () => {
    const feed = Object.assign(new ScriptedFeed({ past: false }), { delay: 900 })
    const { keeper, pass, now, shown } = keeping(feed)
    keeper.keep(SPY)
    await pass(0)
    feed.tell(option(1, now() - 900_000 - 40))
    expect((await shown('prints'))!.known).toBe(now() - 900_000)
    await keeper.close()
  })

  test('whose messages cannot be used is told of together', async () => {
    const feed = new ScriptedFeed({ past: false })
    const { keeper, troubles, pass, now } = keeping(feed)
    keeper.keep(SPY)
    await pass(0)
    feed.tell(
      ...[1, 2, 3].map(() => option(0, now())),
      option(1, now(), { contract: 'odd' }),
      option(0, now(), { symbol: KO })
    )
    await pass(60_000)
    expect(troubles).toEqual([
      { kind: 'refused', symbol: SPY, reason: 'impossible_figures', count: 3 },
      { kind: 'refused', symbol: SPY, reason: 'unreadable_contract', count: 1 }
    ])
    await keeper.close()
  })
})

test('who listens hears of tapes that have moved, ten times a second at most', async () => {
  const feed = new ScriptedFeed({ past: false })
  const { keeper, moved, pass, now } = keeping(feed)
  keeper.keep(SPY)
  await pass(100)
  moved.length = 0
  for (let k = 0; k < 50; k++) feed.tell(option(1, now()))
  await pass(100)
  expect(moved).toEqual([{ symbol: SPY, kind: 'option', position: 50 }])
  await pass(1000)
  expect(moved).toHaveLength(1)
  await keeper.close()
})

test('sums over all symbols are those of their minutes, by symbol', async () => {
  const feed = new ScriptedFeed({ past: false })
  const { keeper, pass, now } = keeping(feed)
  for (const symbol of [SPY, KO]) keeper.keep(symbol)
  await pass(0)
  feed.tell(option(5, now()), option(2, now(), { symbol: KO }), option(3, now()))
  const found = (await keeper.windowTotals('option', noon))!
  expect(found).toMatchObject({ at: now(), source: 'recorded', silent: false })
  expect(found.totals.map(({ symbol, other, trades }) => [symbol, other, trades])).toEqual([
    ['KO', 2, 1],
    ['SPY', 8, 2]
  ])
  expect((await keeper.windowTotals('option', noon + 60_000))!.totals).toEqual([])
  await keeper.close()
})

test('sums over all symbols hold a tape from when it has caught up on, as its views do', async () => {
  const feed = new ScriptedFeed()
  const { keeper, pass, shown } = keeping(feed)
  feed.tell(option(5, noon - 1000))
  keeper.keep(SPY)
  expect(await keeper.symbols()).toEqual([])
  await pass(0)
  // Prints made while the feed adds the symbol are requested two seconds later; until then the tape shows what it has.
  expect((await shown('totals'))!.trades[0]).toBe(1)
  expect(await keeper.symbols()).toEqual([SPY])
  expect((await keeper.windowTotals('option', noon - 60_000))!.totals).toMatchObject([{ symbol: SPY, trades: 1 }])
  await keeper.close()
})

describe('a symbol that is one of many', () => {
  test('has the sums of a whole tape and no single prints, until somebody asks for it', async () => {
    const feed = new ScriptedFeed()
    const { keeper, pass, shown, sizes, now } = keeping(feed)
    feed.tell(option(5, noon - 1000))
    keeper.keep(SPY, 'scanned')
    keeper.keep(KO)
    await pass(3000)
    feed.tell(option(3, now()), option(2, now(), { symbol: KO }))
    for (const view of ['minutes', 'totals', 'positions'] as const) expect(await shown(view)).toBeDefined()
    expect((await shown('totals'))!.trades[0]).toBe(2)
    for (const view of ['prints', 'blocks', 'groups'] as const) expect(await shown(view)).toBeUndefined()
    expect((await keeper.windowTotals('option', noon - 60_000))!.totals).toMatchObject([
      { symbol: KO, trades: 1 },
      { symbol: SPY, trades: 2 }
    ])
    await pass(1000)
    keeper.keep(SPY)
    expect(await sizes()).toEqual([5, 3])
    keeper.keep(SPY, 'scanned')
    expect(await sizes()).toEqual([5, 3])
    await keeper.close()
  })

  test('is read only while there is room, and at once if somebody asks for it', async () => {
    const feed = new ScriptedFeed()
    const { keeper, pass, sizes } = keeping(feed, { maxBytes: 0 })
    feed.tell(option(5, noon - 1000))
    keeper.keep(SPY, 'scanned')
    await pass(30_000)
    expect(feed.asked).toEqual([])
    expect(await keeper.windowTotals('option', noon - 60_000)).toMatchObject({ totals: [], part: { share: 0 } })
    feed.tell(option(3, noon + 1000))
    keeper.keep(SPY)
    expect(await sizes()).toEqual([5, 3])
    await keeper.close()
  })
})

describe('an archive', () => {
  test('gets every row once, and the rest when the keeper is closed', async () => {
    const feed = new ScriptedFeed({ past: false })
    const archive = new RefusingArchive()
    const { keeper, pass, now, shown } = keeping(feed, { archive })
    keeper.keep(SPY)
    await pass(0)
    feed.tell(option(1, now()), option(2, now(), { contract: undefined }))
    await pass(1000)
    const print = option(3, now())
    feed.tell(print, cancelOf(print, { time: now() }))
    const before = plain(await shown('prints'))
    await keeper.close()
    expect(archive.writes).toBe(2)
    const again = keeping(feed, { archive })
    again.clock.shift = now() - Date.now()
    again.keeper.keep(SPY)
    expect(plain(await again.shown('prints'))).toEqual(before)
    expect(await again.sizes(SPY, 'stock')).toEqual([2])
    await again.keeper.close()
    expect(archive.writes).toBe(2)
  })

  test('has all of a symbol that is dropped before the symbol is read back', async () => {
    const feed = new ScriptedFeed({ past: false })
    const archive = new RefusingArchive()
    const { keeper, pass, now, sizes } = keeping(feed, { archive, maxSymbols: 1 })
    keeper.keep(SPY)
    await pass(0)
    feed.tell(option(1, now()))
    archive.fault = new Error('full')
    keeper.keep(KO)
    await pass(10)
    keeper.keep(SPY)
    archive.fault = undefined
    await pass(3000)
    feed.tell(option(2, now()))
    expect(await sizes()).toEqual([1, 2])
    await keeper.close()
    const stored = archive.tapes.stored({ symbol: SPY, kind: 'option', session })
    expect(stored).toBeDefined()
    const again = keeping(feed, { archive })
    again.keeper.keep(SPY)
    await again.pass(60_000)
    expect(await again.sizes()).toEqual([1, 2])
    await again.keeper.close()
  })

  test('that cannot be read is not written to either, and the tape goes on', async () => {
    const feed = new ScriptedFeed()
    const archive = new RefusingArchive()
    const first = keeping(feed, { archive })
    first.keeper.keep(SPY)
    await first.pass(3000)
    feed.tell(option(1, first.now()))
    await first.keeper.close()
    archive.fault = new Error('locked')
    const second = keeping(feed, { archive })
    second.clock.shift = first.now() + 1000 - Date.now()
    second.keeper.keep(SPY)
    await second.pass(0)
    archive.fault = undefined
    await second.pass(3000)
    feed.tell(option(2, second.now()))
    expect(await second.sizes()).toEqual([1, 2])
    expect(second.troubles.map(({ kind }) => kind)).toEqual(['not_restored', 'not_restored'])
    await second.keeper.close()
    expect(archive.writes).toBe(1)
  })

  test('of a demonstration is read up to its clock', async () => {
    const feed = new ScriptedFeed()
    const archive = new RefusingArchive()
    feed.tell(option(1, at('09:31')), option(2, at('09:40')), option(3, at('11:00')))
    const { keeper, clock, pass, sizes } = keeping(feed, { archive })
    keeper.keep(SPY)
    await pass(3000)
    expect(await sizes()).toEqual([1, 2, 3])
    clock.shift -= noon - at('09:35')
    expect(await sizes()).toEqual([1])
    await pass(3000)
    feed.tell(option(9, at('09:35')))
    expect(await sizes()).toEqual([1, 9])
    await keeper.close()
  })

  test('shows nothing that became known after a clock that stands', async () => {
    const archive = new RefusingArchive()
    const feed = new ScriptedFeed({ past: false })
    const first = keeping(feed, { archive })
    first.keeper.keep(SPY)
    await first.pass(3000)
    const moment = first.now()
    feed.tell(option(1, moment))
    await first.pass(20_000)
    feed.tell(option(2, first.now()))
    await first.keeper.close()
    const sizesAt = async (clockStands: boolean) => {
      const { keeper, pass, sizes } = keeping(new ScriptedFeed({ past: false }), {
        archive,
        clockStands,
        marketNow: () => moment
      })
      keeper.keep(SPY)
      await pass(3000)
      const found = await sizes()
      await keeper.close()
      return found
    }
    expect(await sizesAt(true)).toEqual([1])
    expect(await sizesAt(false)).toEqual([1, 2])
  })

  test('is not asked for symbols that are not recorded', async () => {
    const feed = new ScriptedFeed({ past: false })
    const archive = Object.assign(new RefusingArchive(), { records: (symbol: Ticker) => symbol === KO })
    const { keeper, pass, now } = keeping(feed, { archive })
    keeper.keep(SPY)
    keeper.keep(KO)
    await pass(0)
    feed.tell(option(1, now()), option(2, now(), { symbol: KO }))
    await keeper.close()
    expect(archive.tapes.symbols('option', session)).toEqual(['KO'])
  })
})

test('prints are inferred from chains where there is no feed, of as many symbols as there is room for', async () => {
  const { keeper, sizes, pass } = keeping(undefined, { source: 'inferred', maxSymbols: 1 })
  const chain = (symbol: string, time: string, volume: number) =>
    priced(
      sketched({
        symbol,
        date: session,
        time,
        spot: 100,
        series: [{ date: '2026-08-21', strikes: [100], volume: () => volume, quote: () => [1, 1.1] as const }]
      })
    )
  for (const [time, volume] of [
    ['11:58', 10],
    ['11:59', 14]
  ] as const) {
    for (const symbol of ['SPY', 'KO']) keeper.note({ ...chain(symbol, time, volume), last: Float64Array.of(1.1, 1.1) })
    await pass(0)
  }
  expect(await sizes()).toEqual([4, 4])
  expect(await sizes(KO)).toBeUndefined()
  expect((await keeper.view({ symbol: SPY, kind: 'option', view: 'totals' }))!.silent).toBe(false)
  await keeper.close()
})

test('every view is the same for a tape that began late', async () => {
  const feed = new ScriptedFeed()
  const whole = keeping(feed)
  whole.clock.shift += at('09:30') - noon
  whole.keeper.keep(SPY)
  await whole.pass(3000)
  for (let k = 0; k < 200; k++) {
    const print = option(1 + ((k * 7) % 150), whole.now(), { price: 1 + (k % 9) / 10 })
    feed.tell(print)
    if (k % 20 === 3) feed.tell(cancelOf(print, { time: whole.now() }))
    await whole.pass(1000)
  }
  const late = keeping(feed)
  late.clock.shift = whole.clock.shift
  late.keeper.keep(SPY)
  await late.pass(3000)
  for (const view of views) expect(plain(await late.shown(view)), view).toEqual(plain(await whole.shown(view)))
  await whole.keeper.close()
  await late.keeper.close()
})
