import { expect } from 'vitest'
import { CALL } from '../../../src/market/chain.ts'
import { isLive } from '../../../src/market/clock.ts'
import type { PricedChain } from '../../../src/pricing/price-chain.ts'
import type { Quality } from '../answers.ts'
import { expectAll, type Invariants, total } from './invariant.ts'

interface Row {
  readonly listing: number
  readonly strike: number
  readonly isCall: boolean
  readonly bid: number
  readonly ask: number
  readonly oi: number
}

const isTwoSided = ({ bid, ask }: Row) => bid > 0 && ask >= bid
const mid = ({ bid, ask }: Row) => (bid + ask) / 2

function liveRows(chain: PricedChain): readonly Row[] {
  return chain.expirations.flatMap(({ date, settlement, start, end }, listing) =>
    !isLive(chain.asOf, date, settlement)
      ? []
      : Array.from({ length: end - start }, (_, k) => ({
          listing,
          strike: chain.strike[start + k],
          isCall: chain.right[start + k] === CALL,
          bid: chain.bid[start + k],
          ask: chain.ask[start + k],
          oi: chain.openInterest[start + k]
        }))
  )
}

const share = (part: number, of: number) => (of === 0 ? null : (100 * part) / of)

function middle(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  if (sorted.length === 0) return null
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}

/** The checks of quotes once more, from rows. */
function plainly(chain: PricedChain): Readonly<Record<string, number | null>> {
  const rows = liveRows(chain)
  const near = rows.filter(({ strike }) => strike / chain.spot >= 0.9 && strike / chain.spot <= 1.1)
  const quoted = near.filter(isTwoSided)
  const bid = near.filter((row) => row.bid > 0)
  let [pairs, riskless] = [0, 0]
  const misses: number[] = []
  for (const row of quoted) {
    const others = quoted.filter(
      ({ listing, isCall, strike }) => listing === row.listing && isCall === row.isCall && strike > row.strike
    )
    const next = others.reduce<Row | undefined>(
      (least, one) => (least && least.strike < one.strike ? least : one),
      undefined
    )
    if (next === undefined) continue
    pairs++
    if (row.isCall ? row.ask < next.bid : next.ask < row.bid) riskless++
  }
  for (const call of rows.filter((row) => row.isCall && isTwoSided(row))) {
    if (Math.abs(call.strike / chain.spot - 1) > 0.05) continue
    const put = rows.find(
      ({ listing, strike, isCall }) => listing === call.listing && strike === call.strike && !isCall
    )
    if (put === undefined || !isTwoSided(put)) continue
    const { rate, t, forward } = chain.carries[call.listing]
    const miss = Math.abs(mid(call) - mid(put) - Math.exp(-rate * t) * (forward - call.strike))
    misses.push(miss / Math.max((call.ask - call.bid + put.ask - put.bid) / 2, 0.005))
  }
  return {
    two_sided: share(quoted.length, near.length),
    crossed: share(bid.filter((row) => row.ask <= row.bid).length, bid.length),
    spread: middle(quoted.filter(({ oi }) => oi > 0).map((row) => (100 * (row.ask - row.bid)) / mid(row))),
    parity: middle(misses),
    arbitrage: share(riskless, pairs)
  }
}

/** Checks that cost points if they cannot be made. */
const costsUnknown = ['two_sided', 'parity', 'spot', 'open_interest']

export const quality: Invariants<Quality> = {
  queries: () => [{}],
  checks: {
    '0 <= score <= 100; score == max(0, 100 - sum of checks[].deduction)': ({ score, checks }) => {
      expect(score).toBe(Math.max(0, 100 - total(checks, ({ deduction }) => deduction)))
      expect(score).toBeLessThanOrEqual(100)
    },
    'check ids distinct; value null => deduction 0': ({ checks }) => {
      expect(new Set(checks.map(({ id }) => id)).size).toBe(15)
      // A known difference: what cannot be checked costs points where it matters.
      expectAll(checks, ({ id, value, deduction }) => value !== null || deduction === 0 || costsUnknown.includes(id))
      expectAll(checks, ({ state, deduction }) => (state === 'failed') === deduction > 0 || state === 'not_checkable')
      expectAll(checks, ({ state, value }) => (state === 'not_checkable' || state === 'not_due') === (value === null))
    },
    'two_sided, with_open_interest <= listed': ({ contracts: { listed, two_sided, with_open_interest } }) => {
      expect(Math.max(two_sided, with_open_interest)).toBeLessThanOrEqual(listed)
    }
  },
  further: {
    'the checks stand in the order of the contract, and further ones after them': ({ checks }) =>
      expect(checks.map(({ id }) => id).join()).toBe(
        'age,two_sided,crossed,spread,parity,smile,arbitrage,missing_expirations,open_interest_date,spot,' +
          'scale,open_interest,settlement,frozen_quotes,quote_times'
      ),
    'contracts are counted row by row': ({ contracts }, { market: { chain } }) => {
      const rows = liveRows(chain)
      expect(contracts).toEqual({
        listed: rows.length,
        two_sided: rows.filter(isTwoSided).length,
        with_open_interest: rows.filter(({ oi }) => oi > 0).length
      })
    },
    'the checks of quotes are those of its rows': ({ checks }, { market: { chain } }) => {
      if (chain.size > 3000) return
      for (const [id, plain] of Object.entries(plainly(chain))) {
        const { value } = checks.find((check) => check.id === id)!
        if (plain === null || value === null) expect(value, id).toBe(plain)
        else expect(Math.abs(value - plain), id).toBeLessThanOrEqual(0.000051)
      }
    }
  }
}
