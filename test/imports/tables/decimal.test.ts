import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalIn } from '../../../src/imports/tables/decimal.ts'

const read = (text: string) => decimalIn(Buffer.from(`x${text}x`), 1, 1 + text.length)

test.each([
  ['0', 0],
  ['4.10', 4.1],
  ['-0.5', -0.5],
  ['.5', 0.5],
  ['5.', 5],
  ['007', 7],
  ['999999999999999', 999_999_999_999_999]
])('%s is read as a number', (text, value) => {
  expect(read(text)).toBe(value)
})

test.each([
  '',
  '-',
  '.',
  '-.',
  '1.2.3',
  '1e3',
  '+1',
  ' 1',
  '1,000',
  'NaN',
  '0x10',
  '1234567890123456'
])('"%s" is left to others', (text) => {
  expect(read(text)).toBeNaN()
})

test('up to fifteen digits with a point anywhere are the double that the text means', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), fc.nat(15), fc.boolean(), (whole, at, negative) => {
      const digits = String(whole)
      const text = `${negative ? '-' : ''}${digits.slice(0, at)}.${digits.slice(at)}`
      expect(read(text)).toBe(Number(text))
    })
  )
})
