import { describe, expect, test } from 'vitest'
import { CALL } from '../../../src/market/chain.ts'
import { atmVolatility } from '../../../src/volatility/smile/smile-volatility.ts'
import { marketVolatility } from '../../../src/volatility/term/central-volatility.ts'
import { moveOfDay, moveToExpiry } from '../../../src/volatility/term/expected-move.ts'
import { ladder } from '../../support/hand-made.ts'
import { chainOf, quotedWhere, series, sliceOn } from '../chains.ts'

test('one deviation to an expiration is spot times volatility times the root of time', () => {
  const chain = chainOf([series('2026-08-28', { sigma: 0.2 })])
  const slice = sliceOn(chain, '2026-08-28')
  const { sigma, move, percent, bounds } = moveToExpiry(chain, slice)
  expect(sigma).toBeCloseTo(0.2, 3)
  expect(move).toBeCloseTo(100 * sigma! * Math.sqrt(slice.t), 12)
  expect(percent).toBeCloseTo(move!, 12)
  expect(Math.log(bounds!.upper / 100)).toBeCloseTo(move! / 100, 12)
  expect(bounds!.lower * bounds!.upper).toBeCloseTo(100 * 100, 8)
})

test('bounds of any volatility lie above zero, the lower one nearer to spot', () => {
  for (const sigma of [0.05, 0.4, 1.5, 4]) {
    const chain = chainOf([series('2027-12-17', { sigma, strikes: ladder(20, 500, 5) })])
    const { move, bounds } = moveToExpiry(chain, sliceOn(chain, '2027-12-17'))
    expect(bounds!.lower).toBeGreaterThan(0)
    expect(100 - bounds!.lower).toBeLessThan(bounds!.upper - 100)
    expect(bounds!.upper).toBeGreaterThan(100 + move!)
  }
})

describe('an expiration whose smile tells nothing at the forward', () => {
  test('takes the volatility of its market smile', () => {
    // Calls alone are quoted, all above the forward.
    const quote = quotedWhere((strike, right) => right === CALL && strike >= 101)
    const chain = chainOf([series('2026-08-28', { sigma: 0.25, quote })])
    const slice = sliceOn(chain, '2026-08-28')
    expect(atmVolatility(slice)).toBeUndefined()
    expect(marketVolatility(chain, slice)).toBeCloseTo(0.25, 2)
    expect(moveToExpiry(chain, slice).sigma).toBe(marketVolatility(chain, slice))
  })

  test('takes that of its straddle where too little is quoted for a market smile', () => {
    for (const strike of [97, 100, 104]) {
      const quote = quotedWhere((each) => each === strike)
      const chain = chainOf([series('2026-08-28', { sigma: 0.25, quote })])
      const slice = sliceOn(chain, '2026-08-28')
      expect(marketVolatility(chain, slice)).toBeUndefined()
      expect(moveToExpiry(chain, slice).sigma).toBeCloseTo(0.25, 2)
    }
  })
})

test('without a volatility there is no move', () => {
  const silent = series('2026-08-28', { quote: quotedWhere(() => false) })
  const chain = chainOf([silent])
  expect(Object.values(moveToExpiry(chain, sliceOn(chain, '2026-08-28')))).toEqual(Array(4).fill(undefined))
})

test('a volatility of 15.87 percent moves a price of 100 by one dollar a day', () => {
  expect(moveOfDay(100, Math.sqrt(252))).toBeCloseTo(1, 12)
})
