import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { apiError } from '../../src/api/error.ts'
import { optionWindow } from '../../src/api/inputs/flow.ts'
import { macroOf } from '../../src/api/inputs/macro.ts'
import { defaultPlans, planIds } from '../../src/api/plan.ts'
import { readConfig } from '../../src/config/config.ts'
import type { Connector } from '../../src/connectors/port/connector.ts'
import { SourceError } from '../../src/connectors/port/source-error.ts'
import type { After } from '../../src/facts/bounded-wait.ts'
import * as freshness from '../../src/facts/freshness.ts'
import { Cell } from '../../src/live/cell.ts'
import { Cells } from '../../src/live/cells.ts'
import { Assessments } from '../../src/live/chains/assessments.ts'
import { type LiveSymbol, pauseAfter, strictestDemand } from '../../src/live/chains/live-symbol.ts'
import { LoadBudget } from '../../src/live/chains/load-budget.ts'
import { dueSymbols } from '../../src/live/chains/polling.ts'
import { DailyBars } from '../../src/live/days/daily-bars.ts'
import { KnownDividends } from '../../src/live/days/live-dividends.ts'
import { ImpliedRates } from '../../src/live/days/live-rates.ts'
import { LiveFlow } from '../../src/live/live-flow.ts'
import { MarketEventBus } from '../../src/live/market-events.ts'
import { ImpliedMoves } from '../../src/live/reports/implied-moves.ts'
import { KnownEarnings } from '../../src/live/reports/live-earnings.ts'
import { loadRowInputs } from '../../src/live/row-inputs.ts'
import { ScreenerRows, StoredRecords } from '../../src/live/screener-rows.ts'
import type { EarningsEvent } from '../../src/market/earnings.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { SAMPLE_STEP } from '../../src/market/zero-dte-sample.ts'
import { TapeReader } from '../../src/replay/tape-reader.ts'
import { sendRefusal } from '../../src/server/http/refusal.ts'
import { withTimeout } from '../../src/workers/tasks/task.ts'
import { settled, standing, ticker } from '../live/standing-market.ts'
import { netGex, scriptedServer } from '../stream/scripted-server.ts'
import { handMade } from '../support/markets.ts'
import { clockAt, wednesday } from '../support/scripted-source.ts'
import { service } from '../support/service.ts'

// One test for each time of `src/facts/freshness.ts`, on clocks and timers of the test.

const symbol = ticker('AAPL')
const session = '2026-07-29' as IsoDate
const never = () => new Promise<never>(() => {})
const { chain } = handMade('one expiration')

/** Timers that end at once, with their lengths. */
function passing() {
  const set: number[] = []
  const after: After = (milliseconds, run) => {
    set.push(milliseconds)
    queueMicrotask(run)
    return () => {}
  }
  return { set, after }
}

/** Timers that never run, and for how long they were set. */
function waits() {
  const set: number[] = []
  const after: After = (milliseconds) => {
    set.push(milliseconds)
    return () => {}
  }
  return { set, after }
}

/** A source that has nothing, and how often it was asked. */
function empty() {
  const state = { asked: 0 }
  const run = async () => {
    state.asked++
    return []
  }
  return { state, run }
}

/** Asks without waiting for the answer, which may fail. */
const begin = (work: unknown) => void Promise.resolve(work).catch(() => {})

const demanded = (observedAt: number, wanted: readonly (readonly [number, number])[]) =>
  ({
    symbol,
    observedAt,
    wanted: new Map(wanted),
    held: { chain },
    cell: { isLoading: false, isDue: true, failures: 0 }
  }) as unknown as LiveSymbol

const rules = {
  source: { pace: 1000 },
  universe: new Map(),
  watch: undefined,
  example: undefined,
  onlyAsked: false,
  hasNewer: () => true,
  isOutdated: () => false
}

afterEach(() => {
  vi.useRealTimers()
})

