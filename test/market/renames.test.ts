import { afterEach, describe, expect, test } from 'vitest'
import { currentName, nameOn, newestNameOn, type Rename, useRenames } from '../../src/market/renames.ts'
import { readSymbol, symbolOfRoot } from '../../src/market/security.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { currentRoot } from '../../src/market/wanted-roots.ts'

const rename = (from: string, to: string, date: string): Rename => {
  return { from: from as Ticker, to: to as Ticker, date: date as IsoDate }
}
const name = (symbol: string) => currentName(symbol as Ticker)

afterEach(() => useRenames([]))

describe('an old name of a company', () => {
  test.each([
    ['fb', 'META'],
    [' FB ', 'META'],
    ['SQ', 'XYZ'],
    ['PCLN', 'BKNG'],
    ['META', 'META'],
    ['AAPL', 'AAPL'],
    ['BRKB', 'BRK.B']
  ])('%s is read as its newest one', (text, symbol) => {
    expect(readSymbol(text)).toBe(symbol)
  })

  test('is that of its options too', () => {
    expect([symbolOfRoot('FB'), currentRoot('FB'), currentRoot('SPXW'), currentRoot('AAPL')]).toEqual([
      'META',
      'META',
      'SPXW',
      'AAPL'
    ])
  })

  test('leads over several changes to the last', () => {
    expect(['SYMC', 'NLOK', 'GEN', 'HCP', 'PEAK'].map(name)).toEqual(['GEN', 'GEN', 'GEN', 'HCP', 'DOC'])
  })

  test('that was taken back is the name of today', () => {
    expect(['FISV', 'FI'].map(name)).toEqual(['FISV', 'FISV'])
  })
})

describe('on a day', () => {
  const on = (symbol: string, date: string) => nameOn(symbol as Ticker, date as IsoDate)
  const newest = (symbol: string, date: string) => newestNameOn(symbol as Ticker, date as IsoDate)

  test.each([
    ['META', '2022-06-08', 'FB'],
    ['META', '2022-06-09', 'META'],
    ['GEN', '2019-11-04', 'SYMC'],
    ['GEN', '2019-11-05', 'NLOK'],
    ['GEN', '2022-11-08', 'GEN'],
    ['FISV', '2023-06-06', 'FISV'],
    ['FISV', '2024-01-02', 'FI'],
    ['FISV', '2025-11-11', 'FISV'],
    ['AAPL', '2020-01-02', 'AAPL']
  ])('the company that is %s today had on %s the symbol %s, and is found by it', (symbol, date, name) => {
    expect([on(symbol, date), newest(name, date)]).toEqual([name, symbol])
  })

  test('a symbol that was given up stands for nobody', () => {
    expect(newest('FB', '2022-06-09')).toBe('FB')
  })

  test('a symbol that was taken later had no names of its owner before', () => {
    useRenames([rename('AAA', 'BBB', '2020-01-02'), rename('CCC', 'AAA', '2021-01-04')])
    expect([on('AAA', '2020-06-01'), on('BBB', '2019-06-03'), newest('AAA', '2021-01-04')]).toEqual([
      'CCC',
      'AAA',
      'AAA'
    ])
  })
})

describe('renames of the operator', () => {
  test('add to the well-known ones, and replace one of the same day', () => {
    useRenames([rename('OLDCO', 'BRK.B', '2025-03-03'), rename('FB', 'MVRS', '2022-06-09')])
    expect([name('OLDCO'), currentRoot('OLDCO'), name('FB'), name('SQ')]).toEqual(['BRK.B', 'BRKB', 'MVRS', 'XYZ'])
  })

  test('a symbol that another company took later is that of the newer one', () => {
    useRenames([rename('AAA', 'BBB', '2020-01-02'), rename('CCC', 'AAA', '2021-01-04')])
    expect(['AAA', 'BBB', 'CCC'].map(name)).toEqual(['AAA', 'BBB', 'AAA'])
  })

  test('count by their dates, in whatever order they are given', () => {
    const two = [rename('BBB', 'CCC', '2021-01-04'), rename('AAA', 'BBB', '2020-01-02')]
    for (const order of [two, two.toReversed()]) {
      useRenames(order)
      expect(['AAA', 'BBB'].map(name)).toEqual(['CCC', 'CCC'])
    }
  })
})
