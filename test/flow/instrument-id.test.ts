import { expect, test } from 'vitest'
import { idOfName, instrumentId } from '../../src/flow/instrument-id.ts'
import { CALL, PUT } from '../../src/market/chain.ts'
import { SeriesList } from '../../src/market/series.ts'
import type { IsoDate } from '../../src/market/units.ts'

/** FNV-1a as its authors write it, in whole numbers of any size. */
function fnv1a(text: string): bigint {
  let hash = 0x811c9dc5n
  for (const byte of Buffer.from(text, 'ascii')) hash = ((hash ^ BigInt(byte)) * 0x01000193n) & 0xffffffffn
  return hash
}

test('FNV-1a has its published values', () => {
  // Test vectors of the authors: the empty text, a, foobar.
  expect([fnv1a(''), fnv1a('a'), fnv1a('foobar')]).toEqual([0x811c9dc5n, 0xe40c292cn, 0xbf9cf968n])
  expect(idOfName('a') % 2 ** 32).toBe(0xe40c292c)
})

test.each([
  ['SPY', 'SPY   260821C00630500', 630.5, CALL],
  ['SPXW', 'SPXW  260821P06450000', 6450, PUT],
  ['AAPL1', 'AAPL1 260821C00002500', 2.5, CALL]
])('a series of %s is numbered by its name of 21 characters', (root, name, strike, right) => {
  const list = new SeriesList()
  list.numberOf({ root: 'X', date: '2026-07-31' as IsoDate, settlement: 'pm', strike: 1, right: CALL, adjusted: false })
  const date = '2026-08-21' as IsoDate
  const number = list.numberOf({ root, date, settlement: 'pm', strike, right, adjusted: root === 'AAPL1' })
  const reversed = [...name].reverse().join('')
  const expected = (fnv1a(reversed) & 0xfffffn) * 2n ** 32n + fnv1a(name)
  expect(name).toHaveLength(21)
  expect(BigInt(instrumentId(list.columns, number))).toBe(expected)
  expect(Number.isSafeInteger(instrumentId(list.columns, number))).toBe(true)
})