test('every time is used by the service, and none is declared elsewhere under the same name', () => {
  const root = join(import.meta.dirname, '../../src')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const texts = files
    .filter((file) => !file.endsWith('freshness.ts'))
    .map((file) => readFileSync(join(root, file), 'utf8'))
  for (const name of Object.keys(freshness)) {
    const isUsed = texts.some((text) => text.includes(name) && text.includes('facts/freshness.ts'))
    expect([name, isUsed]).toEqual([name, true])
    expect([name, texts.filter((text) => new RegExp(`const ${name}\\b`).test(text))]).toEqual([name, []])
  }
})

describe('a request', () => {
  test('waits REQUEST_DEADLINE unless the operator says otherwise', () => {
    expect(readConfig({}, {}).requestDeadline).toBe(freshness.REQUEST_DEADLINE)
    expect(readConfig({ 'request-deadline': '5' }, {}).requestDeadline).toBe(5000)
  })

  test('that is refused for now may come back after RETRY_SHORTLY', () => {
    const sent: unknown[] = []
    const header = (...head: unknown[]) => {
      sent.push(head)
      return reply
    }
    const reply = { header, code: () => reply, send: () => reply }
    sendRefusal(reply as never, apiError('overloaded'), 'id')
    expect(sent).toContainEqual(['retry-after', `${freshness.RETRY_SHORTLY / 1000}`])
  })

  test('gets data no older than planAge', () => {
    for (const id of planIds) expect([id, defaultPlans.byId(id).freshness]).toEqual([id, freshness.planAge[id]])
  })
})

