import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { endpoint } from '../../../src/api/endpoint.ts'
import type { InputName } from '../../../src/api/inputs/inputs.ts'
import { loadInputs, readInputs } from '../../../src/api/inputs/load.ts'
import type { MarketSource } from '../../../src/api/market-source.ts'
import { isTradingDay } from '../../../src/market/calendar.ts'
import { macroSeriesOf, seriesBar } from '../../../src/market/macro-series.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { madeUpRecords } from '../../support/made-up-records.ts'
import { handMade } from '../../support/markets.ts'
import { barsOfCloses } from '../../volatility/made-up-bars.ts'

/** Wednesday 2026-07-29, 11:00 in New York. */
const { chain, prior } = handMade('several expirations on a day of expiry')
const unlisted = { ...chain, size: 0, expirations: [] }
const past = '2026-07-24' as IsoDate
const bars = barsOfCloses(Array.from({ length: 30 }, (_, k) => 100 + k)).map((bar, k) => ({
  ...bar,
  date: madeUpRecords('2026-07-29' as IsoDate, 30)[k].date
}))
const records = madeUpRecords('2026-07-29' as IsoDate, 80)

/** A source that knows one symbol and the indexes, and tells what it was asked. */
function holding(more: Partial<MarketSource> = {}) {
  const asked: string[] = []
  const known = (symbol: Ticker) => symbol === chain.symbol || ['VIX', 'VIX3M', 'SPX'].includes(symbol)
  const source = {
    now: () => chain.asOf,
    chain: (symbol: Ticker, maxAge: number) => {
      asked.push(`chain ${symbol} ${maxAge}`)
      return known(symbol) ? { ...chain, symbol } : undefined
    },
    closing: (symbol: Ticker, session: IsoDate) => {
      asked.push(`closing ${symbol} ${session}`)
      if (!known(symbol) || !isTradingDay(session) || prior === undefined) return undefined
      return { ...prior, symbol, asOf: Date.parse(`${session}T20:00:00Z`) }
    },
    bars: (symbol: Ticker) => (macroSeriesOf(symbol) === undefined ? bars : []),
    records: (symbol: Ticker, before: IsoDate, count: number) => {
      asked.push(`records ${symbol} ${before} ${count}`)
      return records.filter(({ date }) => date < before).slice(-count)
    },
    ...more
  } as unknown as MarketSource
  return { source, asked }
}

const asking = (source: MarketSource, keyless = false) => ({ source, maxAge: 1000, keyless })
const params = { symbol: chain.symbol }
const needing = (needs: readonly InputName[], session?: IsoDate) =>
  endpoint({
    id: 'test',
    path: '/test',
    tag: 'test',
    summary: 'test',
    plan: 'free',
    needs,
    params: {},
    ...(session !== undefined && { session: () => session }),
    barsRead: () => 10,
    recordsRead: () => 5,
    replay: false,
    stream: false,
    response: Type.Object({}),
    answer: () => ({})
  })
const codeOf = (ask: () => unknown) => {
  try {
    ask()
    return undefined
  } catch (error) {
    return (error as { code?: string }).code
  }
}

describe('an answer about a past session', () => {
  const all: readonly InputName[] = ['chain', 'prior', 'bars', 'records', 'vix', 'macro', 'today']

  test('is made of what was known at its close', () => {
    const { source, asked } = holding()
    const { inputs, chains } = readInputs(needing(all, past), params, asking(source))!
    expect(inputs.chain?.asOf).toBe(Date.parse('2026-07-24T20:00:00Z'))
    expect(inputs.prior?.asOf).toBe(Date.parse('2026-07-23T20:00:00Z'))
    expect(inputs.bars?.map(({ date }) => date)).toEqual(
      bars
        .map(({ date }) => date)
        .filter((date) => date <= past)
        .slice(-10)
    )
    expect(inputs.records).toEqual(records.filter(({ date }) => date < past).slice(-5))
    expect(inputs.vix).toBe(prior!.spot)
    expect(inputs.macro?.levels.vix3m).toEqual({
      value: prior!.spot,
      previous: bars.find(({ date }) => date === '2026-07-23')!.close
    })
    expect(inputs.today).toBe(past)
    expect(chains).toEqual([inputs.chain])
    expect(asked.filter((one) => one.startsWith('chain'))).toEqual([])
  })

  test('has the same list of bars, and one version, for as long as the whole is the same', () => {
    const { source } = holding({ closing: () => prior })
    const ask = (session: IsoDate) => readInputs(needing(['chain', 'bars'], session), params, asking(source))!
    expect(ask(past).inputs.bars).toBe(ask(past).inputs.bars)
    expect(ask(past).version).toBe(ask(past).version)
    expect(ask('2026-07-23' as IsoDate).version).not.toBe(ask(past).version)
  })

  test('is refused as no_snapshot where none is held, and as a stranger where the symbol is one', () => {
    const { source } = holding()
    const sunday = needing(['chain'], '2026-07-26' as IsoDate)
    expect(codeOf(() => readInputs(sunday, params, asking(source)))).toBe('no_snapshot')
    expect(codeOf(() => readInputs(sunday, { symbol: 'NOBODY' }, asking(source)))).toBe('symbol_not_found')
  })

  test('may be chosen by whether the request has a key, and by the moment', () => {
    const seen: unknown[] = []
    const { source } = holding()
    const choosing = {
      ...needing(['chain']),
      session: (_: never, asked: { readonly now: number; readonly keyless: boolean }) => {
        seen.push(asked)
        return asked.keyless ? past : undefined
      }
    }
    const ask = (keyless: boolean) => readInputs(choosing, params, asking(source, keyless))!.inputs.chain
    expect(ask(true)?.asOf).toBe(Date.parse('2026-07-24T20:00:00Z'))
    expect(ask(false)?.asOf).toBe(chain.asOf)
    expect(seen).toEqual([true, false].map((keyless) => ({ now: chain.asOf, keyless })))
  })
})

