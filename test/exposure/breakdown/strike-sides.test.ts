import { expect, test } from 'vitest'
import { slotsByStrike, strikeShares } from '../../../src/exposure/breakdown/strike-sides.ts'
import { liveOn } from '../../../src/exposure/scope.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { handMade } from '../../support/markets.ts'
import { givenScope } from '../given.ts'

test('a strike in the window has its part of all strikes, those outside the window included', () => {
  const scope = givenScope([
    { strike: 90, call: { oi: 30, volume: 6, gamma: 0.01 } },
    { strike: 102, call: { oi: 5, volume: 1, gamma: 0.01 }, put: { oi: 5, volume: 1, gamma: 0.01 } }
  ])
  const [near, ...others] = strikeShares(scope, 0.03)
  expect(others).toEqual([])
  expect([near.row.strike, near.distance, near.oi, near.volume]).toEqual([102, 2, 25, 25])
  expect(near.gex).toBeCloseTo(25, 10)
})

test('there is no part of nothing', () => {
  const [only] = strikeShares(givenScope([{ strike: 100, call: {}, put: {} }]), 0.03)
  expect([only.gex, only.oi, only.volume]).toEqual([undefined, undefined, undefined])
})

test('where AM and PM series share a strike, the PM contracts stand for it', () => {
  const { chain } = handMade('AM and PM series on one date')
  const pm = chain.expirations.find(({ date, settlement }) => date === '2026-09-18' && settlement === 'pm')!
  const { call, put } = slotsByStrike(liveOn(chain, '2026-09-18' as IsoDate)).get(6400)!
  for (const slot of [call!, put!]) expect(slot >= pm.start && slot < pm.end).toBe(true)
})