describe('a chain', () => {
  test('is looked for each POLL_EVERY', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { live, source, clock } = standing([{ symbol, tier: 1 }])
    await live.start()
    await settled()
    clock.pass(freshness.WARM_EVERY)
    vi.advanceTimersByTime(freshness.POLL_EVERY - 1)
    await settled()
    expect(source.count('AAPL')).toBe(1)
    vi.advanceTimersByTime(1)
    await settled()
    live.stop()
    expect(source.count('AAPL')).toBe(2)
  })

  test('that nobody asks for is renewed each WARM_EVERY', () => {
    const due = (age: number) => dueSymbols([demanded(wednesday - age, [])], rules, wednesday).length
    expect([due(freshness.WARM_EVERY - 1), due(freshness.WARM_EVERY)]).toEqual([0, 1])
  })

  test('is renewed for a plan until DEMAND_LASTS after its last request', () => {
    const live = demanded(0, [[1000, wednesday]])
    expect(strictestDemand(live, wednesday + freshness.DEMAND_LASTS)).toBe(1000)
    expect(strictestDemand(live, wednesday + freshness.DEMAND_LASTS + 1)).toBeUndefined()
  })

  test('takes turns with others that are renewed within TURNS_WITHIN', () => {
    const due = (every: number) => {
      const live = demanded(wednesday - every, [[every, wednesday]])
      return dueSymbols([live, { ...live }, { ...live }], rules, wednesday).length
    }
    expect([due(freshness.TURNS_WITHIN), due(freshness.TURNS_WITHIN + 1)]).toEqual([1, 3])
  })

  test('that is not there is waited for FIRST_CHAIN_WAIT, a newer one NEWER_CHAIN_WAIT', async () => {
    const { set, after } = waits()
    const { live, source, clock } = standing([], { after })
    const release = source.hold()
    begin(live.chain(symbol, freshness.planAge.alpha))
    release()
    await settled()
    clock.pass(freshness.planAge.alpha)
    source.hold()
    begin(live.chain(symbol, freshness.planAge.alpha))
    expect(set).toEqual([freshness.FIRST_CHAIN_WAIT, freshness.NEWER_CHAIN_WAIT])
  })

  test('that a whole list lacks is waited for UNLISTED_CHAIN_WAIT, then UNLISTED_RECORDED_WAIT for a recorded one', async () => {
    const { set, after } = passing()
    const { live, source } = standing([], { after })
    source.hold()
    expect(await live.chain(ticker('ZZ1'), freshness.planAge.alpha)).toBeUndefined()
    expect(set).toEqual([freshness.UNLISTED_CHAIN_WAIT, freshness.UNLISTED_RECORDED_WAIT])
  })

  test('waits for its turn to be loaded as long as its caller does, FIRST_CHAIN_WAIT', async () => {
    const { set, after } = waits()
    const budget = new LoadBudget({ rate: { burst: 1, perMinute: 1 }, steadyNow: () => wednesday, after })
    begin(budget.run(never))
    begin(budget.run(never))
    await settled()
    expect(set[0]).toBe(freshness.FIRST_CHAIN_WAIT)
  })

  test('serves OVERDUE_CHAIN_SERVES beyond its plan while it is polled', async () => {
    const { live, clock, source } = standing([{ symbol, tier: 1 }])
    live.start()
    live.poll()
    await settled()
    source.hold()
    clock.pass(freshness.planAge.alpha + freshness.OVERDUE_CHAIN_SERVES - 1)
    expect(live.chain(symbol, freshness.planAge.alpha)).not.toBeInstanceOf(Promise)
    clock.pass(1)
    expect(live.chain(symbol, freshness.planAge.alpha)).toBeInstanceOf(Promise)
    live.stop()
  })

  test('of an unknown symbol is asked for again after UNKNOWN_SYMBOL_FOR', async () => {
    const { live, clock, source } = standing()
    await live.chain(ticker('NOPE'), 0)
    clock.pass(freshness.UNKNOWN_SYMBOL_FOR - 1)
    await live.chain(ticker('NOPE'), 0)
    expect(source.count('NOPE')).toBe(1)
    clock.pass(1)
    await live.chain(ticker('NOPE'), 0)
    expect(source.count('NOPE')).toBe(2)
  })

  test('of a failing source is tried again after sourcePauses', () => {
    const down = new SourceError('unavailable', 'down')
    expect(pauseAfter(1, down, 1000)).toBe(freshness.sourcePauses.first)
    expect(pauseAfter(2, down, 1000)).toBe(2 * freshness.sourcePauses.first)
    expect(pauseAfter(30, down, 1000)).toBe(freshness.sourcePauses.longest)
  })

  test('is asked for again after MAX_SOURCE_PAUSE, whatever its source said', () => {
    const clock = clockAt(wednesday)
    const budget = new LoadBudget({ rate: undefined, steadyNow: clock.now, after: waits().after })
    budget.pause(Number.MAX_SAFE_INTEGER)
    clock.pass(freshness.MAX_SOURCE_PAUSE - 1)
    expect(budget.isPaused).toBe(true)
    clock.pass(1)
    expect(budget.isPaused).toBe(false)
  })

  test('that its source does not send within SOURCE_TIMEOUT has failed', async () => {
    vi.useFakeTimers()
    const asked = withTimeout(never)
    asked.catch(() => {})
    await vi.advanceTimersByTimeAsync(freshness.SOURCE_TIMEOUT)
    await expect(asked).rejects.toMatchObject({ fault: 'timeout' })
  })

  test('is rated without its prior close after PRIOR_CLOSE_WAIT', () => {
    const { set, after } = waits()
    const engine = { run: never, forget: () => {} } as never
    begin(new Assessments({ engine, pace: 1000, floor: 40, held: () => chain, closing: never, after }).of(symbol))
    expect(set).toEqual([freshness.PRIOR_CLOSE_WAIT])
  })

  test('is waited for FIRST_LOAD_WAIT at a start', () => {
    const { set, after } = waits()
    const { live } = standing([{ symbol, tier: 1 }], { after })
    begin(live.start())
    live.stop()
    expect(set).toContain(freshness.FIRST_LOAD_WAIT)
  })

  test('waits DIVIDENDS_WAIT for its dividends, and RATES_WAIT for the rates', () => {
    const { set, after } = waits()
    const given = { marketNow: () => wednesday, steadyNow: () => wednesday, after }
    begin(new KnownDividends({ ...given, archive: { dividends: never } }).of(symbol))
    begin(new ImpliedRates({ ...given, engine: { run: never } as never, ratesIndex: ticker('SPX') }).of(session))
    expect(set).toEqual([freshness.DIVIDENDS_WAIT, freshness.RATES_WAIT])
  })

  test('behind a 0DTE sample is at most SAMPLED_CHAIN_AGE old, half of the step', () => {
    expect(2 * freshness.SAMPLED_CHAIN_AGE).toBe(SAMPLE_STEP)
  })
})

