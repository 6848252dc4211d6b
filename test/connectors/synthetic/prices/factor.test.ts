import { expect, test } from 'vitest'
import { sessions } from '../../../../src/connectors/synthetic/market-sessions.ts'
import { factorAt, factorLevels, factorPath, pagedPath } from '../../../../src/connectors/synthetic/prices/factor.ts'
import { uniform } from '../../../../src/math/random.ts'

const terms = { volatility: 0.3, reversion: 0.1, leverage: -0.6, clustering: 0.8 }
const last = sessions.length - 1

test('a paged factor has the values of a whole one, in whatever order its sessions are read', () => {
  const whole = factorPath(11, terms)
  const paged = pagedPath(11, terms, new Map())
  const drawn = Array.from({ length: 60 }, (_, k) => Math.floor(uniform(5, k) * sessions.length))
  for (const n of [last, 0, 255, 256, 257, 512, 511, ...drawn]) {
    for (const s of [0, 0.4, 1]) expect([n, factorAt(paged, n, s)]).toEqual([n, factorAt(whole, n, s)])
    expect(factorLevels(paged, n, 3)).toEqual(factorLevels(whole, n, 3))
  }
})

test('a jump at a report stays in every later session of a paged factor', () => {
  const calm = pagedPath(11, { ...terms, reversion: 0 }, new Map())
  const jumped = pagedPath(11, { ...terms, reversion: 0 }, new Map([[300, 0.1]]))
  const difference = (n: number) => factorAt(jumped, n, 1).level - factorAt(calm, n, 1).level
  expect(difference(299)).toBe(0)
  for (const n of [300, 511, 512, last]) expect(difference(n)).toBeCloseTo(0.1, 12)
})

test('a paged factor keeps two pages of sessions', () => {
  const { around } = pagedPath(11, terms, new Map())
  const page = around(300)
  expect(around(511)).toBe(page)
  around(600)
  expect(around(256)).toBe(page)
  around(10)
  expect(around(256)).toBe(page)
  around(600)
  around(10)
  expect(around(256)).not.toBe(page)
  expect(around(256)).toEqual(page)
})
