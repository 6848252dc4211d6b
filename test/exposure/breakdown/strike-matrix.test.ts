import { describe, expect, test } from 'vitest'
import { columnsByExpiration, strikeMatrix } from '../../../src/exposure/breakdown/strike-matrix.ts'
import { byStrike, strikeSums, totalVolume } from '../../../src/exposure/by-strike.ts'
import { netExposures } from '../../../src/exposure/net.ts'
import { liveScope } from '../../../src/exposure/scope.ts'
import { CALL } from '../../../src/market/chain.ts'
import { strikeFigures } from '../../../src/market/strike-sums.ts'
import { handMade } from '../../support/markets.ts'

describe('a matrix of strikes', () => {
  const columns = [
    { strikes: [95, 100, 105], values: [1, 2, 4] },
    { strikes: [90, 100, 110], values: [8, undefined, 32] }
  ]

  test('shows strikes of the range that any column lists, and adds up the others', () => {
    expect(strikeMatrix(columns, 95, 105)).toEqual({
      strikes: [95, 100, 105],
      values: [
        [1, undefined],
        [2, undefined],
        [4, undefined]
      ],
      rowTotals: [1, 2, 4],
      columnTotals: [7, 0],
      outside: [0, 40]
    })
  })

  test('may show nothing', () => {
    const { strikes, outside } = strikeMatrix(columns, 101, 104)
    expect([strikes, outside]).toEqual([[], [7, 40]])
    expect(strikeMatrix([], 0, 1000).strikes).toEqual([])
  })
})

describe('the columns of a chain by expiration', () => {
  const { chain, prior } = handMade('AM and PM series on one date')

  test('are its live dates, AM and PM series of a date in one', () => {
    expect(columnsByExpiration(liveScope(chain), 'oi').map(({ date }) => date)).toEqual(['2026-09-18', '2026-09-25'])
  })

  test('hold contracts of each strike, one by one', () => {
    for (const metric of ['oi', 'volume', 'oi_change'] as const) {
      for (const { date, strikes, values } of columnsByExpiration(liveScope(chain), metric, prior)) {
        for (const [k, strike] of Array.from(strikes).entries()) {
          let sum: number | undefined
          chain.expirations.forEach((listed) => {
            if (listed.date !== date) return
            for (let i = listed.start; i < listed.end; i++) {
              if (chain.strike[i] !== strike) continue
              const before = prior!.expirations.find(({ root, date: day }) => root === listed.root && day === date)
              let open = -1
              for (let j = before!.start; j < before!.end; j++) {
                const same = prior!.strike[j] === strike && prior!.right[j] === chain.right[i]
                if (same) open = prior!.openInterest[j]
              }
              if (metric === 'oi') sum = (sum ?? 0) + chain.openInterest[i]
              else if (metric === 'volume') sum = (sum ?? 0) + chain.volume[i]
              else if (open >= 0) sum = (sum ?? 0) + chain.openInterest[i] - open
            }
          })
          expect(values[k], `${metric} ${date} ${strike}`).toBe(sum)
        }
      }
    }
  })

  test('show no change of open interest without a day before', () => {
    for (const { values } of columnsByExpiration(liveScope(chain), 'oi_change')) {
      expect(Array.from(values).every((value) => value === undefined)).toBe(true)
    }
  })
})

test('the sums of a chain by strike are those of its contracts', () => {
  const { chain } = handMade('several expirations on a day of expiry')
  const sums = strikeSums(chain)
  const net = netExposures(liveScope(chain))
  for (const name of ['gex', 'dex', 'vex', 'chex'] as const) {
    expect(sums[name].reduce((total, value) => total + value, 0)).toBeCloseTo(net[name], 4)
  }
  Array.from(sums.strikes).forEach((strike, k) => {
    let [gex, oi] = [0, 0]
    for (let i = 0; i < chain.size; i++) {
      if (chain.strike[i] !== strike) continue
      const sign = chain.right[i] === CALL ? 1 : -1
      oi += chain.openInterest[i]
      gex += sign * chain.gamma[i] * chain.openInterest[i] * 100 * chain.spot * chain.spot * 0.01
    }
    expect(sums.oi[k]).toBe(oi)
    expect(sums.gex[k]).toBeCloseTo(gex, 4)
  })
  expect(Object.keys(sums).sort()).toEqual(['asOf', 'strikes', ...strikeFigures].sort())
  expect(byStrike(liveScope(chain)).some((row) => totalVolume(row) > 0)).toBe(true)
})
