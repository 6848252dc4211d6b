import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnswerTask } from '../../src/api/answer.ts'
import type { SourceSettings } from '../../src/connectors/port/declaration.ts'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import type { Engine } from '../../src/workers/engine.ts'
import { inlineEngine } from '../../src/workers/inline.ts'
import { createPool, type PoolOptions, workerOf } from '../../src/workers/pool.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { madeUpMacro } from '../support/markets.ts'
import { builtThread } from '../support/started-service.ts'
import { mortalWorker } from './mortal-worker.ts'

const worker = await builtThread('workers/engine-thread')

const synthetic: SourceSettings = {
  sources: { chains: 'synthetic', bars: 'synthetic', prints: 'synthetic' },
  values: { seed: 7 },
  asOf: undefined
}
const ticker = (symbol: string) => symbol as Ticker
/** Wednesday 2026-07-29, 11:00 in New York. */
const moment = Date.parse('2026-07-29T15:00:00Z') as Instant
const yesterday = '2026-07-28' as IsoDate

const opened: Engine[] = []
async function pool(options: Partial<PoolOptions> = {}): Promise<Engine> {
  const usual = {
    workers: 2,
    source: synthetic,
    assumptions: madeUpAssumptions,
    features: [],
    program: worker,
    onCrash: () => {}
  }
  const engine = await createPool({ ...usual, ...options })
  opened.push(engine)
  return engine
}
afterAll(() => Promise.all(opened.map((engine) => engine.close())))

