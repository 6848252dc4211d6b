import { describe, expect, test } from 'vitest'
import {
  customerSide,
  customerSlope,
  customerSums,
  decayedCustomers,
  type TradedContract
} from '../../../src/flow/open-interest/customer-side.ts'
import { type CustomerGroup, customerGroups } from '../../../src/market/customer-sums.ts'
import { Chance } from '../../../trials/chance.ts'
import { marketOfHolders as market } from '../../support/known-holders.ts'

const sideOf = (group: CustomerGroup, sessions: readonly (readonly TradedContract[])[]) =>
  customerSide(group, sessions.map(customerSums))

describe('customers whose side is known', () => {
  test.each(customerGroups)('are found on it, and the convention of %s is told right or wrong', (group) => {
    const expected = group.startsWith('calls') ? 'short' : 'long'
    for (let seed = 1; seed <= 8; seed++) {
      for (const [lean, side] of [
        [0.8, 'long'],
        [0.2, 'short']
      ] as const) {
        const found = sideOf(group, market(seed, lean))
        expect([seed, found.side, Math.sign(found.slope!)]).toEqual([seed, side, side === 'long' ? 1 : -1])
        expect(found.verdict).toBe(side === expected ? 'fits' : 'contradicts')
      }
    }
  })

  test('are on no side where the changes are those of other contracts', () => {
    let told = 0
    for (let seed = 1; seed <= 200; seed++) {
      const chance = new Chance(1000 + seed)
      const shuffled = market(seed, 0.8).map((contracts) => {
        const traded = contracts.filter(({ volume }) => volume > 0)
        const changes = traded.map(({ change }) => change)
        for (let k = changes.length - 1; k > 0; k--) {
          const other = chance.below(k + 1)
          ;[changes[k], changes[other]] = [changes[other], changes[k]]
        }
        return traded.map((contract, k) => ({ ...contract, change: changes[k] }))
      })
      if (sideOf('calls_out', shuffled).side !== undefined) told++
    }
    expect(told).toBeLessThanOrEqual(20) // 5 % of 200, and three standard errors
  })

  test('are on no side in fewer than eight sessions, however plain those are', () => {
    const sessions = market(3, 0.9)
    for (const count of [1, 2, 7]) {
      const found = sideOf('puts_out', sessions.slice(0, count))
      expect([found.sessions, found.side, found.verdict]).toEqual([count, undefined, 'not_shown'])
      expect(found.slope).toBeDefined()
    }
  })

  // Contracts of a session that move together are few independent observations, however many they are.
  test.each([
    ['of its own, as large as its volume', 0],
    ['shared by its session, by what was bought less sold', 1]
  ])('are on no side where each contract has a noise %s', (_, shared) => {
    for (const [sessions, contracts] of [
      [8, 3],
      [8, 20],
      [20, 40]
    ] as const) {
      let told = 0
      for (let seed = 1; seed <= 400; seed++) {
        const chance = new Chance(7000 + seed)
        const noise = () => chance.below(2001) / 1000 - 1
        const made = Array.from({ length: sessions }, () => {
          const common = noise()
          return Array.from({ length: contracts }, () => {
            const volume = 1 + chance.below(500)
            const net = Math.round(volume * noise())
            return { volume, net, change: shared === 0 ? volume * noise() : net * common + 0.1 * volume * noise() }
          })
        })
        if (sideOf('calls_in', made).side !== undefined) told++
      }
      expect([sessions, contracts, told]).toEqual([sessions, contracts, expect.toSatisfy((n: number) => n <= 48)])
    }
  })

  test('are on no side without enough contracts, or without a trade that has a side', () => {
    const [contracts] = market(1, 0.8)
    const unsided = contracts.map((contract) => ({ ...contract, net: 0 }))
    for (const sums of [customerSums([]), customerSums(contracts.slice(0, 2)), customerSums(unsided)]) {
      expect(customerSide('puts_out', [sums])).toMatchObject({
        side: undefined,
        slope: undefined,
        verdict: 'not_shown'
      })
    }
  })
})

/** The same regression by matrices of the contracts themselves, as a textbook has it (White 1980, weights 1 / volume). */
function byMatrices(rows: readonly (TradedContract & { readonly weight: number })[]) {
  const product = (make: (row: (typeof rows)[number]) => number) => rows.reduce((sum, row) => sum + make(row), 0)
  const w = ({ volume, weight }: (typeof rows)[number]) => weight / volume
  const xx = [
    [product((row) => w(row) * row.volume ** 2), product((row) => w(row) * row.volume * row.net)],
    [product((row) => w(row) * row.volume * row.net), product((row) => w(row) * row.net ** 2)]
  ]
  const xy = [product((row) => w(row) * row.volume * row.change), product((row) => w(row) * row.net * row.change)]
  const determinant = xx[0][0] * xx[1][1] - xx[0][1] * xx[1][0]
  const inverse = [
    [xx[1][1] / determinant, -xx[0][1] / determinant],
    [-xx[1][0] / determinant, xx[0][0] / determinant]
  ]
  const [a, c] = inverse.map(([one, other]) => one * xy[0] + other * xy[1])
  const meat = [0, 1].map((i) =>
    [0, 1].map((j) =>
      product((row) => {
        const residual = row.change - a * row.volume - c * row.net
        const x = [row.volume, row.net]
        return w(row) ** 2 * residual ** 2 * x[i] * x[j]
      })
    )
  )
  let variance = 0
  for (const i of [0, 1]) for (const j of [0, 1]) variance += inverse[1][i] * meat[i][j] * inverse[j][1]
  return { slope: c, error: Math.sqrt(variance) }
}

test('slope and error are those of the textbook, over one session and over sessions that count less with age', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const sessions = market(seed, 0.6, { sessions: 5 })
    for (const part of [sessions.slice(0, 1), sessions]) {
      const rows = part.flatMap((contracts, k) =>
        contracts
          .filter(({ volume }) => volume > 0)
          .map((contract) => ({ ...contract, weight: 0.5 ** ((part.length - 1 - k) / 20) }))
      )
      const { slope, error } = customerSlope(decayedCustomers(part.map(customerSums)))
      const expected = byMatrices(rows)
      expect(slope! / expected.slope).toBeCloseTo(1, 9)
      expect(error! / expected.error).toBeCloseTo(1, 7)
    }
  }
})
