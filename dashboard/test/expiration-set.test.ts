import { expect, test } from 'vitest'
import {
  CALENDAR_SETS,
  datesOf,
  MOST_DATES,
  paramsOfSet,
  setAmong,
  setOfParams,
  withDate
} from '../src/state/page/expiration-set.ts'
import { addressOf, readPlace } from '../src/state/page/place.ts'

const setIn = (text: string) => readPlace(`#/overview/SPY?expirations=${text}`).expirations

test('an address without a set is of all expirations, and asks for none', () => {
  expect(readPlace('#/overview/SPY').expirations).toBeUndefined()
  expect(paramsOfSet(undefined)).toEqual({})
  expect(addressOf(readPlace('#/overview/SPY'))).toBe('#/overview/SPY')
})

test('sets by the calendar are asked for by the words of the service', () => {
  expect(CALENDAR_SETS.map((set) => [setIn(set), paramsOfSet(set)])).toEqual([
    ['0dte', { expirations: '0dte' }],
    ['7d', { dte_max: 7 }],
    ['45d', { dte_max: 45 }],
    ['monthly', { expiry_type: 'monthly' }]
  ])
})

test('single dates stand in one order, each once, so that equal sets have one address and one question', () => {
  expect(setIn('2027-01-15,2026-12-18,2026-12-18')).toBe('2026-12-18,2027-01-15')
  expect(paramsOfSet('2026-12-18,2027-01-15')).toEqual({ expirations: '2026-12-18,2027-01-15' })
  expect(addressOf(readPlace('#/hedging/QQQ?expirations=2027-01-15,2026-12-18'))).toBe(
    '#/hedging/QQQ?expirations=2026-12-18,2027-01-15'
  )
})

test('what is no set leaves all expirations', () => {
  const many = Array.from({ length: MOST_DATES + 1 }, (_, i) => `20${String(30 + i)}-01-15`).join()
  for (const text of ['', 'all', 'soon', '8d', '2026-02-30', '2026-13-01', '2026-12-18,', '0dte,2026-12-18', many])
    expect(setIn(text), text).toBeUndefined()
})

test('the set of a question is that of the address', () => {
  for (const set of [undefined, ...CALENDAR_SETS, '2026-12-18', '2026-12-18,2027-01-15'])
    expect(setOfParams(paramsOfSet(set))).toBe(set)
  expect(setOfParams({ symbol: 'SPY', expiration: '2026-12-18' } as object)).toBeUndefined()
})

test('dates are ticked one by one, and without any all expirations are chosen', () => {
  expect(withDate('monthly', '2026-12-18', true)).toBe('2026-12-18')
  expect(withDate('2026-12-18', '2026-11-20', true)).toBe('2026-11-20,2026-12-18')
  expect(withDate('2026-11-20,2026-12-18', '2026-11-20', false)).toBe('2026-12-18')
  expect(withDate('2026-12-18', '2026-12-18', false)).toBeUndefined()
  expect(datesOf('monthly')).toEqual([])
})

test('for another symbol the dates that it lists stay, and sets by the calendar always', () => {
  const listed = ['2026-11-20', '2026-12-18']
  expect(setAmong('2026-12-18,2026-12-21', listed)).toBe('2026-12-18')
  expect(setAmong('2026-12-21', listed)).toBeUndefined()
  expect(setAmong(undefined, listed)).toBeUndefined()
  for (const set of CALENDAR_SETS) expect(setAmong(set, [])).toBe(set)
})
