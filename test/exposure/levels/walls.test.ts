import { expect, test } from 'vitest'
import { byStrike } from '../../../src/exposure/by-strike.ts'
import { wallSide, walls } from '../../../src/exposure/levels/walls.ts'
import { givenScope } from '../given.ts'

// At a spot of 100 a gamma of 0.01 and 10 contracts expose 1,000 USD per 1 %.
const scope = givenScope([
  { strike: 95, call: { oi: 20, gamma: 0.01 }, put: { oi: 10, gamma: 0.03 } },
  { strike: 105, call: { oi: 30, gamma: 0.02 }, put: { oi: 10, gamma: 0.01 } }
])

test('a wall has the share of its side and a signed distance', () => {
  const { call, put } = walls(scope)
  expect([call?.strike, call?.distance]).toEqual([105, 5])
  expect(call?.gex).toBeCloseTo(6000, 8)
  expect(call?.strength).toBeCloseTo(0.75, 12)
  expect([put?.strike, put?.distance]).toEqual([95, -5])
  expect(put?.gex).toBeCloseTo(-3000, 8)
  expect(put?.strength).toBeCloseTo(0.75, 12)
})

test('a strike is a wall of the side its net gamma is on', () => {
  expect(byStrike(scope).map(wallSide)).toEqual(['put_wall', 'call_wall'])
})

test('without open interest there is no wall', () => {
  expect(walls(givenScope([{ strike: 100, call: {}, put: {} }]))).toEqual({ call: undefined, put: undefined })
})
