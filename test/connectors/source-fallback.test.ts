import { describe, expect, test } from 'vitest'
import { combine } from '../../src/connectors/combine.ts'
import type { Connector } from '../../src/connectors/port/connector.ts'
import { SourceError, type SourceFault } from '../../src/connectors/port/source-error.ts'
import {
  budgetsOf,
  sourceNames,
  sourceText,
  sourceTextOf,
  termsOf
} from '../../src/connectors/port/source-provenance.ts'
import { connectors, createConnector } from '../../src/connectors/registry.ts'
import { withFallback } from '../../src/connectors/source-fallback.ts'
import type { Chain } from '../../src/market/chain.ts'
import type { Ticker } from '../../src/market/units.ts'
import { barOf, plainConnector } from '../support/declared-connector.ts'
import { ladder, sketched } from '../support/hand-made.ts'

const [SPY, QQQ] = ['SPY', 'QQQ'] as readonly string[] as readonly Ticker[]
const { signal } = new AbortController()
const chain = sketched({
  date: '2026-07-29',
  time: '11:00',
  spot: 100,
  series: [{ date: '2026-08-21', strikes: ladder(95, 105, 5) }]
})

/** A source that does as the test says, and what it was asked. */
function desk(name: string, more: Partial<Connector> = {}) {
  const state = { asked: [] as string[], fault: undefined as SourceError | undefined, says: chain as Chain | undefined }
  const source: Connector = {
    ...plainConnector(name, [barOf('2026-07-28', name.length)]),
    chain: async (symbol) => {
      state.asked.push(symbol)
      if (state.fault !== undefined) throw state.fault
      return state.says
    },
    ...more
  }
  return { state, source }
}

const fault = (kind: SourceFault, retryAfter?: number) => new SourceError(kind, `it is ${kind}`, retryAfter)

function two() {
  const clock = { now: 0 }
  const [one, other] = [desk('one'), desk('other')]
  const source = withFallback([one.source, other.source], () => clock.now)
  const ask = async (symbol = SPY) => (await source.chain(symbol, 0, signal))?.source
  return { clock, one: one.state, other: other.state, source, ask }
}