describe('what is loaded beside a chain', () => {
  test('are the records before its own day, as many as are declared', () => {
    const { source, asked } = holding()
    const { inputs } = readInputs(needing(['chain', 'records']), params, asking(source))!
    expect(asked).toContain(`records ${chain.symbol} 2026-07-29 5`)
    expect(inputs.records?.at(-1)?.date).toBe('2026-07-28')
  })

  test('is the prior close, or none where the source fails to give it', () => {
    const at = (source: MarketSource) => readInputs(needing(['chain', 'prior']), params, asking(source))
    expect(at(holding().source)!.inputs.prior?.asOf).toBe(Date.parse('2026-07-28T20:00:00Z'))
    const fails = () => {
      throw new Error('down')
    }
    expect(at(holding({ closing: fails }).source)!.inputs.prior).toBeUndefined()
  })

  test('is the wider market as far as it is known, never asked for more often than it is published', () => {
    const { source, asked } = holding()
    const { inputs } = readInputs(needing(['chain', 'macro']), params, asking(source))!
    const level = { value: chain.spot, previous: bars.find(({ date }) => date === '2026-07-28')!.close }
    expect(inputs.macro).toEqual({
      levels: { vix: level, vix3m: level, spx: level },
      tenYear: undefined,
      highYieldSpread: undefined,
      fedFunds: undefined,
      fearAndGreed: undefined
    })
    expect(asked).toContain('chain VIX 15000')
    expect(asked).toContain(`chain ${chain.symbol} 1000`)
  })

  test('is what was published of rates, spreads, the MOVE index and the mood', () => {
    const days = ['2026-07-22', '2026-07-23', '2026-07-24', '2026-07-27'] as unknown as readonly IsoDate[]
    const values = days.map((date, k) => seriesBar(date, 10 + k))
    const { source } = holding({ bars: (symbol) => (macroSeriesOf(symbol) === undefined ? bars : values) })
    const at = (session?: IsoDate) =>
      readInputs(needing(['chain', 'macro'], session), params, asking(source))!.inputs.macro
    expect(at()).toMatchObject({ tenYear: 13, highYieldSpread: 13, fedFunds: 13, fearAndGreed: 13 })
    expect(at()?.levels.move).toEqual({ value: 13, previous: 12 })
    // At the close of Friday the rates of Wednesday were out and the index of Thursday.
    expect(at(past)).toMatchObject({ tenYear: 10, highYieldSpread: 10, fedFunds: 10, fearAndGreed: 10 })
    expect(at(past)?.levels.move).toEqual({ value: 11, previous: 10 })
  })

  test('shows in the version', async () => {
    const stampOf = (inputs: readonly InputName[], more: Partial<MarketSource>) =>
      readInputs(needing(inputs), params, asking(holding({ chain: () => chain, ...more }).source))!.version
    expect(stampOf(['chain', 'records'], { records: () => records })).toBe(
      stampOf(['chain', 'records'], { records: () => records })
    )
    expect(stampOf(['chain', 'records'], { records: () => [...records] })).not.toBe(
      stampOf(['chain', 'records'], { records: () => records })
    )
    const dearer = (symbol: Ticker) => (symbol === 'VIX' ? { ...chain, spot: 99 } : chain)
    expect(stampOf(['chain', 'macro'], { chain: dearer as never })).not.toBe(stampOf(['chain', 'macro'], {}))
    const tomorrow = () => chain.asOf + 24 * 3_600_000
    expect(stampOf(['chain', 'today'], { now: tomorrow })).not.toBe(stampOf(['chain', 'today'], {}))
  })

  test('fails no answer where the wider market does', async () => {
    const source = holding({
      chain: (async (symbol: Ticker) => {
        if (symbol !== chain.symbol) throw new Error('down')
        return chain
      }) as never
    }).source
    const { inputs } = await loadInputs(needing(['chain', 'macro', 'vix']), params, asking(source))
    expect([inputs.macro?.levels, inputs.vix]).toEqual([{}, undefined])
  })
})

describe('an answer that does without options', () => {
  const needs: readonly InputName[] = ['anyChain', 'bars']

  test('gets a chain that lists none', () => {
    const { source } = holding({ chain: () => unlisted })
    expect(readInputs(needing(needs), params, asking(source))!.inputs.anyChain).toBe(unlisted)
  })

  test('rests on daily bars alone where nothing else is known, and is refused without those', () => {
    const stranger = { chain: () => undefined }
    const found = readInputs(needing(needs), params, asking(holding(stranger).source))!
    expect([found.inputs.anyChain, found.inputs.bars?.length, found.chains]).toEqual([undefined, 10, []])
    const nothing = holding({ ...stranger, bars: () => [] }).source
    expect(codeOf(() => readInputs(needing(needs), params, asking(nothing)))).toBe('symbol_not_found')
  })
})