describe('what is kept of a symbol', () => {
  test('is dropped IDLE_AFTER its last request', () => {
    const clock = clockAt(wednesday)
    const cells = new Cells({ make: () => ({ cell: { isLoading: false } }), steadyNow: clock.now })
    cells.get(symbol)
    clock.pass(freshness.IDLE_AFTER)
    cells.dropIdle()
    expect(cells.size).toBe(1)
    clock.pass(1)
    cells.dropIdle()
    expect(cells.size).toBe(0)
  })

  test('is tried again RETRY_AFTER_FAILURE after a failure', async () => {
    const clock = clockAt(wednesday)
    const cell = new Cell({ load: () => Promise.reject(new Error('down')), steadyNow: clock.now })
    await expect(cell.load()).rejects.toThrow('down')
    clock.pass(freshness.RETRY_AFTER_FAILURE - 1)
    expect(cell.isDue).toBe(false)
    clock.pass(1)
    expect(cell.isDue).toBe(true)
  })

  test('and was not published yet is asked for again after RETRY_WHEN_ABSENT', async () => {
    const clock = clockAt(wednesday)
    const { state, run } = empty()
    const engine = { run } as never
    const source = { provides: [] } as unknown as Connector
    const parts = { engine, source, events: new MarketEventBus(), marketNow: () => wednesday, steadyNow: clock.now }
    const bars = new DailyBars({ ...parts, wallNow: clock.now, price: () => undefined })
    await bars.of(symbol)
    clock.pass(freshness.RETRY_WHEN_ABSENT - 1)
    await bars.of(symbol)
    expect(state.asked).toBe(1)
    clock.pass(1)
    await bars.of(symbol)
    expect(state.asked).toBe(2)
  })

  test('of reports is read again after CALENDAR_SERVES', async () => {
    const clock = clockAt(wednesday)
    const { state, run } = empty()
    const engine = { run } as never
    const source = { provides: ['earnings'], holdsPast: false } as unknown as Connector
    const current = () => undefined
    const days = { bars: () => [], dividends: () => [], current, marketNow: () => wednesday, steadyNow: clock.now }
    const earnings = new KnownEarnings({ engine, source, events: new MarketEventBus(), ...days })
    await earnings.calendar()
    clock.pass(freshness.CALENDAR_SERVES - 1)
    earnings.calendar()
    await settled()
    expect(state.asked).toBe(1)
    clock.pass(1)
    earnings.calendar()
    await settled()
    expect(state.asked).toBe(2)
  })

  test('of the move before a report is made again after IMPLIED_MOVE_SERVES', () => {
    const { state, run } = empty()
    const engine = { run } as never
    const moves = new ImpliedMoves({ engine, onChange: () => {} })
    const event = { date: '2026-08-06', timing: 'amc' } as unknown as EarningsEvent
    const take = (age: number) => moves.take({ ...chain, asOf: chain.asOf + age }, event)
    take(0)
    take(freshness.IMPLIED_MOVE_SERVES - 1)
    expect(state.asked).toBe(1)
    take(freshness.IMPLIED_MOVE_SERVES)
    expect(state.asked).toBe(2)
  })
})

