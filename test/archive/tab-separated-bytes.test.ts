import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TabSeparatedBytes } from '../../src/archive/codec/tab-separated-bytes.ts'

const textOf = (write: (text: TabSeparatedBytes) => void) => {
  const text = new TabSeparatedBytes()
  write(text)
  return new TextDecoder().decode(text.bytes)
}

test('an array of any 32-bit numbers is written as they are printed, and in a given order', () => {
  const ends = fc.constantFrom(-(2 ** 31), 2 ** 31 - 1, 0, 9, 10, -9, -10, 999_999_999, 1_000_000_000)
  fc.assert(
    fc.property(fc.array(fc.oneof(ends, fc.integer())), (values) => {
      const column = Int32Array.from(values)
      expect(textOf((text) => text.wholes(column))).toBe(`[${values.join(',')}]`)
      const order = Uint32Array.from(values.keys()).reverse()
      expect(textOf((text) => text.wholes(column, order))).toBe(`[${values.toReversed().join(',')}]`)
    })
  )
})

test('numbers up to 2^53 are written as they are printed', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      const written = textOf((text) => {
        text.reserve(32)
        text.wholeAndTab(value)
      })
      expect(written).toBe(`${value}\t`)
    })
  )
})

test('text of any script keeps its place between fields, and what was taken is not written over', () => {
  const text = new TabSeparatedBytes()
  text.text('Ä€😀')
  text.tab()
  text.append(Uint8Array.of(65))
  text.endRow()
  const taken = text.take()
  text.text('zzzzzzzz')
  expect(new TextDecoder().decode(taken)).toBe('Ä€😀\tA\n')
  expect(text.length).toBe(8)
})
