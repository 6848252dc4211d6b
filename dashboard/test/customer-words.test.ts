import { expect, test } from 'vitest'
import { customerWords } from '../src/parts/customer-words.ts'

type Groups = NonNullable<Parameters<typeof customerWords>[1]>['groups']
type Row = readonly [Groups[number]['group'], Groups[number]['side'], Groups[number]['verdict']]

const said = (...rows: readonly Row[]) =>
  customerWords('SPY', {
    since: '2026-07-01',
    sessions: 20,
    groups: rows.map(([group, side, verdict]) => ({
      group,
      side,
      verdict,
      sessions: 20,
      slope: 0.1,
      standard_error: 0.01
    }))
  })

test('the side of customers is a sentence, what contradicts the convention first', () => {
  expect(said(['puts_out', 'long', 'fits'])).toBe(
    'Customers of SPY puts out of the money are long: the convention fits.'
  )
  expect(
    said(
      ['calls_out', 'long', 'contradicts'],
      ['calls_in', null, 'not_shown'],
      ['puts_out', 'long', 'fits'],
      ['puts_in', 'long', 'fits']
    )
  ).toBe(
    'Customers of SPY calls out of the money are long: the convention is contradicted; ' +
      'puts out of the money and puts in the money are long: the convention fits.'
  )
})

test('nothing is said where no side is shown', () => {
  expect([customerWords('SPY', null), customerWords('SPY', undefined), said(['calls_in', null, 'not_shown'])]).toEqual([
    undefined,
    undefined,
    undefined
  ])
})
