import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  dateOfEpochDay,
  epochDay,
  isoDate,
  isoInstant,
  parseDigits,
  parseIsoDate,
  parseTicker
} from '../../src/market/units.ts'

describe('parseTicker', () => {
  test.each([
    [' spy ', 'SPY'],
    ['brk.b', 'BRK.B'],
    ['^VIX', '^VIX'],
    ['ES=F', 'ES=F'],
    ['BF-B', 'BF-B'],
    ['ABCDEFGHIJ', 'ABCDEFGHIJ']
  ])('reads %j as %s', (text, ticker) => {
    expect(parseTicker(text)).toBe(ticker)
  })

  test.each([
    '',
    '   ',
    'ABCDEFGHIJK',
    'A B',
    'SPY;',
    'SPY/X',
    '../etc',
    'ſpy',
    'ıbm',
    'straße',
    'SPY\u0000',
    'ＳＰＹ',
    'A\nB',
    '=1+1',
    '-SPY'
  ])('refuses %j', (text) => {
    expect(parseTicker(text)).toBeUndefined()
  })

  test('a ticker reads as itself', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const ticker = parseTicker(text)
        if (ticker === undefined) return
        expect(ticker).toMatch(/^[A-Z0-9.^][A-Z0-9.^=-]{0,9}$/)
        expect(parseTicker(ticker)).toBe(ticker)
      })
    )
  })
})

describe('parseIsoDate', () => {
  test.each(['1900-01-01', '2000-02-29', '2024-02-29', '2026-07-29', '2199-12-31'])('reads %s', (text) => {
    expect(parseIsoDate(text)).toBe(text)
  })

  test.each([
    '2026-02-30',
    '2026-02-29',
    '1900-02-29',
    '2100-02-29',
    '2026-04-31',
    '2026-00-10',
    '2026-13-01',
    '2026-01-00',
    '2026-01-32',
    '1899-12-31',
    '2200-01-01',
    '2026-7-29',
    '26-07-29',
    '2026/07/29',
    '20260729',
    ' 2026-07-29',
    '2026-07-29 ',
    '2026-07-29T00:00',
    '2026-07-2٩',
    '+026-07-29',
    '-026-07-29',
    '2026--7-29',
    '0dte',
    ''
  ])('refuses %j', (text) => {
    expect(parseIsoDate(text)).toBeUndefined()
  })

  test('every day of the three centuries reads, and is one day after the one before it', () => {
    let expected = epochDay(parseIsoDate('1900-01-01')!)
    const last = epochDay(parseIsoDate('2199-12-31')!)
    expect(last - expected + 1).toBe(300 * 365 + 73) // 1900 and 2100 are no leap years
    for (; expected <= last; expected++) {
      const date = dateOfEpochDay(expected)
      if (parseIsoDate(date) !== date || epochDay(date) !== expected) expect.fail(date)
    }
  })
})

test('isoDate builds real dates only', () => {
  expect(isoDate(2024, 2, 29)).toBe('2024-02-29')
  expect(isoDate(2026, 2, 29)).toBeUndefined()
  expect(isoDate(2026, 13, 1)).toBeUndefined()
  expect(isoDate(2026, 1.5, 1)).toBeUndefined()
  expect(isoDate(Number.NaN, 1, 1)).toBeUndefined()
})

test('parseDigits reads ASCII digits inside the text only', () => {
  expect(parseDigits('a0123b', 1, 5)).toBe(123)
  expect(parseDigits('12', 0, 3)).toBeUndefined()
  expect(parseDigits('1 2', 0, 3)).toBeUndefined()
  expect(parseDigits('1.2', 0, 3)).toBeUndefined()
})

test('an instant prints in UTC with milliseconds', () => {
  expect(isoInstant(Date.UTC(2026, 6, 29, 20, 14, 59))).toBe('2026-07-29T20:14:59.000Z')
  expect(isoInstant(0.9)).toBe('1970-01-01T00:00:00.000Z')
})
