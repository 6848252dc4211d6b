import { expect, test } from 'vitest'
import { csvForm } from '../../src/endpoints/series/csv-form.ts'
import { csvCell, csvLine } from '../../src/formats/written-csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+1+1', "'+1+1"],
  ['-1+1', "'-1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1+1', "'\t=1+1"],
  ['\r=1+1', '"\'\r=1+1"'],
  ['\n=1+1', '"\'\n=1+1"'],
  ['\uff1d1+1', "'\uff1d1+1"],
  ['=HYPERLINK("http://a.b","c")', '"\'=HYPERLINK(""http://a.b"",""c"")"'],
  ["-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"]
])('the text %j is no formula in a cell', (text, cell) => {
  expect(csvCell(text)).toBe(cell)
})

test.each([
  [-5, '-5'],
  ['-5', '-5'],
  ['+5', '+5'],
  ['-0.25', '-0.25'],
  [-1.5e-7, '-1.5e-7'],
  ['a - b', 'a - b'],
  ['a@b.c', 'a@b.c'],
  [true, 'true'],
  [0, '0'],
  ['', ''],
  [null, ''],
  [undefined, ''],
  ['a,b', '"a,b"'],
  ['say "a"', '"say ""a"""']
])('%j stays what it is', (value, cell) => {
  expect(csvCell(value)).toBe(cell)
})

test('every cell of a line is formatted', () => {
  expect(csvLine(['=a', -5, null, 'b'])).toBe("'=a,-5,,b")
})

test('a series is written by the same function', () => {
  const columns = { regime: ['=1', 'calm'], net_gex: [-5, null] }
  const series = csvForm.write(
    { t: ['2026-07-29T15:00:00Z', '2026-07-29T15:01:00Z'], columns } as never,
    'utc',
    {} as never
  )
  expect(new TextDecoder().decode(series)).toBe(
    "t,regime,net_gex\n2026-07-29T15:00:00Z,'=1,-5\n2026-07-29T15:01:00Z,calm,\n"
  )
})
