import { expect, test } from 'vitest'
import { optionNamed } from '../../../src/imports/tables/row-contract.ts'

test('an option of the tables of before 2017 has the strike that stands before the brackets', () => {
  const ibm = { root: 'IBM', expiration: '2014-01-17', right: 'call' }
  expect(optionNamed('14 Jan 185.00 (IBM1417A185)')).toEqual({ ...ibm, strike: 185 })
  expect(optionNamed('14 Jan 10000000 (IBM1417A185)')).toEqual({ ...ibm, strike: 10_000_000 })
})

test.each(['0', '0.0009', '10000000.5', '9'.repeat(400)])('and no option has the strike %s', (strike) => {
  expect(optionNamed(`14 Jan ${strike} (IBM1417A185)`)).toBeUndefined()
})
