import { expect, test } from 'vitest'
import { liveScope } from '../../../src/exposure/scope.ts'
import { type GammaKernels, gammaAt, gammaBySpot } from '../../../src/exposure/spot-ladder/gamma-by-spot.ts'
import { netGammaAt } from '../../../src/exposure/spot-ladder/gamma-flip.ts'
import { gammaOn, gammaStretch } from '../../../src/exposure/spot-ladder/gamma-stretch.ts'
import { ladder, sketched } from '../../support/hand-made.ts'
import { priced } from '../../support/markets.ts'

const scopeOf = (spot: number, expirations: readonly string[]) =>
  liveScope(
    priced(
      sketched({
        date: '2026-07-29',
        time: '15:30',
        spot,
        series: expirations.map((date) => ({ date, strikes: ladder(0.8 * spot, 1.2 * spot, 0.01 * spot), oi: 300 }))
      })
    )
  )
const small = scopeOf(100, ['2026-07-29'])
const large = scopeOf(650, ['2026-07-29', '2026-08-07', '2026-12-18'])

const copied = ({ center, steepness, weight, size, gross }: GammaKernels) => ({
  center: center.slice(),
  steepness: steepness.slice(),
  weight: weight.slice(),
  size,
  gross
})

test('a profile stays what it is while that of another scope is made and used', () => {
  const first = gammaBySpot(large)
  const before = copied(first)
  const net = gammaAt(first, Math.log(640))
  const second = gammaBySpot(small)
  expect(second.size).toBeLessThan(first.size)
  expect(gammaAt(second, Math.log(98))).toBe(netGammaAt(small, 98) / 98)
  expect(copied(first)).toEqual(before)
  expect(gammaAt(first, Math.log(640))).toBe(net)
  expect(netGammaAt(large, 640)).toBe(640 * net)
})

test('a stretch stays what it is while another one is made', () => {
  const profile = gammaBySpot(large)
  const first = gammaStretch(profile, Math.log(650), Math.log(640))
  expect(first.shortDated.size).toBeGreaterThan(0)
  const [before, net] = [copied(first.shortDated), gammaOn(first, Math.log(645))]
  const second = gammaStretch(gammaBySpot(small), Math.log(100), Math.log(97))
  expect(second.shortDated.size).toBeGreaterThan(0)
  expect(copied(first.shortDated)).toEqual(before)
  expect(gammaOn(first, Math.log(645))).toBe(net)
  expect(Math.abs(net - gammaAt(profile, Math.log(645)))).toBeLessThanOrEqual(first.errorBound)
})
