import { expect, test } from 'vitest'
import { fearAndGreed } from '../../src/macro/fear-and-greed.ts'

const moodOf = (stated: number | undefined) =>
  fearAndGreed({
    levels: {},
    tenYear: undefined,
    highYieldSpread: undefined,
    fedFunds: undefined,
    fearAndGreed: stated
  })

test('a rating ends where the next begins, at whole scores', () => {
  expect([0, 24.4, 24.5, 44, 45, 55, 56, 75, 76, 100].map((stated) => moodOf(stated)?.rating)).toEqual([
    'Extreme Fear',
    'Extreme Fear',
    'Fear',
    'Fear',
    'Neutral',
    'Neutral',
    'Greed',
    'Greed',
    'Extreme Greed',
    'Extreme Greed'
  ])
  expect(moodOf(61.5)).toEqual({ score: 62, rating: 'Greed' })
})

test('there is no mood where no source states one', () => {
  expect(moodOf(undefined)).toBeUndefined()
})
