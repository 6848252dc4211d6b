import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { FollowedTapes } from '../../src/tape/shared/followed-tapes.ts'
import { TapeSender } from '../../src/tape/shared/tape-sender.ts'
import type { Tapes } from '../../src/tape/tape-port.ts'
import { Chance } from '../../trials/chance.ts'
import { sketched } from '../support/hand-made.ts'
import { priced } from '../support/markets.ts'
import { MemoryShelf } from '../support/memory-shelf.ts'
import { holdClocks, keeping } from './keeping.ts'
import { at, call, cancelOf, noon, plain, printed, put, SPY, session, stockQuoted } from './messages.ts'
import { ScriptedFeed } from './scripted-feed.ts'

beforeEach(holdClocks)
afterEach(() => void vi.useRealTimers())

const KO = 'KO' as Ticker
const views = ['positions', 'totals', 'minutes', 'money', 'hedge', 'groups', 'prints', 'blocks'] as const
const ofStocks = ['totals', 'minutes', 'seconds', 'prints', 'blocks'] as const
const zero = ['SPY260729C00630000', 'SPY260729P00630000', 'SPY260729C00632000']

/** A chain of the symbol whose greeks differ from minute to minute. */
function chainAt(time: string, spot: number, volume = 10) {
  const strikes = [626, 628, 630, 632, 634]
  const series = [session, '2026-08-21'].map((date) => ({ date, strikes, volume }))
  return priced(sketched({ symbol: 'SPY', date: session, time, spot, series }))
}

/** A collector over a scripted feed, and members that follow it. */
function cluster(feed: ScriptedFeed | undefined = new ScriptedFeed()) {
  const shelf = new MemoryShelf()
  const errors: unknown[] = []
  const collector = () => {
    let sender: TapeSender | undefined
    const kept = keeping(feed, { onRows: (symbol, tape) => sender?.send(symbol, tape), maxSymbols: 5 })
    sender = new TapeSender({ shelf: shelf.member(), tapes: kept.keeper, onError: (error) => errors.push(error) })
    sender.start()
    const die = async () => {
      sender.stop()
      await kept.keeper.close()
    }
    return { ...kept, die }
  }
  const first = collector()
  const moved: string[] = []
  const member = () => {
    const tapes = new FollowedTapes({
      shelf: shelf.member(),
      source: 'recorded',
      stocks: true,
      confidence: 0.43,
      maxSymbols: 5,
      maxBytes: Number.MAX_SAFE_INTEGER,
      marketNow: first.now,
      steadyNow: Date.now,
      onMoved: (all) => moved.push(...all.map(({ symbol, kind, position }) => `${symbol} ${kind} ${position}`))
    })
    tapes.keep(SPY)
    return tapes
  }
  const seen = async (tapes: Tapes, symbol = SPY) => {
    const asked = [
      ...views.map((view) => ({ symbol, kind: 'option' as const, view })),
      ...ofStocks.map((view) => ({ symbol, kind: 'stock' as const, view }))
    ]
    return Promise.all(asked.map(async (request) => [request.kind, request.view, plain(await tapes.view(request))]))
  }
  return { shelf, feed, first, collector, member, seen, errors, moved }
}

/** Prints of options and of the stock, with quotes, sweeps and cancels, at random; returns what tells them. */
function trading(seed: number, feed: ScriptedFeed, now: () => number) {
  const chance = new Chance(seed)
  const told: ReturnType<typeof printed>[] = []
  return (count: number) => {
    for (let k = 0; k < count; k++) {
      const dice = chance.below(20)
      if (dice === 0 && told.length > 0) {
        const [print] = told.splice(chance.below(told.length), 1)
        feed.tell(cancelOf(print!))
      } else if (dice < 4) {
        feed.tell(stockQuoted(now(), 629 + chance.below(3), 632))
        feed.tell(
          printed({ contract: undefined, time: now(), price: 630 + chance.below(5), size: 1 + chance.below(900) })
        )
      } else {
        const contract = [call, put, ...zero][chance.below(5)]!
        const quote = { bid: 1, ask: 1.1, time: now() }
        const price = [1, 1.05, 1.1][chance.below(3)]!
        const print = printed({ contract, time: now(), price, size: 1 + chance.below(500), quote, spot: 630.5 })
        told.push(print)
        feed.tell(print)
      }
    }
  }
}

