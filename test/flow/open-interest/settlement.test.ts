import { describe, expect, test } from 'vitest'
import {
  addSettlements,
  noSettlements,
  settlementAccuracy,
  settlementSums
} from '../../../src/flow/open-interest/settlement.ts'
import type { Positions } from '../../../src/flow/tape-views.ts'
import { buildChain, CALL, type Chain, type ContractRow, PUT, UNKNOWN } from '../../../src/market/chain.ts'
import { SeriesList } from '../../../src/market/series.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'

/** One contract of a made-up session; undefined: it is not known or not listed. */
interface Contract {
  readonly strike: number
  readonly right: number
  readonly before?: number | undefined
  readonly after?: number | undefined
  readonly bought: number
  readonly sold: number
}

const symbol = 'TEST' as Ticker
const expiration = '2026-08-21' as IsoDate

function chainOf(contracts: readonly Contract[], openInterest: (contract: Contract) => number): Chain {
  const asOf = Date.parse('2026-07-29T20:00:00Z')
  const prices = { bid: 1, ask: 1.1, last: 1.05, bidSize: 1, askSize: 1 }
  const rows = contracts.map((contract): ContractRow => {
    const { strike, right, bought, sold } = contract
    const [volume, settlement] = [2 * (bought + sold), 'pm'] as const
    return {
      root: symbol,
      expiration,
      settlement,
      right,
      strike,
      ...prices,
      volume,
      openInterest: openInterest(contract)
    }
  })
  const quote = { bid: 100, ask: 100, last: 100, time: asOf }
  return buildChain({ symbol, asOf, delay: 0, spot: 100, quote }, rows)
}

/** The chain of the session, its flow and the chain of the next one. Each lists its contracts in an order of its own. */
function sessionOf(contracts: readonly Contract[], confidence: number) {
  const list = new SeriesList()
  for (const { strike, right } of contracts.toReversed()) {
    list.numberOf({ date: expiration, root: symbol, settlement: 'pm', strike, right, adjusted: false })
  }
  const column = (name: 'bought' | 'sold') => Int32Array.from(contracts.toReversed(), (contract) => contract[name])
  const positions = { series: list.columns, bought: column('bought'), sold: column('sold'), confidence } as Positions
  const before = chainOf(contracts, (contract) => contract.before ?? UNKNOWN)
  const listed = contracts.filter(({ strike }) => strike !== 0.5)
  const after = chainOf(listed, (contract) => contract.after ?? UNKNOWN)
  return { before, positions, after, sums: settlementSums(before, positions, after) }
}

/** Mulberry32. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return (((bits ^ (bits >>> 14)) >>> 0) + 0.5) / 2 ** 32
  }
}

/** Contracts whose open interest goes with their net volume by a known share, and by something else. */
function marketOf(seed: number, share: number, count: number, noise: number): readonly Contract[] {
  const next = random(seed)
  return Array.from({ length: count }, (_, k) => {
    // Some contracts trade hundreds, most a handful.
    const [bought, sold] = [next(), next()].map((draw) => Math.floor(10 / draw ** 0.4))
    const before = 20_000 + Math.floor(5000 * next())
    const other = Math.round(noise * Math.sqrt(bought + sold) * (next() + next() + next() - 1.5))
    const after = before + Math.round(share * (bought - sold)) + other
    return { strike: 10 + k, right: k % 2 === 0 ? CALL : PUT, before, after, bought, sold }
  })
}

/** Computes the accuracy figures by the textbook, contract by contract. */
function twin(contracts: readonly Contract[], c: number) {
  const rows = contracts.map(({ before = 0, after = 0, bought, sold }) => {
    const net = bought - sold
    const estimate = Math.max(0, before + Math.sign(net) * Math.round(c * Math.abs(net))) - before
    return { net, estimate, change: after - before }
  })
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0)
  const mean = (of: (row: (typeof rows)[number]) => number) => sum(of) / rows.length
  const [meanChange, meanEstimate] = [mean(({ change }) => change), mean(({ estimate }) => estimate)]
  const deviation = (of: 'change' | 'estimate', middle: number) => Math.sqrt(sum((row) => (row[of] - middle) ** 2))
  const together = sum(({ change, estimate }) => (change - meanChange) * (estimate - meanEstimate))
  const best = sum(({ net, change }) => net * change) / sum(({ net }) => net ** 2)
  return {
    contracts: rows.length,
    changed: rows.filter(({ change }) => change !== 0).length,
    explained: 1 - sum(({ change, estimate }) => Math.abs(change - estimate)) / sum(({ change }) => Math.abs(change)),
    correlation: together / deviation('change', meanChange) / deviation('estimate', meanEstimate),
    bestConfidence: best,
    bestConfidenceError:
      Math.sqrt(sum(({ net, change }) => net ** 2 * (change - best * net) ** 2)) / sum(({ net }) => net ** 2)
  }
}

