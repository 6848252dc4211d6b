import { expect, test } from 'vitest'
import { ivDispersion } from '../../../src/volatility/term/iv-dispersion.ts'
import { chainOf, series } from '../chains.ts'

test('two flat smiles deviate from each other and not over their strikes', () => {
  const chain = chainOf([series('2026-08-05', { sigma: 0.2 }), series('2026-08-28', { sigma: 0.24 })])
  const { acrossExpirations, acrossStrikes } = ivDispersion(chain)
  expect(acrossExpirations).toBeCloseTo(4 / Math.SQRT2, 2)
  expect(acrossStrikes).toBeCloseTo(0, 1)
})

test('one expiration alone deviates from nothing', () => {
  expect(ivDispersion(chainOf([series('2026-08-28')])).acrossExpirations).toBeUndefined()
})
