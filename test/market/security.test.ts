import { describe, expect, test } from 'vitest'
import { parentOfRoot, rootsOf, securityKind, settlementOf, specificationIndexes } from '../../src/market/security.ts'
import { parseIsoDate, parseTicker } from '../../src/market/units.ts'

const monthly = parseIsoDate('2026-08-21')!
const weekly = parseIsoDate('2026-08-14')!

describe('the kind of a security', () => {
  test('is index for every symbol that the specification names', () => {
    expect(specificationIndexes).toHaveLength(28)
    expect(new Set(specificationIndexes).size).toBe(28)
    for (const symbol of specificationIndexes) expect(securityKind(symbol), symbol).toBe('index')
  })

  test.each([
    'NDX',
    'NDXP',
    'XND',
    'RUTW',
    'VIXW',
    'VIX1D',
    'VIX9D',
    'VIX3M',
    'VIX6M',
    '^GSPC',
    '^VIX'
  ])('is index for %s', (symbol) => {
    expect(securityKind(symbol)).toBe('index')
  })

  test.each(
    'SPY QQQ IWM DIA XLF XLE SMH GDX ARKK TLT HYG GLD SLV USO UNG VXX UVXY TQQQ SQQQ SOXL IBIT ETHA BITO EEM FXI KWEB TSLL JEPI'.split(
      ' '
    )
  )('is etf for %s', (symbol) => {
    expect(securityKind(symbol)).toBe('etf')
  })

  test.each([
    'AAPL',
    'TSLA',
    'NVDA',
    'GOOG',
    'BRK.B',
    'F',
    'V',
    'ZZZZ',
    'A',
    'COMP',
    'MOVE',
    'T',
    'AI'
  ])('is equity for %s', (symbol) => {
    expect(securityKind(symbol)).toBe('equity')
  })

  test('does not mistake the names that every object has for symbols', () => {
    for (const name of ['constructor', 'toString', '__proto__']) {
      expect(securityKind(name)).toBe('equity')
      expect(rootsOf(name)).toEqual([name])
      expect(parentOfRoot(name)).toBeUndefined()
    }
  })
})

describe('option roots', () => {
  test('of an index hold its weekly root', () => {
    expect(rootsOf('SPX')).toEqual(['SPX', 'SPXW'])
    expect(rootsOf('NDX')).toEqual(['NDX', 'NDXP'])
    expect(rootsOf('RUT')).toEqual(['RUT', 'RUTW'])
    expect(rootsOf('VIX')).toEqual(['VIX', 'VIXW'])
  })

  test('of anything else are the symbol itself, a weekly root included', () => {
    for (const symbol of ['SPY', 'AAPL', 'SPXW', 'XSP']) expect(rootsOf(symbol)).toEqual([symbol])
  })

  test('lead back to the index, except the one that bears its name', () => {
    for (const symbol of ['SPX', 'NDX', 'RUT', 'VIX'].map((text) => parseTicker(text)!)) {
      expect(parentOfRoot(symbol)).toBeUndefined()
      for (const root of rootsOf(symbol).slice(1)) expect(parentOfRoot(root)).toBe(symbol)
    }
    expect(parentOfRoot('AAPL')).toBeUndefined()
  })
})

describe('settlement', () => {
  test.each(['SPX', 'NDX', 'RUT', 'VIX', 'DJX'])('of the standard series of %s is on opening prices', (root) => {
    expect(settlementOf(root, monthly)).toBe('am')
  })

  test.each([
    'SPXW',
    'NDXP',
    'RUTW',
    'XSP',
    'OEX',
    'XEO',
    'MRUT',
    'MXEA',
    'SPY',
    'AAPL'
  ])('of %s is on closing prices', (root) => {
    expect(settlementOf(root, monthly)).toBe('pm')
    expect(settlementOf(root, weekly)).toBe('pm')
  })

  test('of the weekly series on the VIX is on opening prices too', () => {
    expect(settlementOf('VIXW', parseIsoDate('2026-08-12')!)).toBe('am')
  })

  test('of DJX is on opening prices in the monthly series only', () => {
    expect(settlementOf('DJX', weekly)).toBe('pm')
    expect(settlementOf('DJX', parseIsoDate('2026-06-18')!)).toBe('am') // the third Friday is a holiday
  })
})