const plain: AnswerTask = { params: {}, inputs: {}, body: undefined, caller: [] }
const option = { spot: 100, strike: 100, dte: 30, sigma: 0.2, type: 'call', r: 0.04, q: 0 }
const calculation: AnswerTask = { ...plain, params: option }
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('a pool of workers', () => {
  // A thread loads every endpoint, so tests that leave it as they found it share one.
  let shared: Engine
  beforeAll(async () => {
    shared = await pool({ workers: 1 })
  })

  test('does not begin what nobody waits for by the time its turn comes', async () => {
    const left = [1, -1] // the deadline passes on the way
    await expect(
      shared.run('answerEndpoint', { ...calculation, endpoint: 'pricing.greeks' }, { left: () => left.shift()! })
    ).rejects.toMatchObject({ code: 'overloaded', message: expect.stringContaining('deadline') })
  })

  test('answers byte for byte as the serving thread would', async () => {
    const inline = inlineEngine({
      connector: createSynthetic({ seed: 7 }),
      assumptions: madeUpAssumptions,
      endpoints: new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
    })
    const workers = await pool()
    const answersOf = async (engine: Engine) => {
      const load = async (symbol: string) => (await engine.run('loadChain', { symbol: ticker(symbol), now: moment }))!
      const [apple, spy, spx] = [await load('AAPL'), await load('SPY'), await load('SPX')]
      const prior = await engine.run('loadClosingChain', { symbol: ticker('SPY'), session: yesterday })
      const chains = new Map([apple, spy].map((chain) => [chain.symbol, chain]))
      const scoped = { expiration: undefined, min_oi: 0, expiry: undefined, strike_range: 0.03, topN: 10 }
      const over = (chain: PricedChain, more = {}): AnswerTask => ({
        ...plain,
        params: { symbol: chain.symbol, ticker: chain.symbol, ...scoped, ...more },
        inputs: { chain, prior: chain === spy ? prior : undefined, vix: 17.35 }
      })
      const questions: [string, AnswerTask][] = [apple, spy, spx].flatMap((chain) =>
        ['gex', 'dex', 'levels', 'summary', 'zero_dte', 'narrative', 'oi_diff'].map((name): [string, AnswerTask] => [
          `exposure.${name}`,
          over(chain)
        ])
      )
      questions.push(['optionquote.current', { ...over(apple), caller: ['svi'] }])
      questions.push(['maxpain.current', over(spy)])
      questions.push(['stockquote.current', { ...plain, params: { ticker: 'AAPL' }, inputs: { quote: apple } }])
      const symbols = { symbols: ['AAPL', 'SPY'], weights: undefined }
      questions.push(['exposure.basket', { ...plain, params: symbols, inputs: { chains } }])
      const bars = await engine.run('loadBars', { symbol: ticker('SPY'), now: moment })
      const quote = { symbol: ticker('SPY'), dist: 'student_t' }
      questions.push(['volatility.current', { ...plain, params: quote, inputs: { chain: spy, bars } }])
      questions.push(['adv_volatility.current', over(apple)])
      questions.push(['volatility.forecast', { ...plain, params: quote, inputs: { bars } }])
      const past = ['2026-07-24', '2026-07-27', '2026-07-28'] as IsoDate[]
      const records = await engine.run('makePastRecords', { symbol: ticker('AAPL'), sessions: past, now: moment })
      const macro = madeUpMacro({ vix: 17.35 })
      questions.push(['vrp.current', { ...plain, params: quote, inputs: { anyChain: apple, bars, records, macro } }])
      const histories = new Map([...chains.keys()].map((symbol) => [symbol, bars]))
      const basket = { ...symbols, index: 'SPY', horizon_days: 20 }
      questions.push(['dispersion.current', { ...plain, params: basket, inputs: { chains, histories } }])
      questions.push(['pricing.greeks', calculation])
      const known = questions.filter(([id]) => endpoints.some((endpoint) => endpoint.id === id))
      const answers = await Promise.all(
        known.map(
          async ([id, question]) =>
            [id, text(await engine.run('answerEndpoint', { endpoint: id, ...question }))] as const
        )
      )
      return { answers, columns: [apple, spy, spx, prior!] }
    }
    const [here, there] = [await answersOf(inline), await answersOf(workers)]
    expect(here.answers.length).toBeGreaterThan(20)
    expect(there.answers).toEqual(here.answers)
    there.columns.forEach((chain, k) => {
      expect(chain).toEqual(here.columns[k])
    })
  })

  test('shares the memory of its chains instead of copying it', async () => {
    const chain = (await shared.run('loadChain', { symbol: ticker('AAPL'), now: moment }))!
    for (const [name, column] of Object.entries(chain)) {
      if (ArrayBuffer.isView(column)) expect(column.buffer, name).toBeInstanceOf(SharedArrayBuffer)
    }
    chain.openInterest.fill(0)
    const params = { symbol: 'AAPL', expiration: undefined, min_oi: 0 }
    const answer = JSON.parse(
      text(await shared.run('answerEndpoint', { endpoint: 'exposure.gex', ...{ ...plain, params, inputs: { chain } } }))
    )
    expect(answer.net_gex).toBe(0)
  })

  test('answers "unknown" for what the source does not know', async () => {
    expect(await shared.run('loadChain', { symbol: ticker('NOPE'), now: moment })).toBeUndefined()
    expect(await shared.run('loadClosingChain', { symbol: ticker('NOPE'), session: yesterday })).toBeUndefined()
    expect(shared.pending).toBe(0)
  })

  test('lets errors of the interface and faults of ours across as they are', async () => {
    const chain = (await shared.run('loadChain', { symbol: ticker('AAPL'), now: moment }))!
    const params = { ticker: 'AAPL', expiry: undefined, strike: 12_345, type: undefined }
    await expect(
      shared.run('answerEndpoint', { endpoint: 'optionquote.current', ...{ ...plain, params, inputs: { chain } } })
    ).rejects.toMatchObject({
      name: 'ApiError',
      code: 'no_match',
      status: 404,
      message: 'no listed contract of AAPL matches these filters'
    })
    await expect(shared.run('answerEndpoint', { endpoint: 'no.such', ...calculation })).rejects.toThrow(
      'no endpoint is called no.such'
    )
  })

  test('does not start when its worker cannot', async () => {
    const crashes: Error[] = []
    const onCrash = (error: Error) => crashes.push(error)
    const nowhere: SourceSettings = {
      sources: { chains: 'cboe', bars: 'cboe', prints: 'cboe' },
      values: { 'cboe-path': join(tmpdir(), 'gammawall-nowhere') },
      asOf: undefined
    }
    await expect(pool({ source: nowhere, onCrash })).rejects.toThrow(/gammawall-nowhere/)
  })

  test('resolves when it is closed, refuses what was unfinished, and does no more', async () => {
    const engine = await pool({ workers: 1 })
    const unfinished = Array.from({ length: 50 }, () =>
      engine.run('answerEndpoint', { endpoint: 'pricing.greeks', ...calculation })
    )
    const settled = Promise.allSettled(unfinished)
    await engine.close()
    const states = (await settled).map((one) => (one.status === 'rejected' ? one.reason.code : one.status))
    expect(states.every((state) => state === 'overloaded' || state === 'fulfilled')).toBe(true)
    expect(engine.pending).toBe(0)
    await expect(engine.run('answerEndpoint', { endpoint: 'pricing.greeks', ...calculation })).rejects.toMatchObject({
      code: 'overloaded'
    })
  })

  test('refuses more than a worker can get done, and what it refused it answers when it is asked again', async () => {
    const chain = (await shared.run('loadChain', { symbol: ticker('AAPL'), now: moment }))!
    const other = { ...chain }
    const params = { symbol: 'AAPL', expiration: undefined, min_oi: 0 }
    const question: AnswerTask = { ...plain, params, inputs: { chain: other } }
    const accepted = Array.from({ length: 2000 }, () =>
      shared.run('answerEndpoint', { endpoint: 'pricing.greeks', ...calculation })
    )
    expect(shared.pending).toBe(2000)
    await expect(shared.run('answerEndpoint', { endpoint: 'exposure.gex', ...question })).rejects.toMatchObject({
      code: 'overloaded',
      status: 503
    })
    expect(new Set((await Promise.all(accepted)).map(text)).size).toBe(1)
    expect(JSON.parse(text(await shared.run('answerEndpoint', { endpoint: 'exposure.gex', ...question }))).symbol).toBe(
      'AAPL'
    )
  })
})

