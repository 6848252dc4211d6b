import { expect, test } from 'vitest'
import { charmRegime, vannaRegime } from '../../src/exposure/hedging.ts'

test('dealers buy where the sum is positive, sell where it is negative, and rest at 0', () => {
  expect([1, -1, 0].map(charmRegime)).toEqual(['time_decay_dealers_buy', 'time_decay_dealers_sell', 'neutral'])
  expect([1, -1, 0].map(vannaRegime)).toEqual(['vol_up_dealers_buy', 'vol_up_dealers_sell', 'neutral'])
})
