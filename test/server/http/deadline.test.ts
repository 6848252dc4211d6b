import { afterEach, describe, expect, test } from 'vitest'
import { deadlineIn } from '../../../src/api/deadline.ts'
import { type After, afterTimeout } from '../../../src/facts/bounded-wait.ts'
import { REQUEST_DEADLINE } from '../../../src/facts/freshness.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { ArchiveReader } from '../../../src/replay/archive-reader.ts'
import { ReplayMarket } from '../../../src/replay/replay-market.ts'
import { timelyAnswers } from '../../../src/server/stream/timely-answers.ts'
import { settled } from '../../live/standing-market.ts'
import { replayService } from '../../support/replay.ts'
import { wednesday } from '../../support/scripted-source.ts'
import { type Service, type ServiceOptions, service } from '../../support/service.ts'
import { timersOn } from '../../support/timers.ts'

const levels = '/v1/exposure/levels/AAPL'
const never = new Promise<never>(() => {})

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const made of opened.splice(0)) await made.close()
})

/** A service whose waits end as the test moves its clock. */
function timed(options: ServiceOptions = {}) {
  let timers: ReturnType<typeof timersOn> | undefined
  const after: After = (milliseconds, run) => (timers === undefined ? afterTimeout : timers.after)(milliseconds, run)
  const made: Service = service({ ...options, after })
  opened.push(made)
  timers = timersOn(made.clock)
  return { ...made, pass: timers.pass, waiting: timers.waiting }
}

describe('a request whose answer is not made in time', () => {
  test('is refused as overload with Retry-After, and does not count', async () => {
    const { ask, keyOn, pass, waiting, records } = timed({ beforeAnswer: () => never })
    const asked = ask(levels, keyOn('growth'))
    await settled()
    pass(REQUEST_DEADLINE - 1)
    await settled()
    expect([waiting.size, records]).toEqual([1, []])
    pass(1)
    const refused = await asked
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2'])
    expect(refused.headers['x-ratelimit-remaining']).toBe('2500')
    expect(refused.json()).toMatchObject({ error: 'overloaded', request_id: expect.any(String) })
  })

  test('is refused too where the answer comes before the timer, but late', async () => {
    let open = () => {}
    const gate = new Promise<void>((resolve) => (open = resolve))
    const { ask, keyOn, clock } = timed({ beforeAnswer: () => gate })
    const asked = ask(levels, keyOn('growth'))
    await settled()
    clock.pass(REQUEST_DEADLINE)
    open()
    expect((await asked).json()).toMatchObject({ error: 'overloaded' })
  })

  test('leaves its answer to the next, who finds it kept', async () => {
    let open = () => {}
    const gate = new Promise<void>((resolve) => (open = resolve))
    const { ask, keyOn, pass, computed } = timed({ beforeAnswer: () => gate })
    const key = keyOn('free')
    const asked = ask(levels, key)
    await settled()
    pass(REQUEST_DEADLINE)
    expect((await asked).statusCode).toBe(503)
    open()
    await settled()
    expect((await ask(levels, key)).statusCode).toBe(200)
    expect(computed).toHaveLength(1)
  })

  test('is answered before the deadline, and leaves no timer', async () => {
    const { ask, keyOn, waiting } = timed()
    expect((await ask(levels, keyOn('free'))).statusCode).toBe(200)
    expect(waiting.size).toBe(0)
  })

  test('with a body likewise', async () => {
    const { ask, keyOn, pass } = timed({ beforeAnswer: () => never })
    const asked = ask('/v1/screener', keyOn('alpha'), { method: 'POST', payload: {} })
    await settled()
    pass(REQUEST_DEADLINE)
    expect((await asked).json()).toMatchObject({ error: 'overloaded' })
  })
})

test('work that nobody waits for any more does not begin', async () => {
  const { engine, clock } = timed()
  const deadline = deadlineIn(REQUEST_DEADLINE, clock.now)
  clock.pass(REQUEST_DEADLINE)
  await expect(engine.run('loadBars', { symbol: 'AAPL' as Ticker, now: clock.at }, deadline)).rejects.toMatchObject({
    code: 'overloaded'
  })
})

test('a request for the past begins no restoring after its deadline', async () => {
  const begun: unknown[] = []
  const engine = {
    run: (name: string, _args: unknown, deadline: unknown) => {
      begun.push([name, deadline])
      return never
    },
    forget: () => {}
  }
  const history = {
    snapshot: async () => ({ symbol: 'SPY', asOf: wednesday, fidelity: 'recorded' }),
    dividends: async () => [],
    tape: async () => ({ source: 'recorded', unit: 0.01, written: 1 })
  }
  const deadline = { left: () => 1000 }
  const market = new ReplayMarket(new ArchiveReader(history as never, engine as never), wednesday, [], deadline)
  const spy = 'SPY' as Ticker
  void market.chain(spy)
  void market.underlying(spy)
  void market.view({ symbol: spy, kind: 'option', view: 'totals' })
  await settled()
  expect(begun.sort()).toEqual([
    ['readUnderlying', deadline],
    ['restoreChain', deadline],
    ['restoreTape', deadline]
  ])
})

test('a request for the past waits no longer than one for the present', async () => {
  let timers: ReturnType<typeof timersOn> | undefined
  const after: After = (milliseconds, run) => (timers === undefined ? afterTimeout : timers.after)(milliseconds, run)
  const history = { symbols: () => never, snapshot: () => never, coverages: () => never, gaps: () => never } as never
  const made = replayService({ history, after })
  opened.push(made)
  timers = timersOn(made.clock)
  for (const path of ['/v1/exposure/levels/SPY?at=2026-07-28T12:00:00', '/v1/tickers']) {
    const asked = made.past(path)
    await settled()
    timers.pass(REQUEST_DEADLINE)
    expect((await asked).json(), path).toMatchObject({ error: 'overloaded' })
  }
})

test('the stream waits no longer than a request', async () => {
  const clock = { at: wednesday, pass: (milliseconds: number) => (clock.at += milliseconds) }
  const { after, pass } = timersOn(clock)
  const asked: unknown[] = []
  const answers = timelyAnswers(
    {
      ready: () => undefined,
      load: (_endpoint, _params, request) => {
        asked.push(request.deadline?.left())
        return never
      }
    },
    { requestDeadline: REQUEST_DEADLINE, after, steadyNow: () => clock.at }
  )
  const found = answers.load(undefined as never, {}, {} as never, [])
  expect(asked).toEqual([REQUEST_DEADLINE])
  pass(REQUEST_DEADLINE)
  await expect(found).rejects.toMatchObject({ code: 'overloaded' })
})
