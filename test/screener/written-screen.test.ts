import { expect, test } from 'vitest'
import { readWrittenScreen } from '../../src/screener/condition-text.ts'
import { ScreenProblem } from '../../src/screener/screen-problem.ts'
import { readScreen } from '../../src/screener/screen-request.ts'

const refused = (json: unknown) => {
  try {
    readWrittenScreen(json)
  } catch (error) {
    return error as ScreenProblem
  }
  throw new Error('it was taken')
}

test('conditions as text are the filter that they say', () => {
  const filters = {
    op: 'and',
    conditions: [
      { field: 'atm_iv', operator: '>', value: 25 },
      { field: 'regime', operator: '=', value: 'negative_gamma' }
    ]
  }
  expect(readWrittenScreen({ where: 'atm_iv > 25 and regime = negative_gamma', limit: 5 })).toEqual(
    readScreen({ filters, limit: 5 })
  )
})

test('a screen without text is read as ever', () => {
  for (const json of [{}, { limit: 3 }, { where: null, filters: { field: 'price', operator: 'is_null' } }])
    expect(readWrittenScreen(json)).toEqual(readScreen({ ...json, where: undefined }))
})

test('what cannot be read is refused with its place', () => {
  expect(refused({ where: 'atm_iv >' })).toBeInstanceOf(ScreenProblem)
  expect(refused({ where: 'atm_iv >' }).position).toBe(8)
  expect(refused({ where: 7 }).place).toBe('where')
  expect(refused({ where: 'price > 1', filters: { field: 'price', operator: 'gt', value: 1 } }).place).toBe('where')
  expect(refused([]).message).toBe('the body must be a JSON object')
})