describe('of several sources', () => {
  test('the first serves, and its chain names it', async () => {
    const { one, other, source, ask } = two()
    expect(await ask()).toBe('one')
    expect(other.asked).toEqual([])
    expect(await source.chain(SPY, 0, signal)).toBe(await source.chain(SPY, 0, signal)) // what is unchanged stays so
    expect(await source.chain(SPY, 0, signal)).toMatchObject({ size: chain.size, strike: chain.strike })
    expect(one.asked).toHaveLength(4)
  })

  test.each([
    'unavailable',
    'rate_limited',
    'refused',
    'malformed',
    'timeout'
  ] as const)('the next one serves where the first is %s, which is left alone for a while and then asked again', async (kind) => {
    const { clock, one, ask } = two()
    one.fault = fault(kind)
    expect(await ask()).toBe('other')
    expect(await ask()).toBe('other')
    expect(one.asked).toHaveLength(1)
    clock.now = 10_000
    expect(await ask()).toBe('other')
    expect(one.asked).toHaveLength(2)
    clock.now = 20_000
    await ask()
    expect(one.asked).toHaveLength(2) // twice as long after the second failure
    one.fault = undefined
    clock.now = 30_000
    expect(await ask()).toBe('one')
    one.fault = fault(kind)
    await ask()
    clock.now = 40_000
    expect(await ask()).toBe('other') // after an answer the pauses begin anew
    expect(one.asked).toHaveLength(5)
  })

  test('one that asks for a rest has it for every symbol', async () => {
    const { clock, one, ask } = two()
    one.fault = fault('rate_limited', 60_000)
    await ask()
    clock.now = 59_999
    expect(await ask(QQQ)).toBe('other')
    expect(one.asked).toEqual([SPY])
    clock.now = 60_000
    await ask(QQQ)
    expect(one.asked).toEqual([SPY, QQQ])
  })

  test('a fault of one symbol leaves the others, one after the other ends all', async () => {
    const { one, ask } = two()
    one.fault = fault('refused')
    await ask(SPY)
    one.fault = undefined
    expect(await ask(QQQ)).toBe('one')
    expect(await ask(SPY)).toBe('other')
    one.fault = fault('unavailable')
    await ask('IWM' as Ticker)
    await ask('DIA' as Ticker)
    const before = one.asked.length
    expect(await ask('GLD' as Ticker)).toBe('other')
    expect(one.asked).toHaveLength(before)
  })

  test('a symbol that the first does not know is asked of the next, and unknown where none does', async () => {
    const { one, other, ask } = two()
    one.says = undefined
    expect(await ask()).toBe('other')
    other.says = undefined
    expect(await ask()).toBeUndefined()
    other.fault = fault('unavailable')
    await expect(ask()).rejects.toThrow('it is unavailable') // which might know it
  })

  test('all that fail are told together, with the shortest rest that all ask for', async () => {
    const { one, other, ask } = two()
    one.fault = fault('rate_limited', 9000)
    other.fault = fault('timeout', 4000)
    await expect(ask()).rejects.toMatchObject({
      fault: 'rate_limited',
      message: 'it is rate_limited; it is timeout',
      retryAfter: 4000
    })
    // Nobody is well, so all are asked again when the caller does.
    other.fault = undefined
    expect(await ask()).toBe('other')
  })

  test('one that hangs has its own time, and the next one its own', async () => {
    const hanging = desk('slow', { timeLimit: 20, chain: () => new Promise(() => {}) })
    const heeding = {
      ...hanging.source,
      chain: (_: Ticker, __: number, ended: AbortSignal) =>
        new Promise<never>((_, reject) => ended.addEventListener('abort', () => reject(ended.reason)))
    }
    const source = withFallback([heeding, desk('quick').source])
    expect((await source.chain(SPY, 0, signal))?.source).toBe('quick')
    expect(source.timeLimit).toBe(20_020)
  })

  test('the end of the caller is no failure of a source', async () => {
    const { one, ask, source } = two()
    const ended = AbortSignal.abort(new Error('stopped'))
    one.fault = fault('unavailable')
    await expect(source.chain(SPY, 0, ended)).rejects.toThrow('stopped')
    one.fault = undefined
    expect(await ask()).toBe('one')
  })

  test('bars are those of the first that has any', async () => {
    const none = desk('none', { dailyBars: async () => [] })
    const source = withFallback([none.source, desk('other').source])
    expect(await source.dailyBars(SPY, 0, signal)).toEqual([barOf('2026-07-28', 5)])
    const broken = desk('broken', { dailyBars: () => Promise.reject(fault('refused')) })
    expect(
      await withFallback([broken.source, none.source])
        .dailyBars(SPY, 0, signal)
        .catch((error) => error.fault)
    ).toBe('refused')
  })

  test('a source that fails for bars serves chains still, and the other way round', async () => {
    const broken = desk('broken', { dailyBars: () => Promise.reject(fault('refused')) })
    const source = withFallback([broken.source, desk('other').source], () => 0)
    for (const symbol of [SPY, QQQ]) await source.dailyBars(symbol, 0, signal)
    expect((await source.chain(SPY, 0, signal))?.source).toBe('broken')
    let asked = 0
    const poor = desk('poor', { dailyBars: async () => [barOf('2026-07-28', ++asked)] })
    poor.state.fault = fault('refused')
    const both = withFallback([poor.source, desk('other').source], () => 0)
    for (const symbol of [SPY, QQQ]) await both.chain(symbol, 0, signal)
    await both.dailyBars(SPY, 0, signal)
    expect(asked).toBe(1)
  })

  test('a past chain is that of the next one where the first fails, has none or hangs', async () => {
    const session = barOf('2026-07-28', 1).date
    const past = (name: string, closingChain: Connector['closingChain']) =>
      desk(name, { holdsPast: true, timeLimit: 20, closingChain }).source
    const hanging: Connector['closingChain'] = (_, __, ended) =>
      new Promise((_, reject) => ended.addEventListener('abort', () => reject(ended.reason)))
    const other = past('other', async () => chain)
    const firsts = [past('ill', () => Promise.reject(fault('unavailable'))), past('none', async () => undefined)]
    for (const first of [...firsts, past('slow', hanging), desk('without').source]) {
      const served = await withFallback([first, other]).closingChain(SPY, session, signal)
      expect(served?.source).toBe('other')
    }
    await expect(withFallback([firsts[0], firsts[1]]).closingChain(SPY, session, signal)).rejects.toThrow(
      'it is unavailable'
    )
    expect(await withFallback([firsts[1], desk('without').source]).closingChain(SPY, session, signal)).toBeUndefined()
  })

  test('the pace is that of the slowest, and demand what the sparest takes', () => {
    const source = withFallback([
      desk('a', { pace: 1000, onDemand: { burst: 60, perMinute: 120 } }).source,
      desk('b', { pace: 20_000, onDemand: { burst: 10, perMinute: 10 } }).source
    ])
    expect(source).toMatchObject({ name: 'a or b', pace: 20_000, onDemand: { perMinute: 10 } })
    expect(source.prints).toBeUndefined()
  })

  test('recordings and made-up markets are named alone', () => {
    expect(() => withFallback([desk('one').source, desk('fixed', { fixedAt: 0 }).source])).toThrow('name it alone')
    expect(() => withFallback([desk('one', { synthetic: true }).source, desk('other').source])).toThrow('made-up')
  })
})

describe('headers and logs', () => {
  const budget = (perMinute: number) => ({ perMinute, given: 0, maxParallel: undefined })
  const chains = withFallback([desk('one', { budget: budget(1) }).source, desk('other', { budget: budget(2) }).source])
  const bars = desk('bars').source
  const combined = combine({ chains, bars, prints: chains })

  test('say which source served, all that may where none did, and what others supply', () => {
    expect(sourceText(chains)).toBe('one or other')
    expect(sourceTextOf(chains, [{ source: 'other' }])).toBe('other')
    expect(sourceTextOf(combined, [{ source: 'one' }, { source: 'other' }, {}])).toBe('one and other, bars bars')
    expect(sourceTextOf(combined, [])).toBe('one or other, bars bars')
  })

  test('name every source with its terms and its budget', () => {
    expect(sourceNames(combined)).toEqual(['one', 'other', 'bars'])
    expect(termsOf(chains)).toBe('Terms of one. Terms of other.')
    expect(budgetsOf(combined).map(({ source, budget: { perMinute } }) => [source, perMinute])).toEqual([
      ['one', 1],
      ['other', 2]
    ])
  })
})

test('settings name several by commas, one connector for all that name the same', async () => {
  const values = {
    'cboe-url': 'http://127.0.0.1:9',
    'tradier-url': 'http://127.0.0.1:9',
    'tradier-token': 't',
    'tradier-requests': 60
  }
  const text = 'tradier,cboe'
  const source = await createConnector(
    { sources: { chains: text, bars: text, prints: text }, values, asOf: undefined },
    connectors
  )
  expect(source).toMatchObject({ name: 'tradier or cboe', provides: ['chains', 'bars'] })
  expect(source.suppliers).toBeUndefined()
  const error = await source.chain(SPY, Date.now(), signal).catch((reason) => reason)
  expect(error.message).toMatch(/Tradier cannot be reached.*; Cboe cannot be reached/)
})
