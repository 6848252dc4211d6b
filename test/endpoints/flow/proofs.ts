import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Query } from '../../support/asking.ts'
import { randomMarket } from '../../support/random-tapes.ts'
import { type TapeMarket, tapeAnswer } from '../../support/tape-market.ts'
import { contractInvariants } from '../invariants/invariant.ts'

/** One answer, what it was asked for, and the market behind it. */
export interface Case {
  readonly market: TapeMarket
  readonly query: Query
}

/** Invariants that the contract states for the answers of a path. Each check throws if its invariant is violated. */
export type Proofs<Answer> = Readonly<Record<string, (answer: Answer, at: Case) => void>>

/** One property for each invariant of an endpoint: it must hold over random tapes, for every query. */
export function proveOverTapes<Answer>(path: string, queries: readonly Query[], proofs: Proofs<Answer>): void {
  describe(path, () => {
    for (const [invariant, holds] of Object.entries(proofs)) {
      test(invariant, () => {
        const cases = fc.record({ market: randomMarket, query: fc.constantFrom(...queries) })
        fc.assert(
          fc.property(cases, ({ market, query }) => {
            holds(tapeAnswer<Answer>(path, market, query), { market, query })
          }),
          { numRuns: 40, seed: 13 }
        )
      })
    }

    test('every invariant of the contract has its test', () => {
      expect(
        Object.keys(proofs)
          .filter((name) => !name.startsWith('own: '))
          .sort()
      ).toEqual(contractInvariants(path) ?? expect.anything())
    })
  })
}

/** An answer to the same question with other words. */
export const again = <Answer>(path: string, { market, query }: Case, more: Query) =>
  tapeAnswer<Answer>(path, market, { ...query, ...more })

export const falls = (values: readonly number[]) => values.every((value, k) => k === 0 || value < values[k - 1])
export const neverRises = (values: readonly number[]) => values.every((value, k) => k === 0 || value <= values[k - 1])
export const rises = (values: readonly number[]) => values.every((value, k) => k === 0 || value > values[k - 1])

export const timesOf = (rows: readonly { readonly ts: string }[]) => rows.map(({ ts }) => Date.parse(ts))

/** Equal to what rounding to so many decimals leaves. */
export function expectRounded(value: number, exact: number, decimals: number): void {
  expect(Math.abs(value - exact)).toBeLessThanOrEqual(0.5 * 10 ** -decimals + 1e-12 * Math.abs(exact) + 1e-12)
}
