import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutLine, emptyLine, fieldEquals, numberOf, textOf } from '../../../src/imports/tables/csv-line.ts'

function fieldsOf(text: string): readonly (readonly string[])[] {
  const bytes = Buffer.from(text)
  const line = emptyLine()
  const lines: string[][] = []
  for (let at = 0; at < bytes.length; ) {
    at = cutLine(line, bytes, at)
    lines.push(Array.from({ length: line.count }, (_, field) => textOf(line, field)))
  }
  return lines
}

test.each([
  [
    'a,b,c\n1,2,3\n',
    [
      ['a', 'b', 'c'],
      ['1', '2', '3']
    ]
  ],
  [
    'a,b\r\n1,2\r\n',
    [
      ['a', 'b'],
      ['1', '2']
    ]
  ],
  [
    'a,,\n,,c',
    [
      ['a', '', ''],
      ['', '', 'c']
    ]
  ],
  ['"a,b",c\n', [['a,b', 'c']]],
  ['"say ""hi""",x\n', [['say "hi"', 'x']]],
  ['a\n\nb\n', [['a'], [], ['b']]],
  ['"",x\n', [['', 'x']]],
  ['"never closed,x\ny\n', [['never closed,x'], ['y']]]
])('%j is cut into lines and fields', (text, fields) => {
  expect(fieldsOf(text)).toEqual(fields)
})

test('what a table writer quotes is read back as it was', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ' b', 'é', '1') }).map((text) => text.trim())
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(rows, (table) => {
      const quote = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
      expect(fieldsOf(table.map((row) => `${row.map(quote).join(',')}\n`).join(''))).toEqual(table)
    })
  )
})

function numberIn(text: string): number | undefined {
  const line = emptyLine()
  cutLine(line, Buffer.from(`x,${text}\n`), 0)
  return numberOf(line, 1)
}

test('numbers are read to the last digit', () => {
  const decimal = fc.tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 8 }))
  fc.assert(
    fc.property(decimal, ([digits, places]) => {
      const text = (digits / 10 ** places).toFixed(places)
      expect(numberIn(text)).toBe(Number(text))
    })
  )
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => numberIn(String(value)) === value)
  )
})

test.each(['', '.', 'NaN', 'NA', 'N/A', 'null', 'None', '\\N', '-'])('%j is no figure', (text) => {
  expect(numberIn(text)).toBeNaN()
})

test.each([
  'abc',
  '1.2.3',
  '1,5 USD'.slice(0, 1) + 'x',
  '--1',
  '0x10',
  'Infinity',
  '1e999',
  '1e300B',
  '12 34'
])('%j is no number and no absence of one', (text) => {
  expect(numberIn(text)).toBeUndefined()
})

test('a field that the line does not have is absent', () => {
  const line = emptyLine()
  cutLine(line, Buffer.from('a,b\n'), 0)
  expect(numberOf(line, 7)).toBeNaN()
  expect(textOf(line, 7)).toBe('')
  expect(fieldEquals(line, 7, '')).toBe(true)
  expect(fieldEquals(line, 1, 'b')).toBe(true)
  expect(fieldEquals(line, 1, 'bb')).toBe(false)
})
