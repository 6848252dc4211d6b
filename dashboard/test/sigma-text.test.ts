import { expect, test } from 'vitest'
import { sigmaText } from '../src/screens/overview/sigma-text.ts'

test('a distance in standard deviations is a figure that can be used', () => {
  expect([1.44, -27.2, 0, undefined].map(sigmaText)).toEqual(['1.4', '\u221227.2', '0.0', '–'])
  expect([99.1, 199.7, -1467, Number.POSITIVE_INFINITY].map(sigmaText)).toEqual(['> 99', '> 99', '< \u221299', '> 99'])
})