describe('a worker', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-test-'))
  const mortal = mortalWorker(folder, worker)
  const gex = (chain: PricedChain): AnswerTask => ({
    ...plain,
    params: { symbol: chain.symbol, expiration: undefined, min_oi: 0 },
    inputs: { chain }
  })

  /** Everything that loads from here waits until the test answers it. */
  let server: Server
  const waiting: ((status: number, headers?: Record<string, string>) => void)[] = []
  beforeAll(async () => {
    server = createServer((_request, response) => {
      waiting.push((status, headers = {}) => response.writeHead(status, headers).end())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
    mortal.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const remote = (): SourceSettings => ({
    sources: { chains: 'cboe', bars: 'cboe', prints: 'cboe' },
    values: { 'cboe-url': `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    asOf: undefined
  })
  const asked = (count: number) => expect.poll(() => waiting.length, { interval: 5 }).toBe(count)

  test('drops a chain when it is told to forget it, and can still be asked about it', async () => {
    const engine = await pool({ program: mortal.program })
    const chains: PricedChain[] = []
    for (let k = 0; k < 6; k++) {
      for (const symbol of ['AAPL', 'KO', 'NVDA']) {
        chains.push((await engine.run('loadChain', { symbol: ticker(symbol), now: moment + 1000 * k }))!)
      }
    }
    // A chain that other workers than its own are asked about is held by those too.
    const basket = { symbols: ['AAPL', 'KO', 'NVDA'], weights: undefined }
    for (const [first, second, third] of [chains.slice(0, 3), chains.slice(1, 4), chains.slice(2, 5)]) {
      const inputs = { chains: new Map([first, second, third].map((chain) => [chain.symbol, chain])) }
      await engine.run('answerEndpoint', { endpoint: 'exposure.basket', ...{ ...plain, params: basket, inputs } })
    }
    const before = text(await engine.run('answerEndpoint', { endpoint: 'exposure.gex', ...gex(chains[0]) }))
    expect(await mortal.held(2)).toBeGreaterThan(18)
    for (const chain of chains.slice(0, 15)) engine.forget(chain)
    await expect.poll(() => mortal.held(2)).toBe(3)
    expect(text(await engine.run('answerEndpoint', { endpoint: 'exposure.gex', ...gex(chains[0]) }))).toBe(before)
    await expect.poll(() => mortal.held(2)).toBe(3)
    for (const chain of chains) engine.forget(chain)
    await expect.poll(() => mortal.held(2)).toBe(0)
    await engine.close()
  })

  describe('that is told that nobody else has a chain', () => {
    const columnsOf = ({ sigma, delta, gamma, charm }: PricedChain) => [sigma, delta, gamma, charm]
    const load = async (engine: Engine, at: number, symbol = 'AAPL') =>
      (await engine.run('loadChain', { symbol: ticker(symbol), now: (moment + at) as Instant }))!

    test('uses its memory for the next, and nobody is answered out of it', async () => {
      const engine = await pool({ workers: 1 })
      const first = await load(engine, 0)
      const answer = text(await engine.run('answerEndpoint', { endpoint: 'exposure.gex', ...gex(first) }))
      engine.forget(first, true)
      const second = await load(engine, 600_000)
      expect(second.size).toBe(first.size)
      expect(columnsOf(first)).toEqual(columnsOf(second))
      expect(text(await engine.run('answerEndpoint', { endpoint: 'exposure.gex', ...gex(second) }))).not.toBe(answer)
      await expect(engine.run('answerEndpoint', { endpoint: 'exposure.gex', ...gex(first) })).rejects.toThrow(
        'a chain of AAPL is asked about after its memory was given back'
      )
      expect(await load(engine, 600_000)).toEqual(second)
      await engine.close()
    })

    test('leaves it alone where another worker was sent it', async () => {
      const engine = await pool({ workers: 2 })
      const chains = [await load(engine, 0, 'AAPL'), await load(engine, 0, 'KO'), await load(engine, 0, 'NVDA')]
      const before = chains.map((chain) => columnsOf(chain).map((column) => column.slice()))
      const inputs = { chains: new Map(chains.map((chain) => [chain.symbol, chain])) }
      const params = { symbols: chains.map(({ symbol }) => symbol), weights: undefined }
      await engine.run('answerEndpoint', { endpoint: 'exposure.basket', ...plain, params, inputs })
      for (const chain of chains) engine.forget(chain, true)
      for (const { symbol } of chains) await load(engine, 600_000, symbol)
      const isSame = chains.map((chain, k) =>
        columnsOf(chain).every((column, j) => column.every((value, i) => Object.is(value, before[k][j][i])))
      )
      const workers = chains.map(({ symbol }) => workerOf(symbol, undefined, 2))
      const basket = workers[0]
      expect(new Set(workers).size).toBe(2)
      expect(isSame).toEqual(workers.map((worker) => worker !== basket))
      await engine.close()
    })
  })

  test('that dies refuses its unfinished tasks, and is replaced by one that knows its chains again', async () => {
    const crashes: Error[] = []
    const engine = await pool({ workers: 1, program: mortal.program, onCrash: (error) => crashes.push(error) })
    const chain = (await engine.run('loadChain', { symbol: ticker('AAPL'), now: moment }))!
    const before = text(await engine.run('answerEndpoint', { endpoint: 'exposure.gex', ...gex(chain) }))
    mortal.die()
    await expect.poll(() => crashes.length, { interval: 5 }).toBe(1)
    expect(crashes[0].message).toBe('killed by the test')
    await expect(engine.run('answerEndpoint', { endpoint: 'exposure.gex', ...gex(chain) })).rejects.toMatchObject({
      code: 'overloaded'
    })
    expect(engine.pending).toBe(0)
    const again = () =>
      engine.run('answerEndpoint', { endpoint: 'exposure.gex', ...gex(chain) }).then(text, (error) => error.code)
    await expect.poll(again, { interval: 20 }).toBe(before)
    expect((await engine.run('loadChain', { symbol: ticker('KO'), now: moment }))?.symbol).toBe('KO')
    await engine.close()
  })

  test('that dies while a source is silent refuses the loads that wait for it', async () => {
    const engine = await pool({ workers: 1, source: remote(), program: mortal.program })
    const loads = ['AAPL', 'KO'].map((symbol) => engine.run('loadChain', { symbol: ticker(symbol), now: moment }))
    const settled = Promise.allSettled(loads)
    await asked(2)
    mortal.die()
    expect((await settled).map((one) => one.status === 'rejected' && one.reason.message)).toEqual(
      [1, 2].map(() => 'the worker behind this answer was restarted; try again')
    )
    waiting.splice(0)
    await engine.close()
  })

  test('waits for several sources at a time, and lets their faults across as they are', async () => {
    const engine = await pool({ workers: 1, source: remote() })
    const settled = Promise.allSettled(
      ['AAPL', 'KO'].map((symbol) => engine.run('loadChain', { symbol: ticker(symbol), now: moment }))
    )
    await asked(2)
    expect(text(await engine.run('answerEndpoint', { endpoint: 'pricing.greeks', ...calculation }))).toContain(
      'theoretical_price'
    )
    waiting[0](429, { 'retry-after': '7' })
    waiting[1](500)
    const reasons = (await settled).map((one) => one.status === 'rejected' && one.reason)
    expect(reasons).toEqual([
      expect.objectContaining({ name: 'SourceError', fault: 'rate_limited', retryAfter: 7000 }),
      expect.objectContaining({ name: 'SourceError', fault: 'unavailable', retryAfter: undefined })
    ])
    waiting.splice(0)
  })
})
