import { describe, expect, test } from 'vitest'
import { combine } from '../../src/connectors/combine.ts'
import type { Connector } from '../../src/connectors/port/connector.ts'
import { sourceNames, sourceOf, sourceText, termsOf } from '../../src/connectors/port/source-provenance.ts'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import type { Ticker } from '../../src/market/units.ts'
import { barOf, plainConnector } from '../support/declared-connector.ts'

const SPY = 'SPY' as Ticker
const { signal } = new AbortController()
const history = ['2026-07-27', '2026-07-28', '2026-07-29'].map((date, i) => barOf(date, 98 + i))
const desk = plainConnector('desk')
const quiver = { ...plainConnector('quiver', history), pace: 60_000 }
const both = combine({ chains: desk, bars: quiver, prints: desk })

describe('chains of one source and bars of another', () => {
  test('are each asked of their own', async () => {
    const asked: string[] = []
    const chains = { ...desk, chain: async (symbol: Ticker) => void asked.push(`desk ${symbol}`) }
    const combined = combine({ chains, bars: quiver, prints: chains })
    expect(await combined.chain(SPY, 0, signal)).toBeUndefined()
    expect(asked).toEqual(['desk SPY'])
    expect(await combined.dailyBars(SPY, Date.parse('2026-07-29T20:00:00Z'), signal)).toEqual(history)
  })

  test('show no bar of a session that is not over at the moment the chains are fixed at', async () => {
    const datesAt = async (time: string) =>
      (await both.dailyBars(SPY, Date.parse(time), signal)).map(({ date }) => date.slice(-2))
    expect(await datesAt('2026-07-29T19:59:59Z')).toEqual(['27', '28'])
    expect(await datesAt('2026-07-28T12:00:00Z')).toEqual(['27'])
    expect(await datesAt('2026-08-02T12:00:00Z')).toEqual(['27', '28', '29'])
  })

  test('have the name and pace of the source of chains', () => {
    expect(both).toMatchObject({ name: 'desk', pace: 1000, tickers: ['SPY'], provides: ['chains', 'bars'] })
  })

  test('are told apart in headers, logs and terms', () => {
    expect(sourceText(both)).toBe('desk, bars quiver')
    expect(sourceNames(both)).toEqual(['desk', 'quiver'])
    expect(termsOf(both)).toEqual({ chains: 'Terms of desk.', bars: 'Terms of quiver.' })
    expect(sourceOf(both, 'bars')).toMatchObject({ name: 'quiver', pace: 60_000, synthetic: false })
  })
})

describe('one source for everything', () => {
  test('stays what it is', () => {
    expect(combine({ chains: desk, bars: desk, prints: desk })).toBe(desk)
  })

  test('is told by its name and its terms', () => {
    expect(sourceText(desk)).toBe('desk')
    expect(sourceNames(desk)).toEqual(['desk'])
    expect(termsOf(desk)).toBe('Terms of desk.')
    expect(sourceOf(desk, 'bars')).toBe(desk)
  })
})

describe('prints of another source', () => {
  const prints = { delay: 0, stocks: false, run: async () => {} }
  const tape: Connector = { ...plainConnector('tape'), provides: ['prints'], prints }

  test('stand beside chains and bars of one, which keeps everything else', () => {
    const macro: Connector = { ...desk, provides: ['chains', 'bars', 'macro'] }
    const combined = combine({ chains: macro, bars: macro, prints: tape })
    expect(combined.prints).toBe(prints)
    expect(combined.provides).toEqual(['chains', 'bars', 'prints', 'macro'])
    expect(combined.dailyBars).toBe(macro.dailyBars)
    expect(sourceText(combined)).toBe('desk, prints tape')
    expect(termsOf(combined)).toEqual({ chains: 'Terms of desk.', bars: 'Terms of desk.', prints: 'Terms of tape.' })
  })

  test('are those of the source of prints alone, and none where it has none', () => {
    expect(combine({ chains: { ...desk, prints }, bars: quiver, prints: quiver }).prints).toBeUndefined()
    expect(both.prints).toBeUndefined()
  })

  test('do not go with chains that stand at one moment, nor with made-up ones', () => {
    const fixed = { ...desk, fixedAt: 0 }
    expect(() => combine({ chains: fixed, bars: fixed, prints: tape })).toThrow('stand at one moment')
    const synthetic = createSynthetic({ seed: 1 })
    expect(() => combine({ chains: synthetic, bars: synthetic, prints: tape })).toThrow('one of them is made up')
  })
})

test('made-up figures and real ones are not combined', () => {
  const synthetic = createSynthetic({ seed: 1 })
  expect(() => combine({ chains: desk, bars: synthetic, prints: desk })).toThrow('one of them is made up')
  expect(() => combine({ chains: synthetic, bars: desk, prints: synthetic })).toThrow('one of them is made up')
})
