import { describe, expect, test } from 'vitest'
import { apiError } from '../../src/api/error.ts'
import type { After } from '../../src/facts/bounded-wait.ts'
import type { FlowPart, ViewRequest } from '../../src/flow/tape-views.ts'
import { LiveFlow } from '../../src/live/live-flow.ts'
import { MarketEventBus } from '../../src/live/market-events.ts'
import type { Ticker } from '../../src/market/units.ts'
import type { ReadProgress, Tapes } from '../../src/tape/tape-port.ts'
import { clockAt, wednesday } from '../support/scripted-source.ts'
import { alpha, basic, ticker } from './standing-market.ts'

const SPY = ticker('SPY')
const totals: ViewRequest<'totals'> = { symbol: SPY, kind: 'option', view: 'totals' }

/** Live flow over tapes that do what the test says: `version` is that of their views. */
function flowing({ scanned = [] as readonly Ticker[], hasTapes = true } = {}) {
  const clock = clockAt(wednesday)
  const events = new MarketEventBus()
  const timers: { readonly milliseconds: number; readonly run: () => void }[] = []
  const after: After = (milliseconds, run) => {
    const timer = { milliseconds, run }
    timers.push(timer)
    return () => void timers.splice(timers.indexOf(timer), 1)
  }
  const state = {
    version: 1,
    kept: [] as string[],
    looked: [] as string[],
    fault: undefined as Error | undefined,
    part: undefined as FlowPart | undefined,
    progress: undefined as ReadProgress | undefined
  }
  let gate: Promise<void> = Promise.resolve()
  const looked = async (what: string) => {
    state.looked.push(what)
    await gate
    if (state.fault !== undefined) throw state.fault
  }
  const tapes: Tapes = {
    keep: (symbol, why) => void state.kept.push(why === undefined ? symbol : `${symbol} ${why}`),
    async view({ symbol, kind, view }) {
      await looked(`${symbol} ${kind} ${view}`)
      return { version: state.version, ...(state.part && { part: state.part }) } as never
    },
    async windowTotals(kind) {
      await looked(`windows ${kind}`)
      return { at: clock.now(), source: 'recorded', silent: false, totals: [] }
    },
    progress: async () => state.progress,
    symbols: async () => [],
    note: async () => {},
    close: async () => {}
  }
  const given = { events, scanned, marketNow: clock.now, steadyNow: clock.now, after }
  const flow = new LiveFlow({ ...given, tapes: hasTapes ? tapes : undefined })
  return {
    flow,
    clock,
    timers,
    state,
    moved: (symbol = SPY) => events.emit('tapeMoved', { symbol }),
    /** Lets nothing be looked at until the returned function is called. */
    hold() {
      let open = () => {}
      gate = new Promise((resolve) => (open = resolve))
      return open
    }
  }
}

const viewOf = ({ flow }: ReturnType<typeof flowing>, maxAge = alpha, request = totals) => flow.view(request, maxAge)

