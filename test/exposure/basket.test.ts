import { expect, test } from 'vitest'
import { basketExposure } from '../../src/exposure/basket.ts'

test('members that offset each other contribute by the size of what they weigh', () => {
  const exposure = basketExposure([
    { weight: 0.75, net: { gex: 8, dex: 4, vex: 2, chex: 0 } },
    { weight: 0.25, net: { gex: -8, dex: 4, vex: -2, chex: 4 } }
  ])
  expect(exposure).toEqual({ net: { gex: 4, dex: 4, vex: 1, chex: 1 }, contributions: [75, 25] })
})
