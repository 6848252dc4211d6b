import { describe, expect, test } from 'vitest'
import { customersBlock } from '../../src/endpoints/exposure/customers-block.ts'
import type { TradedContract } from '../../src/flow/open-interest/customer-side.ts'
import { CustomerLists } from '../../src/live/days/live-customers.ts'
import { nextTradingDay, session } from '../../src/market/calendar.ts'
import { customerGroups } from '../../src/market/customer-sums.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import { ArchiveReader } from '../../src/replay/archive-reader.ts'
import { ReplayMarket } from '../../src/replay/replay-market.ts'
import { engineWith } from '../support/engine-with.ts'
import { knownCustomers, leans, marketOfHolders } from '../support/known-holders.ts'
import { memoryStore } from '../support/memory-store.ts'

const SPY = 'SPY' as Ticker
const date = '2026-07-31' as IsoDate
const rows = knownCustomers(SPY, date)

/**
 * The slope by matrices of the contracts themselves, weights 1 / volume, halved each twenty sessions, and the larger of White's
 * error and that of sessions whose contracts move together.
 */
function byMatrices(sessions: readonly (readonly TradedContract[])[]) {
  const contracts = sessions.flatMap((traded, k) =>
    traded.flatMap((row) =>
      row.volume > 0 ? [{ ...row, session: k, weight: 0.5 ** ((sessions.length - 1 - k) / 20) / row.volume }] : []
    )
  )
  const sum = (make: (row: (typeof contracts)[number]) => number) => contracts.reduce((all, row) => all + make(row), 0)
  const [a, b, c] = [
    sum(({ weight, volume }) => weight * volume ** 2),
    sum(({ weight, volume, net }) => weight * volume * net),
    sum(({ weight, net }) => weight * net ** 2)
  ]
  const [p, q] = [
    sum(({ weight, volume, change }) => weight * volume * change),
    sum(({ weight, net, change }) => weight * net * change)
  ]
  const determinant = a * c - b ** 2
  const [perVolume, slope] = [(c * p - b * q) / determinant, (a * q - b * p) / determinant]
  const residual = ({ change, volume, net }: TradedContract) => change - perVolume * volume - slope * net
  const pullOf = (row: (typeof contracts)[number]) =>
    ((row.weight * (a * row.net - b * row.volume)) / determinant) * residual(row)
  const white = sum((row) => pullOf(row) ** 2)
  const pulls = sessions.map((_, k) => sum((row) => (row.session === k ? pullOf(row) : 0)))
  const between = (pulls.reduce((all, pull) => all + pull ** 2, 0) * pulls.length) / (pulls.length - 1)
  return { slope, error: Math.sqrt(Math.max(white, between)) }
}

describe('the side of customers', () => {
  test('is that of a market whose holders are known, with the slope and error of a textbook', () => {
    const { groups, sessions, since } = customersBlock.fill(rows)!
    expect([sessions, since]).toEqual([rows.length, rows[0].session])
    for (const [k, { group, slope, standard_error, side, verdict }] of groups.entries()) {
      expect(group).toBe(customerGroups[k])
      expect(side).toBe(leans[group] > 0.5 ? 'long' : 'short')
      expect(verdict).toBe(group === 'puts_out' ? 'contradicts' : 'fits')
      const expected = byMatrices(marketOfHolders(11 + k, leans[group]))
      expect(slope).toBeCloseTo(expected.slope, 9)
      expect(standard_error).toBeCloseTo(expected.error, 9)
    }
  })

  test('is not shown of what nobody traded, and is nothing without sessions', () => {
    expect(customersBlock.fill([])).toBeNull()
    const empty = rows.map((row) => ({
      ...row,
      groups: {
        ...row.groups,
        calls_in: { contracts: 0, products: [0, 0, 0, 0, 0, 0], scores: Array<number>(18).fill(0) }
      }
    }))
    const group = customersBlock.fill(empty)!.groups.find((each) => each.group === 'calls_in')
    expect(group).toEqual({
      group: 'calls_in',
      sessions: 0,
      slope: undefined,
      standard_error: undefined,
      side: undefined,
      verdict: 'not_shown'
    })
  })
})

describe('what is known of customers at a moment', () => {
  const store = memoryStore({ snapshots: [], bars: [], records: [], customers: rows })
  const { open, close } = session(nextTradingDay(rows[9].session))!
  const moments: readonly Instant[] = [open + 300_000, close - 1, close, session(date)!.close]

  test('is the same live and in replay, and nothing that was published later', async () => {
    const lists = new CustomerLists({ archive: store, marketNow: () => now, steadyNow: () => now })
    let now = 0
    for (const at of moments) {
      now = at
      const live = await lists.of(SPY)
      const past = [store, store.cut(at), store.poison(at)].map((archive) =>
        new ReplayMarket(new ArchiveReader(archive, engineWith({})), at, [SPY]).customers(SPY)
      )
      expect(await Promise.all(past)).toEqual([live, live, live])
    }
    const counts = await Promise.all(
      moments.map(
        async (at) =>
          (await new ReplayMarket(new ArchiveReader(store, engineWith({})), at, [SPY]).customers(SPY)).length
      )
    )
    expect(counts).toEqual([9, 9, 10, rows.length])
  })
})
