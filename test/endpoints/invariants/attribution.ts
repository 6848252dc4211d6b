import { expect } from 'vitest'
import type { AttributionAnswer } from '../answers.ts'
import { expectAll, type Invariants } from './invariant.ts'

const measures = ['gex', 'dex', 'vex', 'chex'] as const
const sizeOf = ({ from, to }: { readonly from: number; readonly to: number }) => Math.abs(to - from)

export const attribution: Invariants<AttributionAnswer> = {
  // Sixteen times the greeks of a large chain take seconds.
  queries: ({ chain }) => {
    const expiration = chain.expirations[chain.expirations.length >> 1].date
    return chain.size > 3000 ? [{ expiration }] : [{}, { expiration: '0dte' }, { expiration }]
  },
  checks: {
    'for each exposure to - from == listing + open_interest + time + spot + volatility + carry (0.02)': (answer) => {
      for (const measure of measures) {
        const { from, to, listing, open_interest, time, spot, volatility, carry } = answer[measure]
        const sum = listing + open_interest + time + spot + volatility + carry
        // Eight figures were rounded to cents.
        expect(Math.abs(to - from - sum), measure).toBeLessThanOrEqual(0.04 + 1e-12 * (Math.abs(to) + Math.abs(from)))
      }
    },
    'gex.to == net_gex of /v1/exposure/gex at the same as_of and scope, dex, vex, chex alike': (answer, at) => {
      const { expiration } = at.query
      for (const measure of measures) {
        const plain = at.other<Readonly<Record<string, number>>>(
          `/v1/exposure/${measure}/{symbol}`,
          expiration === undefined ? {} : { expiration }
        )!
        expect(answer[measure].to).toBe(plain[`net_${measure}`])
      }
    },
    'since < as_of': ({ since, as_of }) => expect(Date.parse(since)).toBeLessThan(Date.parse(as_of))
  },
  further: {
    'the rows that changed most come first': ({ top_expirations, top_strikes }) => {
      for (const rows of [top_expirations, top_strikes]) {
        const sizes: readonly number[] = rows.map(sizeOf)
        expectAll(sizes, (size, k) => k === 0 || size <= sizes[k - 1] + 0.02)
      }
    }
  }
}