describe('a view of a tape', () => {
  function flowing() {
    const clock = clockAt(wednesday)
    const { set, after } = waits()
    const state = { asked: 0, wait: false, fault: false }
    const read = async () => {
      state.asked++
      if (state.wait) await never()
      if (state.fault) throw new Error('down')
      return { version: 1 }
    }
    const tapes = { keep: () => {}, view: read } as never
    const past = { pastViews: read, joinPast: never } as never
    const given = { events: new MarketEventBus(), scanned: [], marketNow: () => wednesday, steadyNow: clock.now, after }
    const flow = new LiveFlow({ ...given, tapes, past })
    return { clock, set, state, flow, view: () => flow.view({ symbol, kind: 'option', view: 'totals' }, 0) }
  }

  test('is waited for FIRST_VIEW_WAIT, a newer one NEWER_VIEW_WAIT, and read again after VIEW_SERVES', async () => {
    const { clock, set, state, view } = flowing()
    await view()
    clock.pass(freshness.VIEW_SERVES - 1)
    await view()
    expect(state.asked).toBe(1)
    clock.pass(1)
    state.wait = true
    begin(view())
    expect([state.asked, set]).toEqual([2, [freshness.FIRST_VIEW_WAIT, freshness.NEWER_VIEW_WAIT]])
  })

  test('of the past reads its tape again PAST_TAPES_SERVE after the last request', async () => {
    vi.useFakeTimers()
    try {
      const state = { reads: 0 }
      const tape = { prints: { length: 0, known: [] } }
      const stored = { source: 'synthetic', unit: 0.01, written: 1 }
      const read = async () => {
        state.reads++
        return stored
      }
      const archive = { tape: read } as never
      const engine = { run: async (task: string) => (task === 'restoreTape' ? tape : { version: 1 }) } as never
      const reader = new TapeReader(archive, engine, { confidence: undefined, today: () => '2999-01-01' as IsoDate })
      const view = () => reader.view({ symbol, kind: 'option', view: 'totals' }, wednesday)
      await view()
      for (let k = 0; k < 2; k++) {
        vi.advanceTimersByTime(freshness.PAST_TAPES_SERVE - 1)
        await view()
      }
      expect(state.reads).toBe(1)
      vi.advanceTimersByTime(freshness.PAST_TAPES_SERVE)
      await view()
      expect(state.reads).toBe(2)
    } finally {
      vi.useRealTimers()
    }
  })

  test('that is refused while it is being read waits PROGRESS_WAIT for how far that is', async () => {
    const { set, after } = passing()
    const tapes = { keep: () => {}, view: never, progress: never } as never
    const given = { events: new MarketEventBus(), scanned: [], marketNow: () => wednesday, steadyNow: () => wednesday }
    const flow = new LiveFlow({ ...given, after, tapes })
    const refused = { code: 'data_loading', detail: { loading: 'prints of AAPL', share: null, read_to: null } }
    await expect(flow.view({ symbol, kind: 'option', view: 'totals' }, 0)).rejects.toMatchObject(refused)
    expect(set).toEqual([freshness.FIRST_VIEW_WAIT, freshness.PROGRESS_WAIT])
  })

  test('of earlier sessions that cannot be read is tried again at the pace of others, else after PAST_VIEWS_RETRY', async () => {
    const { clock, state, flow } = flowing()
    const past = () => flow.pastViews({ symbol, kind: 'option', view: 'minutes' }, wednesday)
    await past()
    clock.pass(freshness.PAST_VIEWS_RETRY - 1)
    await past()
    expect(state.asked).toBe(1)
    clock.pass(1)
    await past()
    expect(state.asked).toBe(2)
  })

  test('over all tapes may be SUMS_SERVE old, and the level of an index INDEX_SERVES', () => {
    const asked: unknown[] = []
    const market = {
      clock: () => wednesday,
      windowTotals: (...args: unknown[]) => void asked.push(args[2]),
      chain: (_: string, maxAge: number) => void asked.push(maxAge),
      bars: () => []
    } as never
    const endpoint = { minutesRead: () => 5 } as never
    optionWindow.find({ market, request: { maxAge: 0 }, endpoint, params: {} } as never)
    expect(asked).toEqual([freshness.SUMS_SERVE])
    macroOf(market, 0, undefined)
    expect(new Set(asked.slice(1))).toEqual(new Set([freshness.INDEX_SERVES]))
  })
})

