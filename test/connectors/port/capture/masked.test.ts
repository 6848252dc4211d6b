import { expect, test } from 'vitest'
import { masked } from '../../../../src/connectors/port/capture/masked.ts'

test('every secret is masked before a text is cut', () => {
  const [key, secret] = ['pk-4711', 'sk-hidden-4711']
  // The second one lies across the place of the cut.
  const text = `${'x'.repeat(180)} ${key} ${secret}`
  expect(masked(text, key, secret)).toBe(`${'x'.repeat(180)} *** ***`)
  expect(masked(`${'x'.repeat(195)} ${secret}`, key, secret)).toBe(`${'x'.repeat(195)} ***`)
})

test('a secret that begins with another one is masked as a whole, and an empty one is none', () => {
  expect(masked('abc abcdef', 'abc', 'abcdef', '')).toBe('*** ***')
})

test('a text of the vendor is one line', () => {
  expect(masked(' a\nb\u2028c ')).toBe('a b c')
  expect(masked('x'.repeat(300))).toBe(`${'x'.repeat(200)}...`)
})
