import { expect, test } from 'vitest'
import { gammaChange } from '../../src/exposure/gamma-change.ts'

test('a change counts in percent of the size before, so that less negative is up', () => {
  expect([gammaChange(150, 100), gammaChange(-50, -100), gammaChange(-100, 100)]).toEqual([50, 50, -200])
})

test('there is no change against nothing', () => {
  expect([gammaChange(150, undefined), gammaChange(150, 0)]).toEqual([undefined, undefined])
})