describe('tapes of members that follow a collector', () => {
  test('are those of the collector in every view, of those that join late too', async () => {
    const { feed, first, member, seen, errors } = cluster()
    const trade = trading(7, feed!, first.now)
    trade(50)
    const early = member()
    await first.pass(4000)
    for (let minute = 0; minute < 8; minute++) {
      await first.keeper.note(chainAt(`12:0${minute}`, 629 + minute / 2))
      for (let k = 0; k < 6; k++) {
        trade(30)
        await first.pass(10_000)
      }
      expect(await seen(early), `minute ${minute}`).toEqual(await seen(first.keeper))
    }
    const late = member()
    await first.pass(2000)
    trade(40)
    await first.pass(1000)
    const whole = await seen(first.keeper)
    expect(JSON.stringify(whole)).toContain('signed') // of hedge flow, which needs greeks
    expect(await seen(early)).toEqual(whole)
    expect(await seen(late)).toEqual(whole)
    expect(await early.symbols()).toEqual([SPY])
    expect(await early.windowTotals('option', noon)).toEqual(await first.keeper.windowTotals('option', noon))
    expect(errors).toEqual([])
    for (const tapes of [early, late, first.keeper]) await tapes.close()
  })

  test('are right again after messages were lost, and after the shelf lost all', async () => {
    const { feed, first, shelf, member, seen } = cluster()
    const trade = trading(11, feed!, first.now)
    const tapes = member()
    await first.pass(4000)
    trade(30)
    await first.pass(1000)
    shelf.fail()
    trade(30)
    await first.pass(3000)
    expect((await tapes.symbols()).length).toBe(1) // what it holds goes on
    shelf.comeBack()
    await first.pass(3000)
    expect(await seen(tapes)).toEqual(await seen(first.keeper))
    trade(30)
    await first.pass(1000)
    expect(await seen(tapes)).toEqual(await seen(first.keeper))
    for (const each of [tapes, first.keeper]) await each.close()
  })

  test('begin anew when another collector has taken over', async () => {
    const { feed, first, collector, member, seen } = cluster()
    const trade = trading(13, feed!, first.now)
    const tapes = member()
    await first.pass(4000)
    trade(60)
    await first.pass(1000)
    await first.die()
    const second = collector()
    second.clock.shift = first.clock.shift
    trade(20)
    for (const symbol of [SPY]) tapes.keep(symbol)
    await first.pass(6000)
    trade(20)
    await first.pass(3000)
    const whole = await seen(second.keeper)
    expect(await seen(tapes)).toEqual(whole)
    expect(JSON.stringify(whole)).toContain('"trades"')
    for (const each of [tapes, second.keeper]) await each.close()
  })

  test('go on into the next session', async () => {
    const { feed, first, member, seen } = cluster()
    const tapes = member()
    await first.pass(4000)
    feed!.tell(printed({ time: first.now() }))
    await first.pass(1000)
    first.clock.shift += Date.parse('2026-07-30T13:30:00Z') - first.now()
    await first.pass(1000)
    feed!.tell(printed({ time: first.now(), size: 77 }))
    await first.pass(3000)
    const view = await tapes.view({ symbol: SPY, kind: 'option', view: 'totals' })
    expect(view).toMatchObject({ session: '2026-07-30' as IsoDate, trades: new Int32Array([1]) })
    expect(await seen(tapes)).toEqual(await seen(first.keeper))
    for (const each of [tapes, first.keeper]) await each.close()
  })

  test('wait for the collector to read the session, and are whole once somebody asks for a symbol that was scanned', async () => {
    const { feed, first, shelf, member, seen } = cluster()
    feed!.tell(printed({ symbol: KO, contract: 'KO260821C00070000', time: at('10:00') }))
    const tapes = member()
    shelf.fail()
    tapes.keep(KO, 'scanned')
    let isShown = false
    const asking = tapes.view({ symbol: KO, kind: 'option', view: 'totals' }).then(() => (isShown = true))
    await first.pass(2000)
    expect([isShown, await tapes.progress(KO)]).toEqual([false, { share: 0, readTo: undefined }])
    shelf.comeBack()
    await first.pass(5000)
    await asking
    expect(await tapes.progress(KO)).toBeUndefined()
    tapes.keep(KO)
    const asked = tapes.view({ symbol: KO, kind: 'option', view: 'prints' })
    await first.pass(5000)
    expect((await asked)!.prints.length).toBe(1)
    expect(await seen(tapes, KO)).toEqual(await seen(first.keeper, KO))
    for (const each of [tapes, first.keeper]) await each.close()
  })

  test('of prints that are inferred from chains are the same too', async () => {
    const { first, member, seen } = cluster(undefined)
    const tapes = member()
    await first.pass(4000)
    await first.keeper.note(chainAt('12:00', 630))
    await first.pass(1000)
    await first.keeper.note(chainAt('12:01', 630, 35))
    await first.pass(2000)
    const whole = await seen(first.keeper)
    expect(await seen(tapes)).toEqual(whole)
    for (const each of [tapes, first.keeper]) await each.close()
  })

  test('tell when they moved', async () => {
    const { feed, first, member, moved, errors } = cluster()
    const tapes = member()
    await first.pass(4000)
    feed!.tell(printed({ time: first.now() }))
    await first.pass(200)
    expect(errors).toEqual([])
    expect(moved).toContain('SPY option 1')
    for (const each of [tapes, first.keeper]) await each.close()
  })
})
