import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pastBareValue } from '../../../src/connectors/cboe/scan/bare-value.ts'

/** Whether a text is one bare value from its beginning to its end, a comma being what follows it. */
const isWhole = (text: string) => pastBareValue(Buffer.from(`:${text},`), 1) === 1 + text.length

const isJson = (text: string) => {
  try {
    return ['number', 'boolean'].includes(typeof (JSON.parse(text) ?? true))
  } catch {
    return false
  }
}

test.each([
  '0',
  '-0',
  '0.5',
  '-12.25',
  '10',
  '1e5',
  '0E-7',
  '1.5e+20',
  'null',
  'true',
  'false'
])('%s is a value', (text) => {
  expect(isWhole(text)).toBe(true)
})

test.each([
  '',
  '-',
  '.',
  '4.',
  '.1',
  '-.5',
  '007',
  '-01',
  '+1',
  '1e',
  '1e+',
  '1.e5',
  'nul',
  'nulls',
  'None',
  'NaN',
  'x'
])('"%s" is none', (text) => {
  expect(isWhole(text)).toBe(false)
})

test('what is a value and what is none is what JSON says', () => {
  const written = fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)
  const scribbled = fc.string({ unit: fc.constantFrom(...'0012.-+eEntf'), minLength: 1, maxLength: 7 })
  fc.assert(
    fc.property(fc.oneof(written, scribbled), (text) => {
      expect(isWhole(text)).toBe(isJson(text))
    })
  )
})

test('a value that breaks off with the bytes ends there', () => {
  expect(pastBareValue(Buffer.from('12'), 0)).toBe(2)
  expect(pastBareValue(Buffer.from('nul'), 0)).toBe(-1)
})
