import { expect, test } from 'vitest'
import { columnLayout, parseColumnMap } from '../../../src/imports/tables/column-map.ts'
import { cutLine, emptyLine } from '../../../src/imports/tables/csv-line.ts'

const fields = ['date', 'strike', 'bid'] as const

function headingOf(text: string) {
  const line = emptyLine()
  cutLine(line, Buffer.from(text), 0)
  return line
}

test('pairs and JSON say the same', () => {
  const pairs = parseColumnMap('quote date=date, strike_price=strike/1000', fields)
  expect(parseColumnMap('{"quote date": "date", "strike_price": "strike/1000"}', fields)).toEqual(pairs)
  expect(columnLayout(headingOf('x,strike_price,quote date'), pairs, fields)).toEqual({
    date: { column: 2, divisor: 1 },
    strike: { column: 1, divisor: 1000 }
  })
})

test('without a map columns go by the names of the fields, in capitals or not', () => {
  expect(columnLayout(headingOf('Date,BID,other'), undefined, fields)).toEqual({
    date: { column: 0, divisor: 1 },
    bid: { column: 1, divisor: 1 }
  })
})

test('everything that is wrong with a map is told at once', () => {
  expect(() => parseColumnMap('a=dat,b=date,b=bid,c=date,d=strike/0', fields)).toThrow(
    'the column map cannot be used: a=dat: there is no field dat; the column b is mapped twice; ' +
      'the field date is filled twice; d=strike/0: it cannot be divided by 0. Fields are date, strike, bid'
  )
  expect(() => parseColumnMap('', fields)).toThrow('it maps no column')
  expect(() => parseColumnMap('{"a": ', fields)).toThrow('the column map is not JSON')
})

test('a mapped column that the table does not have is named beside those it has', () => {
  const map = parseColumnMap('quote_date=date', fields)
  expect(() => columnLayout(headingOf('date,bid'), map, fields)).toThrow(
    'there is no column quote_date; its heading is date, bid'
  )
})