describe('a row of the screener', () => {
  const parts = () => {
    const clock = clockAt(wednesday)
    const events = new MarketEventBus()
    const { set, after } = waits()
    const state = { made: 0 }
    const run = async () => {
      state.made++
      return { symbol, stock: [] }
    }
    const engine = { run, lend: () => () => {} } as never
    const given = { symbols: () => [symbol], chain: () => chain, universe: new Map(), presets: () => ({}) }
    const clocks = { marketNow: () => wednesday, steadyNow: clock.now, after }
    const rows = new ScreenerRows({ engine, events, inputsOf: async () => ({}) as never, ...given, ...clocks })
    return { clock, events, set, state, rows }
  }

  test('is waited for FIRST_ROWS_WAIT, and renewed until SCREENER_SERVES after the last request', async () => {
    const { clock, events, set, state, rows } = parts()
    begin(rows.screened(false))
    await settled()
    expect([set, state.made]).toEqual([[freshness.FIRST_ROWS_WAIT], 1])
    clock.pass(freshness.SCREENER_SERVES - 1)
    events.emit('recordsLearned', { symbol, records: [] })
    await settled()
    expect(state.made).toBe(2)
    clock.pass(1)
    events.emit('recordsLearned', { symbol, records: [] })
    await settled()
    expect(state.made).toBe(2)
  })

  test('is renewed for prints alone each ROW_FLOW_SERVES', async () => {
    const { clock, events, state, rows } = parts()
    begin(rows.screened(false))
    await settled()
    clock.pass(freshness.ROW_FLOW_SERVES - 1)
    events.emit('tapeMoved', { symbol })
    await settled()
    expect(state.made).toBe(1)
    clock.pass(1)
    events.emit('tapeMoved', { symbol })
    await settled()
    expect(state.made).toBe(2)
  })

  test('waits ROW_INPUTS_WAIT for its data', () => {
    const { set, after } = waits()
    const found = { records: () => [], reports: () => undefined, macro: never, samples: () => undefined }
    begin(loadRowInputs(chain, { bars: never, ...found, marketNow: () => wednesday, after } as never))
    expect(new Set(set)).toEqual(new Set([freshness.ROW_INPUTS_WAIT]))
  })

  test('reads stored records again after STORED_RECORDS_SERVE', async () => {
    let now = 1000
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    const { state, run } = empty()
    const records = new StoredRecords({ records: run }, new MarketEventBus())
    // The cache looks at its clock once a millisecond.
    const read = async () => {
      await records.of(symbol, session, 1)
      await new Promise((resolve) => setTimeout(resolve, 3))
    }
    await read()
    now += freshness.STORED_RECORDS_SERVE
    await read()
    expect(state.asked).toBe(1)
    now += 1
    await read()
    expect(state.asked).toBe(2)
    clock.mockRestore()
  })
})

test('an answer is sent OUTGOING_ANSWER_SERVES after its chain was replaced', async () => {
  let gate: Promise<void> | undefined
  const running = service({ beforeAnswer: async () => gate })
  const key = running.keyOn('alpha')
  const path = '/v1/exposure/levels/SPY'
  const { endpoint, params } = {
    endpoint: running.http.endpoints.find(({ id }) => id === 'exposure.levels')!,
    params: { symbol: ticker('SPY') }
  }
  const request = { source: running.live, maxAge: freshness.planAge.alpha, keyless: false }
  const kept = () => running.answers.kept(`exposure.levels ${JSON.stringify(params)}`, endpoint, params, request, [])
  await running.ask(path, key)
  await running.answers.load(endpoint, params, request, [])
  for (let k = 0; k < 2; k++) expect(kept()).toBeDefined()
  gate = never()
  running.clock.pass(freshness.planAge.alpha)
  running.live.poll()
  await settled()
  running.clock.pass(freshness.OUTGOING_ANSWER_SERVES - 1)
  expect(kept()).toBeDefined()
  running.clock.pass(1)
  expect(kept()).toBeUndefined()
  await running.close()
})

test('a streamed query is asked again STREAM_GAP after its last request at the latest while the market moves', async () => {
  const { publish, pass, connect, asked } = scriptedServer()
  publish('SPY', { net_gex: 1 })
  await connect().ask({ action: 'subscribe', symbol: 'SPY', metric: netGex, cadence_ms: 60_000 })
  await pass(5000)
  publish('SPY', { net_gex: 2 })
  await pass(10)
  const before = asked.length
  publish('SPY', { net_gex: 3 })
  await pass(freshness.STREAM_GAP - 20)
  expect(asked).toHaveLength(before)
  await pass(20)
  expect(asked).toHaveLength(before + 1)
})