describe('the estimate of a session beside what was published', () => {
  test.each([1, 2, 3])('has the figures of the textbook (market %i)', (seed) => {
    const contracts = marketOf(seed, 0.3, 300, 8)
    const found = settlementAccuracy(sessionOf(contracts, 0.43).sums!)
    const expected = twin(contracts, 0.43)
    for (const [name, value] of Object.entries(expected)) {
      expect(found[name as keyof typeof expected], name).toBeCloseTo(value, 9)
    }
    expect(found.sided).toBe(0.5)
  })

  test.each([0.1, 0.215, 0.43, 0.8])('finds the share that markets were made with: %f', (share) => {
    const found = Array.from({ length: 20 }, (_, seed) =>
      settlementAccuracy(sessionOf(marketOf(seed, share, 800, 2), 0.43).sums!)
    )
    for (const { bestConfidence, bestConfidenceError } of found) {
      expect(bestConfidenceError).toBeLessThan(0.05)
      expect(Math.abs(bestConfidence! - share)).toBeLessThan(4 * bestConfidenceError!)
    }
    const mean = found.reduce((sum, { bestConfidence }) => sum + bestConfidence!, 0) / found.length
    expect(Math.abs(mean - share)).toBeLessThan(0.01)
  })

  test('explains everything where the share is right and nothing else moves', () => {
    const { sums } = sessionOf(marketOf(7, 0.43, 200, 0), 0.43)
    expect(settlementAccuracy(sums!)).toMatchObject({
      explained: expect.closeTo(1, 2),
      correlation: expect.closeTo(1, 4)
    })
  })

  test('counts contracts of both days with a known open interest and no other', () => {
    const traded = { right: CALL, bought: 10, sold: 0 }
    const { sums } = sessionOf(
      [
        { ...traded, strike: 0.5, before: 5 }, // expired, so the next day does not list it
        { ...traded, strike: 100, before: 100, after: 110 },
        { ...traded, strike: 101, before: 100 },
        { ...traded, strike: 102, after: 100 },
        { strike: 103, right: PUT, before: 7, after: 7, bought: 0, sold: 0 }
      ],
      0.43
    )
    expect(sums).toMatchObject({ contracts: 2, changed: 1, absoluteChange: 10, absoluteError: 6, netSquared: 100 })
  })

  test('is none where nothing new was published', () => {
    const contracts = marketOf(1, 0.43, 20, 0).map((contract) => ({ ...contract, after: contract.before }))
    expect(sessionOf(contracts, 0.43).sums).toBeUndefined()
  })

  test('says nothing of a share where nothing had a side', () => {
    const { sums } = sessionOf([{ strike: 100, right: CALL, before: 1, after: 5, bought: 0, sold: 0 }], 0.43)
    expect(settlementAccuracy(sums!)).toMatchObject({ explained: 0, bestConfidence: undefined, sided: undefined })
    expect(settlementAccuracy(noSettlements)).toEqual({ contracts: 0, changed: 0 })
  })

  test('adds up over sessions', () => {
    const [one, other] = [marketOf(1, 0.3, 50, 5), marketOf(2, 0.3, 50, 5)]
    const moved = other.map((contract) => ({ ...contract, strike: contract.strike + 100 }))
    const both = sessionOf([...one, ...moved], 0.43).sums!
    expect(addSettlements(sessionOf(one, 0.43).sums!, sessionOf(other, 0.43).sums!)).toEqual(both)
  })
})
