import { expect } from 'vitest'
import { CALL } from '../../../src/market/chain.ts'
import type { Explain, Gex, Levels, MaxPain } from '../answers.ts'
import { ascending, type Case, expectAll, expectSum, type Invariants, scopes, total } from './invariant.ts'

const nets = ['net_gex', 'net_dex', 'net_vex', 'net_chex']
const levels = ['gamma_flip', 'call_wall', 'put_wall', 'magnet', 'max_pain']
const lists = ['by_expiration', 'by_strike', 'by_contract'] as const
const sized = (rows: readonly { readonly value: number }[]) => rows.map(({ value }) => Math.abs(value))
const descending = (values: readonly number[]) => values.every((value, k) => k === 0 || value <= values[k - 1])
const scopeOf = ({ query: { expiration } }: Case) => (expiration === undefined ? {} : { expiration })

/** Returns the explained figure from the endpoint that serves it plainly. */
function plain({ metric }: Explain, at: Case): number | null | undefined {
  const scope = scopeOf(at)
  if (metric.startsWith('net_')) {
    const path = `/v1/exposure/${metric.slice(4)}/{symbol}`
    return at.other<Readonly<Record<string, number>>>(path, scope)![metric]
  }
  if (metric === 'max_pain') return at.other<MaxPain>('/v1/maxpain/{symbol}', scope)?.max_pain_strike ?? null
  const found = at.other<Levels>('/v1/exposure/levels/{symbol}', scope)!.levels
  return found[metric === 'magnet' ? 'zero_dte_magnet' : (metric as 'gamma_flip')]
}

export const explain: Invariants<Explain> = {
  queries: (market) => [
    ...scopes(market).flatMap((scope) => [...nets.slice(0, 2), ...levels].map((metric) => ({ ...scope, metric }))),
    ...nets.map((metric) => ({ metric, top: '50' })),
    { metric: 'net_gex', top: '1' }
  ],
  checks: {
    'metric net_* => sum of contributions.by_right == value (0.01)': ({ value, contributions }) => {
      if (contributions === null) return
      expectSum(
        value!,
        total(contributions.by_right, (row) => row.value),
        2
      )
    },
    'metric net_*: for each list, sum of its rows + its remainder == value (0.01 per row)': ({
      value,
      contributions
    }) => {
      if (contributions === null) return
      for (const list of lists) {
        const rows: readonly { readonly value: number }[] = contributions[list]
        expectSum(value!, total(rows, (row) => row.value) + contributions.remainder[list], rows.length + 1)
      }
    },
    'crossings[].chosen exactly once when metric is gamma_flip and value is a number, never otherwise': (answer) => {
      const chosen = (answer.crossings ?? []).filter((crossing) => crossing.chosen)
      const isFlip = answer.metric === 'gamma_flip' && answer.value !== null
      expect(chosen.map(({ spot }) => spot)).toEqual(isFlip ? [answer.value] : [])
    },
    'rests_on.sigma_sources shares sum to 1 (0.001) or are all 0': ({ rests_on: { sigma_sources: shares } }) => {
      const sum = shares.own_mid + shares.twin + shares.smile
      expect(sum === 0 || Math.abs(sum - 1) <= 0.001).toBe(true)
    },
    'null_reason is null iff value is a number': ({ value, null_reason }) => {
      expect(null_reason === null).toBe(value !== null)
    }
  },
  further: {
    'the value is that of the plain endpoint': (answer, at) => expect(answer.value).toBe(plain(answer, at)),
    'lists stand by size, shares are of the gross': ({ contributions }) => {
      if (contributions === null) return
      for (const list of lists) {
        const rows: readonly { readonly value: number; readonly share: number }[] = contributions[list]
        expect(descending(sized(rows)), list).toBe(true)
        expectAll(
          rows,
          ({ value, share }) => Math.abs(share * contributions.gross - value) <= 0.0001 * contributions.gross + 0.01
        )
      }
    },
    'crossings ascend and turn one way after the other': ({ crossings, metric }) => {
      expect(crossings === null).toBe(metric !== 'gamma_flip')
      if (crossings === null) return
      expect(ascending(crossings.map(({ spot }) => spot))).toBe(true)
      expectAll(crossings, ({ from }, k) => k === 0 || from === crossings[k - 1].to)
      expectAll(crossings, ({ from, to, slope }) => from !== to && (slope === 0 || slope > 0 === (to === 'positive')))
    },
    'the first candidate is the level, the margin how far it leads': ({ candidates, metric, value }) => {
      expect(candidates === null).toBe(metric.startsWith('net_') || metric === 'gamma_flip')
      if (candidates === null) return
      const { rows, margin, moved_overnight } = candidates
      expect(rows[0]?.strike ?? null).toBe(value)
      const [first, second] = sized(rows)
      const [large, small] = metric === 'max_pain' ? [second, first] : [first, second]
      if (margin !== null && small > 1) expect(Math.abs(margin - large / small)).toBeLessThan(0.01 * margin)
      expect(margin === null).toBe(second === undefined || small === 0)
      expect(moved_overnight === null).toBe(metric !== 'call_wall' || margin === null)
    },
    'every contract of the scope either carries exposure or is left out': (answer, at) => {
      if (answer.metric === 'magnet') return
      const { chain } = at.market
      const dates = new Set(at.other<Gex>('/v1/exposure/gex/{symbol}', scopeOf(at))!.scope.expirations)
      const { left_out } = answer.rests_on
      let [held, open] = [0, 0]
      chain.expirations.forEach(({ date, start, end }) => {
        if (!dates.has(date)) return
        for (let i = start; i < end; i++) if (chain.openInterest[i] > 0) open += chain.openInterest[i]
        held += end - start
      })
      expect(total(left_out, ({ contracts }) => contracts)).toBeLessThanOrEqual(held)
      expect(total(left_out, ({ open_interest }) => open_interest)).toBeLessThanOrEqual(open)
      expectAll(left_out, ({ reason, open_interest }) => reason !== 'no_open_interest' || open_interest === 0)
    },
    'the largest contract is the largest of the chain': (answer, { market: { chain }, query }) => {
      if (answer.metric !== 'net_gex' || 'expiration' in query) return
      const [first] = answer.contributions!.by_contract
      let largest = 0
      for (let i = 0; i < chain.size; i++) {
        if (!(chain.openInterest[i] > 0) || Number.isNaN(chain.gamma[i])) continue
        const sign = chain.right[i] === CALL ? 1 : -1
        const gex = sign * chain.gamma[i] * chain.openInterest[i] * 100 * chain.spot * chain.spot * 0.01
        if (Math.abs(gex) > Math.abs(largest)) largest = gex
      }
      expect(Math.abs((first?.value ?? 0) - largest)).toBeLessThanOrEqual(0.005 + 1e-9 * Math.abs(largest))
    }
  }
}
