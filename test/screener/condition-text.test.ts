import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseConditionText } from '../../src/screener/condition-text.ts'
import { ScreenProblem } from '../../src/screener/screen-problem.ts'
import { readScreen } from '../../src/screener/screen-request.ts'

const vol = { field: 'atm_iv', operator: 'gt', value: 25 }
const regime = { field: 'regime', operator: 'eq', value: 'negative_gamma' }
const open = { field: 'market_open', operator: 'eq', value: true }

test.each([
  ['atm_iv > 25', vol],
  ['atm_iv > 25 and regime = negative_gamma', { op: 'and', conditions: [vol, regime] }],
  [
    'atm_iv>25 and regime==negative_gamma or market_open = true',
    { op: 'or', conditions: [{ op: 'and', conditions: [vol, regime] }, open] }
  ],
  [
    'atm_iv > 25 and (regime = negative_gamma or market_open = true)',
    { op: 'and', conditions: [vol, { op: 'or', conditions: [regime, open] }] }
  ],
  ['((atm_iv > 25))', vol],
  ['contracts.delta between -0.3 and -0.2', { field: 'contracts.delta', operator: 'between', value: [-0.3, -0.2] }],
  ['symbol in (SPY, "BRK.B")', { field: 'symbol', operator: 'in', value: ['SPY', 'BRK.B'] }],
  ['iv_rank is null', { field: 'iv_rank', operator: 'is_null' }],
  ['iv_rank is not null', { field: 'iv_rank', operator: 'is_not_null' }],
  ['expiries.expiry = 2026-08-21', { field: 'expiries.expiry', operator: 'eq', value: '2026-08-21' }],
  ['(atm_iv - rv_20d) / rv_20d >= .2', { formula: '(atm_iv - rv_20d) / rv_20d', operator: 'gte', value: 0.2 }],
  ['abs(net_gex) < 1e9', { formula: 'abs(net_gex)', operator: 'lt', value: 1e9 }]
])('%s is read', (text, filter) => {
  expect(parseConditionText(text)).toEqual(filter)
  expect(() => readScreen({ filters: filter })).not.toThrow()
})

test.each([
  ['', 0],
  ['atm_iv', 6],
  ['atm_iv >', 8],
  ['> 3', 0],
  ['atm_iv > 3 4', 11],
  ['atm_iv > 3 and', 14],
  ['(atm_iv > 3', 11],
  ['atm_iv > 3)', 10],
  ['atm_iv is 3', 10],
  ['atm_iv in 3', 10],
  ['atm_iv ; 3', 7]
])('%s makes no sense from character %d on', (text, position) => {
  try {
    parseConditionText(text)
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(ScreenProblem)
    expect((error as ScreenProblem).position).toBe(position)
  }
})

test('any text is read or refused with a position in it', () => {
  const pieces = fc.constantFrom(
    ...'( ) and or not is null in between , > = 1 -2 atm_iv regime "a" 2026-08-21 + é'.split(' ')
  )
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces, { maxLength: 80 }).map((all) => all.join(' '))
  )
  const property = fc.property(texts, (text) => {
    try {
      parseConditionText(text)
    } catch (error) {
      if (!(error instanceof ScreenProblem)) throw error
      expect(error.position).toBeGreaterThanOrEqual(0)
      expect(error.position).toBeLessThanOrEqual(text.length)
    }
  })
  fc.assert(property, { numRuns: 2000 })
})