describe('a view', () => {
  test('is the same object while nothing has changed, and is looked at again each second at most', async () => {
    const all = flowing()
    const first = await viewOf(all)
    expect(viewOf(all)).toBe(first) // at once, and not as a promise
    all.clock.pass(999)
    expect(viewOf(all)).toBe(first)
    all.clock.pass(1)
    expect(await viewOf(all)).toBe(first)
    expect(all.state.looked).toHaveLength(2)
    all.state.version = 2 // a feed that fell silent moves no tape
    all.clock.pass(1000)
    expect(await viewOf(all)).not.toBe(first)
  })

  test('is looked at again once its tape has moved, as soon as the plan wants it', async () => {
    const all = flowing()
    const first = await viewOf(all, basic)
    all.state.version = 2
    all.moved()
    all.clock.pass(basic - 1)
    expect(viewOf(all, basic)).toBe(first)
    all.clock.pass(1)
    expect(await viewOf(all, basic)).toMatchObject({ version: 2 })
    all.state.version = 3
    all.moved(ticker('KO'))
    all.clock.pass(500)
    expect(await viewOf(all, 0)).toMatchObject({ version: 2 })
    all.moved()
    expect(await viewOf(all, 0)).toMatchObject({ version: 3 })
  })

  test('that moved while it was looked at is looked at again', async () => {
    const all = flowing()
    await viewOf(all, 0)
    all.moved()
    all.clock.pass(10)
    const open = all.hold()
    const found = viewOf(all, 0)
    all.moved()
    open()
    await found
    await viewOf(all, 0)
    expect(all.state.looked).toHaveLength(3)
  })

  test('of a root is that of its index, and keeps its tape', async () => {
    const all = flowing()
    await viewOf(all, alpha, { ...totals, symbol: ticker('SPXW') })
    await viewOf(all, alpha, { ...totals, symbol: ticker('SPX') })
    expect([all.state.looked, new Set(all.state.kept)]).toEqual([['SPX option totals'], new Set(['SPX'])])
  })

  test('that has yet to be read is waited for three seconds, and is there when it is asked for again', async () => {
    const all = flowing()
    const open = all.hold()
    const refused = expect(viewOf(all)).rejects.toMatchObject({
      code: 'data_loading',
      status: 503,
      message: 'the prints of SPY are being read: 42 % of the session so far; try again shortly',
      detail: { loading: 'prints of SPY', share: 0.425, read_to: new Date(wednesday).toISOString() }
    })
    all.state.progress = { share: 0.4256, readTo: wednesday }
    expect(all.timers.map(({ milliseconds }) => milliseconds)).toEqual([3000])
    all.timers[0].run()
    await refused
    const second = viewOf(all)
    open()
    expect(await second).toMatchObject({ version: 1 })
    expect(all.state.looked).toHaveLength(1)
  })

  test('of a part of the session is for those who take one, and is read again each second whatever their plan', async () => {
    const all = flowing()
    all.state.part = { since: wednesday, share: 0.1 }
    const part = await all.flow.view(totals, basic, true)
    expect(part).toMatchObject({ part: { share: 0.1 } })
    await expect(viewOf(all)).rejects.toMatchObject({ code: 'data_loading', status: 503 })
    all.state.part = undefined
    all.state.version = 2
    all.clock.pass(999)
    expect(await all.flow.view(totals, basic, true)).toBe(part)
    all.clock.pass(1)
    expect(await viewOf(all, basic)).toEqual({ version: 2 })
    expect(await all.flow.view(totals, basic, true)).toEqual({ version: 2 })
  })

  test('gives way to the one before it where it takes long', async () => {
    const all = flowing()
    const first = await viewOf(all)
    all.clock.pass(1000)
    const open = all.hold()
    all.state.version = 2
    const second = viewOf(all)
    expect(all.timers.map(({ milliseconds }) => milliseconds)).toEqual([50])
    all.timers[0].run()
    expect(await second).toBe(first)
    open()
    await new Promise((resolve) => setImmediate(resolve))
    expect(viewOf(all)).toMatchObject({ version: 2 })
  })

  test('that cannot be looked at is unavailable, or the one before it where there is one', async () => {
    const all = flowing()
    all.state.fault = new Error('the thread of the tapes has ended')
    await expect(viewOf(all)).rejects.toMatchObject({ code: 'upstream_unavailable', status: 502 })
    expect(() => viewOf(all)).toThrow(/temporarily unavailable/)
    all.clock.pass(1000)
    all.state.fault = undefined
    const first = await viewOf(all)
    all.clock.pass(1000)
    all.state.fault = apiError('overloaded')
    expect(await viewOf(all)).toBe(first)
    expect(viewOf(all)).toBe(first) // nobody is asked again at once
    all.state.fault = undefined
    all.state.version = 2
    all.clock.pass(1000)
    expect(await viewOf(all)).toMatchObject({ version: 2 })
  })

  test('is none where no tapes are kept', async () => {
    const { flow } = flowing({ hasTapes: false })
    expect(flow.view(totals, alpha)).toBeUndefined()
    expect(await flow.windowTotals('option', wednesday, alpha)).toBeUndefined()
  })
})

describe('a scan', () => {
  test('begins the tapes of the symbols it looks at, once', async () => {
    const all = flowing({ scanned: [SPY, ticker('KO')] })
    expect(all.state.kept).toEqual([])
    await all.flow.windowTotals('option', wednesday, alpha)
    await all.flow.windowTotals('stock', wednesday, alpha)
    expect(all.state.kept).toEqual(['SPY scanned', 'KO scanned'])
    expect(all.state.looked).toEqual(['windows option', 'windows stock'])
  })

  test('is made again when any tape has moved and the plan wants it', async () => {
    const all = flowing()
    const scan = () => all.flow.windowTotals('option', wednesday, basic)
    const first = await scan()
    all.moved(ticker('KO'))
    all.clock.pass(basic - 1)
    expect(scan()).toBe(first)
    all.clock.pass(1)
    expect(await scan()).not.toBe(first)
    expect(await all.flow.windowTotals('option', wednesday + 60_000, basic)).not.toBe(first)
  })
})
