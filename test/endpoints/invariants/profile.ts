import { expect } from 'vitest'
import type { Profile } from '../answers.ts'
import { type Case, expectAll, expectSum, type Invariants, scopes, total } from './invariant.ts'

const measures = ['gex', 'dex', 'vex', 'chex'] as const
const lists = ({ gex, dex, vex, chex, by_bucket }: Profile) => [
  gex,
  dex,
  vex,
  chex,
  ...by_bucket.map((bucket) => bucket.gex)
]
const middle = (list: readonly number[]) => list[(list.length - 1) / 2]

/** Returns a measure from its plain endpoint for the same scope. */
function plain({ other, query: { expiration } }: Case, name: (typeof measures)[number]): number {
  const query = expiration === undefined ? {} : { expiration }
  return other<Readonly<Record<string, number>>>(`/v1/exposure/${name}/{symbol}`, query)![`net_${name}`]
}

export const profile: Invariants<Profile> = {
  queries: (market) => [
    ...scopes(market).map((scope) => ({ ...scope, points: '11' })),
    { points: '12', range_pct: '50' },
    { points: '31', range_pct: '2.5', when: 'close' },
    { points: '31', when: 'next_open', vol_shift: '3' },
    { points: '21', vol_shift: '-15' }
  ],
  checks: {
    'spots strictly ascending and evenly spaced (0.0001), the middle one == underlying_price': (answer) => {
      const { spots, underlying_price } = answer
      const step = (spots[spots.length - 1] - spots[0]) / (spots.length - 1)
      expectAll(spots, (spot, k) => k === 0 || spot > spots[k - 1])
      expectAll(spots, (spot, k) => Math.abs(spot - spots[0] - k * step) <= 0.00011)
      expect(middle(spots)).toBe(underlying_price)
    },
    'when now and vol_shift 0: the middle of gex, dex, vex, chex == the plain endpoints of the same scope (0.01)': (
      answer,
      at
    ) => {
      if (answer.when !== 'now' || answer.vol_shift !== 0) return
      for (const name of measures) expectSum(middle(answer[name]), plain(at, name), 1)
    },
    'every array has the length of spots': (answer) => {
      for (const list of lists(answer)) expect(list).toHaveLength(answer.spots.length)
    },
    'sum of by_bucket == gex at each point (0.05)': ({ gex, by_bucket }) => {
      gex.forEach((value, k) => {
        expectSum(
          value,
          total(by_bucket, (bucket) => bucket.gex[k]),
          by_bucket.length
        )
      })
    }
  },
  further: {
    'the crossings are where gex changes its sign, the flip among them where it lies in range': (answer, at) => {
      const { spots, gex, crossings } = answer
      const span = (k: number) => crossings.filter((x) => x >= spots[k - 1] - 0.011 && x <= spots[k] + 0.011).length
      expectAll(gex, (value, k) => k === 0 || !(value * gex[k - 1] < 0) || span(k) > 0)
      expectAll(crossings, (x, k) => x >= spots[0] - 0.01 && (k === 0 || x >= crossings[k - 1]))
      if (answer.when !== 'now' || answer.vol_shift !== 0) return
      const { expiration } = at.query
      const query = expiration === undefined ? {} : { expiration }
      const flip = at.other<{ readonly gamma_flip: number | null }>('/v1/exposure/gex/{symbol}', query)!.gamma_flip
      if (flip !== null && flip > spots[0] && flip < spots[spots.length - 1]) expect(crossings).toContain(flip)
    }
  }
}
