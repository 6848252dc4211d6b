import { expect, test } from 'vitest'
import { symbolMatches } from '../src/state/service/symbol-matches.ts'

const SYMBOLS = ['QQQM', 'QQQ', 'SQQQ', 'QID', 'V', 'VIX', 'IVV', 'AAPL', 'GOOGL', 'GOOG']

test('an exact ticker goes before longer ones, a beginning before a part, and shorter before longer', () => {
  expect(symbolMatches('qqq', SYMBOLS)).toEqual(['QQQ', 'QQQM', 'SQQQ'])
  expect(symbolMatches('v', SYMBOLS)).toEqual(['V', 'VIX', 'IVV'])
  expect(symbolMatches('goog', SYMBOLS)).toEqual(['GOOG', 'GOOGL'])
  expect(symbolMatches(' qq ', SYMBOLS)[0]).toBe('QQQ')
  expect(symbolMatches('', SYMBOLS)).toEqual([])
  expect(symbolMatches('zz', SYMBOLS)).toEqual([])
})
